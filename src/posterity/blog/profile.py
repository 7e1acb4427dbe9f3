"""What stored pages teach about their blog: rules, the pattern of post addresses, and how far the blog reaches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.config import LearnSettings, RenderSettings
from posterity.discover.feed import declared_feeds, feed_on, next_feed_page, usual_feeds
from posterity.discover.links import page_links
from posterity.discover.without_feed import entries_from_pages, likely_posts_of
from posterity.dom import parse
from posterity.errors import NoBlog, UnreadablePage
from posterity.extraction.blog_fields import with_agreed_fields
from posterity.learning.evidence import matched_pages
from posterity.learning.rule_set import learn
from posterity.model import Feed, FeedEntry, Page, RuleSet
from posterity.model.page import NO_FEED
from posterity.render.page_feed import page_feed
from posterity.render.services import dialogue, thread_on
from posterity.urls import PostPattern, Scope, canonical_url, place_key, post_pattern
from posterity.urls.kinds import is_trap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.blog.page_source import PageSource
    from posterity.dom import Document
    from posterity.model import Comment

    Lookup = Callable[[str], Page | None]


MAX_FEED_PAGES = 40
_MAX_SAMPLE = 12
# Enough to find again a feed's posts under other addresses, and a bound on what is held in memory.
_MAX_COMPARED = 400


class Evidence(msgspec.Struct, frozen=True):
    """Pages with what is said of them, by the blog's feed or by the pages themselves, and that feed."""

    pages: tuple[tuple[Page, FeedEntry], ...]
    feed: Feed


def evidence_from_feed(feed: Feed, find: Lookup, home_url: str, others: Iterable[Page]) -> Evidence:
    """Return the pages that the feed names.

    When none is where the feed says, the other pages are searched by what they declare, by path and by title: the
    feed of a blog that moved, or went through a redirector, still describes its posts.
    """
    found: list[tuple[Page, FeedEntry]] = []
    seen: set[str] = set()
    for entry in feed.entries:
        page = _page_of(entry, find, home_url) if entry.link else None
        if page is not None and page.url not in seen:
            seen.add(page.url)
            found.append((page, msgspec.structs.replace(entry, link=page.url)))
        if len(found) >= MAX_FEED_PAGES:
            break
    found = found or _found_elsewhere(feed, others)
    return Evidence(tuple(found), msgspec.structs.replace(feed, entries=tuple(entry for _, entry in found)))


def evidence_from_pages(home: Document | None, addresses: Iterable[str], scope: Scope, find: Lookup) -> Evidence | None:
    """Return a sample of the pages that look like posts, each with what it says of itself; None when none do."""
    home_key = place_key(home.url) if home is not None else ""
    links = [*(page_links(home) if home is not None else ()), *map(canonical_url, addresses)]
    usable = [url for url in links if not is_trap(url) and place_key(url) != home_key]
    likely = likely_posts_of(scope, usable)
    sample: dict[str, Page] = {}
    for page in _html_pages(likely, find):
        sample.setdefault(page.url, page)
        if len(sample) >= _MAX_SAMPLE:
            break
    found = entries_from_pages(sample.values())
    if len(found) < 2:
        return None
    url = home.url if home is not None else found[0][0].url
    entries = tuple(entry for _, entry in found)
    return Evidence(tuple(found), Feed(url=url, format=NO_FEED, home=url, entries=entries))


def _page_of(entry: FeedEntry, find: Lookup, home_url: str) -> Page | None:
    """The page at the entry's address, or at the same path of the blog's own host."""
    link = entry.link or ""
    own = urlsplit(home_url)
    here = urlsplit(link)._replace(scheme=own.scheme, netloc=own.netloc).geturl()
    return next(_html_pages((link, here), find), None)


def _html_pages(urls: Iterable[str], find: Lookup) -> Iterator[Page]:
    for url in urls:
        page = find(url)
        if page is not None and ("html" in page.content_type.lower() or not page.content_type):
            yield page


def _found_elsewhere(feed: Feed, others: Iterable[Page]) -> list[tuple[Page, FeedEntry]]:
    pages: dict[str, Page] = {}
    for page in others:
        pages[page.url] = page
        if len(pages) >= _MAX_COMPARED:
            break
    pairs = matched_pages(feed.entries, {url: page.body for url, page in pages.items()})[:MAX_FEED_PAGES]
    return [(pages[url], msgspec.structs.replace(entry, link=url)) for url, entry in pairs]


