"""The article of a page by what its whole site says, where that agrees with the page better than the page alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.extract.hybrid.article import Article
from posterity.extract.hybrid.site_rules import BLOCKS, first_named, own_mass, site_rules
from posterity.learn.naming import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Document, Tree
    from posterity.extract.hybrid.site_rules import SiteRules

_ENOUGH = 0.3  # of what the page alone takes for its article must stand where the site has its articles


def article_of_site(document: Document, alone: Article | None, site: tuple[Document, ...]) -> Article | None:
    """Return the article as the site's pages together find it, else as the page alone does."""
    rules = site_rules(site)
    if rules is None:
        return alone
    tree = document.tree
    own = own_mass(tree, rules.template, rules.pages)
    node = first_named(tree, rules.article)
    if node is None or (alone is not None and _mass(tree, own, node) < _ENOUGH * _mass(tree, own, alone.node)):
        return alone if alone is None else _cleaned(tree, rules, own, alone.node, alone, alone.confidence)
    confidence = max(rule.confidence for rule in rules.article)
    return _cleaned(tree, rules, own, node, alone, confidence)


def _cleaned(
    tree: Tree, rules: SiteRules, own: list[int], node: int, alone: Article | None, confidence: float
) -> Article:
    out = frozenset(_parts_outside(tree, rules, own, node, alone))
    return Article(node=node, left_out=out, confidence=round(confidence, 3), why=f"site: {tree.path(node)}")


def _parts_outside(tree: Tree, rules: SiteRules, own: list[int], node: int, alone: Article | None) -> Iterator[int]:
    refused = alone.left_out if alone is not None else frozenset()
    inner, end = node + 1, tree.end[node]
    while inner < end:
        if inner in refused or tree.tag[inner] in BLOCKS:
            names = frozenset(kind_names(tree, inner))
            is_out = bool(names & rules.outside) or (inner in refused and not names & rules.inside)
            if is_out or _repeats(tree, own, inner):
                yield inner
                inner = tree.end[inner]
                continue
        inner = tree.end[inner] if tree.tag[inner] == "pre" else inner + 1


def _repeats(tree: Tree, own: list[int], node: int) -> bool:
    """Tell whether all the text below the node stands on other pages of the site too."""
    return bool(tree.plain(node).strip()) and not any(own[node : tree.end[node]])


def _mass(tree: Tree, own: list[int], node: int) -> int:
    return sum(own[node : tree.end[node]])
