"""The names on a page: ids, tags, classes and declarations, by which pages and rules are compared.

Names are numbered as they are met, and those of a page are the bits of one int: pages of one blog have hundreds of
names, nearly all of them in common. Names that can stand on one page only get no bit; no rule is made of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.tree import TEXT
from posterity.learn.naming import is_stable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree
    from posterity.model import Rule


class NumberedNames:
    """Turns names into bits; those of the same instance can be compared.

    Names are written as in CSS: `#main`, `article`, `.entry`, `div.entry`, `a[rel=author]`.
    """

    __slots__ = ("_bit", "_of_classes", "look")

    def __init__(self) -> None:
        self._bit: dict[str, int] = {}
        self._of_classes: dict[tuple[str, str], int] = {}
        # The names that tell one theme from another: ids and classes, whatever elements have them.
        self.look = 0

    def of(self, names: Iterable[str]) -> int:
        """Return the bits of these names."""
        bits = 0
        for name in names:
            bit = self._bit.get(name)
            bits |= self._numbered(name) if bit is None else bit
        return bits

    def of_classes(self, tag: str, classes: str) -> int:
        """Return the bits of an element's classes, each with the tag and without."""
        bits = self._of_classes.get((tag, classes))
        if bits is None:
            tokens = [token for token in classes.split() if is_stable(token)]
            names = [name for token in tokens for name in (f".{token}", f"{tag}.{token}")]
            bits = self._of_classes[tag, classes] = self.of(names)
        return bits

    def _numbered(self, name: str) -> int:
        bit = self._bit[name] = 1 << len(self._bit) if name[0] != "#" or is_stable(name[1:]) else 0
        if name[0] in "#.":
            self.look |= bit
        return bit


class PageNames(NamedTuple):
    """The names on one page."""

    bits: int
    numbers: NumberedNames

    @property
    def look(self) -> int:
        """What tells the page's theme from another: its ids and classes."""
        return self.bits & self.numbers.look

    def has(self, rule: Rule) -> bool:
        """Tell whether all names that the rule is made of are on the page, those of its ancestor included."""
        wanted = self.numbers.of(_names_in(rule))
        return wanted & self.bits == wanted and (rule.under is None or self.has(rule.under))


def names_on(tree: Tree, numbers: NumberedNames) -> PageNames:
    """Return the names of the page's elements."""
    tag = tree.tag
    bits = numbers.of(each for each in tree.nodes_by_tag if each != TEXT)
    bits |= numbers.of([f"#{name}" for _, name in tree.named.ids if name])
    for classes, nodes in tree.named.classes.items():
        for each in {tag[node] for node in nodes}:
            bits |= numbers.of_classes(each, classes)
    for said, nodes in tree.nodes_by_saying.items():
        bits |= numbers.of({f"{tag[node]}[{said}]" for node in nodes})
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
