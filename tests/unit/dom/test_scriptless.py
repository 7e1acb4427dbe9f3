"""Pages that keep their text in <noscript>, and text that readers unfold."""

import pytest

from posterity.dom import parse, text_of

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
