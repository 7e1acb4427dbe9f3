"""The pipeline in the paper's order: content, comments, media, propagation (BlogForever paper, section 2.2).

Each step is a plain Scrapy item pipeline that takes an item and returns a new one, so that other projects can use, omit
or replace it. Rules and archive are attributes of the crawl's state.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import msgspec
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from posterity.archive import Archive
from posterity.archive.warc_writer import SCREENSHOT
from posterity.blog.changes import with_data_images
from posterity.blog.comments import CommentReader
from posterity.blog.optouts import page_optouts
from posterity.blog.page_parts import join_parts
from posterity.blog.records import FEED_ENTRY, make_record
from posterity.crawl.capture import MEDIA
from posterity.crawl.downloading import PostItem, fetch_page, fetch_request
from posterity.crawl.rendering import RENDER, RenderMiddleware
from posterity.crawl.state import Component, CrawlState, state_of
from posterity.discover.links import fonts_and_pictures, icon_url, imports, stylesheets
from posterity.dom import Document, parse
from posterity.dom.source import decode
from posterity.errors import ArchiveError, NotInArchive, PosterityError, Unreachable
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comments_on
from posterity.model import Comment, Media, MissingMedia, Page, Post, Provenance, Rejected
from posterity.render.services import ServiceRequest, ServiceThread, dialogue, thread_on
from posterity.render.services.dialogue import has_acted, widget_on, widget_source
from posterity.urls import is_http_url

_OK = 200
_REFUSALS = (401, 403, 404, 410)
_TIMEOUT_S = 60
# By the type that the server declares: pages and programs are not media, whatever their URLs look like.
_KINDS = re.compile(
    r"(?:image|audio|video|font)/|application/(?:pdf|epub\+zip|postscript|rtf|msword|ogg|x-shockwave-flash|"
    r"vnd\.(?:ms-|openxmlformats|oasis|djvu|apple)|x-(?:mobipocket|tex|dvi)|zip|gzip|x-(?:tar|gzip|7z))",
    re.IGNORECASE,
)
_UNKNOWN_TYPES = re.compile(r"application/(?:octet-stream|force-download|x-download)|binary/|$", re.IGNORECASE)
# Links of an article to files, as opposed to pages.
_FILES = frozenset(
    ".jpg .jpeg .png .gif .webp .avif .svg .ico .tif .tiff .bmp .mp3 .ogg .oga .opus .m4a .flac .wav .mp4 .m4v .webm "
    ".ogv .mov .avi .mkv .pdf .epub .mobi .djvu .ps .doc .docx .odt .rtf .xls .xlsx .ods .ppt .pptx .odp .csv .zip .gz "
    ".tgz .7z".split()
)


def media_of_post(post: Post) -> tuple[Media, ...]:
    """Return the media that the article shows, and the files that it links to, each URL once."""
    found = {medium.url: medium for medium in post.media}
    for url in post.links:
        if _ending(url) in _FILES:
            found.setdefault(url, Media(url=url))
    return tuple(found.values())


class MediaFetcher:
    """Downloads media into the archive; posts that share an image share the request."""

    def __init__(self, crawler: Crawler, archive: Archive) -> None:
        self.crawler, self.archive = crawler, archive
        self.max_bytes: int = crawler.settings.getint("POSTERITY_MAX_MEDIA_BYTES")
        self._downloads: dict[str, asyncio.Future[Media | str]] = {}

    async def kept(self, medium: Media) -> Media | str:
        """Return the medium with its file, or why there is none; an embedded player has no file."""
        if medium.is_embed or medium.file:
            return medium
        if not is_http_url(medium.url):
            return "no web URL"
        if medium.url not in self._downloads:
            self._downloads[medium.url] = asyncio.ensure_future(self._download(medium.url))
        found = await self._downloads[medium.url]
        if isinstance(found, str):
            return found
        return msgspec.structs.replace(medium, file=found.file, digest=found.digest, mime=found.mime)

    async def response(self, url: str) -> Page | str:
        """Return the response from the archive or else from the web, whatever its status, or why there is none."""
        limits = {"download_maxsize": self.max_bytes, "download_timeout": _TIMEOUT_S, "max_retry_times": 1}
        try:
            return self._stored_response(url) or await fetch_page(self.crawler, url, **{MEDIA: True}, **limits)
        except NotInArchive:
            return "taken down by posterity forget"
        except ArchiveError:
            raise
        except PosterityError as problem:
            return str(problem)

    def was_refused(self, url: str) -> bool:
        """Return whether the URL was refused before, so that it need not be requested again for mere decoration."""
        capture = self.archive.earlier_response(url, None)
        return capture is not None and capture.status in _REFUSALS

    async def _download(self, url: str) -> Media | str:
        page = await self.response(url)
        if isinstance(page, str):
            return page
        return unwanted(page, self.max_bytes) or self.archive.put_media(page.body, page.content_type or None, url)

    def _stored_response(self, url: str) -> Page | None:
        """Return the response that the archive has from this URL, if its status is 200."""
        capture = self.archive.earlier_response(url, None)
        if capture is None or capture.status != _OK:
            return None
        return self.archive.read_page(f"{capture.file}#{capture.offset}")


def unwanted(page: Page, max_bytes: int) -> str | None:
    """Return why the response is not stored as a medium, or None."""
    if page.status != _OK:
        return f"status {page.status}"
    if not page.body:
        return "empty"
    if len(page.body) > max_bytes:
        return f"{len(page.body)} bytes, more than {max_bytes}"
    kind = page.content_type.partition(";")[0].strip()
    if _KINDS.match(kind) or (_UNKNOWN_TYPES.match(kind) and _ending(page.url) in _FILES):
        return None
    return f"its type is {kind or 'unknown'}"


def _ending(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).suffix.lower() if is_http_url(url) else ""


class ExtractContent(Component):
    """Extracts the record of a page by the blog's rules; posts that span several pages are joined.

    Further URLs of a known post are dropped here, in the order in which pages come: the next steps wait for other
    requests, and a copy could overtake its original.
    """

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with its post, or drop it."""
        state, page = state_of(self.crawler), item.page
        asked = page_optouts(page, state.reservations)
        if asked and self.crawler.settings.getbool("POSTERITY_RESPECT_OPTOUT"):
            raise _drop_item(state, Rejected(url=page.url, reason="optOut", detail=", ".join(asked)))
        if item.post is not None:  # one of several posts on its page
            return _checked_item(state, item, item.post)

        blog, rules, scope = state.blog.id, state.rules, state.scope
        read = partial(make_record, blog=blog, rules=rules, scope=scope, entry=None, optouts=asked)
        post = read(page, item.document, entry=item.entry)
        if post is None:
            raise _drop_item(state, Rejected(url=page.url, reason="noArticle", detail="no article was found on it"))
        post, parts = await join_parts(state.source, item.document, post, read)
        for url in parts:
            state.crawl_stats.moved(url, page.url)
        state.crawl_stats.texts_from_feed += post.provenance["text"].method == FEED_ENTRY
        if not self.crawler.settings.getbool("POSTERITY_COMMENTS", True):
            post = msgspec.structs.replace(post, comments=())
        return _checked_item(state, item, post)


