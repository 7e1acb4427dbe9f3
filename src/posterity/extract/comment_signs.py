"""Which elements of a tree are named as comments, or as the place of comments: one look at every id and class.

Most pages have no such name, and nothing more is to be asked of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from posterity.extract.comment_place import COMMENT_CLASSES, COMMENT_ID, CONTAINERS
from posterity.text.remembered import Remembered

if TYPE_CHECKING:
    from posterity.dom import Tree

_PLACES = re.compile(
    r"^(?:[a-z]*[-_]?comments?[-_]?(?:list|area|section|thread|container|wrapper|block|body|content|inner|box|tpl|div)?|"
    r"discussion|disqus_thread|isso-thread|waline|giscus|utterances|remark42|commento|cusdis_thread|hyvor-talk-view|"
    r"posterity-frame|posterity-shadow)$",
    re.IGNORECASE,
)
# Each name of a place has one of these, and most names on a page have none: told sooner than by the pattern.
_STEMS = "comment discussion disqus isso waline giscus utterances remark42 cusdis hyvor posterity".split()


class _Sign(NamedTuple):
    """What an id or the classes of an element say."""

    is_comment: bool = False
    number: str | None = None
    is_place: bool = False
    containers: tuple[str, ...] = ()


class CommentSigns:
    """The elements of a tree that are named as comments, and the places for comments, in document order."""

    __slots__ = ("_containers", "_named", "_tree", "numbers", "places")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._named: list[int] = []
        self.numbers: dict[int, str] = {}
        self.places: list[int] = []
        self._containers: dict[str, list[int]] = {}
        for node, attrs in enumerate(tree.attrs):
            if attrs:
                # Most elements say nothing: they are not worth a call.
                if "class" in attrs and (sign := _CLASSES[attrs["class"] or ""]) is not None:
                    self._add(node, sign)
                if "id" in attrs and (sign := _IDS[attrs["id"] or ""]) is not None:
                    self._add(node, sign)

    def _add(self, node: int, sign: _Sign) -> None:
        if sign.is_comment and node not in self._named[-1:]:
            self._named.append(node)
        if sign.number is not None:
            self.numbers[node] = sign.number
        if sign.is_place and node not in self.places[-1:]:
            self.places.append(node)
        for name in sign.containers:
            self._containers.setdefault(name, []).append(node)

    def named(self, root: int = 0) -> list[int]:
        """Return the elements below a node that are named as comments."""
        end = self._tree.end[root]
        return [node for node in self._named if root < node < end]

    def root(self) -> int:
        """Return the smallest known container with all that can be comments; the tree's root if there is none."""
        tree = self._tree
        # Highlighted code is full of <span class="comment">.
        candidates = [node for node in self._named if tree.tag[node] != "span" or node in self.numbers]
        for name in CONTAINERS:
            nodes = self._containers.get(name, [])
            if len(nodes) == 1 and all(nodes[0] < node < tree.end[nodes[0]] for node in candidates):
                return nodes[0]
        return 0


def _sign_of_id(name: str) -> _Sign | None:
    # The last character tells of most ids that they have no number, sooner than a pattern does.
    match = COMMENT_ID.search(name) if name[-1:].isdecimal() else None
    number = next(filter(None, match.groups()), None) if match else None
    sign = _Sign(number is not None, number, _is_place(name), (f"#{name}",) if f"#{name}" in CONTAINERS else ())
    return sign if any(sign) else None


def _sign_of_classes(classes: str) -> _Sign | None:
    if not _may_be_place(classes):
        return None
    tokens = classes.split()
    containers = tuple(f".{token}" for token in dict.fromkeys(tokens) if f".{token}" in CONTAINERS)
    sign = _Sign(not COMMENT_CLASSES.isdisjoint(tokens), None, any(map(_is_place, tokens)), containers)
    return sign if any(sign) else None


def _may_be_place(names: str) -> bool:
    lowered = names.lower()
    return any(stem in lowered for stem in _STEMS)


def _is_place(name: str) -> bool:
    return _may_be_place(name) and _PLACES.match(name) is not None


_CLASSES, _IDS = Remembered(_sign_of_classes), Remembered(_sign_of_id)
