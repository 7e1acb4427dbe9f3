"""Checks whether a candidate is a blog, which has a feed with entries: a handful of requests per candidate.

Pages are requested with a function that obeys robots.txt, with a pause between two requests to one host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from importlib.metadata import entry_points
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias
from urllib.parse import urlencode, urlsplit

import msgspec

from posterity import errors
from posterity.discover.candidates import BlogCandidate, Mention, link_pages, recommended_links
from posterity.discover.feed import declared_feeds, looks_like_feed, read_feed, usual_feeds
from posterity.dom import Document, parse
from posterity.http_client import paced
from posterity.model import Blog, Feed, Page, WarcPointer
from posterity.urls import Scope, canonical_url, is_http_url, place_key

if TYPE_CHECKING:
    from posterity.archive import Archive


Fetch: TypeAlias = Callable[[str], Page]
# Feeds to try, besides the home page and a linked page: a site that hides its feed better does not want to be found.
_DECLARED, _USUAL = 2, 2
_HOSTS_AT_ONCE = 8


class FoundBlog(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="blog"):
    """A candidate that is a blog: its home page, its feed, and how it was found."""

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
    """A candidate that is not a blog, or that could not be checked."""

    url: str
    reason: Literal["noFeed", "robotsTxt", "unreachable", "unreadable"]
    detail: str


def checked_candidates(
    candidates: Iterable[BlogCandidate], fetch: Fetch, *, delay_s: float = 1.0
) -> Iterator[FoundBlog | NotABlog]:
    """Yield the result for each candidate, in their order; several hosts are requested concurrently."""
    ordered = list(candidates)
    by_host = sorted(enumerate(ordered), key=lambda pair: urlsplit(pair[1].home).netloc)
    groups = [list(some) for _, some in groupby(by_host, key=lambda pair: urlsplit(pair[1].home).netloc)]

    def checked(group: list[tuple[int, BlogCandidate]]) -> list[tuple[int, FoundBlog | NotABlog]]:
        paced_fetch = paced(fetch, delay_s)
        return [(place, checked_candidate(candidate, paced_fetch)) for place, candidate in group]

    groups.sort(key=lambda group: group[0][0])
    early: dict[int, FoundBlog | NotABlog] = {}
    turn = 0
    with ThreadPoolExecutor(_HOSTS_AT_ONCE) as pool:
        for some in pool.map(checked, groups):
            early.update(some)
            while turn in early:
                yield early.pop(turn)
                turn += 1


def checked_candidate(candidate: BlogCandidate, fetch: Fetch) -> FoundBlog | NotABlog:
    """Return the blog at the candidate's home page or the linked page, or why there is none."""
    problem: errors.PosterityError = errors.NoBlog("it declares no feed, and there is none at the usual paths")
    page: Page | None = None
    tried: set[str] = set()
    for url in dict.fromkeys((candidate.home, canonical_url(candidate.example))):
        try:
            page = fetch(url)
            feed = _declared_feed(page, fetch, tried)
        except errors.PosterityError as trouble:
            problem = trouble
            continue
        if feed is not None:
            return _found_blog(candidate, page, feed)
    if page is not None:
        feed = _first_feed([url for url in usual_feeds(candidate.home) if url not in tried][:_USUAL], fetch)
        if feed is not None:
            return _found_blog(candidate, page, feed)
        if not isinstance(problem, errors.RefusedByRobots):
            problem = errors.NoBlog("no feed with entries was found")
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
        except errors.PosterityError:
            continue  # the next may work
        if feed is not None:
            return feed
    return None


def _readable(page: Page) -> Feed | None:
    try:
        feed = read_feed(page.body, page.url, page.content_type)
    except errors.NoBlog:
        return None
    return feed if any(entry.link for entry in feed.entries) else None


def _found_blog(candidate: BlogCandidate, page: Page, feed: Feed) -> FoundBlog:
    # The feed knows the home page best, unless it names another host, as feeds behind a service do.
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


def _reason(problem: errors.PosterityError) -> Literal["noFeed", "robotsTxt", "unreachable", "unreadable"]:
    if isinstance(problem, errors.RefusedByRobots):
        return "robotsTxt"
    if isinstance(problem, errors.Unreachable):
        return "unreachable"
    return "noFeed" if isinstance(problem, errors.NoBlog) else "unreadable"


GROUP = "posterity.search"
_MAX_RESULT_PAGES = 20


