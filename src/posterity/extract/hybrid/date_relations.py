"""How the days on a page relate to each other: in which order they are shown, and which is alone of its kind.

The day of an article stands first behind its title, in an element such as no other day has. The days of other
articles stand in lists, in elements that are all alike; those of comments are later than what they comment on.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING

from posterity.dom.tree import TEXT
from posterity.extract.hybrid.date_candidates import IN_SENTENCE
from posterity.extract.hybrid.zones import NEAR_TITLE, NEXT_TO_TITLE, NOT_OF_ARTICLE, zone_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from posterity.dom import Tree
    from posterity.extract.hybrid.choice import Candidate
    from posterity.extract.hybrid.page_facts import PageFacts


def relations(page: PageFacts, title: int, candidates: Sequence[Candidate]) -> Mapping[str, set[str]]:
    """Return for the days that readers see the signs of how they relate to each other, by the key of the day."""
    signs: defaultdict[str, set[str]] = defaultdict(set)
    shown = [(each, zone_in(each.signs[0])) for each in candidates if each.node >= 0]
    alone = [(each, zone) for each, zone in shown if IN_SENTENCE not in each.signs]
    start = title if title >= 0 else page.article.node
    # In a thread the comments are what the page is about.
    unordered = {"unseen"} if page.is_thread else {"unseen", "comments"}
    for key, sign in _in_order([each for each, zone in alone if zone not in unordered], start):
        signs[key].add(sign)
    for key, sign in _alike(page.tree, alone):
        signs[key].add(sign)
    first_comment = min((each.key for each, zone in shown if zone == "comments"), default=None)
    if first_comment is not None and not page.is_thread:
        for each in candidates:
            signs[each.key].add("before comments" if each.key <= first_comment else "after first comment")
    return signs


def against_declared(day: str, declared: str) -> str:
    """Return the sign of a day that is not the one which the page declares."""
    days = (date.fromisoformat(day) - date.fromisoformat(declared)).days
    if abs(days) == 1:
        return "day after declared" if days > 0 else "day before declared"
    return "after declared" if days > 0 else "before declared"


def _in_order(shown: Sequence[Candidate], start: int) -> Iterator[tuple[str, str]]:
    """Which day is shown first on the page, which first behind its title, and which last before it."""
    behind = [each for each in shown if each.node >= start]
    before = [each for each in shown if each.node < start]
    if shown:
        yield min(shown, key=_place).key, "first shown"
    if behind:
        first = min(behind, key=_place)
        distance = first.node - start
        yield first.key, "first behind title"
        yield (
            first.key,
            f"first behind title: {'next' if distance < NEXT_TO_TITLE else 'near' if distance < NEAR_TITLE else 'far'}",
        )
    if before:
        yield max(before, key=_place).key, "last before title"


def _alike(tree: Tree, shown: Sequence[tuple[Candidate, str]]) -> Iterator[tuple[str, str]]:
    """Which days stand in elements such as other days have too."""
    kinds = [_kind(tree, each.node) for each, _ in shown]
    days: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for (each, _), kind in zip(shown, kinds, strict=True):
        days[kind].add(each.key)
    for (each, zone), kind in zip(shown, kinds, strict=True):
        sign = "alone of its kind" if len(days[kind]) == 1 else "one of its kind"
        yield each.key, f"{sign} elsewhere" if zone in NOT_OF_ARTICLE else sign


def _kind(tree: Tree, node: int) -> tuple[str, ...]:
    """The element that shows a day, by its name and class and the class of what it stands in."""
    element = tree.parent[node] if tree.tag[node] == TEXT else node
    return tree.tag[element], *(tree.attrs[each].get("class") or "" for each in (element, tree.parent[element]))


def _place(candidate: Candidate) -> int:
    return candidate.node
