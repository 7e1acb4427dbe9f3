"""Sanitised copies of pages: the parts kept, the parts removed, and the outlines."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.model import Page
from posterity.serve.replay.clean_page import PagePart, StoredFiles, clean_page


def cleaned(html: str, parts: list[PagePart] | None = None, *, numbered: bool = False) -> str:
    document = parse(html, "https://a.example/p/")
    files = stored({"https://a.example/p/kept.png": "aa/bb.png"})
    return clean_page(document, parts or [], files, style="", numbered=numbered).partition("</head>")[2]


def stored(media: dict[str, str]) -> StoredFiles:
    """The stored files of a page, without an archive."""
    page = Page(
        url="", requested_url="", status=200, content_type="", body=b"", fetched_at=datetime(2024, 1, 2, tzinfo=UTC)
    )
    return StoredFiles(None, page, media)


def test_words_and_structure_stay() -> None:
    assert "<h1>T</h1><p>a <em>b</em></p>" in cleaned("<h1>T</h1><p>a <em>b</em></p>")


@pytest.mark.parametrize(
    "html",
    [
        "<script>x()</script>", "<iframe src=/></iframe>", "<form><input></form>", "<object data=x></object>",
        "<embed src=x>", "<svg><script>x()</script></svg>", "<template><p>t</p></template>",
        "<link rel=stylesheet href=x>", "<base href=x>", "<meta http-equiv=refresh content=0>",
        "<video src=x></video>", "<noscript><p>n</p></noscript>",
        "<button onclick=x()>b</button>",
        "<textarea></textarea><script>x()</script>", "<xmp><script>x()</script></xmp>",
    ],
)  # fmt: skip
def test_what_runs_or_loads_is_dropped(html: str) -> None:
    text = cleaned(f"<body><p>before</p>{html}<p>after</p></body>")
    assert "before" in text
    assert "after" in text
    for word in (
        "<script",
        "<iframe",
        "<input",
        "<object",
        "<embed",
        "<svg",
        "<link",
        "<base",
        "<meta",
        "<video",
        "<button",
    ):
        assert word not in text


@pytest.mark.parametrize(
    "attribute", ["onclick", "onerror", "href", "srcset", "action", "formaction", "background", "ping"]
)
def test_attribute_that_acts_is_dropped(attribute: str) -> None:
    assert attribute not in cleaned(f'<p class="c" {attribute}="x">text</p>')


def test_picture_comes_from_the_archive_or_not_at_all() -> None:
    assert '<img src="/media/aa/bb.png"' in cleaned("<img src=kept.png>")
    assert '<img src="/media/aa/bb.png"' in cleaned("<img src=other.png srcset='large.png 2x, kept.png 1x'>")
    assert "src=" not in cleaned("<img src=https://evil.example/track.gif>")


def test_style_that_could_end_ours_is_left_out() -> None:
    page = parse(
        "<style>p{color:red}</style><svg><style>&lt;/style>&lt;script>x()&lt;/script></style></svg><p>a</p>", ""
    )
    html = clean_page(page, [], stored({}), style="")
    assert "p{color:red}" in html
    assert "<script" not in html


def test_part_is_marked_with_its_note() -> None:
    tree = parse("<p>a</p><h1>T</h1>", "").tree
    part = PagePart(node=tree.nodes_by_tag["h1"][0], kind="title", method="feed", rule='h1[a="b"]', confidence=0.97)
    html = cleaned("<p>a</p><h1>T</h1>", [part])
    assert '<h1 data-part="title" data-note="title · h1[a=&quot;b&quot;] · 97 % sure">T</h1>' in html


def test_numbers_name_the_nodes_of_the_tree() -> None:
    tree = parse("<p>a</p><h1>T</h1>", "").tree
    assert f'<h1 data-node="{tree.nodes_by_tag["h1"][0]}">' in cleaned("<p>a</p><h1>T</h1>", numbered=True)


@given(st.text(alphabet="<>/\"'=&;! abpimgscrtonlxsvgy-", max_size=120))
def test_no_page_gets_a_script_or_a_handler_through(html: str) -> None:
    again = parse(cleaned(html), "").tree
    assert not {"script", "iframe", "object", "embed", "form", "svg", "base", "meta", "link"} & set(again.nodes_by_tag)
    allowed = {
        "class",
        "id",
        "style",
        "title",
        "alt",
        "data-missing",
        "lang",
        "dir",
        "src",
        "open",
        "color",
        "span",
        "size",
    }
    assert all(not name.startswith("on") or name in allowed for attrs in again.attrs for name in attrs)