class SearchHit(msgspec.Struct, frozen=True):
    """One result: its URL and what the service shows of it. Other fields of a response are ignored."""

    url: str = ""
    title: str = ""
    content: str = ""


class SearchService(Protocol):
    """The interface of search services."""

    def hits(self, query: str, count: int) -> Iterator[SearchHit]:
        """Yield at most `count` results, best first; raise `Unreachable` or `InputError` if there is no response."""


class _SearchResponse(msgspec.Struct):
    results: list[SearchHit] = []
    unresponsive_engines: list[list[str]] = []  # name and error of each


class Searxng:
    """A SearXNG instance with the format `json` enabled (in its settings.yml, under search.formats)."""

    def __init__(self, url: str, fetch: Callable[[str], Page]) -> None:
        self._url = url.rstrip("/").removesuffix("/search")
        self._fetch = fetch

    def hits(self, query: str, count: int) -> Iterator[SearchHit]:
        """Yield the results page by page, in the order of the instance."""
        seen: set[str] = set()
        for number in range(1, _MAX_RESULT_PAGES + 1):
            fresh = [hit for hit in self._page(query, number) if hit.url not in seen]
            for hit in fresh:
                seen.add(hit.url)
                yield hit
                if len(seen) >= count:
                    return
            if not fresh:
                return

    def _page(self, query: str, number: int) -> list[SearchHit]:
        asked = urlencode({"q": query, "format": "json", "pageno": number, "categories": "general"})
        try:
            page = self._fetch(f"{self._url}/search?{asked}")
        except errors.Unreachable as problem:
            if problem.status == 403:
                raise errors.InputError(
                    f"The search service {self._url} does not return JSON. Its settings.yml must list json under "
                    "search.formats; many public instances do not."
                ) from problem
            raise
        try:
            response = msgspec.json.decode(page.body, type=_SearchResponse)
        except (msgspec.MsgspecError, RecursionError) as problem:
            raise errors.InputError(f"{self._url} does not respond as SearXNG does: {problem}.") from problem
        if response.unresponsive_engines and not response.results and number == 1:
            engines = "; ".join(map(": ".join, response.unresponsive_engines))
            raise errors.InputError(
                f"The engines behind {self._url} do not respond ({engines}). Try again later, or another one."
            )
        return response.results


def search_service(name: str, fetch: Callable[[str], Page]) -> SearchService:
    """Return the service with this name: the URL of a SearXNG instance, or PLUGIN:URL."""
    if is_http_url(name):
        return Searxng(name, fetch)
    plugin, _, url = name.partition(":")
    known = {point.name: point for point in entry_points(group=GROUP)}
    if plugin not in known:
        names = f" Installed plugins: {', '.join(sorted(known))}." if known else ""
        raise errors.UsageError(
            f"There is no search service {name!r}. Give the URL of a SearXNG instance, or PLUGIN:URL.{names}"
        )
    made: SearchService = known[plugin].load()(url, fetch)
    return made


_OK = 200


def mentions_by(archive: Archive, blog: Blog) -> Iterator[Mention]:
    """Yield every link of the blog to another host, each URL once per post that has it."""
    scope = Scope.of(blog.url)
    in_posts: set[str] = set()
    for post in archive.posts_of(blog.id):
        in_posts |= {place_key(link) for link in post.links}
        for link in dict.fromkeys(post.links):
            if not scope.is_on_host(link):
                yield Mention(blog.id, "post", link)
        for url in dict.fromkeys(comment.author_url for comment in post.comments if comment.author_url):
            if not scope.is_on_host(url):
                yield Mention(blog.id, "comment", url)
    yield from _blogroll(archive, blog, in_posts)


def _blogroll(archive: Archive, blog: Blog, in_posts: set[str]) -> Iterator[Mention]:
    if (home := _stored_page(archive, blog.url)) is None:
        return
    found = dict.fromkeys(recommended_links(home, blog.url, in_posts))
    for url in link_pages(home, blog.url):
        if (page := _stored_page(archive, url)) is not None:
            found |= dict.fromkeys(recommended_links(page, blog.url))
    yield from (Mention(blog.id, "blogroll", link) for link in found)


def _stored_page(archive: Archive, url: str) -> Document | None:
    for capture in reversed(archive.captures(url)):
        if capture.status == _OK and "html" in (capture.mime or "html"):
            try:
                page = archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
                return parse(page.body, page.url, page.content_type)
            except (errors.ArchiveError, errors.UnreadablePage):
                continue
    return None
