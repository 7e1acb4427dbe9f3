"""The steps that an update adds to the pipeline: older posts are left alone, and no comment is lost again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from scrapy.exceptions import DropItem

from posterity.errors import NotInArchive
from posterity.fetch.pipelines import Step
from posterity.fetch.revisit import is_after
from posterity.model import Comment, Rejected

if TYPE_CHECKING:
    from posterity.fetch.items import PostItem

# Beside the steps of a harvest: before comments and media cost requests, and right before the archive.
UPDATE_STEPS = {
    "posterity.fetch.update_steps.LeaveOlder": 250,
    "posterity.fetch.update_steps.KeepComments": 490,
}


class LeaveOlder(Step):
    """The paper's `since`: a post that is new to the archive but older than this date stays where it is."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item, or drop it."""
        spider: Any = self.crawler.spider
        post, since = item.post, spider.job.since
        if post is None or spider.known.with_id(post.id) or is_after(since, post.published, post.modified):
            return item
        spider.rejected(Rejected(url=item.page.url, reason="outOfScope", detail=f"older than {since.isoformat()}"))
        raise DropItem(f"older than {since.isoformat()}: {item.page.url}")


class KeepComments(Step):
    """Comments that an earlier visit found elsewhere stay, unless this visit knows that it has them all."""

    def process_item(self, item: PostItem) -> PostItem:
        """Return the item with the comments of before and of now."""
        spider: Any = self.crawler.spider
        if item.post is None or spider.known.with_id(item.post.id) is None:
            return item
        try:
            before = spider.archive.post(item.post.id).comments
        except NotInArchive:  # it moved away or was taken down meanwhile
            return item
        promised = item.entry.comment_count if item.entry else None
        comments = merged_comments(before, item.post.comments, promised)
        return msgspec.structs.replace(item, post=msgspec.structs.replace(item.post, comments=comments))


def merged_comments(before: tuple[Comment, ...], now: tuple[Comment, ...], promised: int | None) -> tuple[Comment, ...]:
    """Return what is there now if it is all that the feed promises or no less than before, else both, each once."""
    if len(now) >= (len(before) if promised is None else promised):
        return now
    found = {comment.id: comment for comment in now}
    kept = [found.pop(comment.id, comment) for comment in before]
    return (*kept, *found.values())
