"""The feed's entries are kept with the rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

import posterity
from posterity.dom import parse
from posterity.learning.rule_set import entry_about, kept_entries
from posterity.model import Feed, FeedEntry, RuleSet

DAY = datetime(2021, 3, 12, 9, 30, tzinfo=UTC)
TEXT = "The tide was out and the boats lay on their sides in the mud, waiting for the moon to bring the sea back. "


def entry(number: int, **more: Any) -> FeedEntry:
    facts: dict[str, Any] = {
        "link": f"https://blog.example/{number}/",
        "title": f"Post number {number}",
        "published": DAY + timedelta(days=number),
        "content": f"<p>{TEXT * 3}{number}</p>",
    }
    return FeedEntry(**(facts | more))


def feed(*entries: FeedEntry, kind: str = "rss") -> Feed:
    return Feed(url="https://blog.example/feed", format=kind, entries=entries)


def page(number: int) -> str:
    return f"<h1>Post number {number}</h1><div class=entry><p>{TEXT * 3}{number}</p></div><p class=foot>Bye</p>"


def learned(*entries: FeedEntry) -> RuleSet:
    return posterity.learn(feed(*entries), {f"https://blog.example/{number}/": page(number) for number in (1, 2, 3)})


def test_page_without_a_date_has_the_date_of_its_entry() -> None:
    post = learned(*map(entry, (1, 2, 3))).extract(page(2), "https://blog.example/2/")
    assert post is not None
    assert post.published == DAY + timedelta(days=2)
    assert post.provenance["published"].method == "feed-entry"


def test_entry_whose_page_taught_nothing_is_remembered_too() -> None:
    post = learned(*map(entry, (1, 2, 3, 4))).extract(page(4), "http://www.blog.example/4")
    assert post is not None
    assert post.published == DAY + timedelta(days=4)


def test_page_that_the_feed_does_not_list_gets_nothing_of_it() -> None:
    post = learned(*map(entry, (1, 2, 3))).extract(page(9), "https://blog.example/9/")
    assert post is not None
    assert post.published is None


def test_rules_keep_the_entries_in_their_json_form_without_texts() -> None:
    rules = learned(*map(entry, (1, 2, 3)))
    written = msgspec.json.encode(rules)
    assert msgspec.json.decode(written, type=RuleSet) == rules
    assert b"boats" not in written


@pytest.mark.parametrize(
    ("url", "html"),
    [
        ("http://www.blog.example/1/index.html", ""),
        ("https://mirror.example/x.html", "<link rel=canonical href=https://blog.example/1/>"),
        ("https://old-host.example/1", ""),
    ],
)
def test_page_is_known_by_address_by_declared_address_and_by_path(url: str, html: str) -> None:
    rules = RuleSet(entries=kept_entries(feed(entry(1), entry(2)), ()))
    found = entry_about(parse(html, url), rules)
    assert found is not None
    assert found.title == "Post number 1"


@pytest.mark.parametrize("url", ["", "http://[::1", "https://blog.example/", "https://blog.example/3/"])
def test_other_addresses_are_of_no_entry(url: str) -> None:
    assert entry_about(parse("", url), RuleSet(entries=kept_entries(feed(entry(1)), ()))) is None


def test_path_that_two_entries_share_is_of_neither() -> None:
    entries = kept_entries(feed(entry(1), entry(1, link="https://other.example/1/")), ())
    assert entry_about(parse("", "https://third.example/1/"), RuleSet(entries=entries)) is None


def test_accounts_that_pages_gave_of_themselves_are_not_kept() -> None:
    assert kept_entries(feed(entry(1), kind="none"), ()) == {}


def test_several_people_that_an_entry_names_in_one_text_are_several_authors() -> None:
    post = learned(entry(1, authors=("Ada Lovelace, Charles Babbage",)), *map(entry, (2, 3))).extract(
        page(1), "https://blog.example/1/"
    )
    assert post is not None
    assert post.authors == ("Ada Lovelace", "Charles Babbage")


def test_terms_of_the_page_and_of_its_entry_are_the_posts() -> None:
    rules = learned(entry(1, tags=("salt", "featured")), *map(entry, (2, 3)))
    terms = "<p><a href=/category/sea/>Sea</a> <a href=/tag/salt/>Salt</a></p>"
    post = rules.extract(page(1) + terms, "https://blog.example/1/")
    assert post is not None
    assert post.tags == ("Sea", "Salt", "featured")
