"""A feed entry is matched to its page although their URLs differ."""

from __future__ import annotations

import pytest

from posterity.dom import Document
from posterity.learning.evidence import TrainingDocuments, matched_pages
from posterity.model import FeedEntry

PAGE = "<p>x"


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("http://blog.example/a/", "https://www.blog.example/a"),
        ("http://blog.example/a/?utm_source=rss", "http://blog.example/a/"),
        ("http://blog.example/a/index.html", "http://blog.example/a/"),
        ("http://blog.example/caf%C3%A9/", "http://blog.example/café/"),
        ("http://old.example/2021/a/", "http://new.example/2021/a/"),
        ("http://blog.example/?p=3", "http://blog.example/?p=3"),
    ],
)
def test_spellings_of_one_address_match(link: str, url: str) -> None:
    entry = FeedEntry(link=link)
    assert matched_pages([entry], {url: PAGE, "http://blog.example/other/": PAGE}) == [(url, entry)]


def test_page_that_declares_the_address_matches() -> None:
    entry = FeedEntry(link="http://blog.example/a/")
    page = '<link rel=canonical href="http://blog.example/a/"><p>x'
    assert matched_pages([entry], {"http://blog.example/?p=3": page}) == [("http://blog.example/?p=3", entry)]


def test_path_alone_is_not_enough_when_two_pages_have_it() -> None:
    pages = {"http://one.example/a/": PAGE, "http://two.example/a/": PAGE}
    assert matched_pages([FeedEntry(link="http://old.example/a/")], pages) == []


def test_no_page_serves_two_entries() -> None:
    entries = [FeedEntry(link="http://blog.example/a/"), FeedEntry(link="http://blog.example/a")]
    assert len(matched_pages(entries, {"http://blog.example/a/": PAGE})) == 1


def test_entries_without_link_have_no_page() -> None:
    assert matched_pages([FeedEntry(title="t")], {"http://blog.example/a/": PAGE}) == []


def test_training_page_is_parsed_once_while_there_is_room() -> None:
    large = f"<p>{'tide ' * 300_000}"
    pages = TrainingDocuments(
        {"small": PAGE, "large": large, "larger": large, "last": PAGE, "broken": "<div>" * 20_001}
    )
    assert isinstance(pages["small"], Document)
    assert pages["small"] is pages["small"]
    assert pages["large"] is pages["large"]
    assert pages["larger"] == large
    assert isinstance(pages["last"], Document)
    assert pages["broken"] == "<div>" * 20_001
    assert [*pages] == ["small", "large", "larger", "last", "broken"]
