"""The parts of one comment's element: its author, its date, and what is left as its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.dom import Tree

# Class tokens by how surely they mark the part, surest first.
_TEXT_CLASSES = (
    "comment-content comment-text comment_text dsq-comment-message e-content p-content comment-message "
    "comment-description commenttext comment__content comment-entry-content"
).split()
_BODY_CLASSES = "comment-body comment_body commentbody comment-block".split()
_AUTHOR_CLASSES = (
    "fn p-author u-author comment-author comment_author comment-author-name commentauthor user author "
    "dsq-commenter-name"
).split()
_DATE_CLASSES = (
    "dt-published comment-date comment-time comment-timestamp datetime comment-meta commentmetadata date time "
    "comment-permalink published dsq-comment-meta"
).split()
_SAYS = re.compile(
    r"\s*(?:says?|wrote|said|sagt|schrieb|meint|dit|a écrit|dice|dijo|ha scritto|skrev|пишет|yazdı|さんのコメント|より|说道?)?"  # noqa: E501
    r"\s*[:：.,]?\s*$",
    re.IGNORECASE,
)
_META = re.compile(
    r"(?:^|[-_ ])(?:meta|metadata|author|vcard|avatar|reply|actions?|footer|header|edit|date|time|permalink|says|"
    r"moderation|like|toolbar)(?:$|[-_ ])",
    re.IGNORECASE,
)


class Part(msgspec.Struct, frozen=True):
    """A node with its text, and the address it links to."""

    node: int
    text: str
    link: str | None = None


def author_part(tree: Tree, element: int, nested: frozenset[int]) -> Part | None:
    """Return who wrote the comment: the surest class, else <cite>, else the first <strong> or <b>."""
    for node in _candidates(tree, element, nested, _AUTHOR_CLASSES, ("cite",)):
        text = _SAYS.sub("", one_line(_own_plain(tree, node, nested)))
        if 0 < len(text) <= 80:
            return Part(node, text, _first_link(tree, node))
    return None


def date_part(tree: Tree, element: int, nested: frozenset[int]) -> Part | None:
    """Return when it was written: <time datetime>, else the surest class, else the link to the comment itself."""
    for node in _inside(tree, element, nested):
        if tree.tag[node] == "time":
            return Part(node, tree.attrs[node].get("datetime") or one_line(tree.plain(node)))
    for node in _candidates(tree, element, nested, _DATE_CLASSES, ()):
        text = one_line(_own_plain(tree, node, nested))
        if re.search(r"\d", text) and len(text) <= 120:
            return Part(node, tree.attrs[node].get("title") or text)
    for node in _inside(tree, element, nested):
        if tree.tag[node] == "a" and re.search(r"#(?:comment-?)?c?\d+$", tree.attrs[node].get("href") or ""):
            return Part(node, one_line(tree.plain(node)))
    return None


def text_parts(
    tree: Tree, element: int, nested: frozenset[int], author: Part | None, date: Part | None
) -> list[tuple[int, frozenset[int]]]:
    """Return the nodes that hold the comment's words, each with what to leave out of it."""
    for wanted in _TEXT_CLASSES:
        nodes = [node for node in _inside(tree, element, nested) if wanted in tree.classes(node)]
        if nodes:
            return [(nodes[0], _meta_parts(tree, nodes[0], nested, author, date))]
    paragraphs = [
        node for node in _inside(tree, element, nested) if tree.tag[node] == "p" and not _is_meta(tree, node, element)
    ]
    holds = [node for node in paragraphs if not (author and node <= author.node < tree.end[node])] or paragraphs
    if holds:
        return [(node, _meta_parts(tree, node, nested, author, date)) for node in holds]
    bodies = list(_candidates(tree, element, nested, _BODY_CLASSES, ()))
    body = bodies[0] if bodies else element
    return [(body, _meta_parts(tree, body, nested, author, date))]


def _meta_parts(
    tree: Tree, body: int, nested: frozenset[int], author: Part | None, date: Part | None
) -> frozenset[int]:
    """Author, date, avatar, reply links: whatever in the body is named as about the comment, not of it."""
    named = {part.node for part in (author, date) if part and body < part.node < tree.end[body]}
    node, stop = body + 1, tree.end[body]
    while node < stop:
        if node in nested or node in named or _names_meta(tree, node):
            named.add(node)
            node = tree.end[node]
        else:
            node += 1
    return frozenset(named)


def _names_meta(tree: Tree, node: int) -> bool:
    attrs = tree.attrs[node]
    return bool(attrs) and _META.search(f"{attrs.get('id') or ''} {attrs.get('class') or ''}") is not None


def _is_meta(tree: Tree, node: int, element: int) -> bool:
    while node > element:
        if _names_meta(tree, node):
            return True
        node = tree.parent[node]
    return False


def _candidates(
    tree: Tree, element: int, nested: frozenset[int], classes: Sequence[str], tags: tuple[str, ...]
) -> Iterator[int]:
    own = list(_inside(tree, element, nested))
    for wanted in classes:
        yield from (node for node in own if wanted in tree.classes(node))
    yield from (node for node in own if tree.tag[node] in tags)


def _inside(tree: Tree, element: int, nested: frozenset[int]) -> Iterator[int]:
    """The elements below a comment's, answers to it left out."""
    node, stop = element + 1, tree.end[element]
    while node < stop:
        if node in nested or tree.unseen[node]:
            node = tree.end[node]
            continue
        if tree.tag[node] != "#text":
            yield node
        node += 1


def _own_plain(tree: Tree, node: int, nested: frozenset[int]) -> str:
    if not any(node < inner < tree.end[node] for inner in nested):
        return tree.plain(node)
    return "".join(tree.text[each] for each in _inside(tree, node, nested))


def _first_link(tree: Tree, node: int) -> str | None:
    around = (node, *range(node + 1, tree.end[node]), tree.parent[node])
    return next((href for each in around if tree.tag[each] == "a" and (href := tree.attrs[each].get("href"))), None)
