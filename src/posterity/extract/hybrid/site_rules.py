"""Rules for the pages of one site, learned from the pages themselves: no feed is needed, only several pages.

Bootstrapping: what the page alone says of its article is the witness in place of a feed's text. It errs on some pages,
but not in the same way on all of them, so the vote over the pages (`learn.vote`) finds the element that holds the
article on this site. Inside it, every name (id, class) is judged by all pages together: what is left out, or repeats
word for word, on most of them is not of the article anywhere; what is kept on most of them is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.rule_match import first_match
from posterity.extract.hybrid.article import Article, article_on
from posterity.extract.method import Context
from posterity.learn.naming import kind_names
from posterity.learn.own_text import hash_of, template_of
from posterity.learn.vote import ballot, elect

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.model import FieldRule, Rule

# Words inside a line are of the line: "if" in highlighted code stands on all pages, and belongs to all of them.
BLOCKS = (LINE_TAGS | PARAGRAPH_TAGS) - {"html", "body", "hr"}
_MIN_PAGES = 3  # two pages say no more than that they differ
_TEMPLATE_SHARE = 0.3
_MIN_CONFIDENCE = 0.6
_HALF = 0.5
_JUDGED = 0.75  # share of the text under a name, from which the pages agree on it
_MIN_VOTES = 2


class SiteRules(msgspec.Struct, frozen=True, kw_only=True):
    """How the pages of a site mark up their articles."""

    article: "tuple[FieldRule, ...]"
    outside: "frozenset[Rule]"
    inside: "frozenset[Rule]"
    template: "Counter[int]"
    pages: int


@lru_cache(maxsize=2)  # the same tuple comes with every page of a site
def site_rules(site: tuple[Document, ...]) -> SiteRules | None:
    """Return what the pages have in common, None when they are too few or agree on nothing."""
    if len(site) < _MIN_PAGES:
        return None
    template = template_of(document.tree for document in site)
    views = [_View(document, template, len(site)) for document in site]
    article = elect([ballot(view.tree, view.scores()) for view in views if view.alone is not None], _MIN_CONFIDENCE)
    if not article:
        return None
    outside, inside = _judged_names(views, article)
    return SiteRules(article=article, outside=outside, inside=inside, template=template, pages=len(site))


class _View:
    """A page of the site with what it says of itself."""

    def __init__(self, document: Document, template: Counter[int], pages: int) -> None:
        self.tree = document.tree
        self.alone = article_on(document, Context())
        self.own = own_mass(self.tree, template, pages)
        self.kept = _kept_mass(self.tree, self.own, self.alone)

    def scores(self) -> dict[int, float]:
        """How well each node around the article holds what the page alone takes for it, and nothing else."""
        tree, alone = self.tree, self.alone
        assert alone is not None
        kept = _sums(tree, self.kept)
        own = _sums(tree, self.own)
        if not kept[0]:
            return {}
        near = [node for node in range(len(tree)) if kept[node] >= _HALF * kept[0] and _can_hold(tree, node)]
        return {node: 2 * kept[node] / (kept[0] + own[node]) for node in near}


def own_mass(tree: Tree, template: Counter[int], pages: int) -> list[int]:
    """Return for every text run its visible characters, 0 for one that repeats over the site."""
    return [
        0
        if not text or tree.unseen[node] or text.isspace() or template[hash_of(text)] >= _repeated(pages)
        else len(text.strip())
        for node, text in enumerate(tree.text)
    ]


def _repeated(pages: int) -> float:
    """On how many pages a text must stand to be the site's. Two may be one article in two places."""
    return max(_MIN_PAGES, _TEMPLATE_SHARE * pages)


def _kept_mass(tree: Tree, own: list[int], alone: Article | None) -> list[int]:
    kept = [0] * len(tree)
    if alone is None:
        return kept
    node, end = alone.node, tree.end[alone.node]
    while node < end:
        if node in alone.left_out:
            node = tree.end[node]
            continue
        kept[node] = own[node]
        node += 1
    return kept


def _sums(tree: Tree, masses: list[int]) -> list[int]:
    """For every node the mass below it."""
    sums = list(masses)
    for node in range(len(tree) - 1, 0, -1):
        sums[tree.parent[node]] += sums[node]
    return sums


def _can_hold(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head") and not tree.unseen[node]


def _judged_names(views: list[_View], article: tuple[FieldRule, ...]) -> tuple[frozenset[Rule], frozenset[Rule]]:
    """The names inside the article whose text is left out on most pages, and those whose text is kept."""
    kept_by: Counter[Rule] = Counter()
    all_by: Counter[Rule] = Counter()
    pages: Counter[Rule] = Counter()
    for view in views:
        node = first_named(view.tree, article)
        if node is None:
            continue
        kept, total = _sums(view.tree, view.kept), _sums(view.tree, _all_mass(view.tree))
        by_name: dict[Rule, list[int]] = defaultdict(list)
        for inner in range(node + 1, view.tree.end[node]):
            if total[inner] and view.tree.tag[inner] in BLOCKS:
                for name in kind_names(view.tree, inner):
                    by_name[name].append(inner)
        for name, nodes in by_name.items():
            pages[name] += 1
            kept_by[name] += sum(kept[one] for one in nodes)
            all_by[name] += sum(total[one] for one in nodes)
    told = [name for name in all_by if pages[name] >= _MIN_VOTES and name.kind != "tag"]
    outside = frozenset(name for name in told if kept_by[name] <= (1 - _JUDGED) * all_by[name])
    inside = frozenset(name for name in told if kept_by[name] >= _JUDGED * all_by[name])
    return outside, inside


def _all_mass(tree: Tree) -> list[int]:
    return [
        len(text.strip()) if text and not tree.unseen[node] and not text.isspace() else 0
        for node, text in enumerate(tree.text)
    ]


def first_named(tree: Tree, rules: tuple[FieldRule, ...]) -> int | None:
    """Return the node that the first rule names which names one at all."""
    found = (first_match(tree, rule.rule) for rule in rules)
    return next((node for node in found if node is not None), None)