_MAX_READ = 20
_MAX_VERSIONS = 200
_MAX_PAGES = 500
_COMMENTS = re.compile(r"comment|/replies", re.IGNORECASE)
_TO_COMMENT = re.compile(r"#(?:comment|c)[-\d]")


def best_feed(
    page_source: PageSource, home: Document | None, home_url: str, scope: Scope, known: str | None
) -> Feed | None:
    """Return the blog's main feed, or None: the first that brings the texts of pages that are there, as when crawling.

    Without such a one, the feed that knows most of the pages.
    """
    poor: list[tuple[int, Feed]] = []
    for url in _addresses(page_source, home, home_url, scope, known)[:_MAX_READ]:
        feed = feed_on(page_source.page(url))
        if feed is None or _is_about_comments(feed):
            continue
        there = sum(entry.link is not None and page_source.response(entry.link) is not None for entry in feed.entries)
        if there and sum(entry.content is not None for entry in feed.entries) * 2 >= len(feed.entries):
            return _with_all_entries(feed, page_source)
        if feed.entries:
            poor.append((there, feed))
    found = max(poor, key=lambda pair: pair[0], default=None)
    return _with_all_entries(found[1], page_source) if found else None


def _addresses(
    page_source: PageSource, home: Document | None, home_url: str, scope: Scope, known: str | None
) -> list[str]:
    """Where to look: what was known, what the home page declares, the usual places, then whatever looks like a feed."""
    named = [known] if known else []
    named += declared_feeds(home) if home is not None else []
    others = [
        response.url
        for response in page_source.responses()
        if response.may_be_feed and scope.includes(response.url) and not _COMMENTS.search(urlsplit(response.url).path)
    ]
    others.sort(key=lambda url: (len(url), url))
    return [
        url for url in dict.fromkeys([*named, *usual_feeds(home_url), *others]) if page_source.response(url) is not None
    ]


def _is_about_comments(feed: Feed) -> bool:
    links = [entry.link or "" for entry in feed.entries]
    return sum(_TO_COMMENT.search(link) is not None for link in links) * 2 > len(links)


def _with_all_entries(feed: Feed, page_source: PageSource) -> Feed:
    """The feed with what its further pages and its earlier states list, the latest word on every post first."""
    pages = [feed, *_further_pages(feed, page_source)]
    earlier = (feed_on(page_source.read(response)) for response in page_source.versions(feed.url)[1:_MAX_VERSIONS])
    states = [*pages, *(state for state in earlier if state is not None)]
    return msgspec.structs.replace(feed, entries=_each_once(entry for state in states for entry in state.entries))


def _further_pages(feed: Feed, page_source: PageSource) -> list[Feed]:
    pages: list[Feed] = []
    seen, read = len(feed.entries), {place_key(feed.url)}
    for number in range(1, _MAX_PAGES):
        url = next_feed_page(pages[-1] if pages else feed, number, seen)
        page = feed_on(page_source.page(url)) if url and place_key(url) not in read else None
        if page is None:
            break
        read.add(place_key(url or ""))
        seen += len(page.entries)
        pages.append(page)
    return pages


