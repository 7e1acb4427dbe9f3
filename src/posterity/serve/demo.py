"""The live demo: a page, the rules learned from its blog, and the results of all chosen methods."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from posterity.discover.feed import looks_like_feed, usual_feeds
from posterity.dom.source import decode
from posterity.errors import InputError, PosterityError
from posterity.extraction import METHODS
from posterity.http_client import HttpClient
from posterity.model import Page, Post, RuleSet
from posterity.serve.extraction import ExtractionPool, ExtractRequest, LinksRequest
from posterity.serve.problems import Problem
from posterity.serve.settings import ServeSettings, visitor_client
from posterity.text.normal_form import count_of
from posterity.urls import is_http_url, place_key, with_scheme

_REMEMBERED = 40
_MAX_BYTES = 64 * 1024 * 1024  # limit of the pages of all demos together
_SITE_PAGES = 5  # posts fetched from the feed: enough to learn rules, few enough for one request
_SHEETS = 5  # themes have one to five stylesheets


class MethodResult(msgspec.Struct, frozen=True, kw_only=True):
    """The posts that one method found, or why it found none."""

    method: str
    posts: tuple[Post, ...] = ()
    problem: str | None = None
    seconds: float = 0.0


class Demo(msgspec.Struct, frozen=True, kw_only=True):
    """A page, what is known about its blog, and the results of the methods."""

    id: str
    page: Page
    index: bool = False
    rules: RuleSet | None = None
    # The other pages of the blog that were fetched, by URL.
    site: Mapping[str, bytes] = {}
    feed: Page | None = None
    # The stylesheets of the page, so that it looks like the original.
    sheets: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    results: tuple[MethodResult, ...] = ()

    def result_of(self, method: str) -> MethodResult:
        """Return the result of one method, or raise a `Problem`."""
        for result in self.results:
            if result.method == method:
                return result
        raise Problem(404, f"The method {method!r} was not run on this page.")


class DemoRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page to try, by URL or as HTML, and the methods; `index` marks a front page with several posts."""

    url: str = ""
    html: str = ""
    methods: tuple[str, ...] = ()
    index: bool = False


