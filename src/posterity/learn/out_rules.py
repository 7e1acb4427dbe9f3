"""OUT rules: what stands inside the article's node and is not of the article, page after page.

Share bars, author boxes, "posted in", related posts. With a whole feed text the test is direct: a part whose words
the feed never has is foreign. Without one, a part is foreign when all of its text belongs to the blog's template or
to fields that were found elsewhere (title, date, author, tags, comments). One page may be wrong, because feeds leave
things out; a rule needs nearly all of its nodes to be foreign, on more than one page. And what outweighs the feed's
whole text on the few pages that have it, a slideshow, was left out by the feed and not put in by the blog.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from posterity.learn.naming import kind_names, places_of_children
from posterity.model import FieldRule, Rule
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from posterity.dom import Tree

# A run this short ("3", "by") stands in any text by accident and says nothing.
MUTE = 2
# A name or a tag may do so too: up to this length, a run is the article's own only where it goes on after the run
# before, or soon after.
_SHORT, _SOON = 20, 16
# A foreign part may hold this share of the article's words by accident.
_NATIVE_SHARE = 0.05
_MIN_FOREIGN = 0.95
_FORGIVING = 8  # nodes, of which one may be native: a tag's name that is the first word of the text
_SAYING_TAGS = frozenset(
    {"footer", "header", "nav", "aside", "h1", "h2", "time", "address", "form", "button", "label", "cite"}
)
_NAMES = frozenset({"id", "class", "attr"})
_KIND_RANK = {"id": 0, "class": 1, "attr": 2, "tag": 3, "child": 4}
_MIN_PAGES_SHARE = 0.1
_MIN_PLACE_SHARE = 0.6
# A part that outweighs the article is none of it only if most pages have it.
_MIN_VAST_SHARE = 0.5


class OutBallot(msgspec.Struct, frozen=True):
    """One page: how many nodes each rule names and how many of them are foreign, and the foreign parts.

    A part is its names, and the numbers of the parts inside it, its own included. `vast` are the names of parts that
    have more text than the article.
    """

    counts: dict[Rule, tuple[int, int]]
    parts: tuple[tuple[tuple[Rule, ...], range], ...]
    vast: frozenset[Rule] = frozenset()


def foreign_by_feed(target: str) -> Callable[[str], bool | None]:
    """Return the test of a text run against the feed's text: foreign, native, or nothing to say (None).

    Runs are best asked about in their order: the search begins where the run before was found.
    """
    whole = letters_and_digits(target)
    reached = 0

    def is_foreign(run: str) -> bool | None:
        nonlocal reached
        key = letters_and_digits(run)
        if len(key) <= MUTE:
            return None
        is_short = len(key) <= _SHORT
        found = whole.find(key, reached, reached + _SOON + len(key)) if is_short else whole.find(key, reached)
        if found >= 0:
            reached = found + len(key)
            return False
        if key not in whole:
            return True
        return None if is_short else False

    return is_foreign


def out_ballot(article: Tree, is_foreign: Callable[[int], bool | None]) -> OutBallot:
    """Return the page's opinion; `is_foreign` judges the text runs of the article's tree by node.

    Native nodes vote too: a name that the article's own paragraphs share is no name of something foreign.
    """
    foreign, native = _masses(article, is_foreign)
    counts: dict[Rule, tuple[int, int]] = {}
    foreign_nodes: list[tuple[int, tuple[Rule, ...]]] = []
    vast: set[Rule] = set()
    places = places_of_children(article)
    for node in range(1, len(article)):
        if article.tag[node] == "#text" or not foreign[node] + native[node] or article.unseen[node]:
            continue
        out = _is_foreign_node(foreign, native, node)
        names = tuple(rule for rule in (*kind_names(article, node), *places.get(node, ())) if _says_enough(rule))
        for rule in names:
            named, outside = counts.get(rule, (0, 0))
            counts[rule] = (named + 1, outside + out)
        if out:
            foreign_nodes.append((node, names))
            if foreign[node] > native[0]:
                vast.update(names)
    return OutBallot(counts, _parts(article, foreign_nodes), frozenset(vast))


def _says_enough(rule: Rule) -> bool:
    """A <div> or <p> without a name may be anything on the next page, wherever it stands."""
    return rule.kind != "tag" or rule.value in _SAYING_TAGS


def _parts(article: Tree, nodes: list[tuple[int, tuple[Rule, ...]]]) -> tuple[tuple[tuple[Rule, ...], range], ...]:
    starts = [node for node, _ in nodes]
    return tuple(
        (names, range(number, bisect_left(starts, article.end[node]))) for number, (node, names) in enumerate(nodes)
    )


def _forgiven(rule: Rule, named: int) -> int:
    """How many native nodes a rule may name. A place is no name: what stands last in one post may be its author's."""
    return 1 if named >= _FORGIVING and rule.kind in _NAMES else 0


