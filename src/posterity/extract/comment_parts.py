"""The parts of one comment's element: its author, its date, and what is left as its text."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from posterity.dom.tree import TEXT, UNSEEN_TAGS, is_hidden
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.dom import Tree

# Class tokens by how surely they mark the part, surest first.
_TEXT_CLASSES = (
    "comment-content wp-block-comment-content comment-text comment_text dsq-comment-message e-content p-content "
    "comment-message comment-description commenttext comment__content comment-entry-content comment__text isso-text "
    "gsc-comment-content gsc-reply-content wl-content post-message markdown-body"
).split()
_BODY_CLASSES = "comment-body comment_body commentbody comment-block".split()
_AUTHOR_CLASSES = (
    "fn p-author u-author comment-author comment_author comment-author-name wp-block-comment-author-name commentauthor "
    "user author dsq-commenter-name isso-author wl-nick gsc-comment-author gsc-reply-author comment__username"
).split()
_DATE_CLASSES = (
    "dt-published wp-block-comment-date comment-date comment-time comment-timestamp datetime comment-meta "
    "commentmetadata date time comment-permalink published dsq-comment-meta wl-time time-ago "
    "comment__time"
).split()
SAYS = re.compile(
    r"\s*(?:says?|wrote|said|sagt|schrieb|meint|dit|a écrit|dice|dijo|ha scritto|skrev|пишет|yazdı|さんのコメント|より|说道?)?"  # noqa: E501
    r"\s*[:：.,…]*\s*$",
    re.IGNORECASE,
)
_META = re.compile(
    r"(?:^|[-_ ])(?:meta|metadata|author|vcard|avatar|reply|actions?|footer|header|edit|date|time|permalink|says|"
    r"moderation|like|toolbar)(?:$|[-_ ])",
    re.IGNORECASE,
)


_DIGIT = re.compile(r"\d")
_OWN_LINK = re.compile(r"#(?:comment-?)?c?\d+$")
_MAX_NAME, _MAX_DATE = 80, 120


class Part(msgspec.Struct, frozen=True):
    """A node with its text, and the address it links to."""

    node: int
    text: str
    link: str | None = None


class CommentParts:
    """One comment's element, read once: its elements in order and by class, answers to it left out."""

    __slots__ = ("_by_class", "_element", "_nested", "_own", "_tree")

    def __init__(self, tree: Tree, element: int, nested: frozenset[int]) -> None:
        self._tree, self._element, self._nested = tree, element, nested
        self._own = _inside(tree, element, nested)
        self._by_class: dict[str, list[int]] = {}
        for node in self._own:
            names = tree.attrs[node].get("class")
            for token in names.split() if names else ():
                self._by_class.setdefault(token, []).append(node)

    def author(self) -> Part | None:
        """Return who wrote the comment: the surest class, else <cite>, else a name in bold above its words.

        In a list of definitions it is the term.
        """
        cited = (node for node in self._own if self._tree.tag[node] == "cite")
        term = (self._element,) if self._tree.tag[self._element] == "dt" else ()
        for node in chain(self._named(_AUTHOR_CLASSES), cited, self._bold_before_the_words(), term):
            text = SAYS.sub("", one_line(self._plain(node)))
            if 0 < len(text) <= _MAX_NAME:
                return Part(node, text, _first_link(self._tree, node))
        return None

    def date(self) -> Part | None:
        """Return when it was written: <time datetime>, else the surest class, else the link to the comment itself."""
        tree = self._tree
        for node in self._own:
            if tree.tag[node] == "time":
                return Part(node, tree.attrs[node].get("datetime") or one_line(tree.plain(node)))
        for node in self._named(_DATE_CLASSES):
            text = one_line(self._plain(node))
            if len(text) <= _MAX_DATE and _DIGIT.search(text):
                return Part(node, one_line(tree.attrs[node].get("title") or "") or text)
        for node in self._own:
            if tree.tag[node] == "a" and _OWN_LINK.search(tree.attrs[node].get("href") or ""):
                return Part(node, one_line(tree.plain(node)))
        return None

    def date_beside(self, author: Part | None) -> Part | None:
        """Return the rest of the line that names the author ("Gwen wrote on 27.02.2022"), if it can hold a date."""
        line = self._tree.parent[author.node] if author else self._element
        if author is None:
            return None
        if line <= self._element:
            return self._figures_after(author)
        rest = one_line(self._plain(line)).partition(author.text)[2]
        return Part(line, rest) if len(rest) <= _MAX_DATE and _DIGIT.search(rest) else None

    def _figures_after(self, author: Part) -> Part | None:
        """The short piece between the author and the words that has figures in it (<b>Gwen</b> <i>2022-02-27</i>)."""
        for node in self._own:
            if node < self._tree.end[author.node]:
                continue
            if self._tree.tag[node] in ("p", "blockquote", "pre", "div"):
                return None
            text = one_line(self._plain(node))
            if len(text) <= _MAX_DATE and _DIGIT.search(text):
                return Part(node, text)
        return None

    def _bold_before_the_words(self) -> Iterator[int]:
        for node in self._own:
            if self._tree.tag[node] in ("p", "blockquote", "pre"):
                return
            if self._tree.tag[node] in ("b", "strong"):
                yield node

    def texts(self, author: Part | None, date: Part | None) -> list[tuple[int, frozenset[int]]]:
        """Return the nodes that hold the comment's words, each with what to leave out of it."""
        tree = self._tree
        node = next(self._named(_TEXT_CLASSES), None)
        if node is not None:
            return [(node, self._meta_in(node, author, date))]
        paragraphs = [node for node in self._own if tree.tag[node] == "p" and not self._is_meta(node)]
        holds = [node for node in paragraphs if not (author and node <= author.node < tree.end[node])] or paragraphs
        if holds:
            return [(node, self._meta_in(node, author, date)) for node in holds]
        body = next(self._named(_BODY_CLASSES), self._element)
        return [(body, self._meta_in(body, author, date))]

    def _named(self, classes: Sequence[str]) -> Iterator[int]:
        return (node for wanted in classes for node in self._by_class.get(wanted, ()))

    def _meta_in(self, body: int, author: Part | None, date: Part | None) -> frozenset[int]:
        """Author, date, avatar, reply links: whatever in the body is named as about the comment, not of it."""
        tree, nested = self._tree, self._nested
        named = {part.node for part in (author, date) if part and body < part.node < tree.end[body]}
        node, stop = body + 1, tree.end[body]
        while node < stop:
            if node in nested or node in named or _names_meta(tree, node):
                named.add(node)
                node = tree.end[node]
            else:
                node += 1
        return frozenset(named)

    def _is_meta(self, node: int) -> bool:
        while node > self._element:
            if _names_meta(self._tree, node):
                return True
            node = self._tree.parent[node]
        return False

    def _plain(self, node: int) -> str:
        tree, nested = self._tree, self._nested
        if not any(node < inner < tree.end[node] for inner in nested):
            return tree.plain(node)
        return "".join(tree.text[each] for each in _inside(tree, node, nested, texts=True))


