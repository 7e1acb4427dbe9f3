"""The feeds parse, contain as much text as the options allow, and have absolute links."""

import json
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import pytest

from posterity.demo.blog import FeedFormat, FeedKind, Permalink, SiteOptions
from posterity.demo.posts import plain_text
from posterity.demo.server import DemoSite, build

built = cache(build)

BASE = "http://salt.example"
XML_FORMATS: list[FeedFormat] = ["rss", "atom"]
FEEDS: dict[FeedFormat, str] = {"rss": "/feed/", "atom": "/feed/atom/", "json": "/feed/json/"}


def parsed(site: DemoSite, path: str) -> Any:
    feed = feedparser.parse(site[path].body)
    assert not feed.bozo, feed.get("bozo_exception")
    return feed


@pytest.mark.parametrize("feed_format", XML_FORMATS)
def test_full_feed_holds_the_newest_articles(feed_format: FeedFormat) -> None:
    site = built(SiteOptions(base_url=BASE, feed_format=feed_format))
    feed = parsed(site, FEEDS[feed_format])
    assert [entry.link for entry in feed.entries] == [post.url for post in site.truth[:10]]
    for entry, post in zip(feed.entries, site.truth, strict=False):
        assert entry.title == post.title
        assert entry.author == post.author
        assert tuple(tag.term for tag in entry.tags) == post.tags
        assert entry.published_parsed[:5] == post.published.utctimetuple()[:5]
        assert plain_text(entry.content[0].value) == post.text


@pytest.mark.parametrize("feed_format", FEEDS)
def test_feeds_carry_only_full_addresses(feed_format: FeedFormat) -> None:
    site = built(SiteOptions(base_url=BASE, feed_format=feed_format, feed_entries=36, prefix="/blog"))
    body = site["/blog" + FEEDS[feed_format]].body.decode().replace("&#34;", '"').replace('\\"', '"')
    assert f'src="{BASE}/blog/images/' in body
    assert 'src="/' not in body
    assert 'href="/' not in body


def test_json_feed_holds_the_newest_articles() -> None:
    site = built(SiteOptions(base_url=BASE, feed_format="json", feed_entries=4))
    feed = json.loads(site["/feed/json/"].body)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert [item["url"] for item in feed["items"]] == [post.url for post in site.truth[:4]]
    assert [plain_text(item["content_html"]) for item in feed["items"]] == [post.text for post in site.truth[:4]]
    assert [item["authors"][0]["name"] for item in feed["items"]] == [post.author for post in site.truth[:4]]


@pytest.mark.parametrize("feed_format", XML_FORMATS)
def test_summary_feed_has_no_article_and_title_feed_not_even_a_summary(feed_format: FeedFormat) -> None:
    kinds: list[FeedKind] = ["summary", "titles"]
    summary, titles = (
        parsed(built(SiteOptions(feed=kind, feed_format=feed_format)), FEEDS[feed_format]).entries for kind in kinds
    )
    assert len(summary) == len(titles) == 10
    assert all("content" not in entry and 0 < len(entry.summary.split()) <= 46 for entry in summary)
    assert all("content" not in entry and "summary" not in entry and entry.title for entry in titles)


@pytest.mark.parametrize("feed_format", XML_FORMATS)
def test_feed_without_authors(feed_format: FeedFormat) -> None:
    site = built(SiteOptions(feed_format=feed_format, authors_in_feed=False))
    body = site[FEEDS[feed_format]].body.decode()
    assert "<dc:creator>" not in body
    assert "<name>Maren" not in body


@pytest.mark.parametrize("feed_format", XML_FORMATS)
def test_broken_feed_is_not_well_formed(feed_format: FeedFormat) -> None:
    site = built(SiteOptions(feed="broken", feed_format=feed_format))
    with pytest.raises(ET.ParseError):
        ET.fromstring(site[FEEDS[feed_format]].body)
    # A lenient parser still finds some posts.
    assert len(feedparser.parse(site[FEEDS[feed_format]].body).entries) >= 3


def test_broken_json_feed_does_not_parse() -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(built(SiteOptions(feed="broken", feed_format="json"))["/feed/json/"].body)


def test_blog_without_feeds_has_none_and_announces_none() -> None:
    site = built(SiteOptions(feed="none"))
    assert not any("feed" in path for path in site)
    assert b'rel="alternate"' not in site["/"].body
    assert b'rel="alternate"' not in site[site.truth[0].path].body


@pytest.mark.parametrize("permalink", ["dated", "query", "flat"])
@pytest.mark.parametrize("feed_format", XML_FORMATS)
def test_each_post_with_comments_has_a_feed_of_its_newest(permalink: Permalink, feed_format: FeedFormat) -> None:
    site = built(SiteOptions(base_url=BASE, permalink=permalink, feed_format=feed_format))
    for post in site.truth:
        numbered = post.path.replace("?p=", "?feed=comments&p=")
        path = {"dated": f"{post.path}feed/", "query": numbered, "flat": f"{post.path}/feed/"}[permalink]
        assert (path in site) == bool(post.comments)
        if post.comments:
            entries = parsed(site, path).entries
            newest = sorted(post.comments, key=lambda c: (c.published, int(c.id)), reverse=True)[:10]
            assert [entry.link for entry in entries] == [f"{post.url}#comment-{c.id}" for c in newest]
            assert [entry.author for entry in entries] == [c.author for c in newest]
            assert [plain_text(entry.content[0].value).split() for entry in entries] == [c.text.split() for c in newest]


def test_rss_says_where_the_comments_are_and_how_many() -> None:
    site = built(SiteOptions(base_url=BASE, feed_entries=36))
    for entry, post in zip(parsed(site, "/feed/").entries, site.truth, strict=True):
        assert entry.slash_comments == str(len(post.comments))
        assert entry.get("wfw_commentrss") == (f"{post.url}feed/" if post.comments else None)


def test_blog_comment_feed_has_the_newest_comments_of_all_posts() -> None:
    site = built(SiteOptions(base_url=BASE, comment_feed_entries=5))
    entries = parsed(site, "/comments/feed/").entries
    assert [entry.link.rpartition("-")[2] for entry in entries] == ["153", "152", "151", "150", "142"]
