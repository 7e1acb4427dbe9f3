"""What all pages of a blog together tell where its feed taught no rule: the one author, how and which days are told.

Learning knows nodes; this knows what is read on them, which is why it is done after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse
from posterity.errors import UnreadablePage
from posterity.extract.method import Context
from posterity.extract.only_author import with_only_author
from posterity.extract.page import extract_posts
from posterity.extract.told_dates import tell_other_days
from posterity.extract.told_order import order_told
from posterity.model.feed import NO_FEED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.dom import Document
    from posterity.model import Feed, FeedEntry, Page, RuleSet


def with_agreed_fields(rules: RuleSet, feed: Feed, evidence: Iterable[tuple[Page, FeedEntry]]) -> RuleSet:
    """Return the rules that were learned from a feed and its pages, with what the pages agree on besides."""
    is_named = bool(feed.authors) or any(entry.authors for entry in feed.entries)
    is_dated = bool(rules.rules_for("date")) or feed.format == NO_FEED
    is_ordered = rules.date_order is not None or bool(rules.rules_for("date"))
    if is_named and is_dated and is_ordered:
        return rules
    pages = list(_dated_pages(evidence))
    if not is_ordered:
        rules = msgspec.structs.replace(rules, date_order=order_told(page for page, _ in pages))
    if is_named and is_dated:
        return rules
    posts = [(post, known) for page, known in pages for post in extract_posts(page, context=Context())]
    if not is_named:
        rules = with_only_author(rules, [page for page, _ in pages], [post for post, _ in posts])
    return rules if is_dated else msgspec.structs.replace(rules, undated=tell_other_days(posts))


def _dated_pages(evidence: Iterable[tuple[Page, FeedEntry]]) -> Iterable[tuple[Document, datetime | None]]:
    for page, entry in evidence:
        try:
            yield parse(page.body, page.url, page.content_type), entry.published
        except UnreadablePage:
            continue
