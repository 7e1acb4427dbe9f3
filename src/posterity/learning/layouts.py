"""Layouts of a blog that changed its theme: which pages look alike, which rules fit a page, and when none fits.

Pages of one theme share the names of its parts; pages of two themes share few. So pages are grouped by the ids and
classes they use, and each group that is large enough gets rules of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from posterity.dom import Document, text_of
from posterity.learning.evidence import TrainingPage, documents, matched_training_pages
from posterity.learning.page_evidence import authors_of
from posterity.model import Feed, FieldRule, Rule, RuleSet
from posterity.model.rules import OWN_OF_LAYOUT, CommentRules, Layout
from posterity.text.dates import mentions
from posterity.text.normal_form import containment, letters_and_digits, one_line, token_f1, word_counts

# Pages of one theme share half of their names and more; of two themes, at most what their platform gives both.
_SAME_THEME = 0.35
_MIN_PAGES = 3
_FIELDS = ("text", "title", "authors", "published")


def alike(looks: Mapping[str, int]) -> list[list[str]]:
    """Return the pages in groups of one look each, in the order given; one group when the blog has one look.

    `looks` are the ids and classes on each page, as bits. A group of fewer than three pages gives no rules and goes
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


def is_same_theme(left: Document, right: Document) -> bool:
    """Return whether two pages have enough ids and classes in common to be of one theme."""
    names, others = _names(left), _names(right)
    return len(names & others) >= _SAME_THEME * len(names | others)


def _names(document: Document) -> set[str]:
    """The ids and classes on a page, without those that have numbers, which are of single posts."""
    found = (name for attrs in document.tree.attrs for name in (attrs.get("id"), *(attrs.get("class") or "").split()))
    return {name for name in found if name and not any(map(str.isdigit, name))}


def fitting(document: Document, rules: RuleSet) -> RuleSet:
    """Return the rules for this page: of the layout most of whose rules name something on it, else the common ones."""
    if not rules.layouts:
        return rules
    fits = [_fit(layout.fields, document.has) for layout in rules.layouts]
    best = max(fits)
    return rules.with_layout(rules.layouts[fits.index(best)]) if best > 0.0 else rules


def _fit(fields: Mapping[str, tuple[FieldRule, ...]], has: Callable[[Rule], bool]) -> float:
    """How many of the fields' first rules name something, weighted by confidence; without an article, nothing fits."""
    found = {
        field: fields[field][0].confidence for field in _FIELDS if fields.get(field) and has(fields[field][0].rule)
    }
    return sum(found.values()) if "text" in found else 0.0


def _overlap(left: int, right: int) -> float:
    total = (left | right).bit_count()
    return (left & right).bit_count() / total if total else 1.0


_MIN_ARTICLE = 0.6
_MIN_SHARE = 0.5
_VITAL = ("text", "title")


