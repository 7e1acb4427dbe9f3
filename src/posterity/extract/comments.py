"""The comments on a post page as records: who, when, what, in answer to whom.

Blog software agrees on little, but on this: every comment has an element of its own, with an id that ends in the
comment's number or a class that says "comment", and an answer stands inside the element of what it answers or says so
in its depth class. A list of recent comments in a sidebar has neither texts nor a place in the main part.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from posterity.dom import text_of
from posterity.dom.clean_html import html_of
from posterity.dom.links import absolute
from posterity.extract.comment_lists import listed_comments
from posterity.extract.comment_parts import CommentParts, Part, comment_end
from posterity.extract.comment_place import NO_COMMENT_TAGS, is_something_else
from posterity.extract.comment_runs import RunItem, announced_comments
from posterity.extract.comment_signs import CommentSigns
from posterity.extract.found_field import aware
from posterity.model import Comment
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.text.dates import DayOrder

_DEPTH = re.compile(r"^depth-(\d+)$")
_LAST_NUMBER = re.compile(r"\d+$")
_MAX_COMMENTS = 20_000


class _Element(msgspec.Struct):
    """One comment's element while its neighbours are still being found."""

    node: int
    number: str | None
    parent: "_Element | None" = None
    inner: list[int] = []
    item: RunItem | None = None  # where the line above the thread gave it away, it has been read already


def comments_on(
    tree: Tree,
    base_url: str = "",
    languages: Sequence[str] = (),
    now: datetime | None = None,
    order: DayOrder | None = None,
) -> tuple[Comment, ...]:
    """Return the comments of the tree in reading order; none when it has no comment elements.

    `order` tells day from month where the rules know it; else the comments that settle it speak for the others.
    """
    return _comments(tree, _comment_elements(tree, CommentSigns(tree)), base_url, _Reader(languages, now, order))


def comments_of_page(tree: Tree, base_url: str = "", now: datetime | None = None) -> tuple[Comment, ...]:
    """Return the comments of a whole page; where they have a container of their own, none from outside it."""
    signs = CommentSigns(tree)
    return _comments(tree, _comment_elements(tree, signs, signs.root()), base_url, _Reader((), now, None))


def comment_roots(tree: Tree) -> frozenset[int]:
    """Return the elements that hold comments, so that nobody takes them for the article.

    A class alone is not enough here: authors call boxes of their own articles "comment".
    """
    return frozenset(
        node
        for element in _comment_elements(tree, CommentSigns(tree))
        if element.item or element.number or CommentParts(tree, element.node, frozenset()).author()
        for node in (element.item.nodes if element.item else _roots_of(tree, element.node))
    )


def _roots_of(tree: Tree, node: int) -> Iterator[int]:
    """The element of a comment, and those beside it that belong to it."""
    end = comment_end(tree, node)
    while node < end:
        yield node
        node = tree.end[node]


def _comments(tree: Tree, elements: list[_Element], base_url: str, reader: _Reader) -> tuple[Comment, ...]:
    inside: dict[int, list[int]] = {}
    for element in elements:
        if element.parent is not None:
            inside.setdefault(element.parent.node, []).append(element.node)
    read = [_read(tree, element, frozenset(inside.get(element.node, ()))) for element in elements]
    order = reader.order or _settled_order([one.date.text for one in read if one.date], reader.languages)
    reader = reader._replace(order=order)
    found = [
        comment
        for number, (element, one) in enumerate(zip(elements, read, strict=True), 1)
        if (comment := _comment(tree, element, one, f"c{number}", base_url, reader))
    ]
    return _threaded(tree, elements, found)


def _comment_elements(tree: Tree, signs: CommentSigns, root: int = 0) -> list[_Element]:
    return (
        _named_elements(tree, signs, root)
        or _listed_elements(tree, signs, root)
        or ([] if root else _announced_elements(tree))
    )


def _announced_elements(tree: Tree) -> list[_Element]:
    items = {item.nodes[0]: item for item in announced_comments(tree)[:_MAX_COMMENTS]}
    elements = _nested_elements(tree, items)
    for element in elements:
        element.item = items[element.node]
    return elements


def _listed_elements(tree: Tree, signs: CommentSigns, root: int) -> list[_Element]:
    places = (place for place in signs.places if root <= place < tree.end[root])
    return _nested_elements(tree, listed_comments(tree, places)[:_MAX_COMMENTS])


def _nested_elements(tree: Tree, nodes: Iterable[int]) -> list[_Element]:
    elements: list[_Element] = []
    open_elements: list[_Element] = []
    for node in nodes:
        while open_elements and tree.end[open_elements[-1].node] <= node:
            open_elements.pop()
        number = _LAST_NUMBER.search(tree.attrs[node].get("id") or "")
        element = _Element(
            node=node, number=number and number.group(), parent=open_elements[-1] if open_elements else None, inner=[]
        )
        elements.append(element)
        open_elements.append(element)
    return elements


