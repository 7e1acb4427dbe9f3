"""All comments of a post: from its page, the thread's further pages, and its comment feed when the page shows fewer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.discover.comment_feed import comments_in
from posterity.discover.comment_pages import comment_page_links
from posterity.discover.deep_threads import is_deep, with_told_threads
from posterity.discover.feed import feed_on
from posterity.discover.wordpress import PAGE_SIZE, as_comment, comments_url, read_comments
from posterity.errors import PosterityError
from posterity.extract.comment_pages import comments_over
from posterity.extract.learned_comments import learned_comments
from posterity.fetch.downloading import fetch_found_page
from posterity.learn.comments import comment_rules
from posterity.model import Comment, RuleSet

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.dom import Document
    from posterity.model import Feed, FeedEntry, Page

_ENOUGH_FAILURES = 3


class CommentFetcher:
    """Fetches what a post's page does not show; a way that fails on one post after the other is given up."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._failures: Counter[str] = Counter()

    async def all_comments(
        self, page: Page, document: Document, entry: FeedEntry | None, found: tuple[Comment, ...], rules: RuleSet
    ) -> tuple[Comment, ...]:
        """Return the post's comments; `found` are those that its page shows."""
        comments = await self._with_further_pages(document, found, rules)
        comments = await self._with_deep_threads(document, comments)
        promised = entry.comment_count if entry else None
        if entry is None or not entry.comment_feed or not promised or len(comments) >= promised:
            return comments
        feed = feed_on(await self._answer("feed", entry.comment_feed))
        if feed is None:
            return comments
        if len(feed.entries) >= promised:
            return comments_in(feed)
        return (_learned(document, feed, rules, page) if len(feed.entries) > len(comments) else ()) or comments

    async def _with_further_pages(
        self, document: Document, found: tuple[Comment, ...], rules: RuleSet
    ) -> tuple[Comment, ...]:
        """Comments of all pages of the thread, each once, in the order of the pages."""
        further = [await self._answer("pages", url) for url in comment_page_links(document)]
        return comments_over(found, further, rules)

    async def _with_deep_threads(self, document: Document, comments: tuple[Comment, ...]) -> tuple[Comment, ...]:
        """WordPress shows five levels: what lies deeper stands flat on the page or not at all; its data know better."""
        if not is_deep(comments):
            return comments
        told: list[Comment] = []
        number = 1
        while (url := comments_url(document, number)) and (answer := await self._answer("interface", url)):
            some = [as_comment(each) for each in read_comments(answer.body)]
            told += some
            if len(some) < PAGE_SIZE:
                break
            number += 1
        return with_told_threads(comments, told)

    async def _answer(self, way: str, url: str) -> Page | None:
        """The page at the address, or None; nobody is asked in a way that has failed several times in a row."""
        if self._failures[way] >= _ENOUGH_FAILURES:
            return None
        try:
            page = await fetch_found_page(self._crawler, url)
        except PosterityError:
            self._failures[way] += 1
            return None
        self._failures[way] = 0
        return page


def _learned(document: Document, feed: Feed, rules: RuleSet, page: Page) -> tuple[Comment, ...]:
    """The feed overflows: learn from what it has, and take the rest from the page (section 1.5 of the paper)."""
    fields = comment_rules([(document.tree, feed.entries)], rules.languages)
    taught = RuleSet(
        fields=fields, languages=rules.languages, date_order=rules.date_order, zone_minutes=rules.zone_minutes
    )
    return learned_comments(document.tree, taught, document.base_url, page.fetched_at)
