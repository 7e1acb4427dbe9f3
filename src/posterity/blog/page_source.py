"""The source of a blog's pages: one interface for the web, an archive, a crawl file and a mirror.

The pipeline (`profile`, `records`) gets its pages from a `PageSource`. `crawl.downloading` requests them from the web;
`StoredPages` looks them up among responses on disk. It keeps URLs, types and times, and reads a page when it is needed,
so that memory does not grow with their sizes. It follows stored redirects as a crawler would follow them.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import datetime
from html import escape
from itertools import islice
from typing import Any, Protocol, TypeVar
from urllib.parse import urljoin

import msgspec

from posterity.discover.feed import looks_like_feed
from posterity.dom import Document, parse
from posterity.errors import ArchiveError, PosterityError, Unreachable, UnreadablePage
from posterity.http_client import robots_rules, sitemaps_in
from posterity.model import Page, Rejected, WarcPointer
from posterity.model.page import is_unknown_type
from posterity.urls import canonical_url, place_key

_Value = TypeVar("_Value")
_NOT_MODIFIED = 304
_MAX_REDIRECTS = 6
_MAX_STATES = 200
_FEED_TYPE = re.compile(r"rss|atom|rdf|xml|json", re.IGNORECASE)
# The home page and the training pages are used by several steps; a tree is about 20 times as large as its page.
PARSED_PAGES, PARSED_BYTES = 96, 16 * 1024 * 1024


class PageSource(Protocol):
    """Supplies pages by URL. A failure affects only one page and is noted by the source."""

    async def page(self, url: str) -> Page:
        """Return the response at the URL, after redirects, whatever its status; raise a `PosterityError` if none."""

    async def pages(self, urls: Sequence[str]) -> list[Page | None]:
        """Return the pages that can be read as HTML, None for each of the others."""

    def document(self, page: Page) -> Document | None:
        """Return the parsed page; None if it cannot be read. A page is parsed once."""

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's robots.txt names."""

    def held(self) -> Sequence[StoredResponse]:
        """Return every response that is available without a request; none for the web."""

    def earlier_states(self, url: str) -> list[Page]:
        """Return the earlier responses from the URL, the latest first."""


async def page_or_none(source: PageSource, url: str) -> Page | None:
    """Return the response at the URL, whatever its status, or None if there is none; archive errors are raised."""
    try:
        return await source.page(url)
    except ArchiveError:
        raise
    except PosterityError:
        return None


class ResponseLookup(Protocol):
    """Finds stored responses by URL: `StoredPages`, or all sites of a crawl file."""

    def response(self, url: str) -> StoredResponse | None:
        """Return the response at the URL, after redirects, or None."""

    def find(self, url: str) -> Page | None:
        """Return the page at the URL, after redirects, or None."""


class ParsedPages:
    """Keeps the documents of the last pages, so that several steps share one parse.

    The key is the URL and the bytes: two responses from one URL may differ, and one may be read twice.
    """

    def __init__(self, note: Callable[[Rejected], None]) -> None:
        self._note = note
        self._kept: OrderedDict[tuple[str, bytes], Document | None] = OrderedDict()
        self._bytes = 0

    def document(self, page: Page) -> Document | None:
        """Return the parsed page; None if it cannot be read, which is noted once."""
        key = (page.url, page.body)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        document: Document | None = None
        if looks_like_feed(page.body):  # many servers declare their feeds as HTML
            self._note(Rejected(url=page.url, reason="notHtml", detail="a feed"))
        else:
            try:
                document = parse(page.body, page.url, page.content_type, header_links=header_links(page))
            except UnreadablePage as problem:
                self._note(Rejected(url=page.url, reason="unreadable", detail=str(problem)))
        self._kept[key] = document
        self._bytes += len(page.body)
        while len(self._kept) > PARSED_PAGES or (self._bytes > PARSED_BYTES and len(self._kept) > 1):
            self._drop(next(iter(self._kept)))
        return document

    def forget(self, page: Page) -> None:
        """Discard the document of one page."""
        if (page.url, page.body) in self._kept:
            self._drop((page.url, page.body))

    def _drop(self, key: tuple[str, bytes]) -> None:
        del self._kept[key]
        self._bytes -= len(key[1])

    def clear(self) -> None:
        """Discard all documents."""
        self._kept.clear()
        self._bytes = 0


