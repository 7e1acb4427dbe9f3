"""The article of a page without rules: the node that holds it, and what inside that node is not part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.extract.cst_weights import TEXT_ONLY, attenuation_by_depth_and_width, main_block

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.method import Context


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the document's tree, the nodes below it that are left out, and how sure that is."""

    node: int
    left_out: frozenset[int] = frozenset()
    confidence: float
    why: str


def article_on(document: Document, context: Context) -> Article | None:
    """Return the article of the page, or None when the page has no text."""
    block = main_block(document.tree, TEXT_ONLY, attenuation_by_depth_and_width, clean=True)
    return None if block is None else Article(node=block, confidence=0.8, why=document.tree.path(block))
