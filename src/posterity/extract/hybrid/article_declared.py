"""Pages that declare themselves to be something else than an article: there the model is surer than it may be.

It tells blocks one by one, and learned most from articles, where a doubtful block is one paragraph. On the page of a
firm, in a list or in a thread, what is in doubt is wanted as a whole or not at all. So what is known of each block
counts less there, and more of what is in doubt is taken. Products are left alone: of them little is wanted. So are
pages that say when they were published, or name something as the text of an article.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_choice import chosen_blocks
from posterity.extract.hybrid.block_kinds import KIND_NAMES

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

_TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')
_BODY = KIND_NAMES.index("body")
# Types of schema.org, by their ends: NewsArticle, BlogPosting, AggregateOffer.
_ARTICLES = ("Article", "BlogPosting", "SocialMediaPosting", "Report", "Recipe")
_PRODUCTS = ("Product", "ProductGroup", "Offer")
# Odds to this power. On hosts left out of training, other types of pages gain .007 with .8, .016 with .6, .014 with
# .45; articles gain .001 with each, and so do pages of dragnet, of which nothing was seen.
_FLATTER = 0.6
_NO_DOUBT = 0.95  # of the F1 that is to be expected; without it trafilatura's pieces lose .001, and nothing gains
_SURE = 1e-4  # nothing is surer than this, so that odds are numbers


def declares_another_kind(document: Document) -> bool:
    """Tell whether the page says what it is, and that is neither an article nor a product."""
    tree = document.tree
    kind = ""
    for node in tree.nodes_by_tag.get("meta", ()):
        attrs = tree.attrs[node]
        name = (attrs.get("property") or attrs.get("name") or attrs.get("itemprop") or "").lower()
        if "published" in name:
            return False
        if name == "og:type":
            kind = (attrs.get("content") or "").lower()
    if kind.startswith("article") or "product" in kind:
        return False
    types = _schema_types(tree)
    return bool(kind or types) and not any(name.endswith(_ARTICLES + _PRODUCTS) for name in types)


def _schema_types(tree: Tree) -> set[str]:
    types = {declared.rpartition("/")[2] for _, declared in tree.named.typed}
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            types.update(_TYPES.findall(tree.plain(node)))
    return types


def names_a_body(page: Page) -> bool:
    """Tell whether something on the page is named as the text of an article."""
    return bool((page.innermost[_BODY] >= 0).any())


def draw_to_even(page: Page, likely: Numbers) -> None:
    """Flatten the odds of all blocks, unless hardly any is in doubt; which is likelier than which stays."""
    if chosen_blocks(likely, page.chars)[1] >= _NO_DOUBT:
        return
    bounded = np.clip(likely, _SURE, 1 - _SURE)
    odds = (bounded / (1 - bounded)) ** _FLATTER
    likely[:] = odds / (1 + odds)
