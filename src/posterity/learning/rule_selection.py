"""Selection of the rules of a field from the scores of many pages.

Algorithms 1 and 2 of the BlogForever paper return the rule that is best on most pages. Here every page scores every
rule, and the rule with the highest sum wins. Ties go to rules that name a node over rules that only give its position,
then to the tighter node. The pages on which the winner matches nothing are summed again among themselves, and their
winner is the next rule of the set.

The candidate rules are AllRules of the BlogForever paper (section 1.3): id, else classes, else position. Trials on
real blogs changed three points. A class is a set of tokens, not a string. An id or token with a digit belongs to one
post or one build of the theme. An element without a name is found under its nearest named ancestor, which survives
more changes than an absolute path.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from posterity.dom import Tree
from posterity.dom.tree import DECLARING_ATTRIBUTES, TEXT, matches
from posterity.model import FieldRule, Rule

_DIGIT = re.compile(r"\d")
_DECLARING = sorted(DECLARING_ATTRIBUTES)
_MAX_CLIMB = 6
_FARTHEST_PLACE = 24


@lru_cache(maxsize=4096)  # a blog's pages repeat the same names
def is_stable(name: str) -> bool:
    """Return whether an id or class token can occur on more than one page: it has no digits and is not a sentence."""
    return bool(name) and not _DIGIT.search(name) and len(name) <= 60


def names_of(tree: Tree, node: int) -> list[Rule]:
    """Return the rules that match the node, most stable first; another node may match earlier on the page."""
    return [*kind_names(tree, node), Rule("path", tree.path(node))]


def kind_names(tree: Tree, node: int) -> list[Rule]:
    """Return the rules that a node can share with similar nodes: all but its path."""
    return list(_own_names(tree, node)) or _names_under_ancestor(tree, node)


def _own_names(tree: Tree, node: int) -> tuple[Rule, ...]:
    attrs = tree.attrs[node]
    if not attrs:
        return ()
    declared = tuple((name, value) for name in _DECLARING if (value := attrs.get(name)))
    return _named(tree.tag[node], attrs.get("id"), declared, attrs.get("class"))


@lru_cache(maxsize=4096)  # a blog's pages share a few dozen distinct names
def _named(tag: str, name: str | None, declared: tuple[tuple[str, str], ...], classes: str | None) -> tuple[Rule, ...]:
    rules = [Rule("id", name)] if name and is_stable(name) else []
    rules += [
        Rule("attr", f"{attribute}={token}", tag)
        for attribute, value in declared
        for token in value.split()
        if is_stable(token)
    ]
    tokens = sorted({token for token in (classes or "").split() if is_stable(token)})
    rules += [Rule("class", token, tag) for token in tokens]
    if len(tokens) > 1:
        rules.append(Rule("class", " ".join(tokens), tag))
    return tuple(rules)


def places_of_children(tree: Tree) -> dict[int, tuple[Rule, ...]]:
    """Return the rules that name children of the tree's root by position, counted from the start and from the end.

    Positions far from both ends are left out: they hold something else on the next page.
    """
    same: dict[str, list[int]] = {}
    for child in tree.children(0):
        same.setdefault(tree.tag[child], []).append(child)
    places: dict[int, tuple[Rule, ...]] = {}
    for tag, nodes in same.items():
        for place, node in enumerate(nodes):
            numbers = (place + 1, place - len(nodes))
            places[node] = tuple(_place(tag, number) for number in numbers if abs(number) <= _FARTHEST_PLACE)
    return places


@lru_cache(maxsize=4096)
def _place(tag: str, number: int) -> Rule:
    return Rule("child", f"{tag}:{number}")


def _names_under_ancestor(tree: Tree, node: int) -> list[Rule]:
    """Rules for an element without a name: "the h1 in .entry-header", then "the h1"."""
    rules = [Rule("tag", tree.tag[node])]
    ancestor = tree.parent[node]
    for _ in range(_MAX_CLIMB):
        if ancestor < 0:
            break
        names = _own_names(tree, ancestor)
        if names:
            return [Rule("tag", tree.tag[node], under=anchor) for anchor in names] + rules
        ancestor = tree.parent[ancestor]
    return rules


class NameBits:
    """Maps names to bits; only bits from the same instance are comparable.

    Names are written as in CSS: `#main`, `article`, `.entry`, `div.entry`, `a[rel=author]`.
    """

    __slots__ = ("_bit", "_of_classes", "theme_bits")

    def __init__(self) -> None:
        self._bit: dict[str, int] = {}
        self._of_classes: dict[tuple[str, str], int] = {}
        # The bits of ids and of classes without tag, which differ between themes.
        self.theme_bits = 0

    def of(self, names: Iterable[str]) -> int:
        """Return the bits of these names."""
        bits = 0
        for name in names:
            bit = self._bit.get(name)
            bits |= self._number_of(name) if bit is None else bit
        return bits

    def of_classes(self, tag: str, classes: str) -> int:
        """Return the bits of an element's classes, each with and without the tag."""
        bits = self._of_classes.get((tag, classes))
        if bits is None:
            tokens = [token for token in classes.split() if is_stable(token)]
            names = [name for token in tokens for name in (f".{token}", f"{tag}.{token}")]
            bits = self._of_classes[tag, classes] = self.of(names)
        return bits

    def _number_of(self, name: str) -> int:
        bit = self._bit[name] = 1 << len(self._bit) if name[0] != "#" or is_stable(name[1:]) else 0
        if name[0] in "#.":
            self.theme_bits |= bit
        return bit


