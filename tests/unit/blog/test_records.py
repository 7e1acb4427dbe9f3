"""No post is stored twice, and no two posts become one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.blog.records import SeenPosts, make_record, trusted_canonical
from posterity.dom import parse
from posterity.model import FeedEntry, Post, RuleSet
from posterity.urls import Scope, post_id

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage

    from posterity.model import Page

HOST = "https://salt.example"
SCOPE = Scope.of(f"{HOST}/")
TIDES = "The tide came in and the tide went out, and every day it was a little later than on the day before. " * 3
BREAD = "Flour, water, salt and a warm kitchen: nothing else goes into a loaf that deserves to be called one. " * 3


def post(path: str, text: str = TIDES, *, title: str = "On tides", canonical: str | None = None) -> Post:
    own = canonical or HOST + path
    return Post(id=post_id(own), url=HOST + path, canonical_url=own, title=title, text=text)


def record(page: Page, *asked: str) -> Post | None:
    document = parse(page.body, page.url)
    return make_record(page, document, blog="b1", rules=RuleSet(), scope=SCOPE, entry=None, optouts=asked)


def test_post_comes_back_as_it_is_and_its_second_url_is_none() -> None:
    seen = SeenPosts()
    first = post("/tides/")
    assert seen.checked(first) == first
    assert seen.checked(first) is None
    assert seen.checked(post("/?p=7", canonical=f"{HOST}/tides/")) is None


def test_posts_that_declare_the_same_canonical_url_stay_different_posts() -> None:
    seen = SeenPosts()
    declared = f"{HOST}/blog/tides/"
    assert seen.checked(post("/tides/", canonical=declared)) is not None
    other = seen.checked(post("/bread/", BREAD, title="On bread", canonical=declared))
    assert other is not None
    assert (other.id, other.canonical_url) == (post_id(f"{HOST}/bread/"), f"{HOST}/bread/")
    assert seen.checked(post("/bread/", BREAD, title="On bread", canonical=declared)) is None


def test_edited_copy_under_the_same_canonical_url_is_the_same_post() -> None:
    seen = SeenPosts()
    seen.checked(post("/tides/"))
    assert seen.checked(post("/amp/tides/", TIDES + "Read more on the full page.", canonical=f"{HOST}/tides/")) is None


def test_same_text_on_ever_more_days_is_a_copy_after_some() -> None:
    seen = SeenPosts()
    days = [
        msgspec.structs.replace(post(f"/2024/01/{day:02}/tides/"), published=datetime(2024, 1, day, tzinfo=UTC))
        for day in range(1, 20)
    ]
    assert [each for each in days if seen.checked(each)] == days[:5]
    assert seen.checked(days[-1], is_known=True) is not None


def test_same_text_with_and_without_ending_is_one_post_although_the_feed_dates_one_of_them() -> None:
    seen = SeenPosts()
    dated = msgspec.structs.replace(post("/post/tides"), published=datetime(2021, 3, 12, tzinfo=UTC))
    assert seen.checked(dated, is_known=True) is not None
    assert seen.checked(post("/post/tides.html")) is None
    assert seen.checked(post("/post/tides/")) is None
    assert seen.checked(post("/post/bread.html", BREAD, title="On bread")) is not None


def test_same_text_under_another_url_is_a_copy_unless_the_blog_lists_it_on_its_own() -> None:
    seen = SeenPosts()
    seen.checked(post("/tides/"))
    assert seen.checked(post("/copy/")) is None
    assert seen.checked(post("/listed/"), is_known=True) is not None


def test_short_posts_with_the_same_words_are_different_posts() -> None:
    seen = SeenPosts()
    assert seen.checked(post("/1/", "Good morning!", title="")) is not None
    assert seen.checked(post("/2/", "Good morning!", title="")) is not None


def test_numbers_of_wordpress_are_one_post_under_every_parameter() -> None:
    seen = SeenPosts()
    assert seen.checked(post("/?p=7", "Good morning!"), is_known=True) is not None
    assert seen.checked(post("/?page_id=7", "Good morning!"), is_known=True) is None
    assert seen.checked(post("/?page_id=8", "Good morning!")) is not None
    assert seen.checked(post("/?p=8", BREAD, title="On bread")) is not None


@pytest.mark.parametrize(
    ("declared", "trusted"),
    [
        (f"{HOST}/tides/", f"{HOST}/tides/"),
        (f"{HOST}/2021/tides/", f"{HOST}/2021/tides/"),
        (f"{HOST}/tides/comment-page-1/", f"{HOST}/tides/"),
        (f"{HOST}/tides/?utm_source=feed", f"{HOST}/tides/"),
        (f"{HOST}/", None),
        (f"{HOST}/tag/tides/", None),
        ("https://elsewhere.example/tides/", None),
        ("", None),
        (None, None),
    ],
)
def test_canonical_url_is_believed_if_it_can_be_the_pages(declared: str | None, trusted: str | None) -> None:
    assert trusted_canonical(f"{HOST}/tides/", declared, SCOPE) == trusted


def test_post_whose_own_url_looks_like_a_lists_may_declare_it() -> None:
    assert trusted_canonical(f"{HOST}/archive/tides/?x=1", f"{HOST}/archive/tides/", SCOPE) == f"{HOST}/archive/tides/"
    assert trusted_canonical(f"{HOST}/", f"{HOST}/", SCOPE) == f"{HOST}/"


def test_record_carries_where_its_page_lies_and_what_the_page_asks(page: MakePage) -> None:
    html = f"<link rel=canonical href={HOST}/><article><h1>On tides</h1><p>12 March 2021</p><p>{TIDES}</p></article>"
    fetched = page(f"{HOST}/tides/", html)
    found = record(fetched, "noarchive", "noai")
    assert found is not None
    assert (found.blog, found.canonical_url, found.id) == ("b1", f"{HOST}/tides/", post_id(f"{HOST}/tides/"))
    assert found.provenance["optout"].rule == "noarchive, noai"
    assert {origin.at for origin in found.provenance.values()} == {fetched.fetched_at}


def test_page_that_asks_for_nothing_has_no_optout_and_one_without_text_no_record(page: MakePage) -> None:
    fetched = page(f"{HOST}/tides/", f"<article><h1>On tides</h1><p>{TIDES}</p></article>")
    found = record(fetched)
    assert found is not None
    assert "optout" not in found.provenance
    assert record(msgspec.structs.replace(fetched, body=b"")) is None


WORDS = "early late cold first last bright dark calm still rough grey loud quiet short long warm slow quick".split()
OTHER = "".join(f"<p>Another text, number {n}, much longer than the entry of the feed.</p>" for n in range(80))
LISTED = " ".join(f"<p>{word.capitalize()} water stands at the harbour wall in the {word} hour.</p>" for word in WORDS)


@pytest.mark.parametrize(
    ("body", "title", "text"),
    [
        ("<h1>Journal</h1><p>Please switch on JavaScript to read this.</p>", "High water", "Early water stands"),
        (f"<h1>High water marks</h1><article>{LISTED}</article>", "High water marks", "Early water stands"),
        (f"<h1>Journal</h1>{OTHER}", "", "Another text"),
    ],
)
def test_text_of_the_feed_is_taken_where_the_page_shows_something_else(
    page: MakePage, body: str, title: str, text: str
) -> None:
    fetched = page(f"{HOST}/tides/", f"<html><head><title>Journal</title></head><body>{body}</body></html>")
    entry = FeedEntry(link=fetched.url, title="High water", content=LISTED)
    document = parse(fetched.body, fetched.url)
    post = make_record(fetched, document, blog="b1", rules=RuleSet(), scope=SCOPE, entry=entry, optouts=())
    assert post is not None
    assert post.text.startswith(text)
    assert (post.provenance["text"].method == "feed-entry") == ("JavaScript" in body)
    assert title in (post.title or "")


def test_folder_of_the_month_dates_a_post_that_nothing_else_dates(page: MakePage) -> None:
    found = record(page(f"{HOST}/2008/06/tides.html", f"<article><h1>On tides</h1><p>{TIDES}</p></article>"))
    assert found is not None
    assert found.published is not None
    assert (found.published.date().isoformat(), found.published_precision) == ("2008-06-01", "month")
    assert found.provenance["published"].method == "url"


def test_folder_of_a_year_to_come_is_no_date(page: MakePage) -> None:
    found = record(page(f"{HOST}/2098/tides.html", f"<article><h1>On tides</h1><p>{TIDES}</p></article>"))
    assert found is not None
    assert found.published is None
