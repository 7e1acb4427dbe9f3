"""The comments in a post's comment feed, oldest first, and the order of comments in general."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse, text_of
from posterity.dom.clean_html import html_of
from posterity.model import Comment

if TYPE_CHECKING:
    from posterity.model import Feed, FeedEntry


def comments_in(feed: Feed) -> tuple[Comment, ...]:
    """Return the feed's entries as comments. Feeds do not tell who answers whom."""
    entries = sorted(feed.entries, key=lambda entry: entry.published.timestamp() if entry.published else 0.0)
    return tuple(
        Comment(
            id=_id(entry, order),
            author=entry.authors[0] if entry.authors else None,
            published=entry.published,
            text=comment_text(entry),
            html=html_of(parse(entry.content or entry.summary or "").tree, feed.url),
        )
        for order, entry in enumerate(entries, 1)
    )


def comment_text(entry: FeedEntry) -> str:
    """Return the words of a comment as its feed gives them."""
    markup = entry.content or entry.summary or ""
    return text_of(parse(markup).tree) if markup else ""


def by_number(comment: Comment) -> tuple[int, str]:
    """The sort key that puts comments of several pages into the order in which they were written."""
    number = comment.id.rpartition("-")[2]
    return (int(number) if number.isdigit() else 0, comment.id)


def _id(entry: FeedEntry, order: int) -> str:
    fragment = (entry.link or entry.guid or "").rpartition("#")[2]
    return fragment if fragment.startswith("comment-") else f"c{order}"
