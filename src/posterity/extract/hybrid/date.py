"""When the article on a page without rules was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.declared_fields import declared_date

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.found_field import Found
    from posterity.extract.hybrid.article import Article
    from posterity.extract.method import Context


def date_on(document: Document, article: Article, context: Context) -> Found | None:
    """Return the day or moment of publication, or None when the page does not tell."""
    return declared_date(document)
