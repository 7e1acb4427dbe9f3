"""The blog's icon and stylesheets: a step of the pipeline that keeps what its pages are dressed in.

Stylesheets, and the fonts and pictures that they name, go into WARC, where a replay of a page finds them. The icon
becomes a file like other media and is named in the blog's record. A theme is shared by all posts: what one post has
asked for, no other asks for, and nothing that the archive knows is asked for again. Nothing here is worth a complaint
when it fails.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.discover.appearance import fonts_and_pictures, icon_address, imports, stylesheets
from posterity.dom.encoding import decode
from posterity.fetch.media import MediaFetcher
from posterity.fetch.pipelines import Step
from posterity.model import Media

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.dom import Document
    from posterity.fetch.items import PostItem

# A theme has one to five stylesheets, a blog with plugins perhaps a dozen; a font comes in several weights and formats.
_MOST_STYLESHEETS = 20
_MOST_FILES = 40
_OK = 200


class KeepAppearance(Step):
    """Asks for each file once in a crawl, for the first posts that name it."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._fetcher: MediaFetcher | None = None
        self._has_icon = False
        self._stylesheets: set[str] = set()
        self._files: set[str] = set()

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item as it is, once what its page is dressed in has come."""
        spider: Any = self.crawler.spider
        if self._fetcher is None:
            self._fetcher = MediaFetcher(self.crawler, spider.archive)
        sheets = _taken(stylesheets(item.document), self._stylesheets, _MOST_STYLESHEETS)
        icon = [] if self._has_icon else [self._keep_icon(item.document, self._fetcher)]
        self._has_icon = True
        await asyncio.gather(*icon, *(self._keep_stylesheet(url, self._fetcher) for url in sheets))
        return item

    async def _keep_icon(self, document: Document, fetcher: MediaFetcher) -> None:
        """Name the icon in the blog's record; one that cannot be had leaves the record as it is."""
        url = icon_address(document)
        if fetcher.was_refused(url):
            return
        icon = await fetcher.kept(Media(url=url))
        if isinstance(icon, str) or not _is_picture(icon):
            return
        spider: Any = self.crawler.spider
        # As it is now: somebody may have changed its schedule meanwhile.
        spider.blog = msgspec.structs.replace(spider.archive.blog(spider.blog.id), icon=icon)
        spider.archive.put_blog(spider.blog)

    async def _keep_stylesheet(self, url: str, fetcher: MediaFetcher, *, is_imported: bool = False) -> None:
        page = None if fetcher.was_refused(url) else await fetcher.answer(url)
        if page is None or isinstance(page, str) or page.status != _OK or "css" not in page.content_type:
            return
        _, css = decode(page.body, page.content_type)
        further = [] if is_imported else _taken(imports(css, page.url), self._stylesheets, _MOST_STYLESHEETS)
        files = _taken(fonts_and_pictures(css, page.url), self._files, _MOST_FILES)
        await asyncio.gather(
            *(self._keep_stylesheet(sheet, fetcher, is_imported=True) for sheet in further),
            *(fetcher.answer(file) for file in files if not fetcher.was_refused(file)),
        )


def _taken(urls: list[str], known: set[str], most: int) -> list[str]:
    """Those of the addresses that are new, as many as there is still room for; they are known from now on."""
    new = [url for url in urls if url not in known][: most - len(known)]
    known.update(new)
    return new


def _is_picture(icon: Media) -> bool:
    return (icon.mime or "").startswith("image/") or icon.url.partition("?")[0].lower().endswith(".ico")
