"""Which elements of a tree are named as comments, or as the place of comments: one look at every id and class.

Most pages have no such name, and nothing more is to be asked of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from posterity.text.remembered import Remembered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.dom import Tree

_COMMENT_ID = re.compile(r"(?:^|[-_])(?:comment|cmt|reply|isso)[-_]?(\d+)$|^c(\d{4,})$", re.IGNORECASE)
_COMMENT_CLASSES = frozenset(
    "comment u-comment p-comment comment-item comment_item comment-entry commententry comment-wrap isso-comment "
    "gsc-comment timeline-comment cmt kommentar commentaire comentario commento komentarz yorum".split()
)
CONTAINERS = (
    "#comments",
    "#disqus_thread",
    ".comments",
    ".comments-area",
    ".commentlist",
    ".comment-list",
    "#commentlist",
    ".posterity-frame",
)
# How themes of other languages than English spell it, in lower case.
_WORD = re.compile(r"comment|kommentar|komentar|comentari|yorum|\bcmt\b")
# What the places of comments are called, in lower case: by that word, or as a service calls them.
_COMMENTS = re.compile(
    r"^[a-z]*[-_]?(?:comment(?:aire|i)?s?|kommentare?r?|komentar(?:ze|e)|comentarios|yorumlar)[-_]?"
    r"(?:list|area|section|thread|container|wrapper|block|body|content|inner|box|tpl|div)?$"
)
_SERVICES = frozenset(
    "discussion disqus_thread isso-thread waline giscus utterances remark42 commento cusdis_thread hyvor-talk-view "
    "posterity-frame posterity-shadow".split()
)


class Sign(NamedTuple):
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
        self.numbers: dict[int, str] = {}
        self._containers: dict[str, list[int]] = {}
        named: set[int] = set()
        places: set[int] = set()
        for nodes, sign in self._signs():
            if sign.is_comment:
                named.update(nodes)
            if sign.number is not None:
                self.numbers |= dict.fromkeys(nodes, sign.number)
            if sign.is_place:
                places.update(nodes)
            for name in sign.containers:
                self._containers.setdefault(name, []).extend(nodes)
        self._named: list[int] = sorted(named)
        self.places: list[int] = sorted(places)

    def _signs(self) -> Iterator[tuple[Sequence[int], Sign]]:
        """Yield what ids and classes say, where they say something, with the elements that have them."""
        for classes, nodes in self._tree.named.classes.items():
            if (sign := SIGNS_OF_CLASSES[classes]) is not None:
                yield nodes, sign
        for node, name in self._tree.named.ids:
            if (sign := sign_of_id(name)) is not None:
                yield (node,), sign

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


def sign_of_id(name: str) -> Sign | None:
    """Return what an id says, or None when it says nothing of comments."""
    # The last character tells of most ids that they have no number, sooner than a pattern does.
    match = _COMMENT_ID.search(name) if name[-1:].isdecimal() else None
    if match:
        number = next(filter(None, match.groups()))
        return Sign(is_comment=True, number=number)
    if not _is_place(name.lower()):
        return None
    container = f"#{name.lower()}"
    return Sign(is_place=True, containers=(container,) if container in CONTAINERS else ())


def _sign_of_classes(classes: str) -> Sign | None:
    lowered = classes.lower()
    if not (_may_tell(lowered) and _WORD.search(lowered)) and _SERVICES.isdisjoint(lowered.split()):
        return None
    tokens = classes.split()
    containers = tuple(f".{token}" for token in dict.fromkeys(lowered.split()) if f".{token}" in CONTAINERS)
    sign = Sign(not _COMMENT_CLASSES.isdisjoint(tokens), None, any(map(_is_place, lowered.split())), containers)
    return sign if any(sign) else None


def _is_place(name: str) -> bool:
    return name in _SERVICES or (_may_tell(name) and _COMMENTS.match(name) is not None)


def _may_tell(lowered: str) -> bool:
    """Whether a name has what all words for comments have. Patterns take ten times as long, and most names have not."""
    return "ment" in lowered or "yorum" in lowered or "cmt" in lowered


SIGNS_OF_CLASSES = Remembered(_sign_of_classes)
