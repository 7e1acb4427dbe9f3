"""The steps of the pipeline that a browser takes part in: comments of widgets, and a picture of every post.

A widget's comments come as data where its service tells them, which takes a request or two; else the page is drawn and
its buttons are clicked. What was done is told in the record's provenance.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import msgspec
from scrapy import Request

from posterity.archive.warc_writer import SCREENSHOT
from posterity.crawl.downloading import PostItem, fetch_request
from posterity.crawl.pipelines import PipelineStep
from posterity.crawl.rendering import RENDER, RenderMiddleware
from posterity.dom import Document, parse
from posterity.errors import PosterityError, Unreachable
from posterity.extraction.comment_areas import comment_tree
from posterity.extraction.comments import comments_on
from posterity.model import Comment, Page, Post, Provenance
from posterity.render.services import Ask, ServiceThread, dialogue, thread_on
from posterity.render.widgets import has_acted, widget_on, widget_source

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_OK = 200


class WidgetComments(PipelineStep):
    """The comments that a widget brings, of posts whose page has one."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._proven: set[str] = set()
        self._given_up: set[str] = set()
        self._trials: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the comments of its widget, and with what the browser did for it."""
        assert item.post is not None
        browser = self.crawler.get_downloader_middleware(RenderMiddleware)
        if browser is None or not browser.is_at_home or not browser.crawl.comments:
            return item
        post = item.post
        story = browser.stories.get(item.page.url)
        if story is None and (widget := widget_on(item.document)):
            post = await self._asked(item, browser) or await self._rendered(item, browser, widget) or post
        elif story is not None:
            post = _told(post, story, item.page)
        return msgspec.structs.replace(item, post=post)

    async def _asked(self, item: PostItem, browser: RenderMiddleware) -> Post | None:
        """The post with the comments that the service tells, or None."""
        thread = thread_on(item.document, browser.settings)
        if thread is None:
            return None
        async with self._turn(thread.service.name):
            comments = None if thread.service.name in self._given_up else await self._comments_of(thread)
        if comments is None:
            return None
        assert item.post is not None
        source = Provenance(method=thread.service.name, rule=thread.ask.url, confidence=0.99, at=item.page.fetched_at)
        return msgspec.structs.replace(
            item.post, comments=comments, provenance={**item.post.provenance, "comments": source}
        )

    async def _comments_of(self, thread: ServiceThread) -> tuple[Comment, ...] | None:
        talk = dialogue(thread)
        try:
            ask = next(talk)
            while True:
                ask = talk.send(await self._answer(ask, thread.service.name))
        except StopIteration as end:
            comments: tuple[Comment, ...] | None = end.value
            return comments

    async def _answer(self, ask: Ask, service: str) -> bytes | None:
        request = Request(ask.url, headers=dict(ask.headers), dont_filter=True, meta={RENDER: False})
        try:
            page = await fetch_request(self.crawler, request)
        except PosterityError:
            self._learn(service, works=False)
            return None
        self._learn(service, works=True)
        return page.body if page.status == _OK else None

    async def _rendered(self, item: PostItem, browser: RenderMiddleware, widget: str) -> Post | None:
        """The post with the comments of its drawn page, if these are more; else None."""
        rendered = f"drawn {widget}"
        async with self._turn(rendered):
            # A service that does not answer us does not answer the browser either.
            if browser.crawl.render == "never" or self._given_up & {widget, rendered}:
                return None
            if rendered not in self._proven and not await self._is_reachable(widget_source(item.document, widget)):
                self._learn(rendered, works=False)
                return None
            page = await browser.page(item.page.url)
            if page is None:
                return None
            assert item.post is not None
            post = _told(item.post, browser.stories.get(page.url, ""), page)
            return self._with_comments_on(page, post, widget, item.document)

    async def _is_reachable(self, source: str | None) -> bool:
        """Tell whether there is any use in starting a browser for a widget that comes from there."""
        if source is None:
            return True
        try:
            await fetch_request(self.crawler, Request(source, dont_filter=True, meta={RENDER: False}))
        except Unreachable:
            return False
        except PosterityError:  # not for robots; a browser may still show it
            return True
        return True

    def _with_comments_on(self, page: Page, post: Post, widget: str, before: Document) -> Post:
        """The post with the comments of its drawn page, if these are more."""
        document = parse(page.body, page.url, page.content_type)
        comments = self._comments_on(document, page)
        has_more = len(comments) > len(post.comments)
        self._learn(f"drawn {widget}", works=has_more or has_acted(widget, before, document))
        return msgspec.structs.replace(post, comments=comments) if has_more else post

    def _turn(self, name: str) -> AbstractAsyncContextManager[object]:
        """One after the other, until it is known whether the thing of this name works."""
        return nullcontext() if name in self._proven else self._trials[name]

    def _learn(self, name: str, *, works: bool) -> None:
        """What has never worked is given up at once in this crawl; what has, when it fails twice in a row."""
        if works:
            self._proven.add(name)
        elif name in self._proven:
            self._proven.remove(name)
        else:
            self._given_up.add(name)

    def _comments_on(self, document: Document, page: Page) -> tuple[Comment, ...]:
        spider: Any = self.crawler.spider
        place = comment_tree(document)
        rules = spider.rules
        if place is None:
            return ()
        return comments_on(place, document.base_url, rules.languages, page.fetched_at, rules.date_order)


class Screenshot(PipelineStep):
    """A PNG of every post, beside its page in WARC."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the place of its picture."""
        browser = self.crawler.get_downloader_middleware(RenderMiddleware)
        assert item.post is not None
        if browser is None or not browser.is_at_home or not browser.settings.screenshot:
            return item
        url = item.page.url
        if url not in browser.screenshots:
            await browser.page(url)
        picture = browser.screenshots.pop(url, None)
        if picture is None:
            return item
        spider: Any = self.crawler.spider
        pointer = spider.warc_writer.write_attachment(
            "resource", SCREENSHOT + url, picture, mime="image/png", fetched_at=item.page.fetched_at, of=item.page.warc
        )
        source = Provenance(
            method="chromium", rule=SCREENSHOT + url, confidence=1.0, warc=str(pointer), at=item.page.fetched_at
        )
        return msgspec.structs.replace(
            item,
            post=msgspec.structs.replace(item.post, provenance={**item.post.provenance, "screenshot": source}),
        )


def _told(post: Post, story: str, page: Page) -> Post:
    """The post with what was done on its page in the browser."""
    source = Provenance(
        method="chromium",
        rule=story,
        confidence=1.0,
        warc=str(page.warc) if page.warc else None,
        at=page.fetched_at,
    )
    return msgspec.structs.replace(post, provenance={**post.provenance, "rendering": source})
