"""What stored pages teach: rules from the feed among them, or from what the pages say of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.blog.profile import profile_from_rules, profile_of
from posterity.blog.records import posts_on
from posterity.demo.blog import SiteOptions
from posterity.errors import NoBlog
from posterity.model import Post, Rejected

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.blog.conftest import MakePage, MakeShelf

    from posterity.model import Page

    SitePages = Callable[[SiteOptions], list[Page]]

# feedparser's word about a change to come, said of every feed without dates of change.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")

BASE = "http://salt.example"
HOME = f"{BASE}/"
SITE = SiteOptions(base_url=BASE, posts_limit=14)


def test_feed_teaches_rules_and_addresses(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    profile = profile_of(shelf_of(site_pages(SITE)), HOME)
    assert profile.feed is not None
    assert profile.feed.url == f"{BASE}/feed/"
    assert profile.title == "The Salt Almanac"
    assert [rule.rule.css for rule in profile.rules.rules_for("article")][:1] == ["div.entry-content"]
    assert profile.pattern.fits(f"{BASE}/2019/03/14/why-we-are-keeping-an-almanac/")


def test_every_post_becomes_a_record(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    page_source = shelf_of(site_pages(SITE))
    posts = [
        found
        for found in posts_on(page_source, profile_of(page_source, HOME), "b1", frozenset())
        if isinstance(found, Post)
    ]
    assert len(posts) == 14
    assert {post.blog for post in posts} == {"b1"}
    assert all(post.text and post.title and post.published for post in posts)


def test_pages_teach_where_there_is_no_feed(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    page_source = shelf_of(site_pages(SiteOptions(base_url=BASE, posts_limit=14, feed="none")))
    profile = profile_of(page_source, HOME)
    assert profile.feed is None
    posts = [found for found in posts_on(page_source, profile, "b1", frozenset()) if isinstance(found, Post)]
    assert len(posts) == 14


def test_feed_about_pages_that_are_not_there_leaves_them_to_themselves(
    site_pages: SitePages, shelf_of: MakeShelf, page: MakePage
) -> None:
    pages = site_pages(SiteOptions(base_url=BASE, posts_limit=14, feed="none"))
    feed = "<rss version='2.0'><channel><item><link>http://other.example/x</link><title>Elsewhere</title></item></channel></rss>"
    profile = profile_of(shelf_of([*pages, page(f"{BASE}/feed.xml", feed, kind="application/xml")]), HOME)
    assert profile.feed is None
    assert profile.rules.rules_for("article")


def test_feed_of_a_blog_that_moved_still_describes_its_posts(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    pages = site_pages(SITE)
    moved = [
        msgspec.structs.replace(page, body=page.body.replace(b"salt.example", b"brine.example"))
        if "xml" in page.content_type
        else page
        for page in pages
    ]
    profile = profile_of(shelf_of(moved), HOME)
    assert profile.feed is not None
    assert len(profile.evidence) == 10


def test_earlier_state_of_the_feed_tells_of_older_posts(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    earlier = [page for page in site_pages(SiteOptions(base_url=BASE, posts_limit=8)) if page.url == f"{BASE}/feed/"]
    later = [msgspec.structs.replace(page, fetched_at=page.fetched_at.replace(year=2025)) for page in site_pages(SITE)]
    alone, both = profile_of(shelf_of(later), HOME), profile_of(shelf_of([*later, *earlier]), HOME)
    assert (len(alone.entries), len(both.entries)) == (10, 14)


def test_pages_without_a_blog_are_none(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of([page(HOME, "<h1>Shop</h1><p>Buy salt."), page(f"{BASE}/imprint", "<p>Salt Ltd.")])
    with pytest.raises(NoBlog):
        profile_of(page_source, HOME)


def test_rules_that_were_learned_before_can_be_applied(site_pages: SitePages, shelf_of: MakeShelf) -> None:
    page_source = shelf_of(site_pages(SITE))
    learned = profile_of(page_source, HOME)
    posts = [found for found in posts_on(page_source, learned, "b1", frozenset()) if isinstance(found, Post)]
    profile = profile_from_rules(learned.rules, HOME, [post.url for post in posts], page_source)
    again = [found for found in posts_on(page_source, profile, "b1", frozenset()) if isinstance(found, Post)]
    assert {post.id for post in again} == {post.id for post in posts}


def test_second_address_of_a_post_is_a_duplicate_and_the_known_one_stays(
    site_pages: SitePages, shelf_of: MakeShelf
) -> None:
    pages = site_pages(SITE)
    post = next(page for page in pages if "/2019/03/14/" in page.url)
    copy = msgspec.structs.replace(
        post, url=f"{BASE}/2018/01/01/copy/", body=post.body.replace(b'rel="canonical"', b'rel="x"')
    )
    page_source = shelf_of([*pages, copy])
    found = list(
        posts_on(
            page_source, profile_of(page_source, HOME), "b1", frozenset({post.url.partition("://")[2].rstrip("/")})
        )
    )
    assert [one.url for one in found if isinstance(one, Rejected) and one.reason == "duplicate"] == [copy.url]
    assert post.url in {one.url for one in found if isinstance(one, Post)}