_LINK_HEADER = re.compile(r"""<([^<>"\s]{1,2000})>((?:\s*;\s*[\w*-]{1,40}\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)""")
_LINK_PARAMETER = re.compile(r"""(rel|type)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))""", re.IGNORECASE)
_LINKED = frozenset({"next", "prev", "canonical", "alternate"})
_MAX_LINKS = 20


def header_links(page: Page) -> bytes:
    """Return the <link> elements for the Link headers of a page (RFC 8288): neighbours, feeds, canonical."""
    values = ", ".join(value for name, value in page.headers if name == "link")
    found: list[str] = []
    for target, parameters in (link.groups() for link in islice(_LINK_HEADER.finditer(values), _MAX_LINKS)):
        given = {name.lower(): quoted or bare for name, quoted, bare in _LINK_PARAMETER.findall(parameters)}
        relations = _LINKED.intersection(given.get("rel", "").lower().split())
        if relations and ("alternate" not in relations or _FEED_TYPE.search(given.get("type", ""))):
            kind = f' type="{escape(given["type"])}"' if "type" in given else ""
            found.append(f'<link rel="{" ".join(sorted(relations))}"{kind} href="{escape(target)}">')
    return "".join(found).encode()


def run_at_once(coroutine: Coroutine[Any, Any, _Value]) -> _Value:
    """Return the result of a coroutine over stored pages, which never waits."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: _Value = end.value
        return result
    coroutine.close()
    raise RuntimeError("Stored pages are read without waiting, and this waited.")


class StoredResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A stored response and its location: a WARC record, or file, offset and length in a spool."""

    url: str
    status: int
    content_type: str
    fetched_at: datetime
    where: WarcPointer | tuple[str, int, int]
    location: str | None = None
    is_feed: bool = False
    # Bytes of the body without its content coding, if known.
    size: int = 0

    @property
    def is_page(self) -> bool:
        """Return whether the response may be an HTML page, by its type, or by its URL if the type is unknown."""
        kind = self.content_type.lower()
        name = self.url.partition("?")[0].rpartition("/")[2]
        is_unknown = is_unknown_type(kind) and "." not in name
        return not self.is_feed and ("html" in kind or not kind or is_unknown)

    @property
    def is_success(self) -> bool:
        """Return whether the server sent the requested page."""
        return 200 <= self.status < 300

    @property
    def may_be_feed(self) -> bool:
        """Return whether the response may be a feed, by its type."""
        return self.is_feed or (_FEED_TYPE.search(self.content_type) is not None and "html" not in self.content_type)


