"""The profile from stored pages: rules from the feed among them, or from the pages' metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.blog.page_source import StoredPages
from posterity.blog.profile import profile_from_rules
from posterity.blog.records import stored_records
from posterity.blog.stored import stored_profile
from posterity.demo.blog import SiteOptions
from posterity.errors import NoBlog
from posterity.model import Post, Rejected
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.blog.conftest import MakePage, StorePages

    from posterity.blog.page_source import StoredResponse
    from posterity.model import Page

    SitePages = Callable[[SiteOptions], list[Page]]

# feedparser warns about a future change for every feed without update dates.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")

BASE = "http://salt.example"
HOME = f"{BASE}/"
SITE = SiteOptions(base_url=BASE, posts_limit=14)


def test_rules_and_pattern_are_learned_from_the_feed(site_pages: SitePages, stored: StorePages) -> None:
    profile = stored_profile(stored(site_pages(SITE)), HOME)
    assert profile.feed is not None
    assert profile.feed.url == f"{BASE}/feed/"
    assert profile.title == "The Salt Almanac"
    assert [rule.rule.css for rule in profile.rules.rules_for("text")][:1] == ["div.entry-content"]
    assert profile.pattern.fits(f"{BASE}/2019/03/14/why-we-are-keeping-an-almanac/")


def test_every_post_becomes_a_record(site_pages: SitePages, stored: StorePages) -> None:
    pages = stored(site_pages(SITE))
    posts = [
        found
        for found in stored_records(pages, stored_profile(pages, HOME), "b1", frozenset())
        if isinstance(found, Post)
    ]
    assert len(posts) == 14
    assert {post.blog for post in posts} == {"b1"}
    assert all(post.text and post.title and post.published for post in posts)


def test_sitemap_is_read_once(site_pages: SitePages, stored: StorePages) -> None:
    # As plain text, which is not read as a feed.
    given = stored(
        msgspec.structs.replace(page, content_type="text/plain") if page.url.endswith("/sitemap.xml") else page
        for page in site_pages(SITE)
    )
    read: list[str] = []

    def reading(response: StoredResponse) -> Page:
        read.append(response.url)
        page = given.read(response)
        assert page is not None
        return page

    pages = StoredPages(given.responses(), reading)
    assert any(isinstance(one, Post) for one in stored_records(pages, stored_profile(pages, HOME), "b1", frozenset()))
    assert read.count(f"{BASE}/sitemap.xml") == 1


def test_rules_are_learned_from_pages_where_there_is_no_feed(site_pages: SitePages, stored: StorePages) -> None:
    pages = stored(site_pages(SiteOptions(base_url=BASE, posts_limit=14, feed="none")))
    profile = stored_profile(pages, HOME)
    assert profile.feed is None
    posts = [found for found in stored_records(pages, profile, "b1", frozenset()) if isinstance(found, Post)]
    assert len(posts) == 14


def test_feed_about_pages_that_are_not_there_leaves_them_to_themselves(
    site_pages: SitePages, stored: StorePages, page: MakePage
) -> None:
    pages = site_pages(SiteOptions(base_url=BASE, posts_limit=14, feed="none"))
    feed = "<rss version='2.0'><channel><item><link>http://other.example/x</link><title>Elsewhere</title></item></channel></rss>"
    profile = stored_profile(stored([*pages, page(f"{BASE}/feed.xml", feed, kind="application/xml")]), HOME)
    assert profile.feed is None
    assert profile.rules.rules_for("text")


def test_feed_of_a_blog_that_moved_still_describes_its_posts(site_pages: SitePages, stored: StorePages) -> None:
    pages = site_pages(SITE)
    moved = [
        msgspec.structs.replace(page, body=page.body.replace(b"salt.example", b"brine.example"))
        if "xml" in page.content_type
        else page
        for page in pages
    ]
    profile = stored_profile(stored(moved), HOME)
    assert profile.feed is not None
    assert len(profile.evidence) == 10
    unread = profile.evidence[3].page.url  # harvested after the profile was learned
    later = stored_profile(stored([page for page in moved if page.url != unread]), HOME)
    assert len(later.evidence) == 9
    assert later.entries[place_key(unread)].published


def test_earlier_state_of_the_feed_tells_of_older_posts(site_pages: SitePages, stored: StorePages) -> None:
    earlier = [page for page in site_pages(SiteOptions(base_url=BASE, posts_limit=8)) if page.url == f"{BASE}/feed/"]
    later = [msgspec.structs.replace(page, fetched_at=page.fetched_at.replace(year=2025)) for page in site_pages(SITE)]
    alone, both = stored_profile(stored(later), HOME), stored_profile(stored([*later, *earlier]), HOME)
    assert (len(alone.entries), len(both.entries)) == (10, 14)


def test_feed_with_pages_of_too_few_words_gives_no_rules_and_its_pages_are_read_by_themselves(
    page: MakePage, stored: StorePages
) -> None:
    item = "<item><title>{0}</title><link>" + BASE + "/2021/{0}/</link></item>"
    feed = f"<rss version='2.0'><channel>{''.join(map(item.format, ('tides', 'bread')))}</channel></rss>"
    pages = stored(
        [
            page(HOME, "<link rel=alternate type=application/rss+xml href=/feed.xml><p>Hello"),
            page(f"{BASE}/feed.xml", feed, kind="application/xml"),
            page(f"{BASE}/2021/tides/", "<p>Tides."),
            page(f"{BASE}/2021/bread/", "<p>Bread."),
        ]
    )
    profile = stored_profile(pages, HOME)
    assert profile.rules.fields == {}
    assert profile.problem
    assert profile.pattern.fits(f"{BASE}/2021/salt/")


def test_pages_without_a_blog_are_none(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(HOME, "<h1>Shop</h1><p>Buy salt."), page(f"{BASE}/imprint", "<p>Salt Ltd.")])
    with pytest.raises(NoBlog):
        stored_profile(pages, HOME)


def test_rules_that_were_learned_before_can_be_applied(site_pages: SitePages, stored: StorePages) -> None:
    pages = stored(site_pages(SITE))
    learned = stored_profile(pages, HOME)
    posts = [found for found in stored_records(pages, learned, "b1", frozenset()) if isinstance(found, Post)]
    profile = profile_from_rules(learned.rules, HOME, [post.url for post in posts])
    again = [found for found in stored_records(pages, profile, "b1", frozenset()) if isinstance(found, Post)]
    assert {post.id for post in again} == {post.id for post in posts}


def test_second_url_of_a_post_is_a_duplicate_and_the_known_one_stays(site_pages: SitePages, stored: StorePages) -> None:
    site = site_pages(SITE)
    post = next(page for page in site if "/2019/03/14/" in page.url)
    copy = msgspec.structs.replace(
        post, url=f"{BASE}/2018/01/01/copy/", body=post.body.replace(b'rel="canonical"', b'rel="x"')
    )
    pages = stored([*site, copy])
    known = frozenset({place_key(post.url)})
    found = list(stored_records(pages, stored_profile(pages, HOME), "b1", known))
    assert [one.url for one in found if isinstance(one, Rejected) and one.reason == "duplicate"] == [copy.url]
    assert post.url in {one.url for one in found if isinstance(one, Post)}


def test_rule_for_tags_does_not_take_away_categories_where_there_is_no_feed(stored: StorePages, page: MakePage) -> None:
    links, pages = "", []
    for number, subject in enumerate(("tides", "lamps", "ropes", "boats", "wells", "roofs")):
        url = f"{BASE}/2021/0{number + 1}/{subject}/"
        text = f"<p>All that I know about {subject} has its place here, in {number + 3} long and plain sentences.</p>"
        html = (
            f"<html lang=en><title>On {subject}</title><meta property=article:tag content=moon-{number}><article>"
            f"<h1>On {subject}</h1><p class=meta><time datetime=2021-0{number + 1}-03>3 May</time> in"
            f" <a href=/categories/sea/>Sea</a></p><div class=entry>{text * 8}</div><section class=post-tags>"
            f"<a rel=tag href=/tags/moon-{number}/>moon-{number}</a></section></article></html>"
        )
        links += f"<li><a href={url}>On {subject}</a></li>"
        pages.append(page(url, html))
    given = stored([page(HOME, f"<html lang=en><title>Salt</title><h1>Salt</h1><ul>{links}</ul></html>"), *pages])
    found = stored_records(given, stored_profile(given, HOME), "b1", frozenset())
    posts = [post for post in found if isinstance(post, Post)]
    assert len(posts) == 6
    assert all("Sea" in post.tags and len(post.tags) == 2 for post in posts)


def test_only_dated_entries_of_a_feed_stand_for_pages_that_are_gone(stored: StorePages, page: MakePage) -> None:
    text = "<p>All that I know about it has its place here.</p>" * 6
    items = "".join(
        f"<item><title>{name}</title><link>{BASE}/{name}/</link>{day}"
        f"<description><![CDATA[{text} {name}]]></description></item>"
        for name, day in [
            ("links", ""),
            *((name, f"<pubDate>0{place} Mar 2021 10:00:00 GMT</pubDate>") for place, name in enumerate("abc", 1)),
        ]
    )
    feed = page(
        f"{BASE}/rss",
        f"<rss version='2.0'><channel><title>Salt</title>{items}</channel></rss>",
        kind="application/rss+xml",
    )
    given = stored([page(HOME, "<link rel=alternate type=application/rss+xml href=/rss><h1>Salt</h1>"), feed])
    found = stored_records(given, stored_profile(given, HOME), "b1", frozenset())
    assert sorted(post.title or "" for post in found if isinstance(post, Post)) == ["a", "b", "c"]
