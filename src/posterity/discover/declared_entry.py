"""What a page says of itself, as if a feed had said it: for blogs that have no feed, or one about other pages.

Open Graph, JSON-LD, <time>, <title>: none is certain, but what many pages of a blog say in the same way is evidence.
What they all say is not: the heading that stands on every page is the blog's name.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.dom import parse, text_of
from posterity.dom.declared import declared_terms
from posterity.dom.structured_data import json_ld, names_told, types_of
from posterity.errors import UnreadablePage
from posterity.model import FeedEntry
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line
from posterity.urls.day import day_in_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from posterity.dom import Document
    from posterity.model import Page

_SEPARATOR = re.compile(r"\s*[|»«·:]\s*|\s+[-–—]\s+")  # between the title of a post and the name of its blog
_POST_TYPES = frozenset({"BlogPosting", "Article", "NewsArticle", "TechArticle", "Posting", "SocialMediaPosting"})


def own_accounts(pages: Iterable[Page]) -> list[tuple[Page, FeedEntry]]:
    """Return the pages that can be read, each with its own account of title, date, author and tags."""
    readable, entries, titles = [], [], []
    for page in pages:
        try:
            document = parse(page.body, page.url, page.content_type)
        except UnreadablePage:
            continue
        readable.append(page)
        items = json_ld(document)
        facts = next((item for item in items if _POST_TYPES.intersection(types_of(item))), {})
        entries.append(_declared_entry(document, facts, items))
        titles.append(_titles(document, facts))
    named = [
        msgspec.structs.replace(entry, title=title) for entry, title in zip(entries, _own_titles(titles), strict=True)
    ]
    return list(zip(readable, named, strict=True))


def _own_titles(titles: Sequence[Sequence[str]]) -> list[str | None]:
    """Of the titles that each page could have, the first that few other pages have.

    "Bread | Tides" beside "Salt | Tides" is "Bread". What all pages have is the name of a blog whose posts have no
    titles.
    """
    pages = Counter(part for page in titles for part in {part for title in page for part in _parts(title)})
    few = max(1, len(titles) / 2)
    own = ([_without_ends(title, lambda part: pages[part] > few) for title in page] for page in titles)
    return [next(filter(None, rest), None) for rest in own]


def _parts(title: str) -> list[str]:
    return [title, *_SEPARATOR.split(title)]


def _without_ends(title: str, is_shared: Callable[[str], bool]) -> str:
    """The title without the parts at its ends that other pages have too; nothing when all of it is shared."""
    parts = re.split(f"({_SEPARATOR.pattern})", title)
    while parts and (not parts[0] or is_shared(parts[0])):
        parts = parts[2:]
    while parts and (not parts[-1] or is_shared(parts[-1])):
        parts = parts[:-2]
    return "".join(parts)


def _declared_entry(document: Document, facts: dict[str, Any], items: Sequence[dict[str, Any]]) -> FeedEntry:
    return FeedEntry(
        link=document.url,
        published=_published(document, facts),
        authors=tuple(names_told(facts.get("author"), items)),
        tags=declared_terms(document)[0],
        language=document.language,
    )


def _titles(document: Document, facts: dict[str, Any]) -> list[str]:
    """Titles that the page could have, likeliest first.

    A heading that stands in its <title> is one; of two, the other is the author. Then what the page tells others, its
    <title>, and any heading, for blogs that have their name in every <title>.
    """
    page_title = one_line(" ".join(text_of(tree) or tree.plain(0) for tree in document.all("head > title")[:1]))
    headings = [one_line(text_of(tree)) for tree in document.all("h1, h2")]
    told = [facts.get("headline"), *document.attributes("meta[property='og:title']", "content")]
    named = [one_line(title) for title in told if isinstance(title, str)]
    in_title = sorted((heading for heading in headings if heading in page_title), key=len, reverse=True)
    found = [*in_title, *named, page_title, *headings]
    return list(dict.fromkeys(filter(None, found)))


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
