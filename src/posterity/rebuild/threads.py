"""All comments of a post out of stored answers: its page, the thread's further pages, interface and comment feed.

What `fetch.comments` does with requests, with a look-up in their place.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from posterity.discover.comment_feed import comments_in
from posterity.discover.comment_pages import comment_page_links
from posterity.discover.deep_threads import is_deep, with_told_threads
from posterity.discover.feed import feed_on
from posterity.discover.wordpress import as_comment, comments_url, read_comments
from posterity.extract.comment_pages import comments_over
from posterity.rebuild.drawn import told_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Document
    from posterity.model import Comment, FeedEntry, RuleSet
    from posterity.rebuild.evidence import Lookup


def thread_of(
    document: Document, entry: FeedEntry | None, shown: tuple[Comment, ...], rules: RuleSet, find: Lookup
) -> tuple[Comment, ...]:
    """Return the comments of a post; `shown` are those that its own page shows."""
    told = told_comments(document, find)
    if told is not None and len(told) >= len(shown):
        return told
    comments = comments_over(shown, map(find, comment_page_links(document)), rules)
    if is_deep(comments):
        comments = with_told_threads(comments, _told_by_interface(document, find))
    if entry is None or not entry.comment_feed or len(comments) >= (entry.comment_count or 0):
        return comments
    feed = feed_on(find(entry.comment_feed))
    return comments_in(feed) if feed is not None and len(feed.entries) > len(comments) else comments


def _told_by_interface(document: Document, find: Lookup) -> Iterator[Comment]:
    for number in count(1):
        url = comments_url(document, number)
        answer = find(url) if url else None
        if answer is None:
            return
        yield from map(as_comment, read_comments(answer.body))
