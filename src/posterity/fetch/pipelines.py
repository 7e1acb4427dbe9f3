"""The pipeline in the paper's order: content, comments, media, propagation (BlogForever paper, section 2.2).

Each step is a plain Scrapy item pipeline that takes an item and returns a new one, so any of them can be used, left out
or replaced in somebody else's project. They find rules and archive on the spider.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from scrapy.exceptions import DropItem

from posterity.extract import Context, extract_posts
from posterity.fetch.comments import CommentFetcher
from posterity.fetch.media import MediaFetcher, media_of_post
from posterity.model import MissingMedia, Provenance, Rejected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.fetch.items import PostItem
    from posterity.model import Media, Post


class Step:
    """A step of the pipeline: it knows its crawler, and through it the spider."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        """Scrapy's way to make a pipeline."""
        return cls(crawler)


class ExtractContent(Step):
    """Page to record, by the blog's rules."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item with its post, or drop it."""
        spider: Any = self.crawler.spider
        page = item.page
        asked: tuple[str, ...] = spider.optouts.get(page.url, ())
        if asked and self.crawler.settings.getbool("POSTERITY_RESPECT_OPTOUT"):
            raise _dropped(spider, Rejected(url=page.url, reason="optOut", detail=", ".join(asked)))
        found = extract_posts(
            item.document,
            context=Context(rules=spider.rules, entry=item.entry, fetched_at=page.fetched_at),
        )
        if not found:
            raise _dropped(spider, Rejected(url=page.url, reason="noArticle", detail="no rule names an article on it"))
        post = found[0]
        if not self.crawler.settings.getbool("POSTERITY_COMMENTS", True):
            post = msgspec.structs.replace(post, comments=())
        return msgspec.structs.replace(item, post=_completed(post, item, spider.blog.id, asked))


class ExtractComments(Step):
    """The comments that the page itself does not show: further pages of the thread, and the comment feed."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._fetcher = CommentFetcher(crawler)

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with all comments of its post."""
        assert item.post is not None
        spider: Any = self.crawler.spider
        comments = await self._fetcher.all_comments(
            item.page, item.document, item.entry, item.post.comments, spider.rules
        )
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, comments=comments))


class DownloadMedia(Step):
    """Pictures, sounds, films and documents of the article, as files under the digest of their bytes."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._fetcher: MediaFetcher | None = None

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the files of its media; what cannot be had is noted and stays an address."""
        spider: Any = self.crawler.spider
        assert item.post is not None
        if self._fetcher is None:
            self._fetcher = MediaFetcher(self.crawler, spider.archive)
        wanted = media_of_post(item.post)
        found = await asyncio.gather(*map(self._fetcher.kept, wanted))
        media: list[Media] = []
        for medium, kept in zip(wanted, found, strict=True):
            if isinstance(kept, str):
                spider.ledger.missing_media.append(MissingMedia(url=medium.url, post=item.page.url, reason=kept))
            media.append(medium if isinstance(kept, str) else kept)
        # A link that led to no file is a link, as it was.
        shown = {medium.url for medium in item.post.media}
        kept_media = tuple(medium for medium in media if medium.file or medium.url in shown)
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, media=kept_media))


class Propagate(Step):
    """Record to archive, together with others of the same moment; it is told when it is on the disk."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Store the post; a second address of one that is stored already is a duplicate."""
        spider: Any = self.crawler.spider
        assert item.post is not None
        if not spider.first_sight(item.post):
            raise _dropped(
                spider, Rejected(url=item.page.url, reason="duplicate", detail=item.post.canonical_url or "")
            )
        state = await spider.commits.stored(item.post)
        if state == "forgotten":
            raise _dropped(
                spider, Rejected(url=item.page.url, reason="duplicate", detail="taken down by posterity forget")
            )
        spider.stored(item.post, state)
        return item


def _completed(post: Post, item: PostItem, blog: str, asked: tuple[str, ...]) -> Post:
    """The blog, and where the page lies, in every field's provenance; and what the page asks of archives."""
    warc = str(item.page.warc) if item.page.warc else None
    sources = dict(post.provenance)
    if asked:
        sources["optout"] = Provenance(method="page", rule=", ".join(asked), confidence=1.0)
    provenance = {
        field: msgspec.structs.replace(source, warc=warc, at=item.page.fetched_at) for field, source in sources.items()
    }
    return msgspec.structs.replace(post, blog=blog, provenance=provenance)


def _dropped(spider: Any, rejected: Rejected) -> DropItem:
    spider.rejected(rejected)
    return DropItem(f"{rejected.reason}: {rejected.url}")
