"""The XML of a BlogBuster corpus is well-formed with any text and marks missing values."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from posterity.export.blogbuster_xml import blogbuster_xml
from posterity.model import Comment, Post

PUBLISHED = datetime(2010, 1, 31, 12, 30, tzinfo=UTC)


def test_found_and_missing_fields() -> None:
    full = Post(
        id="p1",
        url="https://blog.example/?a=1&b=2",
        title="A < B",
        authors=("Ann",),
        published=PUBLISHED,
        published_precision="day",
        text="One\nTwo",
        comments=(Comment(id="c1", author='"Bob"', text="&"),),
    )
    root = ET.fromstring(blogbuster_xml([full, Post(id="p2", url="", text="Only text")]))
    first, second = root.findall("post")
    assert (first.get("url"), first.findtext("title"), first.findtext("date")) == (full.url, "A < B", "2010-01-31")
    assert (first.findtext("author"), first.findtext("text"), first.findtext("comment")) == ("Ann", "One\nTwo", "&")
    assert [second.find(name).get("missing") for name in ("title", "date")] == ["true", "true"]  # type: ignore[union-attr]
    assert second.findtext("text") == "Only text"


def test_moment_is_written_with_its_zone() -> None:
    post = Post(id="p", url="", published=PUBLISHED, published_precision="minute")
    assert "<date>2010-01-31T12:30:00+00:00</date>" in blogbuster_xml([post])


def test_no_posts() -> None:
    assert len(ET.fromstring(blogbuster_xml([]))) == 0


@given(st.text(), st.text(), st.text())
def test_any_text_gives_well_formed_xml(title: str, text: str, author: str) -> None:
    post = Post(id="p", url="u", title=title, text=text, comments=(Comment(id="c", author=author, text=text),))
    assert len(ET.fromstring(blogbuster_xml([post]).encode())) == 1
