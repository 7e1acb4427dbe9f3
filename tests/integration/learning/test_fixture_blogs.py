"""The bundled blog in its variants: what the feed teaches holds for every post, also those the feed no longer lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import posterity
from posterity.demo.blog import SiteOptions
from posterity.demo.server import DemoSite, TruePost, build
from posterity.discover.feed import read_feed
from posterity.dom import parse
from posterity.dom.tree import matches
from posterity.extraction import Context
from posterity.extraction.comments import comments_with_texts
from posterity.learning.comments import comment_text_rules
from posterity.learning.evidence import matched_pages
from posterity.learning.layouts import agreement, with_former
from posterity.text.dates.reading import ThreadDates
from posterity.text.normal_form import token_f1, word_counts

if TYPE_CHECKING:
    from posterity.model import Feed, Post, RuleSet

BASE = "http://blog.example"


class Blog:
    """A variant of the bundled blog, its feed, and the rules that the feed teaches."""

    def __init__(self, **options: Any) -> None:
        # JSON Feed: feedparser, which reads the others, warns in this process.
        self.site: DemoSite = build(SiteOptions(base_url=BASE, **{"feed_format": "json", **options}))
        path = next(path for path in self.site if "json" in path)
        self.feed: Feed = read_feed(self.site[path].body, BASE + path)
        linked = {entry.link for entry in self.feed.entries}
        self.pages = {post.url: self.site[post.path].body for post in self.site.truth}
        self.rules: RuleSet = posterity.learn(
            self.feed, {url: body for url, body in self.pages.items() if url in linked}
        )

    def post(self, truth: TruePost, *, with_entry: bool = False) -> Post:
        entry = dict(matched_pages(self.feed.entries, self.pages)).get(truth.url) if with_entry else None
        found = posterity.extract(self.pages[truth.url], truth.url, context=Context(rules=self.rules, entry=entry))
        assert found is not None, truth.url
        return found

    def wrong(self) -> dict[str, list[str]]:
        """By field, the posts in which it is not as it should be."""
        wrong: dict[str, list[str]] = {}
        for truth in self.site.truth:
            for field, right in _verdicts(self.post(truth), truth).items():
                if not right:
                    wrong.setdefault(field, []).append(truth.path)
        return wrong


def _verdicts(post: Post, truth: TruePost) -> dict[str, bool]:
    return {
        "article": token_f1(word_counts(post.text), word_counts(truth.text)) >= 0.99,
        "title": post.title == truth.title,
        "authors": post.authors == ((truth.author,) if truth.author else ()),
        "date": post.published is not None and post.published.date() == truth.published.date(),
        "tags": set(post.tags) == set(truth.tags),
        "comments": [(comment.author, comment.text.split()) for comment in post.comments]
        == [(comment.author, comment.text.split()) for comment in truth.comments],
        "threads": [comment.parent for comment in post.comments]
        == [comment.parent and f"comment-{comment.parent}" for comment in truth.comments],
    }


@pytest.mark.parametrize("theme", ["harbour", "attic"])
@pytest.mark.parametrize("feed", ["full", "summary", "titles"])
def test_every_field_of_every_post(theme: str, feed: str) -> None:
    assert Blog(theme=theme, feed=feed).wrong() == {}


def test_feed_that_names_nobody_leaves_it_to_the_pages() -> None:
    assert Blog(authors_in_feed=False).wrong() == {}


def test_author_that_only_the_feed_tells_comes_from_its_entry() -> None:
    blog = Blog(authors_on_page=False)
    told = [blog.post(truth, with_entry=True).authors for truth in blog.site.truth]
    assert told == [(truth.author,) if truth.author else () for truth in blog.site.truth]


@pytest.mark.parametrize(("change", "entries"), [("2024-07-28", 10), ("2022-02-27", 40)])
def test_theme_change_half_way_gives_two_layouts(change: str, entries: int) -> None:
    blog = Blog(theme_change=change, feed_entries=entries)
    assert blog.wrong() == {}
    new, old = blog.rules.layouts
    assert new.since is not None
    assert old.until is not None
    assert old.until.date().isoformat() < change <= new.since.date().isoformat()
    assert set(new.scores) == set(new.evidence)


def test_theme_change_after_learning_is_noticed_and_learned() -> None:
    before = Blog(posts_limit=30, theme="attic")
    after = Blog(theme="harbour", theme_change="2024-01-01")
    known = {post.url for post in before.site.truth}
    new = msgspec.structs.replace(
        after.feed, entries=tuple(entry for entry in after.feed.entries if entry.link not in known)
    )
    report = agreement(before.rules, new, after.pages)
    assert report.drifted
    assert not agreement(before.rules, before.feed, before.pages).drifted
    both = with_former(posterity.learn(new, after.pages), before.rules)
    posts = [both.extract(after.pages[truth.url], truth.url) for truth in after.site.truth]
    texts = [post.text if post else "" for post in posts]
    assert all(
        token_f1(word_counts(text), word_counts(truth.text)) >= 0.99
        for text, truth in zip(texts, after.site.truth, strict=True)
    )


@pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")
@pytest.mark.parametrize("theme", ["harbour", "attic"])
def test_thirty_comments_against_a_comment_feed_of_ten(theme: str) -> None:
    site = build(SiteOptions(base_url=BASE, feed_format="json", theme=theme, comment_feed_entries=10))  # type: ignore[arg-type]
    truth = next(post for post in site.truth if len(post.comments) == 30)
    comments = _comment_feed(site, truth)
    assert len(comments.entries) == 10
    document = parse(site[truth.path].body, truth.url)
    rules = comment_text_rules([(document.tree, comments.entries)])
    texts = matches(document.tree, rules[0].rule)
    found = comments_with_texts(document.tree, texts, truth.url, ThreadDates(("en",), None, None, None))
    assert len(found) == 30
    assert [comment.text.split() for comment in found] == [comment.text.split() for comment in truth.comments]
    assert [comment.author for comment in found] == [comment.author for comment in truth.comments]


def _comment_feed(site: DemoSite, truth: TruePost) -> Feed:
    return read_feed(site[f"{truth.path}feed/"].body, f"{truth.url}feed/")


def test_posts_in_another_language_are_read_like_the_others() -> None:
    blog = Blog()
    boilerplate = [truth for truth in blog.site.truth if truth.language != "en"]
    assert {truth.language for truth in boilerplate} == {"de", "fr"}
    for truth in boilerplate:
        post = blog.post(truth)
        assert (post.language, post.title) == (truth.language, truth.title)
        assert all(_verdicts(post, truth).values())
