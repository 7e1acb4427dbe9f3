"""What a page says of itself, as if a feed had said it: for blogs that have no feed, or one about other pages.

Open Graph, JSON-LD, <time>, <title>: none is certain, but what many pages of a blog say in the same way is evidence.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.dom.structured_data import json_ld, names_told, types_of
from posterity.model import FeedEntry
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line
from posterity.urls.day import day_in_address

if TYPE_CHECKING:
    from posterity.dom import Document

_POST_TYPES = frozenset({"BlogPosting", "Article", "NewsArticle", "TechArticle", "Posting", "SocialMediaPosting"})


def declared_entry(document: Document) -> FeedEntry:
    """Return the page's own account of its title, date and author; what it does not say is absent."""
    items = json_ld(document)
    facts = next((item for item in items if _POST_TYPES.intersection(types_of(item))), {})
    return FeedEntry(
        link=document.url,
        title=_title(document, facts),
        published=_published(document, facts),
        authors=tuple(names_told(facts.get("author"), items)),
        language=document.language,
    )


def _title(document: Document, facts: dict[str, Any]) -> str | None:
    """A heading that stands in the page's <title> is its title; without one, what the page tells others."""
    page_title = one_line(" ".join(text_of(tree) or tree.plain(0) for tree in document.all("head > title")[:1]))
    for tree in document.all("h1, h2"):
        heading = one_line(text_of(tree))
        if heading and heading in page_title:
            return heading
    told = [facts.get("headline"), *document.attributes("meta[property='og:title']", "content")]
    return (
        next((one_line(title) for title in told if isinstance(title, str) and title.strip()), None)
        or page_title
        or None
    )


def _published(document: Document, facts: dict[str, Any]) -> datetime | None:
    told = [facts.get("datePublished")]
    told += document.attributes("meta[property='article:published_time'], meta[itemprop=datePublished]", "content")
    told += document.attributes("time[datetime]", "datetime")
    for value in told:
        readings = read_dates(value) if isinstance(value, str) else ()
        if readings:
            moment = readings[0].moment
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    day = day_in_address(document.url)
    return day[0] if day else None