def _checked_item(state: CrawlState, item: PostItem, post: Post) -> PostItem:
    """Return the item with the post to store; raise for another URL of a known post."""
    unique = state.checked(post)
    if unique is None:
        raise _drop_item(state, Rejected(url=item.page.url, reason="duplicate", detail=post.canonical_url or ""))
    return msgspec.structs.replace(item, post=unique)


class ExtractComments(Component):
    """Adds the comments that the page itself does not show: further pages of the thread, and the comment feed."""

    @cached_property
    def _reader(self) -> CommentReader:
        return CommentReader(state_of(self.crawler).source)

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with all comments of its post."""
        assert item.post is not None
        state, shown = state_of(self.crawler), item.post.comments
        comments = await self._reader.all_comments(item.page, item.document, item.entry, shown, state.rules)
        if self._reader.missing:
            state.crawl_stats.missing_comment_feeds += self._reader.missing
            state.crawl_stats.gave_up = state.crawl_stats.gave_up or self._reader.is_loss
            self._reader.missing.clear()
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, comments=comments))


class MediaStep(Component):
    """A step that downloads files."""

    @cached_property
    def fetcher(self) -> MediaFetcher:
        """The fetcher of this step; the archive is not known before the first item comes."""
        return MediaFetcher(self.crawler, state_of(self.crawler).archive)


class DownloadMedia(MediaStep):
    """Stores images, audio, video and documents of the article as files under the digest of their bytes."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the files of its media; what cannot be downloaded is noted and stays a URL."""
        state = state_of(self.crawler)
        assert item.post is not None
        item = msgspec.structs.replace(item, post=with_data_images(item.post, state.archive))
        assert item.post is not None
        wanted = media_of_post(item.post)
        found = await asyncio.gather(*map(self.fetcher.kept, wanted))
        media: list[Media] = []
        for medium, kept in zip(wanted, found, strict=True):
            if isinstance(kept, str):
                state.crawl_stats.missing_media.append(MissingMedia(url=medium.url, post=item.page.url, reason=kept))
            media.append(medium if isinstance(kept, str) else kept)
        # A link that led to no file stays a mere link.
        shown = {medium.url for medium in item.post.media}
        kept_media = tuple(medium for medium in media if medium.file or medium.url in shown)
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, media=kept_media))


