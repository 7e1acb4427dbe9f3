"""Method `feed`: the rules learned from a blog's feed, applied to a page (BlogForever crawler, section 1).

After learning, a page costs its parsing and a few look-ups: nothing is searched for, and only the article's own
subtree is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.errors import InputError
from posterity.extract.assemble import article_fields, post_from
from posterity.model import Post, Provenance
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.method import Context
    from posterity.model import FieldRule, RuleSet


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that the context's rules find, or nothing when none of them names an article."""
    if context.rules is None:
        raise InputError("The method feed needs rules: give a feed to learn from (--feed) or a rule file (--rules).")
    article = first_named(document, context.rules, "article")
    if article is None:
        return ()
    tree, rule = article
    fields: dict[str, Any] = article_fields(tree, document.base_url)
    provenance = {"text": _provenance(rule)}
    title = first_named(document, context.rules, "title")
    if title:
        fields["title"] = one_line(text_of(title[0])) or None
        provenance["title"] = _provenance(title[1])
    return (post_from(document, fields, provenance),)


def first_named(document: Document, rules: RuleSet, field: str) -> tuple[Tree, FieldRule] | None:
    """Return the node of the first rule of a field that names one on this page, and the rule."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            return tree, rule
    return None


def _provenance(rule: FieldRule) -> Provenance:
    return Provenance(method="feed", rule=rule.rule.css, confidence=rule.confidence)