class PageNames(NamedTuple):
    """The names on one page."""

    bits: int
    numbers: NameBits

    @property
    def theme_bits(self) -> int:
        """The ids and classes on the page, which distinguish its theme."""
        return self.bits & self.numbers.theme_bits

    def has(self, rule: Rule) -> bool:
        """Return whether the page has all names in the rule, including those of its ancestor."""
        wanted = self.numbers.of(_names_in(rule))
        return wanted & self.bits == wanted and (rule.under is None or self.has(rule.under))


def names_on(tree: Tree, numbers: NameBits) -> PageNames:
    """Return the names of the page's elements."""
    tag = tree.tag
    bits = numbers.of(each for each in tree.nodes_by_tag if each != TEXT)
    bits |= numbers.of([f"#{name}" for _, name in tree.named.ids if name])
    for classes, nodes in tree.named.classes.items():
        for each in {tag[node] for node in nodes}:
            bits |= numbers.of_classes(each, classes)
    for declared, nodes in tree.nodes_by_declaration.items():
        bits |= numbers.of({f"{tag[node]}[{declared}]" for node in nodes})
    return PageNames(bits, numbers)


def _names_in(rule: Rule) -> tuple[str, ...]:
    match rule.kind:
        case "id":
            return (f"#{rule.value}",)
        case "attr":
            return (f"{rule.tag}[{rule.value}]",)
        case "class":
            return tuple(f"{rule.tag}.{token}" for token in rule.value.split())
        case _:
            return (rule.value,)


KIND_RANK = {"id": 0, "class": 1, "attr": 2, "tag": 3, "child": 4, "path": 5}
# Sums this close count as equal (rounding, a stray footnote), and the tighter node wins.
_SAME = 0.01
_MAX_RULES = 4


class RuleScores(msgspec.Struct, frozen=True):
    """One page's scores: for each rule the similarity and size of its first node, and the number of its nodes."""

    scores: dict[Rule, tuple[float, int, int]]
    # Distinguishes a rule that matches the wrong node from one that matches nothing.
    names: PageNames | None = None

    def matches(self, rule: Rule) -> bool:
        """Return whether the rule matches a node on this page, by its names."""
        if rule in self.scores:
            return True
        return rule.kind not in ("path", "child") and self.names is not None and self.names.has(rule)


def rule_scores(tree: Tree, scores: Mapping[int, float], names: PageNames | None = None) -> RuleScores:
    """Return the page's scores of all rules whose first match is one of the scored nodes.

    Without `names`, the names on the page, a rule counts as matching only where it is scored.
    """
    scores_by_rule = {
        rule: (scores[node], tree.end[node] - node, count) for rule, node, count in first_names(tree, scores)
    }
    return RuleScores(scores_by_rule, names or names_on(tree, NameBits()))


def first_names(tree: Tree, nodes: Iterable[int]) -> Iterator[tuple[Rule, int, int]]:
    """Yield the rules whose first match is one of the nodes, with that node and the number of matches."""
    first: dict[Rule, tuple[int, int]] = {}
    for node in nodes:
        for rule in kind_names(tree, node):
            if rule not in first:
                found = matches(tree, rule)
                first[rule] = found[0], len(found)
            if first[rule][0] == node:
                yield rule, node, first[rule][1]
        yield Rule("path", tree.path(node)), node, 1


def without(page_rule_scores: Sequence[RuleScores], rules: set[Rule]) -> list[RuleScores]:
    """Return the scores with these rules removed."""
    return [
        RuleScores({rule: score for rule, score in page.scores.items() if rule not in rules}, page.names)
        for page in page_rule_scores
    ]


def select_rules(page_rule_scores: Sequence[RuleScores], min_confidence: float) -> tuple[FieldRule, ...]:
    """Return the rules of the field in the order to try them; none when no rule reaches the confidence.

    The rule of most pages goes first unless another is better where both match: one kind of post may have its title
    where another kind has a heading in its text.
    """
    chosen_rules: list[FieldRule] = []
    pages = list(page_rule_scores)
    while pages and len(chosen_rules) < _MAX_RULES:
        winner = best_rule(pages)
        if winner is None:
            break
        served = [page.scores[winner] for page in pages if winner in page.scores]
        reached = [page for page in pages if page.matches(winner)]
        confidence = sum(score for score, _, _ in served) / len(reached)
        if confidence < min_confidence:
            break
        matched = [page for page in page_rule_scores if page.matches(winner)]
        both = ([page for page in matched if page.matches(rule.rule)] for rule in chosen_rules)
        pairs = enumerate(zip(chosen_rules, both, strict=True))
        better = (place for place, (rule, some) in pairs if _score(winner, some) > _score(rule.rule, some))
        rank, most = next(better, len(chosen_rules)), max(count for _, _, count in served)
        confidence, total = round(confidence, 4), len(page_rule_scores)
        chosen = FieldRule(rule=winner, confidence=confidence, pages=len(reached), of_pages=total, per_page=most)
        chosen_rules.insert(rank, chosen)
        pages = [page for page in pages if not page.matches(winner)]
    return tuple(chosen_rules)


def _score(rule: Rule, pages: Sequence[RuleScores]) -> float:
    return sum(page.scores[rule][0] for page in pages if rule in page.scores)


def best_rule(pages: Sequence[RuleScores]) -> Rule | None:
    """Return the rule with the highest sum, the most stable and tightest of equals; None without scores."""
    sums: dict[Rule, float] = defaultdict(float)
    sizes: dict[Rule, int] = defaultdict(int)
    for page in pages:
        for rule, (score, size, _) in page.scores.items():
            sums[rule] += score
            sizes[rule] += size
    if not sums:
        return None
    best = max(sums.values())
    tied = [rule for rule, total in sums.items() if total >= best * (1 - _SAME)]
    return min(
        tied, key=lambda rule: (KIND_RANK[rule.kind] > 2, sizes[rule], KIND_RANK[rule.kind], -sums[rule], rule.css)
    )
