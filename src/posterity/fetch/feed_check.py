"""Whether a candidate is a blog: it is, when it has a feed with entries. A handful of requests, one host at a time.

Pages are asked for through a function that obeys robots.txt; between two requests to one host there is a pause.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.feed_links import declared_feeds, usual_feeds
from posterity.dom import parse
from posterity.errors import NoBlog, PosterityError, RefusedByRobots, Unreachable
from posterity.model import Feed, Page
from posterity.urls import Scope, canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.discover.candidates import Candidate

Fetch: TypeAlias = Callable[[str], Page]
# The home page, a page that was linked, and these: a site that hides its feed better does not want to be found.
_DECLARED, _USUAL = 2, 2
_HOSTS_AT_ONCE = 8


class FoundBlog(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="blog"):
    """A candidate that is a blog: where it begins, its feed, and what brought it."""

    url: str
    feed_url: str
    title: str | None
    language: str | None
    entries: int
    latest: datetime | None
    score: float
    sources: int
    mentions: dict[str, int]


class NotABlog(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="no-blog"):
    """A candidate that is none, or that nobody could look at."""

    url: str
    reason: Literal["noFeed", "robotsTxt", "unreachable", "unreadable"]
    detail: str


def checked_candidates(
    candidates: Iterable[Candidate], fetch: Fetch, *, delay_s: float = 1.0
) -> Iterator[FoundBlog | NotABlog]:
    """Yield what became of every candidate, in their order; several hosts are asked at the same time."""
    ordered = list(candidates)
    by_host = sorted(enumerate(ordered), key=lambda pair: urlsplit(pair[1].home).netloc)
    groups = [list(some) for _, some in groupby(by_host, key=lambda pair: urlsplit(pair[1].home).netloc)]

    def checked(group: list[tuple[int, Candidate]]) -> list[tuple[int, FoundBlog | NotABlog]]:
        paced = _paced(fetch, delay_s)
        return [(place, checked_candidate(candidate, paced)) for place, candidate in group]

    groups.sort(key=lambda group: group[0][0])
    early: dict[int, FoundBlog | NotABlog] = {}
    turn = 0
    with ThreadPoolExecutor(_HOSTS_AT_ONCE) as pool:
        for some in pool.map(checked, groups):
            early.update(some)
            while turn in early:
                yield early.pop(turn)
                turn += 1


def checked_candidate(candidate: Candidate, fetch: Fetch) -> FoundBlog | NotABlog:
    """Return the blog at the candidate's home, or around the page that was linked, or why there is none."""
    problem: PosterityError = NoBlog("it names no feed, and none lies at the usual places")
    page: Page | None = None
    tried: set[str] = set()
    for url in dict.fromkeys((candidate.home, canonical_url(candidate.example))):
        try:
            page = fetch(url)
            feed = _declared_feed(page, fetch, tried)
        except PosterityError as trouble:
            problem = trouble
            continue
        if feed is not None:
            return _found(candidate, page, feed)
    if page is not None:
        feed = _first_feed([url for url in usual_feeds(candidate.home) if url not in tried][:_USUAL], fetch)
        if feed is not None:
            return _found(candidate, page, feed)
        problem = problem if isinstance(problem, RefusedByRobots) else NoBlog("no feed with entries was found")
    return NotABlog(url=candidate.home, reason=_reason(problem), detail=str(problem))


def _declared_feed(page: Page, fetch: Fetch, tried: set[str]) -> Feed | None:
    if looks_like_feed(page.body):
        return _readable(page)
    feeds = [url for url in declared_feeds(parse(page.body, page.url, page.content_type)) if url not in tried]
    tried.update(feeds[:_DECLARED])
    return _first_feed(feeds[:_DECLARED], fetch)


def _first_feed(urls: Iterable[str], fetch: Fetch) -> Feed | None:
    for url in urls:
        try:
            feed = _readable(fetch(url))
        except PosterityError:
            continue  # the next may work
        if feed is not None:
            return feed
    return None


def _readable(page: Page) -> Feed | None:
    try:
        feed = read_feed(page.body, page.url, page.content_type)
    except NoBlog:
        return None
    return feed if any(entry.link for entry in feed.entries) else None


def _found(candidate: Candidate, page: Page, feed: Feed) -> FoundBlog:
    # The feed knows its blog's home best, unless it names somebody else's, as feeds behind a service do.
    own = feed.home if feed.home and Scope.of(page.url).is_on_host(feed.home) else None
    dates = [date for entry in feed.entries if (date := entry.published or entry.updated)]
    facts: dict[str, Any] = {"score": candidate.score, "sources": candidate.sources, "mentions": candidate.mentions}
    return FoundBlog(
        url=canonical_url(own or (page.url if page.requested_url == candidate.home else candidate.home)),
        feed_url=feed.url,
        title=feed.title,
        language=feed.language,
        entries=len(feed.entries),
        latest=max(dates, default=None),
        **facts,
    )


def _reason(problem: PosterityError) -> Literal["noFeed", "robotsTxt", "unreachable", "unreadable"]:
    if isinstance(problem, RefusedByRobots):
        return "robotsTxt"
    if isinstance(problem, Unreachable):
        return "unreachable"
    return "noFeed" if isinstance(problem, NoBlog) else "unreadable"


def _paced(fetch: Fetch, delay_s: float) -> Fetch:
    """The same function, with a pause before every request but the first."""
    asked = False

    def paced(url: str) -> Page:
        nonlocal asked
        if asked and delay_s:
            time.sleep(delay_s)
        asked = True
        return fetch(url)

    return paced
