"""Layouts of a blog that changed its theme: groups of similar pages, the rules that fit a page, and drift.

Pages of one theme share most ids and classes, pages of different themes only a few. Pages are therefore grouped by
ids and classes, and separate rules are learned for each group that is large enough.
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

# Pages of one theme share at least half of their names; pages of two themes, at most those that the platform adds.
_SAME_THEME = 0.35
_MIN_PAGES = 3
_FIELDS = ("text", "title", "authors", "published")


def group_by_theme(bits_by_url: Mapping[str, int]) -> list[list[str]]:
    """Return the pages grouped by theme, in the order given; a single group when the blog has one theme.

    `bits_by_url` maps URLs to the ids and classes of the page, as bits. Groups of fewer than three pages are too small
    to learn from and left out.
    """
    groups: list[tuple[int, list[str]]] = []
    for url, theme_bits in bits_by_url.items():
        for first, members in groups:
            if _overlap(first, theme_bits) >= _SAME_THEME:
                members.append(url)
                break
        else:
            groups.append((theme_bits, [url]))
    large = [members for _, members in groups if len(members) >= _MIN_PAGES]
    return large if len(large) > 1 else [list(bits_by_url)]


def is_same_theme(left: Document, right: Document) -> bool:
    """Return whether two pages share enough ids and classes to have the same theme."""
    names, others = _names(left), _names(right)
    return len(names & others) >= _SAME_THEME * len(names | others)


def _names(document: Document) -> set[str]:
    """The ids and classes on a page, except those with digits, which belong to single posts."""
    found = (name for attrs in document.tree.attrs for name in (attrs.get("id"), *(attrs.get("class") or "").split()))
    return {name for name in found if name and not any(map(str.isdigit, name))}


def rules_for_page(document: Document, rules: RuleSet) -> RuleSet:
    """Return the rules of the layout that fits this page best, or the common rules if none fits."""
    if not rules.layouts:
        return rules
    fits = [_fit(layout.fields, document.has) for layout in rules.layouts]
    best = max(fits)
    return rules.with_layout(rules.layouts[fits.index(best)]) if best > 0.0 else rules


def _fit(fields: Mapping[str, tuple[FieldRule, ...]], has: Callable[[Rule], bool]) -> float:
    """The summed confidence of the fields' first rules that match; 0 if the article's does not."""
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
    """On how many of the comparable pages the rules and the feed give the same value."""

    agree: int
    of: int

    @property
    def share(self) -> float:
        """The share of pages that agree; 1.0 when no page can be compared."""
        return self.agree / self.of if self.of else 1.0


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How well the rules agree with a feed on its pages, and the pages on which they fail."""

    pages: int
    fields: dict[str, FieldAgreement]
    failing: tuple[str, ...]

    @property
    def drifted(self) -> bool:
        """Return whether article or title are wrong on most pages, so that the rules must be learned again."""
        return any(self.fields[field].share < _MIN_SHARE for field in _VITAL if field in self.fields)


def agreement(rules: RuleSet, feed: Feed, pages: Mapping[str, bytes | str | Document]) -> Agreement:
    """Return how well the values found by the rules agree with the feed's; entries without a page are skipped."""
    verdicts_of: dict[str, list[bool]] = {}
    failing = []
    training_pages = matched_training_pages(feed, pages, len(feed.entries))
    for document, training_page in documents(training_pages, pages):
        verdicts = dict(_verdicts(document, training_page, rules_for_page(document, rules), feed))
        for field, agrees in verdicts.items():
            verdicts_of.setdefault(field, []).append(agrees)
        if not all(verdicts.get(field, True) for field in _VITAL):
            failing.append(training_page.url)
    fields = {field: FieldAgreement(sum(verdicts), len(verdicts)) for field, verdicts in sorted(verdicts_of.items())}
    return Agreement(pages=len(training_pages), fields=fields, failing=tuple(failing))


def with_former(rules: RuleSet, former: RuleSet) -> RuleSet:
    """Return newly learned rules with the former ones as additional layouts, for older pages."""
    return msgspec.structs.replace(
        rules,
        version=former.version + 1,
        layouts=(*layouts_of(rules), *former_layouts(former)),
        # The new theme may not declare the language, which is still the blog's.
        languages=rules.languages or former.languages,
    )


def layouts_of(rules: RuleSet) -> tuple[Layout, ...]:
    """Return the layouts of the rules; rules without layouts count as a single one."""
    return rules.layouts or ((_as_layout(rules),) if rules.fields else ())


def former_layouts(former: RuleSet) -> list[Layout]:
    """Return the layouts of earlier rules, completed with the comment rules and other settings of that rule set.

    Otherwise pages of an earlier theme would be read with the comment rules of a later one.
    """
    known = {name: getattr(former, name) for name in OWN_OF_LAYOUT} | {"comments": former.comments or CommentRules()}
    return [
        msgspec.structs.replace(layout, **{name: known[name] for name in known if getattr(layout, name) is None})
        for layout in layouts_of(former)
    ]


def lacks_vital_field(document: Document, rules: RuleSet) -> bool:
    """Return whether the rules for article or title match nothing on the page, as on pages of another theme."""
    fields = rules_for_page(document, rules).fields
    return any(not document.has(fields[name][0].rule) for name in _VITAL if fields.get(name))


def with_layouts(rules: RuleSet, further: Sequence[Layout]) -> RuleSet:
    """Return the rules with additional layouts, for pages that no existing layout fits."""
    return msgspec.structs.replace(rules, layouts=(*layouts_of(rules), *further)) if further else rules


def text_by(document: Document, rules: RuleSet) -> str:
    """Return the article's text by the first rule that matches the page, or an empty string."""
    return _value_by_rules(document, rules_for_page(document, rules), "text")


def _as_layout(rules: RuleSet) -> Layout:
    names = (name for name in Layout.__struct_fields__ if name not in OWN_OF_LAYOUT)
    return Layout(**{name: getattr(rules, name) for name in names})


def _verdicts(
    document: Document, training_page: TrainingPage, rules: RuleSet, feed: Feed
) -> Iterator[tuple[str, bool]]:
    """Yield, for every field that both the feed and the rules have, whether they agree on this page."""
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
    """The value by the field's first rule that matches, or an empty string."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            attribute = rule.rule.attribute
            return one_line(tree.attrs[0].get(attribute) or "" if attribute else text_of(tree))
    return ""
