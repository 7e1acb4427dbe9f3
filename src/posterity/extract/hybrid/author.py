"""Who wrote the article on a page without rules: nobody, rather than somebody invented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.declared_fields import declared_authors

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.found_field import Found
    from posterity.extract.hybrid.article import Article
    from posterity.extract.method import Context


def authors_on(document: Document, article: Article, context: Context) -> Found | None:
    """Return the authors, or None when the page does not say who wrote it."""
    return declared_authors(document)
