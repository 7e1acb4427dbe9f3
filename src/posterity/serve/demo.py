"""The live demo: a page from somewhere, what can be learned of its blog, and what every method makes of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from posterity.discover.feed import declared_feeds, looks_like_feed, read_feed, usual_feeds
from posterity.discover.links import stylesheets
from posterity.dom import parse
from posterity.dom.source import decode
from posterity.errors import InputError, PosterityError
from posterity.extraction import METHODS
from posterity.model import Page, Post, RuleSet
from posterity.serve.extraction import ExtractRequest
from posterity.serve.problems import Problem
from posterity.serve.public_fetch import PublicFetcher
from posterity.urls import is_http_url, place_key, with_scheme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.serve.services import Services


_REMEMBERED = 40
_MAX_BYTES = 64 * 1024 * 1024  # of all their pages together


class MethodResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one method made of the page, or why it made nothing."""

    method: str
    posts: tuple[Post, ...] = ()
    problem: str | None = None
    seconds: float = 0.0


class Demo(msgspec.Struct, frozen=True, kw_only=True):
    """A page, what is known of its blog, and the answers of the methods."""

    id: str
    page: Page
    index: bool = False
    rules: RuleSet | None = None
    # The other pages of the blog that were fetched, by address, and where their feed is.
    site: Mapping[str, bytes] = {}
    # The stylesheets of the page, so that it looks like itself.
    sheets: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    answers: tuple[MethodResult, ...] = ()

    def answer(self, method: str) -> MethodResult:
        """The answer of one method."""
        for answer in self.answers:
            if answer.method == method:
                return answer
        raise Problem(404, f"The method {method!r} was not asked about this page.")


class DemoStore:
    """The last demos; a new one takes the place of the oldest."""

    def __init__(self) -> None:
        self._demos: OrderedDict[str, Demo] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, demo: Demo) -> Demo:
        """Keep a demo, under a new id if it has none."""
        demo = demo if demo.id else msgspec.structs.replace(demo, id=uuid4().hex)
        with self._lock:
            self._demos[demo.id] = demo
            while len(self._demos) > 1 and (len(self._demos) > _REMEMBERED or self._bytes() > _MAX_BYTES):
                self._demos.popitem(last=False)
        return demo

    def named(self, demo_id: str) -> Demo:
        """The demo with this id, or a `Problem`."""
        with self._lock:
            if demo_id not in self._demos:
                raise Problem(404, "This demo is no longer kept. Try the page again.")
            return self._demos[demo_id]

    def _bytes(self) -> int:
        return sum(
            len(demo.page.body) + sum(map(len, demo.site.values())) + sum(map(len, demo.sheets.values()))
            for demo in self._demos.values()
        )


_SITE_PAGES = 5  # of the feed's posts: enough for a vote, few enough for one visitor's curiosity
_SHEETS = 5  # themes have one to five
_MAX_METHODS = 9


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor wants to see; `index` is a front page with several posts."""

    url: str = ""
    html: str = ""
    methods: tuple[str, ...] = ()
    index: bool = False


def tried(services: Services, wish: Wish) -> Demo:
    """Return the demo of a wish, or raise what is wrong with it."""
    methods = _checked_methods(wish.methods)
    notes: list[str] = []
    site: dict[str, bytes] = {}
    sheets: dict[str, str] = {}
    rules = None
    if wish.html.strip():
        page = _pasted(wish)
        notes.append("Pasted pages come alone: methods that need the blog's feed or other pages of it cannot help.")
    elif wish.url.strip():
        url = wish.url.strip() if is_http_url(wish.url.strip()) else with_scheme(wish.url.strip())
        fetcher = PublicFetcher(services.settings, services.settings.limits.demo_s)
        page = fetcher.page(url)
        rules, site, notes = _learned(services, page, fetcher)
        sheets = _sheets(page, fetcher)
    else:
        raise InputError("There is nothing to try. Give the address of a post, or paste its HTML.")
    demo = Demo(id="", page=page, index=wish.index, rules=rules, site=site, sheets=sheets, notes=tuple(notes))
    answers = tuple(answered(services, demo, method) for method in methods)
    return services.demos.keep(msgspec.structs.replace(demo, answers=answers))


def answered(services: Services, demo: Demo, method: str) -> MethodResult:
    """Return what one method makes of the page of a demo."""
    request = ExtractRequest(
        body=demo.page.body, url=demo.page.url, content_type=demo.page.content_type, method=method, index=demo.index,
        rules=demo.rules, site=dict(demo.site),
    )  # fmt: skip
    try:
        found = services.extractor.extracted(request)
    except PosterityError as problem:
        return MethodResult(method=method, problem=str(problem))
    nothing = None if found.posts else "It finds no post on this page."
    return MethodResult(method=method, posts=found.posts, seconds=found.seconds, problem=nothing)


def _checked_methods(names: Sequence[str]) -> list[str]:
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise InputError(f"There is no method {unknown[0]!r}. Choose one of: {', '.join(METHODS)}.")
    return list(dict.fromkeys(names))[:_MAX_METHODS] or [next(iter(METHODS))]


def _pasted(wish: Wish) -> Page:
    return Page(
        url=wish.url or "https://pasted.example/",
        requested_url=wish.url,
        status=200,
        content_type="text/html; charset=utf-8",
        body=wish.html.encode("utf-8", "replace"),
        fetched_at=datetime.now(UTC),
    )


def _sheets(page: Page, fetcher: PublicFetcher) -> dict[str, str]:
    """Fetch what the page is dressed in; one that does not come leaves it plainer."""
    found = {}
    for url in stylesheets(parse(page.body, page.url, page.content_type))[:_SHEETS]:
        try:
            sheet = fetcher.page(url)
        except PosterityError:
            continue
        if "css" in sheet.content_type:
            found[url] = decode(sheet.body, sheet.content_type)[1]
    return found


def _learned(
    services: Services, page: Page, fetcher: PublicFetcher
) -> tuple[RuleSet | None, dict[str, bytes], list[str]]:
    """Find the page's feed, fetch a few of its posts, and learn; what cannot be done is only noted."""
    document = parse(page.body, page.url, page.content_type)
    feed = None
    for place in [*declared_feeds(document), *usual_feeds(page.url)][:6]:
        try:
            found = fetcher.page(place)
        except PosterityError:
            continue
        if looks_like_feed(found.body):
            feed = found
            break
    if feed is None:
        return None, {}, ["The page names no feed, so nothing could be learned about its blog."]
    site = {page.url: page.body}
    entries = read_feed(feed.body, feed.url, feed.content_type).entries
    for entry in entries[:_SITE_PAGES]:
        if entry.link and place_key(entry.link) != place_key(page.url):
            try:
                site[entry.link] = fetcher.page(entry.link).body
            except PosterityError:
                continue
    try:
        request = ExtractRequest(body=b"", feed=feed.body, feed_url=feed.url, site=site)
        rules = services.extractor.extracted(request).rules
    except PosterityError as problem:
        return None, site, [f"The feed {feed.url} taught nothing: {problem}"]
    return rules, site, [f"Rules were learned from the feed {feed.url} and {len(site)} pages."]