class FieldAgreement(msgspec.Struct, frozen=True):
    """On how many of the pages that can be compared the rules give what the feed has."""

    agree: int
    of: int

    @property
    def share(self) -> float:
        """The agreeing part, 1.0 when no page can be compared."""
        return self.agree / self.of if self.of else 1.0


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How the rules do on the pages of a feed, and on which pages they fail."""

    pages: int
    fields: dict[str, FieldAgreement]
    failing: tuple[str, ...]

    @property
    def drifted(self) -> bool:
        """Return whether article or title are wrong on most pages, so that rules have to be learned again."""
        return any(self.fields[field].share < _MIN_SHARE for field in _VITAL if field in self.fields)


def agreement(rules: RuleSet, feed: Feed, pages: Mapping[str, bytes | str | Document]) -> Agreement:
    """Return how far the rules give on these pages what the feed has; entries without a page are passed over."""
    verdicts_of: dict[str, list[bool]] = {}
    failing = []
    training_pages = matched_training_pages(feed, pages, len(feed.entries))
    for document, training_page in documents(training_pages, pages):
        verdicts = dict(_verdicts(document, training_page, fitting(document, rules), feed))
        for field, agrees in verdicts.items():
            verdicts_of.setdefault(field, []).append(agrees)
        if not all(verdicts.get(field, True) for field in _VITAL):
            failing.append(training_page.url)
    fields = {field: FieldAgreement(sum(verdicts), len(verdicts)) for field, verdicts in sorted(verdicts_of.items())}
    return Agreement(pages=len(training_pages), fields=fields, failing=tuple(failing))


def with_former(rules: RuleSet, former: RuleSet) -> RuleSet:
    """Return newly learned rules that keep what was learned before as further layouts, for the pages of before."""
    return msgspec.structs.replace(
        rules,
        version=former.version + 1,
        layouts=(*layouts_of(rules), *former_layouts(former)),
        # A theme that no longer declares the language is still the blog's.
        languages=rules.languages or former.languages,
    )


def layouts_of(rules: RuleSet) -> tuple[Layout, ...]:
    """Return the layouts of the rules; those without are of one layout."""
    return rules.layouts or ((_as_layout(rules),) if rules.fields else ())


def former_layouts(former: RuleSet) -> list[Layout]:
    """Return the layouts of earlier rules, each with what these rules know of comments and of fields that are absent.

    Without that, the pages of an earlier theme would be read by the comments of a later one.
    """
    known = {name: getattr(former, name) for name in OWN_OF_LAYOUT} | {"comments": former.comments or CommentRules()}
    return [
        msgspec.structs.replace(layout, **{name: known[name] for name in known if getattr(layout, name) is None})
        for layout in layouts_of(former)
    ]


def lacks_vital_field(document: Document, rules: RuleSet) -> bool:
    """Return whether the rules for article or title name nothing on the page, as on pages of another theme."""
    fields = fitting(document, rules).fields
    return any(not document.has(fields[name][0].rule) for name in _VITAL if fields.get(name))


def with_layouts(rules: RuleSet, further: Sequence[Layout]) -> RuleSet:
    """Return the rules with further layouts, for pages that none of their own fits."""
    return msgspec.structs.replace(rules, layouts=(*layouts_of(rules), *further)) if further else rules


def text_by(document: Document, rules: RuleSet) -> str:
    """Return the article that the rules find on the page, as the first rule gives it; empty for none."""
    return _value_by_rules(document, fitting(document, rules), "text")


def _as_layout(rules: RuleSet) -> Layout:
    names = (name for name in Layout.__struct_fields__ if name not in OWN_OF_LAYOUT)
    return Layout(**{name: getattr(rules, name) for name in names})


def _verdicts(
    document: Document, training_page: TrainingPage, rules: RuleSet, feed: Feed
) -> Iterator[tuple[str, bool]]:
    """For every field that both the feed and the rules know: do they agree on this page?"""
    entry = training_page.entry
    tests: dict[str, Callable[[str], bool]] = {}
    if training_page.feed_text.text:
        tests["text"] = lambda text: _same_article(text, training_page)
    if entry.title:
        title = letters_and_digits(entry.title)
        tests["title"] = lambda text: letters_and_digits(text) == title
    names = [one_line(name).casefold() for name in authors_of(entry, feed)]
    if names:
        tests["authors"] = lambda text: any(name in text.casefold() for name in names)
    when = entry.published
    if when:
        tests["published"] = lambda text: mentions(text, when, languages=rules.languages) is not None
    for field, agrees in tests.items():
        if rules.rules_for(field):
            yield field, agrees(_value_by_rules(document, rules, field))


def _same_article(text: str, training_page: TrainingPage) -> bool:
    found, expected = word_counts(text), word_counts(training_page.feed_text.text)
    score = token_f1(found, expected) if training_page.feed_text.whole else containment(expected, found)
    return score >= _MIN_ARTICLE


def _value_by_rules(document: Document, rules: RuleSet, field: str) -> str:
    """What the first rule of the field that names a node gives, an empty text for none."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            attribute = rule.rule.attribute
            return one_line(tree.attrs[0].get(attribute) or "" if attribute else text_of(tree))
    return ""
