"""The steps a post goes through, in the paper's order: (render), extract, (comments), (media), propagate.

Each is a Scrapy item pipeline that takes a `PostItem` and returns a new one, so any of them can be used, left out
or replaced in somebody else's project. They find rules and archive on the spider.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from scrapy.exceptions import DropItem

from posterity.extract import Context, extract_posts
from posterity.fetch.comments import all_comments
from posterity.model import Rejected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.fetch.items import PostItem
    from posterity.model import Post


class _Step:
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        """Scrapy's way to make a pipeline."""
        return cls(crawler)


class ExtractContent(_Step):
    """Page to record, by the blog's rules."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item with its post, or drop it."""
        spider: Any = self.crawler.spider
        page = item.page
        found = extract_posts(
            item.document,
            method="feed",
            context=Context(rules=spider.rules, entry=item.entry, fetched_at=page.fetched_at),
        )
        if not found:
            raise _dropped(spider, Rejected(url=page.url, reason="noArticle", detail="no rule names an article on it"))
        return msgspec.structs.replace(item, post=_completed(found[0], item, spider.blog.id))


class ExtractComments(_Step):
    """The comments that the page itself does not show: further pages of the thread, and the comment feed."""

    async def process_item(self, item: PostItem) -> PostItem:
        """Return the item with all comments of its post."""
        assert item.post is not None
        spider: Any = self.crawler.spider
        comments = await all_comments(
            self.crawler, item.page, item.document, item.entry, item.post.comments, spider.rules
        )
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, comments=comments))


class Propagate(_Step):
    """Record to archive, one transaction each."""

    def process_item(self, item: PostItem) -> PostItem:
        """Store the post; a second address of one that is stored already is a duplicate."""
        spider: Any = self.crawler.spider
        assert item.post is not None
        if not spider.first_sight(item.post):
            raise _dropped(
                spider, Rejected(url=item.page.url, reason="duplicate", detail=item.post.canonical_url or "")
            )
        state = spider.archive.put_post(item.post)
        if state == "forgotten":
            raise _dropped(spider, Rejected(url=item.page.url, reason="duplicate", detail="taken down by posterity forget"))
        spider.stored(item.post, state)
        return item


def _completed(post: Post, item: PostItem, blog: str) -> Post:
    """The blog, and where the page lies, in every field's provenance."""
    warc = str(item.page.warc) if item.page.warc else None
    provenance = {
        field: msgspec.structs.replace(source, warc=warc, at=item.page.fetched_at)
        for field, source in post.provenance.items()
    }
    return msgspec.structs.replace(post, blog=blog, provenance=provenance)


def _dropped(spider: Any, rejected: Rejected) -> DropItem:
    spider.rejected(rejected)
    return DropItem(f"{rejected.reason}: {rejected.url}")
