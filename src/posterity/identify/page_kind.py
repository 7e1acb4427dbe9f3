"""Post, index or other: the address says what a page should be, the page itself what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.model import RuleSet
    from posterity.urls import PostPattern

PageKind: TypeAlias = Literal["post", "index", "other"]


def page_kind(document: Document, rules: RuleSet, pattern: PostPattern) -> PageKind:
    """Return what the page is. A post fits the pattern and holds one article; an index holds several."""
    found = next(((rule, count) for rule in rules.rules_for("article") if (count := document.count(rule.rule))), None)
    if found is None:
        return "other"
    rule, count = found
    if count > max(1, rule.per_page):
        return "index"
    return "post" if pattern.fits(document.url) else "other"
