"""The title of the article on a page without rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import text_of
from posterity.extract.found_field import Found
from posterity.model import Provenance
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.hybrid.article import Article
    from posterity.extract.method import Context


def title_on(document: Document, article: Article, context: Context) -> Found | None:
    """Return the title, or None when nothing on the page looks like one."""
    heading = document.first("h1")
    title = one_line(text_of(heading)) if heading is not None else ""
    return Found({"title": title}, Provenance(method="heading", rule="h1", confidence=0.6)) if title else None
