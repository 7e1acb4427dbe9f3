"""Rules learned from the bundled blog's feed find the articles and titles of pages that are not in the feed."""

from __future__ import annotations

import pytest

import posterity
from posterity.demo.blog import SiteOptions
from posterity.demo.server import DemoSite, build
from posterity.discover.feed import read_feed
from posterity.errors import BrokenFeed, EmptyFeed, NothingLearned
from posterity.model import Feed, FeedEntry, Post, RuleSet, from_json, to_json
from posterity.text.normal_form import token_f1, word_counts

BASE = "http://blog.example"


def feed_of(site: DemoSite) -> Feed:
    path = next(path for path in site if "json" in path or path.endswith("feed.json"))
    return read_feed(site[path].body, BASE + path)


def pages_of(site: DemoSite) -> dict[str, bytes]:
    return {post.url: site[post.path].body for post in site.truth}


def learned(**options: object) -> tuple[DemoSite, RuleSet]:
    site = build(SiteOptions(base_url=BASE, feed_format="json", **options))  # type: ignore[arg-type]
    feed = feed_of(site)
    linked = {entry.link for entry in feed.entries}
    return site, posterity.learn(feed, {url: body for url, body in pages_of(site).items() if url in linked})


@pytest.fixture(scope="module", params=["harbour", "attic"])
def blog(request: pytest.FixtureRequest) -> tuple[DemoSite, RuleSet]:
    return learned(theme=request.param)


def extracted(blog: tuple[DemoSite, RuleSet]) -> list[tuple[posterity.Post | None, str, str]]:
    site, rules = blog
    return [
        (posterity.extract(site[post.path].body, post.url, rules=rules), post.title, post.text) for post in site.truth
    ]


def test_every_article_is_found(blog: tuple[DemoSite, RuleSet]) -> None:
    for post, title, text in extracted(blog):
        assert post is not None, title
        assert token_f1(word_counts(post.text), word_counts(text)) >= 0.9, title


def test_every_title_is_right(blog: tuple[DemoSite, RuleSet]) -> None:
    assert [post.title if post else None for post, _, _ in extracted(blog)] == [
        title for _, title, _ in extracted(blog)
    ]


def test_rules_name_their_confidence_and_evidence(blog: tuple[DemoSite, RuleSet]) -> None:
    _, rules = blog
    assert len(rules.evidence) == 10
    for field in ("text", "title"):
        assert 0.5 <= rules.rules_for(field)[0].confidence <= 1.0


def test_record_says_which_rule_gave_a_field(blog: tuple[DemoSite, RuleSet]) -> None:
    site, rules = blog
    post = posterity.extract(site[site.truth[-1].path].body, site.truth[-1].url, rules=rules)
    assert isinstance(post, Post)
    assert post.provenance["text"].method == "feed"
    assert post.provenance["text"].rule == rules.rules_for("text")[0].rule.css


def test_rules_work_the_same_after_json(blog: tuple[DemoSite, RuleSet]) -> None:
    site, rules = blog
    again = from_json(to_json(rules), RuleSet)
    page = site.truth[0]
    assert again.extract(site[page.path].body, page.url) == rules.extract(site[page.path].body, page.url)


def test_same_input_same_rules_byte_for_byte() -> None:
    assert to_json(learned(posts_limit=12)[1]) == to_json(learned(posts_limit=12)[1])


@pytest.mark.parametrize("kind", ["summary", "titles"])
def test_feeds_that_tell_less_teach_the_article_too(kind: str) -> None:
    for post, title, text in extracted(learned(feed=kind, posts_limit=15)):
        assert post is not None, title
        assert token_f1(word_counts(post.text), word_counts(text)) >= 0.85, title


def test_empty_feed_teaches_nothing() -> None:
    with pytest.raises(EmptyFeed, match="no entries"):
        posterity.learn(Feed(url=f"{BASE}/feed/", format="rss20"), {})


def test_broken_feed_raises() -> None:
    with pytest.raises(BrokenFeed):
        posterity.learn(b"<html>no feed</html>", {}, feed_url=f"{BASE}/feed/")


def test_pages_that_do_not_hold_the_feeds_text_teach_nothing() -> None:
    feed = Feed(
        url=f"{BASE}/feed/",
        format="rss20",
        entries=(FeedEntry(link=f"{BASE}/a/", title="Tides", content="<p>The tide came in.</p>"),),
    )
    with pytest.raises(NothingLearned, match="no rule can be trusted"):
        posterity.learn(feed, {f"{BASE}/a/": "<html><body></body></html>"})


def test_one_page_too_deep_to_read_does_not_hinder_learning() -> None:
    site = build(SiteOptions(base_url=BASE, feed_format="json"))
    feed = feed_of(site)
    pages = pages_of(site)
    deep = feed.entries[1].link
    assert deep in pages
    rules = posterity.learn(feed, {**pages, deep: b"<div>" * 30_000})
    assert rules.rules_for("text")
    assert rules.comments is not None


def test_no_pages_teach_nothing() -> None:
    feed = Feed(
        url=f"{BASE}/feed/", format="rss20", entries=(FeedEntry(link=f"{BASE}/a/", title="Tides", content="<p>x</p>"),)
    )
    with pytest.raises(NothingLearned):
        posterity.learn(feed, {})
