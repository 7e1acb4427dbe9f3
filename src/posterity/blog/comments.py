"""All comments of a post: its page, further pages of the thread, the REST data, the comment feed."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from posterity.discover.comments import (
    PAGE_SIZE,
    as_comment,
    comment_page_links,
    comments_in,
    comments_url,
    is_deep,
    read_comments,
    with_declared_threads,
)
from posterity.discover.feed import declared_comment_feed, feed_on
from posterity.errors import ArchiveError, PosterityError
from posterity.extraction.comments import comments_over, learned_comments
from posterity.learning.comments import comment_rules
from posterity.model import Comment, Feed, FeedEntry, Page, RuleSet

if TYPE_CHECKING:
    from posterity.blog.page_source import PageSource
    from posterity.dom import Document

_MAX_FAILURES = 3
_MAX_PAGES = 500
_TRIED_FEEDS = 4


class CommentReader:
    """Reads the comments of posts from one source; a way that failed several times in a row is not tried again."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._failures: Counter[str] = Counter()
        self._feeds_read = self._feeds_of_use = 0

    async def all_comments(
        self, page: Page, document: Document, entry: FeedEntry | None, shown: tuple[Comment, ...], rules: RuleSet
    ) -> tuple[Comment, ...]:
        """Return the comments of a post; `shown` are those that its own page shows."""
        further = [await self._page("pages", url) for url in comment_page_links(document)]
        comments = comments_over(shown, further, rules)
        if is_deep(comments):
            comments = with_declared_threads(comments, await self._rest_comments(document))
        expected = entry.comment_count if entry else None
        if expected is not None and len(comments) >= expected:
            return comments
        url = (entry.comment_feed if entry else None) or declared_comment_feed(document)
        if url is None or (expected is None and not self._are_feeds_worth_it):
            return comments
        feed = feed_on(await self._page("feed", url))
        if expected is None:
            self._feeds_read += 1
            self._feeds_of_use += feed is not None and len(feed.entries) > len(comments)
        if feed is None or len(feed.entries) <= len(comments):
            return comments
        if len(feed.entries) >= (expected or 0):
            return comments_in(feed)
        return _learned(document, feed, rules, page) or comments

    @property
    def _are_feeds_worth_it(self) -> bool:
        """Whether comment feeds of posts are read whose number of comments is not known.

        Every page of WordPress declares one: where the first few have no more than the pages show, the others do not.
        """
        return self._feeds_read < _TRIED_FEEDS or _TRIED_FEEDS * self._feeds_of_use >= self._feeds_read

    async def _rest_comments(self, document: Document) -> list[Comment]:
        """WordPress shows five levels; deeper comments stand flat on the page or not at all, but in its REST data."""
        found: list[Comment] = []
        for number in count(1):
            url = comments_url(document, number) if number <= _MAX_PAGES else None
            response = await self._page("rest", url) if url else None
            if response is None:
                break
            some = [as_comment(each) for each in read_comments(response.body)]
            found += some
            if len(some) < PAGE_SIZE:
                break
        return found

    async def _page(self, way: str, url: str) -> Page | None:
        if self._failures[way] >= _MAX_FAILURES:
            return None
        try:
            page = await self._source.page(url)
        except ArchiveError:
            raise
        except PosterityError:
            page = None
        if page is None or page.status >= 400:
            self._failures[way] += 1
            return None
        self._failures[way] = 0
        return page


def _learned(document: Document, feed: Feed, rules: RuleSet, page: Page) -> tuple[Comment, ...]:
    """The feed holds fewer comments than there are: learn from them, read the rest off the page (003, section 1.5)."""
    fields = comment_rules([(document.tree, feed.entries)], rules.languages)
    learned = RuleSet(
        fields=fields, languages=rules.languages, date_order=rules.date_order, zone_minutes=rules.zone_minutes
    )
    return learned_comments(document.tree, learned, document.base_url, page.fetched_at)
