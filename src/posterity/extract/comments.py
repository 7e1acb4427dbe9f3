"""The comments on a post page as records: who, when, what, in answer to whom.

Blog software agrees on little, but on this: every comment has an element of its own, with an id that ends in the
comment's number or a class that says "comment", and an answer stands inside the element of what it answers or says so
in its depth class. A list of recent comments in a sidebar has neither texts nor a place in the main part.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.dom import text_of
from posterity.dom.clean_html import html_of
from posterity.dom.links import absolute
from posterity.extract.comment_parts import CommentParts
from posterity.extract.comment_place import COMMENT_CLASSES, COMMENT_ID
from posterity.model import Comment
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from posterity.dom import Tree

_DEPTH = re.compile(r"^depth-(\d+)$")
_NOT_COMMENTS = re.compile(r"recent|sidebar|respond$|comment-?form|pingback|trackback", re.IGNORECASE)
_NO_COMMENT_TAGS = frozenset({"body", "html", "form", "a", "span", "h2", "h3"})
_MAX_COMMENTS = 20_000


class _Element(msgspec.Struct):
    """One comment's element while its neighbours are still being found."""

    node: int
    number: str | None
    parent: "_Element | None" = None
    inner: list[int] = []


def comments_on(
    tree: Tree, base_url: str = "", languages: Sequence[str] = (), now: datetime | None = None
) -> tuple[Comment, ...]:
    """Return the comments of the page in reading order; none when it has no comment elements."""
    elements = _comment_elements(tree)
    inside: dict[int, list[int]] = {}
    for element in elements:
        if element.parent is not None:
            inside.setdefault(element.parent.node, []).append(element.node)
    found = []
    for order, element in enumerate(elements, 1):
        nested = frozenset(inside.get(element.node, ()))
        comment = _comment(tree, element, nested, f"c{order}", base_url, languages, now)
        if comment is not None:
            found.append(comment)
    return _threaded(tree, elements, found)


def comment_roots(tree: Tree) -> frozenset[int]:
    """Return the elements that hold comments, so that nobody takes them for the article.

    A class alone is not enough here: authors call boxes of their own articles "comment".
    """
    return frozenset(
        element.node
        for element in _comment_elements(tree)
        if element.number or CommentParts(tree, element.node, frozenset()).author()
    )


def _comment_elements(tree: Tree) -> list[_Element]:
    elements: list[_Element] = []
    open_elements: list[_Element] = []
    passed = 0
    for node, attrs in enumerate(tree.attrs):
        if not attrs or node < passed or not node or tree.tag[node] in _NO_COMMENT_TAGS:
            continue
        classes = attrs.get("class") or ""
        if _is_something_else(attrs.get("id") or "", classes):
            passed = tree.end[node]
            continue
        number = _number(attrs)
        if number or (classes and not COMMENT_CLASSES.isdisjoint(classes.split())):
            while open_elements and tree.end[open_elements[-1].node] <= node:
                open_elements.pop()
            _enter(tree, node, number, elements, open_elements)
            if len(elements) >= _MAX_COMMENTS:
                break
    return elements


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


def _number(attrs: dict[str, str | None]) -> str | None:
    match = COMMENT_ID.search(attrs.get("id") or "")
    return next(filter(None, match.groups()), None) if match else None


def _is_something_else(name: str, classes: str) -> bool:
    if not name and not classes:
        return False
    names = f"{name} {classes}"
    return _NOT_COMMENTS.search(names) is not None and "comment-respond-" not in names


def _comment(
    tree: Tree,
    element: _Element,
    nested: frozenset[int],
    fallback_id: str,
    base_url: str,
    languages: Sequence[str],
    now: datetime | None,
) -> Comment | None:
    parts = CommentParts(tree, element.node, nested)
    author, date = parts.author(), parts.date()
    texts = parts.texts(author, date)
    text = "\n\n".join(filter(None, (text_of(tree, node, nested | skip) for node, skip in texts)))
    if not text:
        return None
    readings = read_dates(date.text, languages=languages, now=now) if date else ()
    moment = readings[0].moment if readings and not readings[0].ambiguous else None
    return Comment(
        id=f"comment-{element.number}" if element.number else fallback_id,
        author=author.text if author else None,
        author_url=absolute(base_url, author.link) if author else None,
        published=_aware(moment),
        text=text,
        html="".join(html_of(tree, base_url, node, nested | skip) for node, skip in texts),
    )


def _aware(moment: datetime | None) -> datetime | None:
    from datetime import UTC

    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


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
