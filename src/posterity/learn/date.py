"""The date's node: where the feed's date is written, in the blog's own format and language, near the article.

Section 1.5 of the BlogForever paper compares each node with many spellings of the date. Reading the dates that stand
in short texts and in `datetime`, `content` and `title` attributes, and comparing moments, finds the same nodes in
every language and leaves a rule that can read dates the feed never had.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from posterity.text.dates import may_mention, mentions
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from posterity.dom import Tree
    from posterity.model import Rule
    from posterity.text.dates import FoundDate

_MAX_TEXT = 260
_MAX_CLIMB = 3
_MAX_RUN = 400
_ALONE = 3  # characters: a figure and white space
DATE_ATTRIBUTES = ("datetime", "content", "title")
_ATTRIBUTES = frozenset(DATE_ATTRIBUTES)
_DIGIT = re.compile(r"\d")
_MIN_ZONE_SHARE = 0.6
# A neighbouring day is the same moment in another zone, or the date of something else.
_NEXT_DAY = 0.9


def date_scores(
    tree: Tree, when: datetime, near: Sequence[float], languages: Sequence[str], now: datetime | None
) -> dict[str | None, dict[int, float]]:
    """Return for each place a date can stand in (an attribute, or None for the text) how well nodes give this date."""
    scores: dict[str | None, dict[int, float]] = {None: {}, **{name: {} for name in DATE_ATTRIBUTES}}
    reader = _TextDates(tree, when, near, languages, now)
    for node in reader.runs:
        if len(tree.text[node]) < _MAX_RUN:
            reader.climb(node, scores[None])
    for node, attrs in enumerate(tree.attrs):
        if attrs and not _ATTRIBUTES.isdisjoint(attrs):
            for name in DATE_ATTRIBUTES:
                value = attrs.get(name)
                if value and len(value) <= _MAX_TEXT and (found := mentions(value, when, languages=languages)):
                    scores[name][node] = _weight(found, value, when) * near[node]
    return scores


class _TextDates:
    """Looks for one date in the texts of a page; every element is read at most once."""

    def __init__(
        self, tree: Tree, when: datetime, near: Sequence[float], languages: Sequence[str], now: datetime | None
    ) -> None:
        self.tree, self.when, self.near, self.languages, self.now = tree, when, near, languages, now
        self.sizes = tree.text_sizes
        self.read: set[int] = set()
        self.runs = tree.runs if now else self._runs_with_figures()
        self.hopeful = tree.around(node for node in self.runs if now or self._may_mention(tree.text[node]))

    def climb(self, node: int, scores: dict[int, float]) -> None:
        """Score the smallest element around a text run that gives the date."""
        for _ in range(_MAX_CLIMB):
            node = self.tree.parent[node]
            if node <= 0 or node in scores or self.sizes[node] > 2 * _MAX_TEXT:
                return
            if node in self.read or node not in self.hopeful:
                continue
            self.read.add(node)
            text = one_line(self.tree.plain(node))
            if len(text) > _MAX_TEXT:
                return
            found = mentions(text, self.when, languages=self.languages, now=self.now)
            if found:
                scores[node] = _weight(found, text, self.when) * self.near[node]
                return

    def _runs_with_figures(self) -> list[int]:
        """A part of a date has a figure in it, unless it is told from now ("yesterday") or in Chinese numerals."""
        texts = self.tree.text
        return [node for node in self.tree.runs if _DIGIT.search(texts[node]) or "年" in texts[node]]

    def _may_mention(self, text: str) -> bool:
        """The run has the year, or is a figure alone: some blogs set every figure of a date by itself."""
        return len(text) <= _ALONE or may_mention(text, self.when)


def _weight(found: FoundDate, text: str, when: datetime) -> float:
    """Exact moments before days, bare dates before sentences that mention one."""
    exact = 1.0 if found.precision == "minute" else 0.97
    same_day = 1.0 if found.moment.date() == when.date() else _NEXT_DAY
    alone = (found.end - found.start) / max(1, len(text.strip()))
    return exact * same_day * (0.85 + 0.15 * min(1.0, alone))


def standing_rules(examples: Iterable[tuple[Mapping[Rule, str], datetime | None]]) -> set[Rule]:
    """Return the rules that give one and the same text on posts of different days: the date of today, or of the blog.

    Examples are, for each page, what rules give on it and the day that the feed has.
    """
    texts: dict[Rule, set[str]] = {}
    days: dict[Rule, set[date]] = {}
    for given, when in examples:
        for rule, text in given.items():
            texts.setdefault(rule, set()).add(text)
            days.setdefault(rule, set()).update({when.date()} if when else ())
    return {rule for rule, found in texts.items() if len(found) == 1 and len(days[rule]) > 1}


def zone_of(pairs: Sequence[tuple[datetime, datetime]]) -> int | None:
    """Return the zone, in minutes east of UTC, that naive moments on pages are written in, if they agree; pairs are
    (the page's moment, the feed's). Summer time makes two zones of one: the more frequent is taken.
    """
    offsets = Counter(round((local - when.replace(tzinfo=None)).total_seconds() / 900) * 15 for local, when in pairs)
    if not offsets:
        return None
    minutes, count = offsets.most_common(1)[0]
    return minutes if count >= _MIN_ZONE_SHARE * len(pairs) and abs(minutes) <= 14 * 60 else None
