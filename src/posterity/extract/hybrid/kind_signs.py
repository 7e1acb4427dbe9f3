"""Signs of what kind of page it is: articles have authors and dates, products and front pages mostly have neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.hybrid.author_candidates import ARTICLE_TYPES, FORUM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.extract.hybrid.page_facts import PageFacts


def kind_signs(page: PageFacts) -> Iterator[str]:
    """Yield what the page's declarations and its address say that it is."""
    if page.data.first("og:type") == "article" or any("published_time" in name for name in page.data.metas):
        yield "article page"
    types = page.data.types
    if types & ARTICLE_TYPES:
        yield "page of an article"
    if types & FORUM_TYPES:
        yield "page of a forum"
    if "Product" in types or "product" in page.data.first("og:type"):
        yield "page of a product"
    if page.is_front:
        yield "front page"
