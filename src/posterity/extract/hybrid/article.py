"""The article of a page without rules: the node that holds it, and what inside that node is not part of it.

Every block of text is judged by a small model (`article_model`), twice: by itself and its place, then by what was found
around it. The blocks with the highest expected F1 are the article (`article_choice`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.extract.hybrid.article_alike import lean_to_alike
from posterity.extract.hybrid.article_body import favour_named_body
from posterity.extract.hybrid.article_choice import chosen_blocks, drop_repeated
from posterity.extract.hybrid.article_cut import Cut, path_with_names
from posterity.extract.hybrid.article_declared import declares_another_kind, draw_to_even, names_a_body
from posterity.extract.hybrid.article_lines import doubt_lines_of_themes
from posterity.extract.hybrid.article_model import article_model
from posterity.extract.hybrid.article_thread import rule_out_comments
from posterity.extract.hybrid.article_titled import doubt_what_is_elsewhere
from posterity.extract.hybrid.block_page import Page
from posterity.extract.hybrid.blocks import Blocks
from posterity.extract.hybrid.thread_page import is_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from posterity.dom import Document, Tree
    from posterity.extract.hybrid.block_surroundings import Numbers

_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_TITLES = frozenset({"og:title", "twitter:title"})


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the document's tree, the nodes below it that are left out, and how sure that is."""

    node: int
    left_out: frozenset[int] = frozenset()
    confidence: float
    why: str


def article_on(document: Document) -> Article | None:
    """Return the article of the page, or None when the page has no text."""
    tree, model = document.tree, article_model()
    blocks = Blocks(tree, model.names)
    if not len(blocks):
        return None
    page = Page(blocks)
    titles, summary = declared_texts(tree)
    likely = model.probabilities(page, titles, summary)
    thread, other = is_thread(document), declares_another_kind(document)
    chosen, expected = article_blocks(page, likely, titles, thread=thread, other=other)
    cut = Cut(blocks, chosen.tolist())
    why = f"{path_with_names(tree, cut.node)}, {int(chosen.sum())} of {len(blocks)} blocks"
    return Article(node=cut.node, left_out=cut.left_out, confidence=model.confidence(expected), why=why)


def article_blocks(
    page: Page, likely: Numbers, titles: Sequence[str], *, thread: bool, other: bool
) -> tuple[NDArray[np.bool_], float]:
    """Return which blocks are the article, and the F1 that is to be expected of them; `likely` is what the model said.

    On a `thread` of a forum the messages are the content, elsewhere they are comments. An `other` page declares itself
    to be no article.
    """
    if thread or (other and not names_a_body(page)):
        draw_to_even(page, likely)
    lean_to_alike(page, likely)
    if not thread:
        rule_out_comments(page, likely)
    favour_named_body(page, likely)
    if not thread:
        doubt_what_is_elsewhere(page, likely, titles)
    doubt_lines_of_themes(page, likely)
    chosen, expected = chosen_blocks(likely, page.chars)
    drop_repeated(chosen, page.blocks)
    return chosen, expected


def declared_texts(tree: Tree) -> tuple[list[str], str]:
    """Return the titles and the summary that the page's head declares."""
    titles, summaries = [], []
    for node, tag in enumerate(tree.tag):
        if tag == "body":
            break
        if tag == "title":
            titles.append(tree.plain(node))
        elif tag == "meta":
            attrs = tree.attrs[node]
            name = (attrs.get("property") or attrs.get("name") or "").lower()
            if name in _TITLES:
                titles.append(attrs.get("content") or "")
            elif name in _DESCRIPTIONS:
                summaries.append(attrs.get("content") or "")
    return titles, " ".join(summaries).lower()