def _each_once(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    found: dict[str, FeedEntry] = {}
    for entry in entries:
        found.setdefault(place_key(entry.link) if entry.link else f"{entry.guid} {entry.title}", entry)
    return tuple(found.values())


_MAX_ANSWERS = 400


def data_feed(page_source: PageSource, home: Document | None) -> Feed | None:
    """Return the posts that the home page fetched as data, or None."""
    if home is None:
        return None
    responses = [response for response in page_source.responses() if "json" in response.content_type][:_MAX_ANSWERS]

    def answers() -> Iterator[tuple[str, bytes]]:
        for response in responses:
            page = page_source.read(response)
            if page is not None:
                yield response.url, page.body

    return page_feed(answers(), home) if responses else None


def is_there(feed: Feed | None, page_source: PageSource) -> bool:
    """Tell whether a page of the feed is on the shelf."""
    return feed is not None and any(entry.link and page_source.response(entry.link) for entry in feed.entries)


def told_comments(document: Document, find: Lookup) -> tuple[Comment, ...] | None:
    """Return the comments that a service has told of the page, out of its stored answers; None when it has not."""
    thread = thread_on(document, RenderSettings())
    if thread is None:
        return None
    talk = dialogue(thread)
    try:
        ask = next(talk)
        while True:
            page = find(ask.url)
            ask = talk.send(page.body if page is not None else None)
    except StopIteration as end:
        comments: tuple[Comment, ...] | None = end.value
        return comments


class BlogProfile(msgspec.Struct, frozen=True, kw_only=True):
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


def profile_of(
    page_source: PageSource, home_url: str, *, feed_url: str | None = None, settings: LearnSettings = LearnSettings()
) -> BlogProfile:
    """Learn from the feed and its pages; when there is none or it teaches nothing, from pages that look like posts.

    Raises `NoBlog` when neither teaches anything.
    """
    scope = Scope.of(home_url)
    home = _document(page_source.page(home_url))
    feed = best_feed(page_source, home, home_url, scope, feed_url)
    if not is_there(feed, page_source):
        feed = data_feed(page_source, home) or feed
    problem: NoBlog | None = None
    if feed is not None:
        evidence = evidence_from_feed(feed, page_source.page, home_url, _pages(page_source, scope))
        try:
            return _learned(evidence, page_source, home, home_url, feed, settings)
        except NoBlog as nothing:
            problem = nothing
    addresses = (response.url for response in page_source.responses() if response.is_page)
    sample = evidence_from_pages(home, addresses, scope, page_source.page)
    if sample is not None:
        try:
            return _learned(sample, page_source, home, home_url, None, settings)
        except NoBlog as nothing:
            problem = problem or nothing
    raise problem or NoBlog(f"The pages of {home_url} do not look like those of a blog: no feed, no posts.")


def profile_from_rules(rules: RuleSet, home_url: str, post_urls: Iterable[str], page_source: PageSource) -> BlogProfile:
    """Return the lesson of rules that were learned before, for a blog whose pages teach nothing any more."""
    urls = list(post_urls)
    return BlogProfile(
        home_url=home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened_scope(Scope.of(home_url), urls),
        language=document.language if (document := _document(page_source.page(home_url))) else None,
    )


def widened_scope(scope: Scope, urls: Iterable[str]) -> Scope:
    """Return the scope of a blog whose posts lie beside its home page's folder, or on another host."""
    for url in urls:
        if not scope.includes(url):
            scope = Scope(scope.with_host(url).hosts)
    return scope


def _learned(
    evidence: Evidence,
    page_source: PageSource,
    home: Document | None,
    home_url: str,
    feed: Feed | None,
    settings: LearnSettings,
) -> BlogProfile:
    if not evidence.pages:
        raise NoBlog(f"None of the pages that the feed {evidence.feed.url} names is there.")
    pages = [page for page, _ in evidence.pages]
    rules = learn(evidence.feed, {page.url: page.body for page in pages}, now=pages[0].fetched_at, settings=settings)
    rules = with_agreed_fields(rules, evidence.feed, evidence.pages)
    urls = [page.url for page in pages]
    return BlogProfile(
        home_url=home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened_scope(Scope.of(home_url), urls),
        feed=feed,
        entries=_entries(feed, evidence, page_source) if feed else {},
        evidence=tuple(place_key(url) for url in urls),
        title=feed.title if feed else _page_title(home),
        language=(feed.language if feed else None) or (home.language if home is not None else None),
    )


def _entries(feed: Feed, evidence: Evidence, page_source: PageSource) -> dict[str, FeedEntry]:
    """What the feed says of every page that is there, also of those that were not needed to learn from."""
    found: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        response = page_source.response(entry.link) if entry.link else None
        if response is not None:
            found.setdefault(place_key(response.url), entry)
    return found | {place_key(page.url): entry for page, entry in evidence.pages}


def _pages(page_source: PageSource, scope: Scope) -> Iterator[Page]:
    for response in page_source.responses():
        if response.is_page and scope.includes(response.url):
            page = page_source.read(response)
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
