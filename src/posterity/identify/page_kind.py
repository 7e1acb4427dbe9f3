"""Post, index or other: the address says what a page should be, the page itself what it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from posterity.dom.declared import declared_address
from posterity.dom.rule_match import matches
from posterity.urls import canonical_url
from posterity.urls.service_page import is_service_page

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.model import Rule, RuleSet
    from posterity.urls import PostPattern

PageKind: TypeAlias = Literal["post", "index", "other"]

_THREAD = re.compile(r"(?:post-?)?comments?(?:-?(?:list|area|wrapper|section|thread|content|body))?", re.IGNORECASE)
_AROUND_POSTS = frozenset({"html", "body", "main", "article"})
# Elements that texts do not have in them.
_ARTICLE_TAGS = frozenset({"article", "main"})


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
    """More articles than on any page that the rule was learned from.

    A rule that names all cells of tables names those of a table in a text too: then title or date must repeat as well.
    """
    article = next((rule.rule for rule in rules.rules_for("article") if document.count(rule.rule)), None)
    if article is None or not _repeats(document, rules, "article"):
        return False
    if article.kind != "tag" or article.under is not None or article.value in _ARTICLE_TAGS:
        return True
    others = {_repeats(document, rules, "title"), _repeats(document, rules, "date")} - {None}
    return not others or True in others


def _repeats(document: Document, rules: RuleSet, field: str) -> bool | None:
    """Tell whether the page has more of it than any page that the rule was learned from; None when it has none."""
    for rule in rules.rules_for(field):
        count = document.count(rule.rule)
        if count:
            usual = max(1, rule.per_page)
            return rule.rule.kind != "path" and count > usual and _outside_comments(document, rule.rule) > usual
    return None


def _outside_comments(document: Document, rule: Rule) -> int:
    """How many nodes the rule names; some software calls the text of a comment as it calls that of a post."""
    tree = document.tree
    return sum(not any(_is_thread(tree, each) for each in tree.around((node,))) for node in matches(tree, rule))


def _is_thread(tree: Tree, node: int) -> bool:
    # Themes put the names of all features on the elements around a post ("comments-open").
    attrs = tree.attrs[node]
    return tree.tag[node] not in _AROUND_POSTS and any(
        _THREAD.fullmatch(name) for name in (attrs.get("id") or "", *(attrs.get("class") or "").split())
    )


def _always_dated(rules: RuleSet) -> bool:
    """Tell whether every page of the evidence had a date where the rules look for it."""
    return sum(rule.pages for rule in rules.rules_for("date")) >= 0.9 * len(rules.evidence) > 0