class StoredPages:
    """The latest good response from every URL; `read` returns the page of a response."""

    def __init__(self, responses: Iterable[StoredResponse], read: Callable[[StoredResponse], Page]) -> None:
        self._read = read
        self._latest: dict[str, StoredResponse] = {}
        self._redirects: dict[str, str] = {}
        self._versions: dict[str, list[StoredResponse]] = defaultdict(list)
        self._failures: dict[str, int] = {}
        self.damaged: dict[str, str] = {}
        self.unreadable: list[Rejected] = []
        self._parsed = ParsedPages(self.unreadable.append)
        for response in sorted(responses, key=lambda response: (response.fetched_at, response.url)):
            self._put(response)

    def _put(self, response: StoredResponse) -> None:
        key = place_key(response.url)
        if response.location:
            target = canonical_url(response.location, response.url)
            if place_key(target) != key:  # http to https is the same place
                self._redirects[key] = target
            else:
                self._failures[key] = 0
        elif response.is_success or response.status == _NOT_MODIFIED:
            self._redirects.pop(key, None)
            self._latest[key] = response
            if response.may_be_feed:
                self._versions[key].append(response)
        else:
            self._failures[key] = response.status

    def responses(self) -> list[StoredResponse]:
        """Return the latest responses, by URL, without URLs that redirect elsewhere."""
        kept = (response for key, response in self._latest.items() if self._end_of(key) in (key, None))
        return sorted(kept, key=lambda response: response.url)

    def response(self, url: str) -> StoredResponse | None:
        """Return the response at the URL, after redirects, or None."""
        key = place_key(url)
        # Mirrors add extensions that the URLs of pages do not have, and vice versa.
        for spelling in (key, f"{key}.html", key.removesuffix(".html")):
            end = self._end_of(spelling)
            if end is not None:
                return self._latest[end]
        return None

    def failure(self, url: str) -> int | None:
        """Return the status of the error at the URL, after redirects; 0 if its redirects lead to nothing.

        None if there is a good response, or nothing at all.
        """
        if self.response(url) is not None:
            return None
        key, is_redirected = place_key(url), False
        for _ in range(_MAX_REDIRECTS):
            if key in self._failures or key not in self._redirects:
                return self._failures.get(key, 0 if is_redirected else None)
            key, is_redirected = place_key(self._redirects[key]), True
        return 0

    def leads_to(self, url: str) -> str | None:
        """Return the target of the stored redirect of a URL, or None."""
        return self._redirects.get(place_key(url))

    def find(self, url: str) -> Page | None:
        """Return the page at the URL, after redirects, or None."""
        response = self.response(url)
        return self.read(response) if response is not None else None

    async def page(self, url: str) -> Page:
        """Return the page at the URL, after redirects, or raise `Unreachable`."""
        page = self.find(url)
        if page is None:
            raise Unreachable(f"{url} is not among the stored pages.", status=404)
        return page

    async def pages(self, urls: Sequence[str]) -> list[Page | None]:
        """Return the HTML pages at these URLs, and None for each of the others."""
        found = (self.find(url) for url in urls)
        return [page if page is not None and page.is_html else None for page in found]

    def document(self, page: Page) -> Document | None:
        """Return the parsed page; None if it cannot be read."""
        return self._parsed.document(page)

    def forget(self, page: Page) -> None:
        """Drop the document of a page that is no longer needed."""
        self._parsed.forget(page)

    def sitemaps(self, url: str) -> list[str]:
        """Return the sitemaps that the host's stored robots.txt names."""
        robots = self.find(urljoin(url, "/robots.txt"))
        rules = robots_rules(robots.status, robots.body, "") if robots is not None else None
        return sitemaps_in(rules, url) if rules is not None else []

    def held(self) -> list[StoredResponse]:
        """Return the latest responses."""
        return self.responses()

    def earlier_states(self, url: str) -> list[Page]:
        """Return the earlier good responses of a feed, the latest first."""
        pages = (self.read(response) for response in self.versions(url)[1:_MAX_STATES])
        return [page for page in pages if page is not None]

    def versions(self, url: str) -> list[StoredResponse]:
        """Return all good responses from the URL of a feed, the latest first."""
        return self._versions.get(place_key(url), [])[::-1]

    def read(self, response: StoredResponse) -> Page | None:
        """Return the page of a response; None if it cannot be read any more, which is recorded in `damaged`."""
        try:
            return self._read(response)
        except ArchiveError as problem:
            self.damaged[response.url] = str(problem)
            return None

    def _end_of(self, key: str) -> str | None:
        """Return the URL key at the end of the stored redirects; None if there is no good response."""
        for _ in range(_MAX_REDIRECTS):
            target = self._redirects.get(key)
            if target is None:
                return key if key in self._latest else None
            key = place_key(target)
        return None
