"""Simple CSS selectors on a tree, for annotations that name elements instead of quoting them.

A selector is a chain of steps with a space between ("inside"), each a tag, `.class`, `#id`, `[attribute]` or
`[attribute=value]`, or several of these together: `article.post h2.title`. More is not needed to point at the parts
of one's own page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.errors import InputError

if TYPE_CHECKING:
    from posterity.dom import Tree

_PART = re.compile(r"""([\w-]+|\*)|\.([\w-]+)|\#([\w-]+)|\[([\w:-]+)(?:=["']?([^"'\]]*)["']?)?\]""")


class _Step(msgspec.Struct, frozen=True):
    tag: str = "*"
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str | None], ...] = ()

    def fits(self, tree: Tree, node: int) -> bool:
        attrs = tree.attrs[node]
        return (
            self.tag in ("*", tree.tag[node])
            and self.classes <= set(tree.classes(node))
            and all(name in attrs and value in (None, attrs[name]) for name, value in self.attributes)
        )


def selected(tree: Tree, selector: str, within: int = 0) -> list[int]:
    """Return the elements inside a node (the node itself included) that the selector names, or raise `InputError`."""
    *ancestors, last = _steps(selector)
    nodes = [node for node in range(within, tree.end[within]) if tree.tag[node][0] != "#" and last.fits(tree, node)]
    return [node for node in nodes if _stands_in(tree, node, ancestors)]


def _stands_in(tree: Tree, node: int, ancestors: list[_Step]) -> bool:
    wanted = list(ancestors)
    node = tree.parent[node]
    while wanted and node >= 0:
        if wanted[-1].fits(tree, node):
            wanted.pop()
        node = tree.parent[node]
    return not wanted


def _steps(selector: str) -> list[_Step]:
    steps = [_step(part, selector) for part in selector.split()]
    if not steps:
        raise InputError("An annotation has an empty selector. Leave it out, or name an element such as h2.title.")
    return steps


def _step(part: str, selector: str) -> _Step:
    tag, at = "*", 0
    classes: set[str] = set()
    attributes: list[tuple[str, str | None]] = []
    while at < len(part):
        match = _PART.match(part, at)
        if match is None:
            raise InputError(
                f"The selector {selector!r} cannot be used. Write tags, .class, #id and [attribute=value] only."
            )
        name, class_, id_, attribute, value = match.groups()
        tag = name or tag
        classes |= {class_} if class_ else set()
        attributes += [("id", id_)] if id_ else [(attribute, value)] if attribute else []
        at = match.end()
    return _Step(tag.lower(), frozenset(classes), tuple(attributes))