class Propagate(Component):
    """Stores the record, in one transaction with others; it is reported once it is on disk."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Store the post, unless it was taken down."""
        state, post = state_of(self.crawler), item.post
        assert post is not None
        outcome = await state.commits.stored(post)
        if outcome == "forgotten":
            raise _drop_item(state, Rejected(url=item.page.url, reason="takenDown", detail="by posterity forget"))
        state.stored(post, outcome)
        return item


def _drop_item(state: CrawlState, rejected: Rejected) -> DropItem:
    state.rejected(rejected)
    return DropItem(f"{rejected.reason}: {rejected.url}")


# A theme has one to five stylesheets, a blog with plugins perhaps a dozen; a font comes in several weights and formats.
_MOST_STYLESHEETS = 20
_MOST_FILES = 40


class StoreTheme(MediaStep):
    """Requests icon, stylesheets, fonts and images of the theme once in a crawl, for the first posts that name them."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._has_icon = False
        self._stylesheets: set[str] = set()
        self._files: set[str] = set()

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item unchanged, after the files that style its page have been requested."""
        sheets = _take_new(stylesheets(item.document), self._stylesheets, _MOST_STYLESHEETS)
        icon = [] if self._has_icon else [self._keep_icon(item.document)]
        self._has_icon = True
        await asyncio.gather(*icon, *(self._keep_stylesheet(url) for url in sheets))
        return item

    async def _keep_icon(self, document: Document) -> None:
        """Store the icon and name it in the blog's record; without an icon, the record is unchanged."""
        url = icon_url(document)
        if self.fetcher.was_refused(url):
            return
        icon = await self.fetcher.kept(Media(url=url))
        if isinstance(icon, str) or not _is_picture(icon):
            return
        state = state_of(self.crawler)
        # Read again, because the schedule may have been changed meanwhile.
        state.blog = msgspec.structs.replace(state.archive.blog(state.blog.id), icon=icon)
        state.archive.put_blog(state.blog)

    async def _keep_stylesheet(self, url: str, *, is_imported: bool = False) -> None:
        fetcher = self.fetcher
        page = None if fetcher.was_refused(url) else await fetcher.response(url)
        if page is None or isinstance(page, str) or page.status != _OK or "css" not in page.content_type:
            return
        _, css = decode(page.body, page.content_type)
        further = [] if is_imported else _take_new(imports(css, page.url), self._stylesheets, _MOST_STYLESHEETS)
        files = _take_new(fonts_and_pictures(css, page.url), self._files, _MOST_FILES)
        await asyncio.gather(
            *(self._keep_stylesheet(sheet, is_imported=True) for sheet in further),
            *(fetcher.response(file) for file in files if not fetcher.was_refused(file)),
        )


def _take_new(urls: list[str], known: set[str], most: int) -> list[str]:
    """Return the new URLs, at most as many as there is room for, and add them to the known ones."""
    new = [url for url in urls if url not in known][: most - len(known)]
    known.update(new)
    return new


def _is_picture(icon: Media) -> bool:
    return (icon.mime or "").startswith("image/") or icon.url.partition("?")[0].lower().endswith(".ico")


