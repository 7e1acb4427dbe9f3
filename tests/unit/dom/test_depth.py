"""Pages that nest without end are refused before the parser meets them; deep ones work."""

from __future__ import annotations

import pytest

from posterity.config import ParseLimits
from posterity.dom import markdown_of, parse, text_of
from posterity.dom.clean_html import html_of
from posterity.errors import PageTooDeep, PageTooLarge, UnreadablePage

DEPTH = 10_000


@pytest.mark.parametrize("tag", ["div", "b", "span", "blockquote", "ul><li"])
def test_ten_thousand_nested_elements_work(tag: str) -> None:
    document = parse(f"<{tag}>" * DEPTH + "tide" + f"</{tag.partition('>')[0]}>" * DEPTH)
    assert text_of(document.tree) == "tide"
    assert "tide" in html_of(document.tree)
    assert "tide" in markdown_of(document.tree)


def test_deeper_than_the_limit_is_refused() -> None:
    with pytest.raises(PageTooDeep, match="50 levels"):
        parse("<div>" * 51, limits=ParseLimits(max_depth=50))


def test_as_deep_as_the_limit_is_parsed() -> None:
    assert parse("<div>" * 50 + "x", limits=ParseLimits(max_depth=50)).tree.plain(0) == "x"


@pytest.mark.parametrize("markup", ["<p>x</p>", "<div>x</div>", "<br>", "<li>x", "<img>", "<p>x"])
def test_many_elements_side_by_side_are_not_deep(markup: str) -> None:
    parse(markup * 200, limits=ParseLimits(max_depth=50))


@pytest.mark.parametrize("body", [b"x" * 101, "x" * 101])
def test_larger_than_the_limit_is_refused(body: bytes | str) -> None:
    with pytest.raises(PageTooLarge, match="101 bytes; the limit is 100"):
        parse(body, limits=ParseLimits(max_bytes=100))


def test_refusals_are_unreadable_pages() -> None:
    assert issubclass(PageTooDeep, UnreadablePage)
    assert issubclass(PageTooLarge, UnreadablePage)
