"""E-mCST: primary marker, secondary marker, mCST, in this order (document 004, Figure 3.b)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.errors import InputError
from posterity.extraction.e_mcst import Marker, Markers, posts
from posterity.extraction.method import Context

LONG = "Words of a sidebar that is longer than the post beside it. " * 9
MARKERS = Markers(primary=Marker("div", "class", "entry"), secondary=Marker("div", "id", "content"))
KNOWN = Context(options={"markers": MARKERS})


def blog_page(name: str, text: str) -> str:
    return f"<body><div class={name}><p>{text}</p><p>{text}</p></div><div class=side><p>{LONG}</p></div></body>"


def test_little_text_is_found_by_its_marker() -> None:
    (post,) = posts(parse(blog_page("entry", "Short.")), KNOWN)
    assert post.text == "Short.\n\nShort."
    assert post.provenance["text"].rule == "div|class|entry"


def test_secondary_marker_where_the_primary_is_missing() -> None:
    (post,) = posts(parse(f"<body><div id=content>Short.</div><p>{LONG}</p></body>"), KNOWN)
    assert (post.text, post.provenance["text"].rule) == ("Short.", "div|id|content")


def test_mcst_where_no_marker_is_found() -> None:
    (post,) = posts(parse(blog_page("other", "Short.")), KNOWN)
    assert post.text == LONG.strip()
    assert (post.provenance["text"].rule or "").startswith("mcst: ")


def test_marked_block_without_content_is_passed_over() -> None:
    (post,) = posts(parse("<body><div class=entry> </div><div id=content>Here.</div></body>"), KNOWN)
    assert post.text == "Here."
    (picture,) = posts(
        parse("<body><div class=entry><img src=https://blog.example/i.png></div><p>More</p></body>"), KNOWN
    )
    assert [media.url for media in picture.media] == ["https://blog.example/i.png"]


def test_markers_are_learned_from_the_site() -> None:
    site = tuple(parse(blog_page("entry", LONG * 5)) for _ in range(3))
    (post,) = posts(parse(blog_page("entry", "Short.")), Context(site=site))
    assert post.text == "Short.\n\nShort."


def test_markers_as_texts() -> None:
    (post,) = posts(parse(blog_page("entry", "Short.")), Context(options={"markers": ["div|class|entry"]}))
    assert post.text == "Short.\n\nShort."
    with pytest.raises(InputError):
        posts(parse("<p>x"), Context(options={"markers": 7}))


@given(st.text(alphabet=st.sampled_from("<>/ apdivclsentry=\"' xyz\n"), max_size=300))
def test_same_answer_twice_and_the_document_unchanged(markup: str) -> None:
    document = parse(f"<body><div class=entry>{markup}")
    before = (list(document.tree.tag), list(document.tree.text))
    assert posts(document, KNOWN) == posts(document, KNOWN)
    assert before == (document.tree.tag, document.tree.text)
