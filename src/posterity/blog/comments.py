"""All comments of a post: its page, further pages of the thread, the REST data, the comment feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count

from posterity.blog.page_source import PageSource, page_or_none
from posterity.discover import comments as comment_sources
from posterity.discover.feed import declared_comment_feed, feed_on
from posterity.dom import Document, readable_document
from posterity.dom.tree import matches
from posterity.extraction.comment_areas import announced_number
from posterity.extraction.comments import comments_on, comments_with_texts
from posterity.learning.comments import comment_text_rules
from posterity.learning.layouts import rules_for_page
from posterity.model import Comment, Feed, FeedEntry, FieldRule, Page, RuleSet
from posterity.text.dates.reading import ThreadDates

_MAX_FAILURES = 3
_GONE = (404, 410)
_MAX_PAGES = 500
_TRIED_FEEDS = 4
_MIN_PATTERN = 2  # feeds from which the URLs of others are inferred


class CommentReader:
    """Reads the comments of posts from one source; a method that failed several times in a row is not used again.

    `missing` are the comment feeds named by entries or pages that could not be read; `is_loss` is whether comments
    are known to be missing for this reason, or may be available next time: posts without comments often have no feed.
    """

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._failures: Counter[str] = Counter()
        self._feeds_read = self._feeds_of_use = 0
        self._suffixes: Counter[str] = Counter()
        self._text_rules: tuple[FieldRule, ...] = ()
        self.missing: list[str] = []
        self.is_loss = False

    async def all_comments(
        self, page: Page, document: Document, entry: FeedEntry | None, shown: tuple[Comment, ...], rules: RuleSet
    ) -> tuple[Comment, ...]:
        """Return all comments of a post; `shown` are those on its own page."""
        rules = rules_for_page(document, rules)
        further = [await self._page("pages", url) for url in comment_sources.comment_page_links(document)]
        comments = self._by_rules(document, rules, page, _over_pages(shown, further, rules))
        if comment_sources.is_deep(comments):
            comments = comment_sources.with_declared_threads(comments, await self._rest_comments(document))
        expected = entry.comment_count if entry else None
        if expected is not None and len(comments) >= expected:
            return comments
        feed = await self._feed(page, document, entry, expected, len(comments))
        if feed is None or len(feed.entries) <= len(comments):
            return comments
        if len(feed.entries) < (expected or 0):
            # They are not all, and show which texts on the page are comments (003, section 1.5).
            self._text_rules = comment_text_rules([(document.tree, feed.entries)]) or self._text_rules
            found = self._by_rules(document, rules, page, comments)
            if len(found) >= len(feed.entries):
                return found
        return comment_sources.with_shown_parents(comment_sources.comments_in(feed), comments)

    def _by_rules(
        self, document: Document, rules: RuleSet, page: Page, known: tuple[Comment, ...]
    ) -> tuple[Comment, ...]:
        """Return the comments found by a rule learned from this blog's comment feeds, if they are more."""
        for rule in self._text_rules:
            if document.count(rule.rule) > len(known):
                texts = matches(document.tree, rule.rule)
                reader = ThreadDates(rules.languages, page.fetched_at, rules.date_order)
                found = comments_with_texts(document.tree, texts, document.base_url, reader, rules.comments)
                return found if len(found) > len(known) else known
        return known

    async def _feed(
        self, page: Page, document: Document, entry: FeedEntry | None, expected: int | None, known: int
    ) -> Feed | None:
        """Return the comment feed of a post: named by its entry or page, else at the URL inferred from others."""
        named = (entry.comment_feed if entry else None) or declared_comment_feed(document)
        url = named or self._usual_feed(page.url)
        if url is None or (expected is None and not (self._are_feeds_worth_it or _announces_more(document, known))):
            return None
        feed = feed_on(await self._page("feed" if named else "usual feed", url))
        if named and feed is None:
            self.missing.append(named)
            self.is_loss = self.is_loss or (expected or 0) > known
        if named and feed is not None and named.startswith(page.url):
            self._suffixes[named.removeprefix(page.url)] += 1
        if expected is None:
            self._feeds_read += 1
            self._feeds_of_use += feed is not None and len(feed.entries) > known
        return feed

    def _usual_feed(self, url: str) -> str | None:
        """Return the URL of a comment feed that is not named, by the pattern of several others, or None."""
        suffix, count = next(iter(self._suffixes.most_common(1)), ("", 0))
        return url + suffix if count >= _MIN_PATTERN else None

    @property
    def _are_feeds_worth_it(self) -> bool:
        """Whether to read comment feeds of posts whose number of comments is not known.

        Every WordPress page declares one: if the first few have no more comments than the pages, nor do the others.
        """
        return self._feeds_read < _TRIED_FEEDS or _TRIED_FEEDS * self._feeds_of_use >= self._feeds_read

    async def _rest_comments(self, document: Document) -> list[Comment]:
        """Return comments from WordPress's REST data: pages show five levels, deeper comments flat or not at all."""
        found: list[Comment] = []
        for number in count(1):
            url = comment_sources.comments_url(document, number) if number <= _MAX_PAGES else None
            response = await self._page("rest", url) if url else None
            if response is None:
                break
            some = [comment_sources.as_comment(each) for each in comment_sources.read_comments(response.body)]
            found += some
            if len(some) < comment_sources.PAGE_SIZE:
                break
        return found

    async def _page(self, way: str, url: str) -> Page | None:
        if self._failures[way] >= _MAX_FAILURES:
            return None
        page = await page_or_none(self._source, url)
        if page is None or page.status >= 400:
            self._failures[way] += 1
            self.is_loss = self.is_loss or page is None or page.status not in _GONE
            return None
        self._failures[way] = 0
        return page


def _announces_more(document: Document, known: int) -> bool:
    """Return whether the page announces more comments than are known."""
    return (announced_number(document.tree) or 0) > known


def _over_pages(
    shown: tuple[Comment, ...], further_pages: Iterable[Page | None], rules: RuleSet
) -> tuple[Comment, ...]:
    """Return the comments on a post's page and on the thread's further pages, as far as these could be read."""
    pages = filter(None, further_pages)
    comments = {comment.id: comment for page in pages for comment in _comments_of(page, rules)}
    if not comments:
        return shown
    comments |= {comment.id: comment for comment in shown}
    return tuple(sorted(comments.values(), key=comment_sources.by_number))


def _comments_of(page: Page, rules: RuleSet) -> tuple[Comment, ...]:
    document = readable_document(page.body, page.url, page.content_type)
    if document is None:
        return ()
    return comments_on(document.tree, document.base_url, rules.languages, page.fetched_at)