def _named_elements(tree: Tree, signs: CommentSigns, root: int) -> list[_Element]:
    elements: list[_Element] = []
    open_elements: list[_Element] = []
    elsewhere: dict[int, bool] = {root: False}
    for node in signs.named(root):
        if tree.tag[node] in NO_COMMENT_TAGS or _stands_elsewhere(tree, node, elsewhere):
            continue
        while open_elements and comment_end(tree, open_elements[-1].node) <= node:
            open_elements.pop()
        _enter(tree, node, signs.numbers.get(node), elements, open_elements)
        if len(elements) >= _MAX_COMMENTS:
            break
    return elements


def _stands_elsewhere(tree: Tree, node: int, known: dict[int, bool]) -> bool:
    """Tell whether an element, or one around it, is named as something else than a list of comments."""
    path = []
    while node not in known:
        path.append(node)
        node = tree.parent[node]
    found = known[node]
    for inner in reversed(path):
        found = known[inner] = found or is_something_else(tree.tag[inner], tree.attrs[inner])
    return found


def _enter(tree: Tree, node: int, number: str | None, elements: list[_Element], open_elements: list[_Element]) -> None:
    """A new comment, or a second element around the same one (li#li-comment-7 > article#comment-7)."""
    outer = open_elements[-1] if open_elements else None
    if outer is not None and _same_comment(tree, outer, node, number):
        outer.number = outer.number or number
        outer.inner.append(node)
        return
    element = _Element(node=node, number=number, parent=outer, inner=[])
    elements.append(element)
    open_elements.append(element)


def _same_comment(tree: Tree, outer: _Element, node: int, number: str | None) -> bool:
    if number is not None and outer.number is not None:
        return number == outer.number
    # One of them has no number: the same comment as long as nothing but wrappers came before.
    return not one_line("".join(tree.text[outer.node : node]))


class _Read(NamedTuple):
    """The parts of one comment, not yet understood."""

    author: Part | None
    date: Part | None
    texts: list[tuple[int, frozenset[int]]]
    nested: frozenset[int]


class _Reader(NamedTuple):
    """How dates are to be read."""

    languages: Sequence[str]
    now: datetime | None
    order: DayOrder | None

    def moment(self, text: str) -> datetime | None:
        readings = read_dates(text, languages=self.languages, now=self.now, order=self.order)
        if not readings or (readings[0].ambiguous and self.order is None):
            return None
        return aware(readings[0], None)


def _read(tree: Tree, element: _Element, nested: frozenset[int]) -> _Read:
    if element.item is not None:
        signed = element.item.signed
        return _Read(signed.author, signed.date, signed.texts, nested)
    parts = CommentParts(tree, element.node, nested)
    author = parts.author()
    date = parts.date() or parts.date_beside(author)
    return _Read(author, date, parts.texts(author, date), nested)


def _settled_order(texts: Sequence[str], languages: Sequence[str]) -> DayOrder | None:
    """The order of day and month that the dates which have only one reading agree on."""
    orders = {
        found.order
        for text in texts
        for found in read_dates(text, languages=languages)
        if found.order in ("dmy", "mdy") and not found.ambiguous
    }
    return orders.pop() if len(orders) == 1 else None


def _comment(
    tree: Tree, element: _Element, read: _Read, fallback_id: str, base_url: str, reader: _Reader
) -> Comment | None:
    author, date, nested = read.author, read.date, read.nested
    text = "\n\n".join(filter(None, (text_of(tree, node, nested | skip) for node, skip in read.texts)))
    if not text:
        return None
    return Comment(
        id=f"comment-{element.number}" if element.number else fallback_id,
        author=author.text if author else None,
        author_url=absolute(base_url, author.link) if author else None,
        published=reader.moment(date.text) if date else None,
        text=text,
        html="".join(html_of(tree, base_url, node, nested | skip) for node, skip in read.texts),
    )


def _threaded(tree: Tree, elements: list[_Element], found: list[Comment]) -> tuple[Comment, ...]:
    """Parents by nesting, else by WordPress's depth classes for themes that close each comment before its answers."""
    ids = {comment.id for comment in found}
    last_at_depth: dict[int, str] = {}
    parents: dict[str, str] = {}
    names = {
        element.node: f"comment-{element.number}" if element.number else f"c{order}"
        for order, element in enumerate(elements, 1)
    }
    for element in elements:
        own = names[element.node]
        if element.parent is not None:
            parents[own] = names[element.parent.node]
            continue
        depth = next(
            (int(match.group(1)) for token in tree.classes(element.node) if (match := _DEPTH.match(token))), None
        )
        if depth is not None:
            last_at_depth[depth] = own
            if depth > 1 and depth - 1 in last_at_depth:
                parents[own] = last_at_depth[depth - 1]
    return tuple(
        msgspec.structs.replace(comment, parent=parent) if (parent := parents.get(comment.id)) in ids else comment
        for comment in found
    )
