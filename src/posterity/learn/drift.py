"""Whether a blog still looks as its rules say: new feed entries compared with what the rules find on their pages.

A theme change shows first in the newest posts, which are in the feed. So every new entry is a test of the rules that
costs one page; when most of them fail, it is time to learn again. The old rules stay useful for the old pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import text_of
from posterity.learn.evidence import documents, witnesses_of
from posterity.learn.layouts import fitting
from posterity.learn.testimony import authors_of
from posterity.model.rules import Layout
from posterity.text.dates import mentions
from posterity.text.normal_form import letters_and_digits, one_line
from posterity.text.words import containment, token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from posterity.dom import Document
    from posterity.learn.evidence import Witness
    from posterity.model import Feed, RuleSet

_MIN_ARTICLE = 0.6
_MIN_SHARE = 0.5
_VITAL = ("article", "title")


class FieldAgreement(msgspec.Struct, frozen=True):
    """On how many of the pages that can tell the rules give what the feed says."""

    agree: int
    of: int

    @property
    def share(self) -> float:
        """The agreeing part, 1.0 when no page can tell."""
        return self.agree / self.of if self.of else 1.0


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How the rules do on the pages of a feed, and on which pages they fail."""

    pages: int
    fields: dict[str, FieldAgreement]
    failing: tuple[str, ...]

    @property
    def drifted(self) -> bool:
        """Tell whether article or title are wrong on most pages, so that rules have to be learned again."""
        return any(self.fields[field].share < _MIN_SHARE for field in _VITAL if field in self.fields)


def agreement(rules: RuleSet, feed: Feed, pages: Mapping[str, bytes | str]) -> Agreement:
    """Return how far the rules give on these pages what the feed says; entries without a page are passed over."""
    told: dict[str, list[bool]] = {}
    failing = []
    witnesses = witnesses_of(feed, pages, len(feed.entries))
    for document, witness in documents(witnesses, pages):
        verdicts = dict(_verdicts(document, witness, fitting(document, rules), feed))
        for field, agrees in verdicts.items():
            told.setdefault(field, []).append(agrees)
        if not all(verdicts.get(field, True) for field in _VITAL):
            failing.append(witness.url)
    fields = {field: FieldAgreement(sum(verdicts), len(verdicts)) for field, verdicts in sorted(told.items())}
    return Agreement(pages=len(witnesses), fields=fields, failing=tuple(failing))


def with_former(rules: RuleSet, former: RuleSet) -> RuleSet:
    """Return newly learned rules that keep what was learned before as further layouts, for the pages of before."""
    own = rules.layouts or (_as_layout(rules),)
    return msgspec.structs.replace(
        rules, version=former.version + 1, layouts=(*own, *(former.layouts or (_as_layout(former),)))
    )


def _as_layout(rules: RuleSet) -> Layout:
    return Layout(**{name: getattr(rules, name) for name in Layout.__struct_fields__})


def _verdicts(document: Document, witness: Witness, rules: RuleSet, feed: Feed) -> Iterator[tuple[str, bool]]:
    """For every field that both the feed and the rules know: do they agree on this page?"""
    entry = witness.entry
    tests: dict[str, Callable[[str], bool]] = {}
    if witness.promise.text:
        tests["article"] = lambda text: _same_article(text, witness)
    if entry.title:
        title = letters_and_digits(entry.title)
        tests["title"] = lambda text: letters_and_digits(text) == title
    names = [one_line(name).casefold() for name in authors_of(entry, feed)]
    if names:
        tests["author"] = lambda text: any(name in text.casefold() for name in names)
    when = entry.published
    if when:
        tests["date"] = lambda text: mentions(text, when, languages=rules.languages) is not None
    for field, agrees in tests.items():
        if rules.rules_for(field):
            yield field, agrees(_given(document, rules, field))


def _same_article(text: str, witness: Witness) -> bool:
    found, promised = word_counts(text), word_counts(witness.promise.text)
    score = token_f1(found, promised) if witness.promise.whole else containment(promised, found)
    return score >= _MIN_ARTICLE


def _given(document: Document, rules: RuleSet, field: str) -> str:
    """What the first rule of the field that names a node gives, an empty text for none."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            attribute = rule.rule.attribute
            return one_line(tree.attrs[0].get(attribute) or "" if attribute else text_of(tree))
    return ""