class LiveDemos:
    """Creates demos and keeps the latest; a new demo evicts the oldest."""

    def __init__(self, settings: ServeSettings, extractor: ExtractionPool) -> None:
        self._settings = settings
        self._extractor = extractor
        self._demos: OrderedDict[str, Demo] = OrderedDict()
        self._lock = threading.Lock()

    def create(self, request: DemoRequest) -> Demo:
        """Return the demo of a page; raise a `PosterityError` if the request is invalid or the fetch fails."""
        if unknown := [name for name in request.methods if name not in METHODS]:
            raise InputError(f"There is no method {unknown[0]!r}. Choose one of: {', '.join(METHODS)}.")
        methods = list(dict.fromkeys(request.methods))[:10] or [next(iter(METHODS))]
        notes: list[str] = []
        site: dict[str, bytes] = {}
        sheets: dict[str, str] = {}
        rules = feed = None
        if request.html.strip():
            page = Page(
                url=request.url or "https://pasted.example/",
                requested_url=request.url,
                status=200,
                content_type="text/html; charset=utf-8",
                body=request.html.encode("utf-8", "replace"),
                fetched_at=datetime.now(UTC),
            )
            notes.append("A pasted page has no feed or other pages, so methods that need them cannot be used.")
        elif url := request.url.strip():
            client = visitor_client(self._settings, self._settings.limits.demo_s)
            page = client.fetch(url if is_http_url(url) else with_scheme(url))
            feed = self._fetch_feed(page, client)
            rules, site, notes = self._learn(page, feed, client)
            sheets = self._fetch_sheets(page, client)
        else:
            raise InputError("Enter the URL of a post, or paste its HTML.")
        demo = Demo(
            id="", page=page, index=request.index, rules=rules, site=site, feed=feed, sheets=sheets, notes=tuple(notes)
        )
        results = tuple(self._run(demo, method) for method in methods)
        return self._keep(msgspec.structs.replace(demo, id=uuid4().hex, results=results))

    def replace_rules(self, demo: Demo, rules: RuleSet) -> Demo:
        """Run every method again with other rules, and return the demo."""
        changed = msgspec.structs.replace(demo, rules=rules)
        results = tuple(self._run(changed, result.method) for result in demo.results)
        return self._keep(msgspec.structs.replace(changed, results=results))

    def get(self, demo_id: str) -> Demo:
        """Return the demo with this id, or raise a `Problem`."""
        with self._lock:
            if demo_id not in self._demos:
                raise Problem(404, "This demo has expired. Try the page again.")
            return self._demos[demo_id]

    def _keep(self, demo: Demo) -> Demo:
        with self._lock:
            self._demos[demo.id] = demo
            while len(self._demos) > 1 and (len(self._demos) > _REMEMBERED or self._bytes() > _MAX_BYTES):
                self._demos.popitem(last=False)
        return demo

    def _bytes(self) -> int:
        return sum(
            len(demo.page.body) + sum(map(len, demo.site.values())) + sum(map(len, demo.sheets.values()))
            for demo in self._demos.values()
        )

    def _run(self, demo: Demo, method: str) -> MethodResult:
        request = ExtractRequest(
            body=demo.page.body, url=demo.page.url, content_type=demo.page.content_type, method=method,
            index=demo.index, rules=demo.rules, site=dict(demo.site),
        )  # fmt: skip
        if method == "blogforever":
            feed, feed_url = (demo.feed.body, demo.feed.url) if demo.feed else (None, "")
            request = msgspec.structs.replace(request, rules=None, feed=feed, feed_url=feed_url)
        try:
            found = self._extractor.extract(request)
        except PosterityError as problem:
            return MethodResult(method=method, problem=str(problem))
        nothing = None if found.posts else "No post was found on this page."
        return MethodResult(method=method, posts=found.posts, seconds=found.seconds, problem=nothing)

    def _learn(
        self, page: Page, feed: Page | None, client: HttpClient
    ) -> tuple[RuleSet | None, dict[str, bytes], list[str]]:
        """Learn rules from a few posts of the feed; return the rules, the fetched pages, and notes about failures."""
        if feed is None:
            return None, {}, ["The page declares no feed, so nothing could be learned about its blog."]
        site = {page.url: page.body}
        for link in self._extractor.extract(LinksRequest(page=feed, wanted="entries")).urls[:_SITE_PAGES]:
            if place_key(link) != place_key(page.url):
                with suppress(PosterityError):  # learn from the other posts
                    site[link] = client.fetch(link).body
        try:
            request = ExtractRequest(body=b"", feed=feed.body, feed_url=feed.url, site=site)
            rules = self._extractor.extract(request).rules
        except PosterityError as problem:
            return None, site, [f"No rules could be learned from the feed {feed.url}: {problem}"]
        return rules, site, [f"Rules were learned from the feed {feed.url} and {count_of(len(site), 'page')}."]

    def _fetch_sheets(self, page: Page, client: HttpClient) -> dict[str, str]:
        """Return the page's stylesheets by URL, without those that cannot be fetched."""
        found = {}
        for url in self._extractor.extract(LinksRequest(page=page, wanted="stylesheets")).urls[:_SHEETS]:
            try:
                sheet = client.fetch(url)
            except PosterityError:
                continue
            if "css" in sheet.content_type:
                found[url] = decode(sheet.body, sheet.content_type)[1]
        return found

    def _fetch_feed(self, page: Page, client: HttpClient) -> Page | None:
        declared = self._extractor.extract(LinksRequest(page=page, wanted="feeds")).urls
        for url in [*declared, *usual_feeds(page.url)][:6]:
            with suppress(PosterityError):
                found = client.fetch(url)
                if looks_like_feed(found.body):
                    return found
        return None
