"""Rendering in a crawl: which pages need a browser, and the middleware that replaces their responses.

As a downloader middleware, it is transparent to code that requests pages. With `--render auto`, these pages are
rendered: an empty shell, a page that lacks what the feed lists, the same page at a second URL, and a list of posts that
links only to the menu. If that helps, the blog needs a browser, and its further pages are rendered at once. Both
decisions are checked again with every page at no cost, because the browser also has the response of the server. A
static blog never starts a browser.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from scrapy import Request, signals
from scrapy.http import HtmlResponse, Response

from posterity.archive.captures import captures_of_urls
from posterity.archive.database import date_key
from posterity.blog.entrance import Entrance, is_list_name
from posterity.blog.optouts import page_optouts
from posterity.classify import needs_browser
from posterity.crawl.capture import FETCHED_AT, MEDIA, POINTER, REPLAYED, page_of
from posterity.crawl.robots import RobotsMiddleware
from posterity.crawl.state import CrawlState, state_of
from posterity.discover.links import may_load_more, page_links
from posterity.discover.platforms import platforms_of
from posterity.errors import ArchiveError, BrowserMissing, PageTooCostly, PosterityError, missing_package
from posterity.model import Feed, FeedEntry, Page, WarcPointer
from posterity.model.page import kept_headers
from posterity.render.page_feed import page_feed
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from scrapy.crawler import Crawler

    from posterity.blog.page_source import PageSource
    from posterity.config import CrawlSettings, RenderSettings
    from posterity.render.pool import BrowserPool
    from posterity.render.rendered import Received, Rendered


HTML = "text/html; charset=utf-8"
_MAX_RESPONSES = 400


def _browser_package_missing(problem: ModuleNotFoundError) -> BrowserMissing:
    if (missing := missing_package(problem, "Rendering")) is None:
        raise problem
    return BrowserMissing(f"{missing}, and then `playwright install chromium-headless-shell`.")


def write_rendered(state: CrawlState, rendered: Rendered) -> Page:
    """Write all responses, and the page made of them as a conversion record; return the page.

    A page with an opt-out from archiving is not written if the crawl respects opt-outs.
    """
    page = rendered.page()
    document = next((one for one in rendered.received if one.kind == "document"), None)
    page = msgspec.structs.replace(page, headers=kept_headers(document.headers if document else ()))
    if state.job.settings.crawl.respect_optout and page_optouts(page, state.reservations):
        return page
    origin: WarcPointer | None = None
    for one in rendered.received:
        pointer = _write_response(state, one)
        origin = origin or (pointer if one is document else None)
    warc = state.warc_writer.write_attachment(
        "conversion", page.url, page.body, mime=HTML, fetched_at=rendered.fetched_at, of=origin
    )
    return msgspec.structs.replace(page, warc=warc)


def was_rendered(state: CrawlState, url: str) -> bool:
    """Return whether the archive has the page as rendered by a browser."""
    with state.archive.database.reading() as connection:
        return any(one.kind == "conversion" and one.mime == HTML for one in captures_of_urls(connection, [url]))


def stored_page(state: CrawlState, url: str) -> Page | None:
    """Return the page as rendered by the interrupted harvest that this one continues, or None."""
    frontier = getattr(state, "frontier", None)
    if frontier is None or not frontier.resumes:
        return None
    with state.archive.database.reading() as connection:
        found = captures_of_urls(connection, [url])
    since = date_key(frontier.started_at)
    rendered = [one for one in found if one.kind == "conversion" and one.fetched_at >= since and one.mime == HTML]
    if not rendered:
        return None
    last = rendered[-1]
    pointer = WarcPointer(last.file, last.offset, last.record_id)
    try:
        page: Page = state.archive.read_page(pointer)
    except ArchiveError:
        return None
    at = datetime.fromisoformat(last.fetched_at)
    return msgspec.structs.replace(page, status=200, content_type=HTML, fetched_at=at, warc=pointer)


def stored_data(state: CrawlState) -> list[tuple[str, bytes]]:
    """Return the data received by the interrupted harvest that this one continues, if any."""
    frontier = getattr(state, "frontier", None)
    if frontier is None or not frontier.resumes:
        return []
    responses = [one for one in frontier.responses.values() if "json" in (one.mime or "")]
    found: list[tuple[str, bytes]] = []
    for one in responses[:_MAX_RESPONSES]:
        with suppress(ArchiveError):
            found.append((one.url, state.archive.read_page(f"{one.file}#{one.offset}").body))
    return found


def _write_response(state: CrawlState, one: Received) -> WarcPointer:
    state.crawl_stats.count_response(len(one.body), media=False)
    return state.warc_writer.write_exchange(
        method=one.method,
        url=one.url,
        request_headers=list(one.request_headers),
        request_body=one.request_body,
        status=one.status,
        reason=one.reason,
        http_version="HTTP/1.1",
        response_headers=list(one.headers),
        body=one.body,
        ip=one.ip,
        fetched_at=one.at,
    )


RENDER = "posterity_render"  # set on requests: True for the rendered page, False for the response of the server
_OK, _NOT_MODIFIED, _NOT_FOUND = 200, 304, 404
# Trials with pages that lack what the feed lists; few, because a feed may be about something else than its pages.
_MAX_TRIALS = 2
# If this many rendered pages in a row contain no more than the server's responses, the blog needs no browser.
_NEEDLESS = 3
# The links common to this many pages are the menu. A single page may be a list of posts, with more links than this.
_MENU_PAGES, _MOST_IN_MENU = 6, 12
_MIN_LOADED = 2  # links that scripts have added to the home page
NONE_RENDERED = "Rendered in a browser, its pages show none."
# One empty shell among more pages than this is an accident, not how the blog is made.
_SHELLS_PER_PAGE = 5
_MAX_KEPT_PAGES = 500


class RenderMiddleware:
    """Runs after robots.txt, replayed responses and limits, and before everything that concerns the network."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.renders = False  # the decision: this blog is rendered by scripts
        self.missing: BrowserMissing | None = None
        self.actions_by_url: dict[str, str] = {}
        self.screenshots: dict[str, bytes] = {}
        self.data: list[tuple[str, bytes]] = []
        self._expectations: dict[str, FeedEntry] = {}
        self._trials = self._static = self._shells = self._needless = self._failures = 0
        self._frame_trials = 0
        self._menu: frozenset[str] = frozenset()  # the links that the first pages share
        self._menu_pages = 0
        self._frames: dict[bytes, str] = {}  # the first URL key of each page without text, by its digest
        self._shell = b""  # what the server sends for the home page of a blog that is rendered by scripts
        self._pool: BrowserPool | None = None
        self._turns: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RenderMiddleware:
        """Create the middleware; called by Scrapy."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware.close, signal=signals.spider_closed)
        return middleware

    @property
    def is_own_spider(self) -> bool:
        """Whether the spider is one of ours and has settings for rendering."""
        return hasattr(self.crawler.spider, "job")

    @property
    def crawl(self) -> CrawlSettings:
        """The settings of the crawl."""
        return state_of(self.crawler).job.settings.crawl

    @property
    def settings(self) -> RenderSettings:
        """The settings of the browser."""
        return state_of(self.crawler).job.settings.render

    @property
    def launches(self) -> int:
        """The number of browser launches."""
        return self._pool.launches if self._pool else 0

    @property
    def began_without(self) -> bool:
        """Whether unrendered pages were used although the blog is rendered by scripts."""
        return self.renders and self._static > 0

    def render_all(self) -> None:
        """Render all pages of the blog, until they turn out not to need it."""
        self.renders, self._static, self._needless = True, 0, 0

    def may_help(self, home: Page | None) -> bool:
        """Return whether rendering may show posts of a blog that shows none without it."""
        is_auto = self.is_own_spider and self.crawl.render == "auto" and not self.renders
        return is_auto and home is not None and needs_browser.has_scripts(home.body)

    def with_page_data(self, entrance: Entrance, source: PageSource) -> Entrance:
        """Return the entrance; without a feed, with the data that its home page fetched in a browser as the feed.

        The pages of a feed are later compared with its entries, to see whether they need a browser.
        """
        home = source.document(entrance.home) if entrance.home is not None else None
        if not entrance.feeds and self.renders and home is not None:
            feed = page_feed(self.data or stored_data(state_of(self.crawler)), home)
            entrance = msgspec.structs.replace(entrance, feeds=(feed,) if feed is not None else ())
        for feed in entrance.feeds:
            self._expect(feed, entrance.home_url)
        return entrance

    async def with_home(self, entrance: Entrance, source: PageSource, urls: Collection[str]) -> Entrance:
        """Return the entrance with its home page rendered, if nothing lists the posts and scripts may load more."""
        home = source.document(entrance.home) if entrance.home is not None else None
        if home is None or not self.is_own_spider or self.crawl.render != "auto":
            return entrance
        if urls or self.renders or platforms_of(home) or not may_load_more(home):
            return entrance
        rendered = await self.page(entrance.home_url)
        document = source.document(rendered) if rendered is not None else None
        if document is None or len(set(page_links(document)) - set(page_links(home))) < _MIN_LOADED:
            return entrance
        return msgspec.structs.replace(entrance, home=rendered)

    def _expect(self, feed: Feed, home_url: str) -> None:
        """Remember the entries of the feed by their URLs; for a copy of the blog, also by those on its host."""
        own = urlsplit(home_url)
        for entry in feed.entries:
            if entry.link:
                copied = urlsplit(entry.link)._replace(scheme=own.scheme, netloc=own.netloc).geturl()
                self._expectations |= {place_key(url): entry for url in (copied, entry.link)}

    async def process_request(self, request: Request) -> Response | None:
        """Return the rendered page if it is already known to be needed; None to send the request."""
        if not self._may_render(request):
            return None
        is_page = request.callback is not None
        wanted = request.meta.get(RENDER) or (is_page and (self.renders or self.crawl.render == "always"))
        if not wanted and "#" not in request.url:
            return None
        return await self._rendered_response(request, request.url)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the response, or the rendered page if the response needs it."""
        kind = (response.headers.get("Content-Type") or b"").lower()
        if not self._may_render(request) or request.meta.get(RENDER):
            return response
        if response.status == _NOT_MODIFIED and was_rendered(state_of(self.crawler), request.url):
            # An empty shell does not change when the blog does.
            return await self._rendered_response(request, request.url) or response
        if (response.status != _OK and not self._is_shell_again(response.status, response.body)) or b"html" not in kind:
            return response
        entry = self._expectations.get(place_key(response.url))
        trial = self._trial_of(response)
        needs_browser = self._needs_browser(response, entry)
        if not needs_browser and trial is None:
            self._static += 1
            return response
        if (rendered := await self._rendered_response(request, response.url)) is None:
            return response
        if needs_browser or trial is None:
            self._judge(response.body, rendered, entry)
        elif not self.renders:
            self._frame_trials += 1
            self.renders = trial(rendered.body)
        return rendered

    async def page(self, url: str) -> Page | None:
        """Return the rendered page at a URL, whether or not the blog needs a browser; None if it cannot be rendered."""
        rendered = await self._render(url)
        return write_rendered(state_of(self.crawler), rendered) if rendered else None

    async def close(self) -> None:
        """Close the browser at the end of the crawl."""
        if self._pool is not None:
            await self._pool.close()

    def _may_render(self, request: Request) -> bool:
        return (
            self.is_own_spider
            and self.crawl.render != "never"
            and request.method == "GET"
            and request.url.startswith("http")
            and not request.meta.get(MEDIA)
            and not request.meta.get("dont_obey_robotstxt")
            and request.meta.get(RENDER) is not False
        )

    def _needs_browser(self, response: Response, entry: FeedEntry | None) -> bool:
        if self.renders or self.crawl.render == "always":
            return True
        if needs_browser.is_shell(response.body):
            self._shells += 1
            # A static blog may have a page without content too: a test, an error page with status 200.
            return entry is not None or self._shells * _SHELLS_PER_PAGE > self._static
        return entry is not None and self._trials < _MAX_TRIALS and self._lacks_text(page_of(response), entry)

    def _trial_of(self, response: Response) -> Callable[[bytes], bool] | None:
        """Return a function that tells from the rendered page whether scripts fill this one; None if no trial is due.

        A trial is due for the same empty page at a second URL, and for a list of posts that links only to the menu.
        """
        body, url = response.body, response.url
        is_list, place = is_list_name(url), place_key(url)
        if self._menu_pages < _MENU_PAGES and not is_list:
            self._menu_pages += 1
            targets = needs_browser.link_targets(body, url)
            self._menu = targets if self._menu_pages == 1 else self._menu & targets
        if self.renders or self._frame_trials >= _MAX_TRIALS or not needs_browser.is_frame(body):
            return None
        menu = self._menu
        if is_list:
            is_menu = self._menu_pages > 1 or len(menu) <= _MOST_IN_MENU
            if not is_menu or not needs_browser.lacks_own_links(body, url, menu):
                return None
            return lambda rendered: not needs_browser.lacks_own_links(rendered, url, menu)
        if self._frames.setdefault(hashlib.blake2b(body).digest(), place) == place:
            return None
        return lambda rendered: needs_browser.is_filled_by_scripts(rendered, body)

    def _lacks_text(self, page: Page, entry: FeedEntry) -> bool:
        document = state_of(self.crawler).source.document(page)
        return document is not None and needs_browser.lacks_listed_text(document, entry)

    def _judge(self, raw: bytes, rendered: Response, entry: FeedEntry | None) -> None:
        """Set `renders` if rendering has added what was missing."""
        if self.renders:
            return
        if entry is not None and not needs_browser.is_shell(raw):
            self._trials += 1
            self.renders = not self._lacks_text(page_of(rendered), entry)
        else:
            self.renders = not needs_browser.is_shell(rendered.body)
        self._needless = 0

    async def _rendered_response(self, request: Request, url: str) -> Response | None:
        if (page := stored_page(state_of(self.crawler), url)) is None:
            if (rendered := await self._render(url)) is None:
                return None
            page = write_rendered(state_of(self.crawler), rendered)
            self._check_again(page, rendered.raw)
            self._shell = self._shell or rendered.raw
            if self._is_shell_again(page.status, rendered.raw):
                page = msgspec.structs.replace(page, status=_OK)
        request.meta[POINTER], request.meta[FETCHED_AT] = page.warc, page.fetched_at
        request.meta[RENDER] = True
        headers = {"Content-Type": page.content_type}
        # Marked as replayed, because it did not come from Scrapy's downloader: nothing must store, count or delay it.
        return HtmlResponse(
            url=page.url, status=page.status, headers=headers, body=page.body, request=request, flags=[REPLAYED]
        )

    def _is_shell_again(self, status: int, raw: bytes) -> bool:
        """Return whether a server without such a file sends the application all the same, as its 404.html."""
        return self.renders and status == _NOT_FOUND and bool(raw) and raw == self._shell

    async def _render(self, url: str) -> Rendered | None:
        """Return the rendered page; None if it cannot be rendered, so that the server's response is used."""
        if (self.missing is not None and self._static) or self._failures >= self.settings.max_failures:
            return None
        if self._pool is None:
            try:
                # Most blogs need no browser, and its driver is slow to import.
                from posterity.render.pool import BrowserPool
            except ModuleNotFoundError as problem:
                self._go_on_without_browser(_browser_package_missing(problem))
                return None
            spider: Any = self.crawler.spider
            own = () if self.crawl.public_only else (spider.job.url, url)
            self._pool = BrowserPool(self.settings, own, self.crawl.sent_user_agent)
        await self._turn(url)
        try:
            rendered = await self._pool.render(url)
        except BrowserMissing as problem:
            self._go_on_without_browser(problem)
            return None
        except PageTooCostly as problem:
            self._count_failure(problem)
            return None
        except PosterityError:
            return None
        self._failures = 0
        self._note(rendered)
        return rendered

    def _count_failure(self, problem: PageTooCostly) -> None:
        """Count a failure; after too many in a row, the blog is read without a browser."""
        self._failures += 1
        if self._failures == self.settings.max_failures:
            self.renders = False
            text = f"{self._failures} pages in a row could not be rendered, so no further page was: {problem}"
            state_of(self.crawler).crawl_stats.note(text, may_help=False)

    def _go_on_without_browser(self, problem: BrowserMissing) -> None:
        self.missing = problem
        if not self._static:  # nothing of this blog can be read without a browser
            raise problem

    async def _turn(self, url: str) -> None:
        """Wait for the delay between two requests to this host."""
        least = self.crawler.settings.getfloat("DOWNLOAD_DELAY")
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        delay = max(least, robots.delay_s(url)) if least and robots else least
        host = urlsplit(url).netloc
        now = time.monotonic()
        at = max(now, self._turns.get(host, 0.0))
        self._turns[host] = at + delay
        if at > now:
            await asyncio.sleep(at - now)

    def _note(self, rendered: Rendered) -> None:
        if not self.actions_by_url:  # the first page is the home page
            self.data = [(one.url, one.body) for one in rendered.received if "json" in one.mime]
        for old in list(self.actions_by_url)[:-_MAX_KEPT_PAGES]:
            for kept in (self.actions_by_url, self.screenshots):
                kept.pop(old, None)
        self.actions_by_url[rendered.url] = rendered.actions
        if rendered.screenshot:
            self.screenshots[rendered.url] = rendered.screenshot

    def _check_again(self, page: Page, raw: bytes) -> None:
        """Stop rendering if several pages in a row contain no more than the server's responses."""
        if not self.renders or not raw or "#" in page.url:
            return
        document = state_of(self.crawler).source.document(page)
        is_needless = document is not None and needs_browser.adds_little_text(document, raw)
        self._needless = self._needless + 1 if is_needless else 0
        if self._needless >= _NEEDLESS:
            self.renders = False
