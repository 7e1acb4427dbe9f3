"""Title, authors, date and tags of a page by a blog's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import text_of
from posterity.dom.links import absolute
from posterity.extract.declared_fields import declared_authors, declared_date, declared_tags
from posterity.extract.found_field import Found, aware, by_rule
from posterity.model import Provenance
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from posterity.dom import Document, Tree
    from posterity.model import FieldRule, RuleSet

# What documentation software puts behind a heading, as a link to it.
_ANCHORS = " ¶🔗"
_MAX_AUTHOR = 80
_MAX_AUTHORS = 3
_MAX_TAGS = 100


def title_on(document: Document, rules: RuleSet) -> Found | None:
    """Return the title that the page shows."""
    for rule in rules.rules_for("title"):
        tree = document.first(rule.rule)
        title = one_line(text_of(tree)).rstrip(_ANCHORS) if tree else ""
        if title:
            return Found({"title": title}, by_rule(rule))
    return None


def authors_on(document: Document, rules: RuleSet) -> Found | None:
    """Return the authors that the page names; the blog's only author when it names nobody, else what it declares."""
    for rule in rules.rules_for("author"):
        names = [_between(_value(tree, rule), rule) for tree in document.all(rule.rule, _together(rule))]
        known = tuple(dict.fromkeys(name for name in names if name and len(name) <= _MAX_AUTHOR))
        if known:
            return Found({"authors": known}, by_rule(rule))
    if rules.only_author:
        return Found({"authors": (rules.only_author,)}, Provenance(method="feed-author", confidence=0.6))
    return declared_authors(document)


def _together(rule: FieldRule) -> int:
    """As many nodes as the evidence had on one page; further ones are other people (commenters, recent posts)."""
    return max(1, rule.per_page) if rule.per_page <= _MAX_AUTHORS else 1


def _between(text: str, rule: FieldRule) -> str:
    """The value without the words that the evidence has around it."""
    if rule.before and rule.before in text:
        text = text.split(rule.before, 1)[1]
    if rule.after and rule.after in text:
        text = text.split(rule.after, 1)[0]
    return text.strip(" ,;:|·-–—")


def date_on(document: Document, rules: RuleSet, fetched_at: datetime | None) -> Found | None:
    """Return the date that the page gives, read in the blog's own order and language.

    A date whose day and month could be exchanged, and whose order the evidence does not settle, is not given.
    """
    for rule in rules.rules_for("date"):
        tree = document.first(rule.rule)
        if tree is None:
            continue
        readings = read_dates(_value(tree, rule), languages=rules.languages, order=rules.date_order, now=fetched_at)
        if not readings or (readings[0].ambiguous and rules.date_order is None):
            continue
        first = readings[0]
        fields = {"published": aware(first, rules.zone_minutes), "published_precision": first.precision}
        return Found(fields, by_rule(rule))
    return declared_date(document)


def tags_on(document: Document, rules: RuleSet) -> Found | None:
    """Return the terms that the page lists; where no rule is known, those that it declares."""
    for rule in rules.rules_for("tags"):
        trees = document.all(rule.rule, _MAX_TAGS)
        tags = tuple(dict.fromkeys(filter(None, (one_line(text_of(tree)) for tree in trees))))
        if tags:
            return Found({"tags": tags}, by_rule(rule))
    return None if rules.rules_for("tags") else declared_tags(document)


def license_on(document: Document, base_url: str) -> Found | None:
    """Return the address of the licence that the page links to as its own."""
    return license_at(document.licenses, base_url)


def license_at(links: Sequence[str], base_url: str) -> Found | None:
    """Return the first of the links to licences, if it is an address."""
    url = absolute(base_url, links[0]) if links else None
    provenance = Provenance(method="declared", rule="rel=license", confidence=0.8)
    return Found({"license": url}, provenance) if url else None


def _value(tree: Tree, rule: FieldRule) -> str:
    attribute = rule.rule.attribute
    return one_line(tree.attrs[0].get(attribute) or "") if attribute else one_line(text_of(tree))
