"""Pages with their text in <noscript>, and collapsed text."""

import pytest

from posterity.dom import parse, text_of
from posterity.extraction.method import extract

_THREAD = "<h1>Which stove?</h1>" + "<p>Mine burns paraffin and has done so for twenty winters.</p>" * 12


def test_page_that_scripts_draw_is_read_from_its_noscript() -> None:
    page = parse(f"<body><div id=app></div><noscript>{_THREAD}</noscript><script>draw()</script></body>")
    assert text_of(page.tree).startswith("Which stove?")


def test_notice_for_readers_without_scripts_is_no_text() -> None:
    page = parse("<body><noscript>Please switch JavaScript on.</noscript><p>The tide comes at noon.</p></body>")
    assert text_of(page.tree) == "The tide comes at noon."


def test_noscript_that_repeats_the_page_is_not_read_twice() -> None:
    page = parse(f"<body>{_THREAD}<noscript>{_THREAD}</noscript></body>")
    assert text_of(page.tree).count("Which stove?") == 1


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden role=tabpanel",
        "role=region style='display: none'",
        "class=accordion__content style='display:none'",
        "hidden=until-found",
        "hidden id='S:1a'",
    ],
)
def test_what_readers_unfold_is_text(attributes: str) -> None:
    page = parse(f"<body><p>Which anchor?</p><div {attributes}>The heavy one.</div></body>")
    assert "The heavy one." in text_of(page.tree)


@pytest.mark.parametrize("attributes", ["hidden", "role=dialog style='display:none'", "hidden id=Sidebar"])
def test_what_stays_hidden_is_no_text(attributes: str) -> None:
    page = parse(f"<body><p>Which anchor?</p><div {attributes}>Take our cookies.</div></body>")
    assert text_of(page.tree) == "Which anchor?"


_LATER = '<div hidden id="S:{0}">{1}</div><script>$RC("B:{0}","S:{0}")</script>'
_PENDING = '<!--$?--><template id="B:{0}"></template><p>Loading</p><!--/$-->'


def test_what_react_sends_later_stands_in_its_place() -> None:
    part = _LATER.format(0, "<h1>Which anchor?</h1>" + _PENDING.format(1))
    page = parse(
        f"<body><nav>Menu</nav><main>{_PENDING.format(0)}</main><footer>Imprint</footer>{part}"
        + _LATER.format(1, "<p>The heavy one.<!-- --> Always.</p>")
    )
    assert text_of(page.tree) == "Menu\n\nWhich anchor?\n\nThe heavy one. Always.\n\nImprint"
    assert page.first("main h1") is not None


def test_part_of_a_part_that_react_sends_later_stands_in_its_place() -> None:
    page = parse(
        f"<body><main>{_PENDING.format(0)}</main><p>Behind</p>"
        '<div hidden id="S:0"><h1>Which anchor?</h1><template id="P:1"></template><p>Always.</p></div>'
        '<div hidden id="S:1"><p>The heavy one.</p></div><script>$RS("S:1","P:1")</script>'
        '<script>$RC("B:0","S:0")</script>'
    )
    assert text_of(page.tree) == "Which anchor?\n\nThe heavy one.\n\nAlways.\n\nBehind"


def test_part_without_a_place_stays_where_it_is() -> None:
    page = parse("<body><p>Which anchor?</p>" + _LATER.format(7, "<p>The heavy one.</p>"))
    assert text_of(page.tree) == "Which anchor?\n\nThe heavy one."


def test_part_that_holds_its_own_place_stays_where_it_is() -> None:
    page = parse("<body>" + _LATER.format(0, f"<p>The heavy one.</p>{_PENDING.format(0)}"))
    assert text_of(page.tree).startswith("The heavy one.")


_LINE = "Mine burns paraffin and has done so for twenty winters. "
_MARKUP = "".join(f"<p>{_LINE * 4}</p>" for _ in range(4))
_ESCAPED = _MARKUP.replace("<", "\\u003c").replace(">", "\\u003e")
_TWICE = _ESCAPED.replace("\\", "\\\\")


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ('<script id="__NEXT_DATA__" type="application/json">{"props": {"post": {"body": "TEXT"}}}</script>', _ESCAPED),
        ('<script>f.push([1,"24:T1b7b,"])</script><script>self.__next_f.push([1,"TEXT"])</script>', _ESCAPED),
        ('<script>self.__next_f.push([1,"5:[\\"$\\",\\"$L3\\",null,{\\"html\\":\\"TEXT\\"}]"])</script>', _TWICE),
        ('<script>window.__NUXT__={data:[{post:{body:"TEXT"}}]}</script>', _ESCAPED.replace("u00", "x")),
        ('<script>window.__staticRouterHydrationData = JSON.parse("{\\"body\\":\\"TEXT\\"}");</script>', _TWICE),
        ('<script type="application/json">{"markdown": "TEXT"}</script>', "\\n\\n".join([_LINE * 4] * 4)),
    ],
)
def test_page_without_text_is_read_from_the_data_of_its_scripts(script: str, text: str) -> None:
    script = script.replace("TEXT", text)
    page = f"<body><div id=app></div><noscript>Please switch JavaScript on.</noscript>{script}</body>"
    post = extract(page, "https://stoves.example/1")
    assert post is not None
    assert post.text == "\n\n".join([(_LINE * 4).strip()] * 4)


@pytest.mark.parametrize(
    "page",
    [
        f'<p>High water. {_LINE * 5}</p><script type="application/json">{{"next": "{_ESCAPED}"}}</script>',
        f'<div>High water at noon.</div><script>banner.innerHTML = "{_MARKUP}"</script>',
        f'<div>High water at noon.</div><script>{{"a": "{_LINE * 40}"}}</script>',
        f'<div>High water at noon.</div><script>{{"a": "{_LINE * 40}\\ud800"}}</script>',
    ],
)
def test_data_of_scripts_is_no_text_of_a_page_with_text_nor_is_code(page: str) -> None:
    post = extract(f"<body>{page}</body>", "https://stoves.example/1")
    assert post is None or (post.text.startswith("High water") and post.text.count(_LINE.strip()) in (0, 5))


def test_half_of_a_character_in_the_data_of_a_script_is_replaced() -> None:
    assert "winters" in text_of(parse(f'<script>{{"a": "{_ESCAPED}\\ud800"}}</script>').with_data_shown().tree)
