"""All comments of a post: from its page, the thread's further pages, and its comment feed when the page shows fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.comment_feed import by_number, comments_in
from posterity.discover.comment_pages import comment_page_links
from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.wordpress import PAGE_SIZE, as_comment, comments_url, read_comments
from posterity.dom import parse
from posterity.errors import BrokenFeed, PosterityError, UnreadablePage
from posterity.extract.comments import comments_on
from posterity.extract.learned_comments import learned_comments
from posterity.fetch.downloading import fetch_found_page
from posterity.learn.comments import comment_rules
from posterity.model import Comment, RuleSet

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.dom import Document
    from posterity.model import Feed, FeedEntry, Page

# WordPress's own default for `thread_comments_depth`.
_SHOWN_DEPTH = 5


async def all_comments(
    crawler: Crawler,
    page: Page,
    document: Document,
    entry: FeedEntry | None,
    found: tuple[Comment, ...],
    rules: RuleSet,
) -> tuple[Comment, ...]:
    """Return the post's comments; `found` are those that its page shows."""
    comments = await _with_further_pages(crawler, document, found, rules)
    comments = await _with_deep_threads(crawler, document, comments)
    promised = entry.comment_count if entry else None
    if entry is None or not entry.comment_feed or not promised or len(comments) >= promised:
        return comments
    feed = await _comment_feed(crawler, entry.comment_feed)
    if feed is None:
        return comments
    if len(feed.entries) >= promised or len(feed.entries) > len(comments):
        return comments_in(feed) if len(feed.entries) >= promised else _learned(document, feed, rules, page) or comments
    return comments


async def _with_further_pages(
    crawler: Crawler, document: Document, found: tuple[Comment, ...], rules: RuleSet
) -> tuple[Comment, ...]:
    """Comments of all pages of the thread, each once, in the order of the pages."""
    links = comment_page_links(document)
    if not links:
        return found
    comments: dict[str, Comment] = {}
    for url in links:
        try:
            page = await fetch_found_page(crawler, url)
            further = parse(page.body, page.url, page.content_type)
        except (PosterityError, UnreadablePage):
            continue
        comments |= {
            comment.id: comment
            for comment in comments_on(further.tree, further.base_url, rules.languages, page.fetched_at)
        }
    comments |= {comment.id: comment for comment in found}
    return tuple(sorted(comments.values(), key=by_number))


async def _with_deep_threads(
    crawler: Crawler, document: Document, comments: tuple[Comment, ...]
) -> tuple[Comment, ...]:
    """WordPress shows five levels: what lies deeper stands flat on the page or not at all; its data know better."""
    if _depth(comments) < _SHOWN_DEPTH:
        return comments
    told: dict[str, Comment] = {}
    page = 1
    while url := comments_url(document, page):
        try:
            answer = await fetch_found_page(crawler, url)
        except PosterityError:
            break
        some = [as_comment(each) for each in read_comments(answer.body)]
        told |= {comment.id: comment for comment in some}
        if len(some) < PAGE_SIZE:
            break
        page += 1
    shown = {each.id: each for each in comments}
    better = {each.id: msgspec.structs.replace(shown.get(each.id, each), parent=each.parent) for each in told.values()}
    return tuple(sorted((shown | better).values(), key=by_number)) if better else comments


def _depth(comments: tuple[Comment, ...]) -> int:
    """How many levels the deepest thread has."""
    levels: dict[str, int] = {}
    for comment in comments:
        levels[comment.id] = levels.get(comment.parent or "", 0) + 1
    return max(levels.values(), default=0)


async def _comment_feed(crawler: Crawler, url: str) -> Feed | None:
    """The feed, or None: comments that cannot be had are no reason to lose the post."""
    try:
        page = await fetch_found_page(crawler, url)
        return read_feed(page.body, page.url, page.content_type) if looks_like_feed(page.body) else None
    except (PosterityError, BrokenFeed):
        return None


def _learned(document: Document, feed: Feed, rules: RuleSet, page: Page) -> tuple[Comment, ...]:
    """The feed overflows: learn from what it has, and take the rest from the page (section 1.5 of the paper)."""
    fields = comment_rules([(document.tree, feed.entries)], rules.languages)
    taught = RuleSet(
        fields=fields, languages=rules.languages, date_order=rules.date_order, zone_minutes=rules.zone_minutes
    )
    return learned_comments(document.tree, taught, document.base_url, page.fetched_at)
