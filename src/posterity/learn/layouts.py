"""A blog that changed its theme: which pages look alike, and which rules fit a page.

Pages of one theme share the names of its parts; pages of two themes share few. So pages are grouped by the ids and
classes they use, and each group that is large enough teaches rules of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from posterity.dom import Document
    from posterity.model import FieldRule, Rule, RuleSet

# Pages of one theme share half of their names and more; of two themes, at most what their platform gives both.
_SAME_THEME = 0.35
_MIN_PAGES = 3
_FIELDS = ("article", "title", "author", "date")


def alike(looks: Mapping[str, int]) -> list[list[str]]:
    """Return the pages in groups of one look each, in the order given; one group when the blog has one look.

    `looks` are the ids and classes on each page, as bits. A group of fewer than three pages teaches nothing and goes
    without.
    """
    groups: list[tuple[int, list[str]]] = []
    for url, look in looks.items():
        for first, members in groups:
            if _overlap(first, look) >= _SAME_THEME:
                members.append(url)
                break
        else:
            groups.append((look, [url]))
    large = [members for _, members in groups if len(members) >= _MIN_PAGES]
    return large if len(large) > 1 else [list(looks)]


def fitting(document: Document, rules: RuleSet) -> RuleSet:
    """Return the rules for this page: of the layout most of whose rules name something on it, else the common ones."""
    if not rules.layouts:
        return rules
    fits = [_fit(layout.fields, document.has) for layout in rules.layouts]
    best = max(fits)
    return rules.wearing(rules.layouts[fits.index(best)]) if best > 0.0 else rules


def _fit(fields: Mapping[str, tuple[FieldRule, ...]], has: Callable[[Rule], bool]) -> float:
    """How many of the fields' first rules name something, weighted by confidence; without an article, nothing fits."""
    found = {
        field: fields[field][0].confidence for field in _FIELDS if fields.get(field) and has(fields[field][0].rule)
    }
    return sum(found.values()) if "article" in found else 0.0


def _overlap(left: int, right: int) -> float:
    total = (left | right).bit_count()
    return (left & right).bit_count() / total if total else 1.0