def elect_out(ballots: Sequence[OutBallot], min_pages_share: float = _MIN_PAGES_SHARE) -> tuple[FieldRule, ...]:
    """Return the OUT rules, most frequent first. All of their matches are left out."""
    named: dict[Rule, int] = defaultdict(int)
    foreign: dict[Rule, int] = defaultdict(int)
    pages: dict[Rule, int] = defaultdict(int)
    vast = Counter(rule for page in ballots for rule in page.vast)
    for page in ballots:
        for rule, (count, out) in page.counts.items():
            named[rule] += count
            foreign[rule] += out
            pages[rule] += 1
    trusted = {
        rule
        for rule in named
        if named[rule] - foreign[rule] <= max(_forgiven(rule, named[rule]), named[rule] * (1 - _MIN_FOREIGN))
        and pages[rule] >= _enough(rule, len(ballots), min_pages_share)
        and (2 * vast[rule] <= pages[rule] or pages[rule] >= _MIN_VAST_SHARE * len(ballots))
    }
    return tuple(
        FieldRule(
            rule=rule,
            confidence=round(foreign[rule] / named[rule], 4),
            pages=pages[rule],
            of_pages=len(ballots),
            per_page=0,
        )
        for rule in _needed(ballots, trusted)
    )


def _needed(ballots: Sequence[OutBallot], rules: set[Rule]) -> list[Rule]:
    """Of many names for the same parts one is enough: those that reach most go first, others must add something."""
    reach: dict[Rule, set[tuple[int, int]]] = defaultdict(set)
    for number, page in enumerate(ballots):
        for names, inside in page.parts:
            for rule in names:
                if rule in rules:
                    reach[rule].update((number, part) for part in inside)
    reached: set[tuple[int, int]] = set()
    needed = []
    for rule in sorted(rules, key=lambda rule: (-len(reach[rule]), _KIND_RANK[rule.kind], rule.css)):
        if reach[rule] - reached:
            needed.append(rule)
            reached |= reach[rule]
    return needed


def _enough(rule: Rule, pages: int, share: float) -> float:
    """A name says what it is; a place or a bare tag needs more witnesses, since articles differ in length."""
    if rule.kind in ("child", "tag"):
        share = max(share, _MIN_PLACE_SHARE)
    return max(min(2, pages), pages * share)


def _masses(article: Tree, is_foreign: Callable[[int], bool | None]) -> tuple[list[int], list[int]]:
    """For every node, the characters below it that are foreign, and those that are native."""
    foreign, native = [0] * len(article), [0] * len(article)
    for node in article.runs:
        verdict = is_foreign(node)
        if verdict is not None:
            (foreign if verdict else native)[node] = len(article.text[node].strip())
    return article.summed(foreign), article.summed(native)


def _is_foreign_node(foreign: list[int], native: list[int], node: int) -> bool:
    return foreign[node] > 0 and native[node] <= _NATIVE_SHARE * foreign[node]