def _names_meta(tree: Tree, node: int) -> bool:
    attrs = tree.attrs[node]
    return bool(attrs) and _META.search(f"{attrs.get('id') or ''} {attrs.get('class') or ''}") is not None


def comment_end(tree: Tree, element: int) -> int:
    """Return where a comment ends: a term ("Gwen said...") goes on with the descriptions that follow it."""
    end, stop = tree.end[element], tree.end[tree.parent[element]]
    if tree.tag[element] == "dt":
        while end < stop and (tree.tag[end] == "dd" or (tree.tag[end] is TEXT and not tree.text[end].strip())):
            end = tree.end[end]
    return end


def _inside(tree: Tree, element: int, nested: frozenset[int], *, texts: bool = False) -> list[int]:
    """The elements below a comment's, or their texts, answers to it left out."""
    tags, ends, attrs = tree.tag, tree.end, tree.attrs
    found = []
    node, stop = element + 1, comment_end(tree, element)
    while node < stop:
        tag, own = tags[node], attrs[node]
        # Most elements have an ordinary tag and nothing that can hide them: they are not worth a call.
        if node in nested or tag in UNSEEN_TAGS or (own and ("style" in own or "hidden" in own) and is_hidden(own)):
            node = ends[node]
            continue
        if (tag is TEXT) is texts:
            found.append(node)
        node += 1
    return found


def _first_link(tree: Tree, node: int) -> str | None:
    around = (node, *range(node + 1, tree.end[node]), tree.parent[node])
    return next((href for each in around if tree.tag[each] == "a" and (href := tree.attrs[each].get("href"))), None)