class WidgetComments(Component):
    """Adds the comments of a widget to posts whose page has one."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._proven: set[str] = set()
        self._given_up: set[str] = set()
        self._trials: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the comments of its widget, and with the provenance of its rendering."""
        assert item.post is not None
        browser = self.crawler.get_downloader_middleware(RenderMiddleware)
        if browser is None or not browser.is_own_spider or not browser.crawl.comments:
            return item
        post = item.post
        actions = browser.actions_by_url.get(item.page.url)
        if actions is None and (widget := widget_on(item.document)):
            found = await self._request_comments(item, browser)
            post = found or await self._render_comments(item, browser, widget) or post
        elif actions is not None:
            post = _with_rendering_note(post, actions, item.page)
        return msgspec.structs.replace(item, post=post)

    async def _request_comments(self, item: PostItem, browser: RenderMiddleware) -> Post | None:
        """Return the post with the comments of the service, or None."""
        thread = thread_on(item.document, browser.settings)
        if thread is None:
            return None
        async with self._turn(thread.service.name):
            comments = None if thread.service.name in self._given_up else await self._comments_of(thread)
        if comments is None:
            return None
        assert item.post is not None
        at = item.page.fetched_at
        source = Provenance(method=thread.service.name, rule=thread.request.url, confidence=0.99, at=at)
        return _with_origin(item.post, "comments", source, comments=comments)

    async def _comments_of(self, thread: ServiceThread) -> tuple[Comment, ...] | None:
        exchange = dialogue(thread)
        try:
            ask = next(exchange)
            while True:
                ask = exchange.send(await self._response(ask, thread.service.name))
        except StopIteration as end:
            comments: tuple[Comment, ...] | None = end.value
            return comments

    async def _response(self, ask: ServiceRequest, service: str) -> bytes | None:
        request = Request(ask.url, headers=dict(ask.headers), dont_filter=True, meta={RENDER: False})
        try:
            page = await fetch_request(self.crawler, request)
        except PosterityError:
            self._learn(service, works=False)
            return None
        self._learn(service, works=True)
        return page.body if page.status == _OK else None

    async def _render_comments(self, item: PostItem, browser: RenderMiddleware, widget: str) -> Post | None:
        """Return the post with the comments of its rendered page, if these are more; else None."""
        rendered = f"rendered {widget}"
        async with self._turn(rendered):
            # A service that does not respond to us does not respond to the browser either.
            if browser.crawl.render == "never" or self._given_up & {widget, rendered}:
                return None
            if rendered not in self._proven and not await self._is_reachable(widget_source(item.document, widget)):
                self._learn(rendered, works=False)
                return None
            page = await browser.page(item.page.url)
            if page is None:
                return None
            assert item.post is not None
            post = _with_rendering_note(item.post, browser.actions_by_url.get(page.url, ""), page)
            return self._with_comments_on(page, post, widget, item.document)

    async def _is_reachable(self, source: str | None) -> bool:
        """Return whether a browser may load a widget from this URL."""
        if source is None:
            return True
        try:
            await fetch_request(self.crawler, Request(source, dont_filter=True, meta={RENDER: False}))
        except Unreachable:
            return False
        except PosterityError:  # for example robots.txt forbids it; a browser may still load it
            return True
        return True

    def _with_comments_on(self, page: Page, post: Post, widget: str, before: Document) -> Post:
        """Return the post with the comments of its rendered page, if these are more."""
        document = parse(page.body, page.url, page.content_type)
        comments = self._comments_on(document, page)
        has_more = len(comments) > len(post.comments)
        self._learn(f"rendered {widget}", works=has_more or has_acted(widget, before, document))
        return msgspec.structs.replace(post, comments=comments) if has_more else post

    def _turn(self, name: str) -> AbstractAsyncContextManager[object]:
        """Serialise uses of the service or widget of this name until it is known whether it works."""
        return nullcontext() if name in self._proven else self._trials[name]

    def _learn(self, name: str, *, works: bool) -> None:
        """Record a success or failure: one that never worked is given up at once, one that did after two failures."""
        if works:
            self._proven.add(name)
        elif name in self._proven:
            self._proven.remove(name)
        else:
            self._given_up.add(name)

    def _comments_on(self, document: Document, page: Page) -> tuple[Comment, ...]:
        rules, place = state_of(self.crawler).rules, comment_tree(document)
        if place is None:
            return ()
        return comments_on(place, document.base_url, rules.languages, page.fetched_at, rules.date_order)


class Screenshot(Component):
    """Stores a PNG of every post, beside its page in WARC."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the position of its screenshot."""
        browser = self.crawler.get_downloader_middleware(RenderMiddleware)
        assert item.post is not None
        if browser is None or not browser.is_own_spider or not browser.settings.screenshot:
            return item
        url = item.page.url
        if url not in browser.screenshots:
            await browser.page(url)
        picture = browser.screenshots.pop(url, None)
        if picture is None:
            return item
        writer, name, at = state_of(self.crawler).warc_writer, SCREENSHOT + url, item.page.fetched_at
        pointer = writer.write_attachment("resource", name, picture, mime="image/png", fetched_at=at, of=item.page.warc)
        source = Provenance(method="chromium", rule=name, confidence=1.0, warc=str(pointer), at=at)
        return msgspec.structs.replace(item, post=_with_origin(item.post, "screenshot", source))


def _with_rendering_note(post: Post, actions: str, page: Page) -> Post:
    """Return the post with what was done on its page in the browser as provenance."""
    warc = str(page.warc) if page.warc else None
    source = Provenance(method="chromium", rule=actions, confidence=1.0, warc=warc, at=page.fetched_at)
    return _with_origin(post, "rendering", source)


def _with_origin(post: Post, name: str, source: Provenance, **fields: Any) -> Post:
    return msgspec.structs.replace(post, **fields, provenance={**post.provenance, name: source})
