"""Post, index or other: the address says what a page should be, the page itself what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from posterity.dom.declared import declared_address
from posterity.urls import canonical_url
from posterity.urls.service_page import is_service_page

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.model import RuleSet
    from posterity.urls import PostPattern

PageKind: TypeAlias = Literal["post", "index", "other"]


def page_kind(document: Document, rules: RuleSet, pattern: PostPattern) -> PageKind:
    """Return what the page is.

    An index repeats the article that a post has once. A post fits the pattern of the blog's addresses and has the
    article and, where posts of this blog carry dates, a date. The address that the page itself declares counts like
    its own. An address near the pattern can be a post too, if nothing is missing. What the blog says about itself has
    all that a post has, and only its address tells.
    """
    if not _holds(document, rules, "article") or is_service_page(document.url):
        return "other"
    if _repeats_article(document, rules):
        return "index"
    dated = _holds(document, rules, "date")
    url = canonical_url(document.url)
    if pattern.fits(url) or pattern.fits(declared_address(document) or ""):
        return "post" if dated or not _always_dated(rules) else "other"
    return "post" if pattern.is_near(url) and dated and _holds(document, rules, "title") else "other"


def _holds(document: Document, rules: RuleSet, field: str) -> bool:
    return any(document.count(rule.rule) for rule in rules.rules_for(field))


def _repeats_article(document: Document, rules: RuleSet) -> bool:
    """More articles than on any page that the rule was learned from."""
    for rule in rules.rules_for("article"):
        count = document.count(rule.rule)
        if count:
            return rule.rule.kind != "path" and count > max(1, rule.per_page)
    return False


def _always_dated(rules: RuleSet) -> bool:
    """Tell whether every page of the evidence had a date where the rules look for it."""
    return sum(rule.pages for rule in rules.rules_for("date")) >= 0.9 * len(rules.evidence) > 0
