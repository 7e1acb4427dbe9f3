"""All comments of a post out of stored pages: its own, the thread's further pages, its comment feed.

What `fetch.comments` does with requests, with a look-up in their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.comment_feed import by_number, comments_in
from posterity.discover.comment_pages import comment_page_links
from posterity.discover.feed import looks_like_feed, read_feed
from posterity.dom import parse
from posterity.errors import BrokenFeed, UnreadablePage
from posterity.extract.comments import comments_on
from posterity.rebuild.drawn import told_comments

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.model import Comment, Feed, FeedEntry, Page, RuleSet
    from posterity.rebuild.evidence import Lookup


def thread_of(
    document: Document, entry: FeedEntry | None, shown: tuple[Comment, ...], rules: RuleSet, find: Lookup
) -> tuple[Comment, ...]:
    """Return the comments of a post; `shown` are those that its own page shows."""
    told = told_comments(document, find)
    if told is not None and len(told) >= len(shown):
        return told
    comments = _with_further_pages(document, shown, rules, find)
    if entry is None or not entry.comment_feed or len(comments) >= (entry.comment_count or 0):
        return comments
    feed = _comment_feed(find(entry.comment_feed))
    return comments_in(feed) if feed is not None and len(feed.entries) > len(comments) else comments


def _with_further_pages(
    document: Document, shown: tuple[Comment, ...], rules: RuleSet, find: Lookup
) -> tuple[Comment, ...]:
    comments: dict[str, Comment] = {}
    for url in comment_page_links(document):
        page = find(url)
        further = _document(page) if page is not None else None
        if page is not None and further is not None:
            found = comments_on(further.tree, further.base_url, rules.languages, page.fetched_at)
            comments |= {comment.id: comment for comment in found}
    if not comments:
        return shown
    comments |= {comment.id: comment for comment in shown}
    return tuple(sorted(comments.values(), key=by_number))


def _document(page: Page) -> Document | None:
    try:
        return parse(page.body, page.url, page.content_type)
    except UnreadablePage:
        return None


def _comment_feed(page: Page | None) -> Feed | None:
    if page is None or not looks_like_feed(page.body):
        return None
    try:
        return read_feed(page.body, page.url, page.content_type)
    except BrokenFeed:
        return None
