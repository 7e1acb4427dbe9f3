"""The article of a page by what its whole site says, where that agrees with the page better than the page alone.

The site says which element holds the article and what the names inside it mean; the page alone says of each block
whether it reads like the article's. The site decides where its pages agree, the page where they have nothing to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.hybrid.article import Article
from posterity.extract.hybrid.site_rules import (
    BLOCKS,
    all_mass,
    first_named,
    kept_mass,
    own_mass,
    site_rules,
    title_headings,
)
from posterity.learn.naming import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Document, Tree
    from posterity.extract.hybrid.site_rules import SiteRules

# So much of what the page alone takes for its article must stand where the site has its articles.
_ENOUGH = 0.3
# From this confidence on, the element is the article's also where it holds a picture and no words.
_SURE = 0.8
_MEDIA = frozenset({"img", "video", "audio", "iframe", "object", "embed"})


def article_of_site(document: Document, alone: Article | None, site: tuple[Document, ...]) -> Article | None:
    """Return the article as the site's pages together find it, else as the page alone does."""
    rules = site_rules(site)
    if rules is None:
        return alone
    page = _Page(document.tree, rules, alone)
    node = first_named(document.tree, rules.article)
    confidence = rules.article[0].confidence
    if node is None or not page.is_article(node):
        if alone is None:
            return None
        node, confidence = alone.node, alone.confidence
    left_out = frozenset(page.parts_outside(node))
    if page.is_empty_without(node, left_out):
        return alone
    return Article(
        node=node,
        left_out=left_out,
        confidence=round(confidence, 3),
        why=f"site: {document.tree.path(node)}",
    )


class _Page:
    """The page to be read, with what it alone keeps and what the site has not elsewhere."""

    def __init__(self, tree: Tree, rules: SiteRules, alone: Article | None) -> None:
        self._tree, self._rules = tree, rules
        self._titles = frozenset(title_headings(tree))
        self._all = tree.summed(all_mass(tree))
        own = own_mass(tree, rules.template, rules.pages)
        self._own = tree.summed(own)
        self._kept = tree.summed(kept_mass(tree, own, alone))
        self._kept_with_repeated = tree.summed(kept_mass(tree, all_mass(tree), alone))

    def is_article(self, node: int) -> bool:
        """Tell whether the site's element holds an article on this page: enough of its text, or a picture for sure."""
        if self._kept[node] >= _ENOUGH * self._kept[0] and self._all[node]:
            return True
        return self._rules.article[0].confidence >= _SURE and (self._own[node] > 0 or self._has_media(node))

    def is_empty_without(self, node: int, left_out: frozenset[int]) -> bool:
        """Tell whether neither words nor pictures are left of the element."""
        return self._all[node] == sum(self._all[part] for part in left_out) and not self._has_media(node)

    def _has_media(self, node: int) -> bool:
        return any(self._tree.tag[inner] in _MEDIA for inner in range(node, self._tree.end[node]))

    def parts_outside(self, node: int) -> Iterator[int]:
        """Yield the parts of the element that are not of the article."""
        tree = self._tree
        agree = self._kept[node] > 0
        inner, end = node + 1, tree.end[node]
        while inner < end:
            if self._all[inner] and tree.tag[inner] in BLOCKS and self._is_outside(inner, agree=agree):
                yield inner
                inner = tree.end[inner]
            else:
                inner = tree.end[inner] if tree.tag[inner] == "pre" else inner + 1

    def _is_outside(self, node: int, *, agree: bool) -> bool:
        names = frozenset(kind_names(self._tree, node))
        if names & self._rules.outside or node in self._titles:
            return True
        inside = names & self._rules.inside
        if not self._own[node]:
            # A post is signed like every other, a recipe says "Ingredients": repeated, and of the article all the same.
            return not (inside and self._kept_with_repeated[node])
        return agree and not self._kept[node] and not inside
