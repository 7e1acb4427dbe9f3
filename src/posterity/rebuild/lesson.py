"""What stored pages teach about their blog: rules, the pattern of post addresses, and how far the blog reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.config import LearnSettings
from posterity.dom import parse
from posterity.errors import NoBlog, UnreadablePage
from posterity.extract.agreed_fields import with_agreed_fields
from posterity.learn.rule_set import learn
from posterity.model import Feed, FeedEntry, RuleSet
from posterity.rebuild.drawn import data_feed, is_there
from posterity.rebuild.evidence import Evidence, evidence_from_feed, evidence_from_pages
from posterity.rebuild.feeds import best_feed
from posterity.urls import PostPattern, Scope, canonical_url, place_key, post_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.dom import Document
    from posterity.model import Page
    from posterity.rebuild.shelf import Shelf


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to make records of a blog's pages; `entries` is what the feed says of a page, by place."""

    home_url: str
    rules: RuleSet
    pattern: PostPattern
    scope: Scope
    feed: Feed | None = None
    entries: dict[str, FeedEntry] = {}
    evidence: tuple[str, ...] = ()
    title: str | None = None
    language: str | None = None


def lesson_of(
    shelf: Shelf, home_url: str, *, feed_url: str | None = None, settings: LearnSettings = LearnSettings()
) -> Lesson:
    """Learn from the feed and its pages; when there is none or it teaches nothing, from pages that look like posts.

    Raises `NoBlog` when neither teaches anything.
    """
    scope = Scope.of(home_url)
    home = _document(shelf.page(home_url))
    feed = best_feed(shelf, home, home_url, scope, feed_url)
    if not is_there(feed, shelf):
        feed = data_feed(shelf, home) or feed
    problem: NoBlog | None = None
    if feed is not None:
        evidence = evidence_from_feed(feed, shelf.page, home_url, _pages(shelf, scope))
        try:
            return _taught(evidence, shelf, home, home_url, feed, settings)
        except NoBlog as nothing:
            problem = nothing
    addresses = (leaf.url for leaf in shelf.leaves() if leaf.is_page)
    sample = evidence_from_pages(home, addresses, scope, shelf.page)
    if sample is not None:
        try:
            return _taught(sample, shelf, home, home_url, None, settings)
        except NoBlog as nothing:
            problem = problem or nothing
    raise problem or NoBlog(f"The pages of {home_url} do not look like those of a blog: no feed, no posts.")


def lesson_by_heart(rules: RuleSet, home_url: str, post_urls: Iterable[str], shelf: Shelf) -> Lesson:
    """Return the lesson of rules that were learned before, for a blog whose pages teach nothing any more."""
    urls = list(post_urls)
    return Lesson(
        home_url=home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened(Scope.of(home_url), urls),
        language=document.language if (document := _document(shelf.page(home_url))) else None,
    )


def widened(scope: Scope, urls: Iterable[str]) -> Scope:
    """Return the scope of a blog whose posts lie beside its home page's folder, or on another host."""
    for url in urls:
        if not scope.includes(url):
            scope = Scope(scope.with_host(url).hosts)
    return scope


def _taught(
    evidence: Evidence, shelf: Shelf, home: Document | None, home_url: str, feed: Feed | None, settings: LearnSettings
) -> Lesson:
    if not evidence.pages:
        raise NoBlog(f"None of the pages that the feed {evidence.feed.url} names is there.")
    pages = [page for page, _ in evidence.pages]
    rules = learn(evidence.feed, {page.url: page.body for page in pages}, now=pages[0].fetched_at, settings=settings)
    rules = with_agreed_fields(rules, evidence.feed, evidence.pages)
    urls = [page.url for page in pages]
    return Lesson(
        home_url=home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened(Scope.of(home_url), urls),
        feed=feed,
        entries=_entries(feed, evidence, shelf) if feed else {},
        evidence=tuple(place_key(url) for url in urls),
        title=feed.title if feed else _page_title(home),
        language=(feed.language if feed else None) or (home.language if home is not None else None),
    )


def _entries(feed: Feed, evidence: Evidence, shelf: Shelf) -> dict[str, FeedEntry]:
    """What the feed says of every page that is there, also of those that were not needed to learn from."""
    found: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        leaf = shelf.leaf(entry.link) if entry.link else None
        if leaf is not None:
            found.setdefault(place_key(leaf.url), entry)
    return found | {place_key(page.url): entry for page, entry in evidence.pages}


def _pages(shelf: Shelf, scope: Scope) -> Iterator[Page]:
    for leaf in shelf.leaves():
        if leaf.is_page and scope.includes(leaf.url):
            page = shelf.read(leaf)
            if page is not None:
                yield page


def _document(page: Page | None) -> Document | None:
    if page is None:
        return None
    try:
        return parse(page.body, page.url, page.content_type)
    except UnreadablePage:
        return None


def _page_title(home: Document | None) -> str | None:
    return next((tree.plain(0).strip() for tree in home.all("title")), None) if home is not None else None
