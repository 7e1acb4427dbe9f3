"""All fields of a page without rules but its text: read once, the title first, because the others stand near it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.feed_fields import license_at
from posterity.extract.found_field import Found
from posterity.extract.hybrid.author import authors_on
from posterity.extract.hybrid.date import date_on
from posterity.extract.hybrid.page_facts import page_facts
from posterity.extract.hybrid.title import title_on
from posterity.extract.hybrid.zones import surroundings
from posterity.model import Provenance

if TYPE_CHECKING:
    from collections.abc import Collection

    from posterity.dom import Document
    from posterity.extract.hybrid.article import Article
    from posterity.extract.hybrid.page_facts import PageFacts
    from posterity.extract.method import Context

_DECLARED_TAGS = 0.9  # the blog's software writes them from the post's own terms
_ALL = frozenset({"title", "authors", "published", "tags", "license"})


def fields_on(
    document: Document, article: Article, context: Context, wanted: Collection[str] = _ALL
) -> dict[str, Found]:
    """Return what the page tells of the article, by the name of the field; what it does not tell is absent.

    Who wants less need not wait for the authors and the date, each of which costs as much as the tree of the page.
    """
    page = page_facts(document, article)
    title = title_on(page)
    around = surroundings(page, title[1] if title is not None else -1)
    of_blog = context.rules is not None
    order = context.rules.date_order if context.rules is not None else None
    found = {
        "title": title[0] if title is not None else None,
        "authors": authors_on(page, around, of_blog=of_blog) if "authors" in wanted else None,
        "published": date_on(page, around, context.fetched_at, order, of_blog=of_blog)
        if "published" in wanted
        else None,
        "tags": _declared_tags(page),
        "license": license_at(page.licenses, document.base_url),
    }
    return {name: value for name, value in found.items() if value is not None and name in wanted}


def _declared_tags(page: PageFacts) -> Found | None:
    """The terms that the page gives one by one; `keywords` are written for search engines, not for readers."""
    tags = tuple(dict.fromkeys(page.data.metas.get("article:tag", ())))
    provenance = Provenance(method="page", rule="meta article:tag", confidence=_DECLARED_TAGS)
    return Found({"tags": tags}, provenance) if tags else None
