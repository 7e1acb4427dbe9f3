"""A walk over a subtree in steps, elements that open and close, leaving out what is skipped or unseen."""

from __future__ import annotations

from collections.abc import Iterator

from posterity.dom.tree import TEXT, UNSEEN_TAGS, Tree
from posterity.text.words import words

MIN_WORDS = 120
_NOT_RUNNING = UNSEEN_TAGS | {"a", "button", "input", "label", "legend", "textarea"}
# The hidden fields by which frameworks know a page again that they wrapped into a form.
_WHOLE_PAGE = frozenset({"__viewstate", "javax.faces.viewstate"})


def is_real_form(tree: Tree, form: int) -> bool:
    """Tell whether this <form> is one to fill in, and not an article or a whole page."""
    found = 0
    index, stop = form + 1, tree.end[form]
    while index < stop:
        tag = tree.tag[index]
        if tag == TEXT:
            found += len(words(tree.text[index]))
            if found >= MIN_WORDS:
                return False
        elif tag == "input" and (tree.attrs[index].get("name") or "").lower() in _WHOLE_PAGE:
            return False
        elif tag in _NOT_RUNNING or index in tree.hidden:
            index = tree.end[index]
            continue
        index += 1
    return True


OPEN, CLOSE, CHARS = "open", "close", "chars"
_LEFT_OUT = UNSEEN_TAGS | {"button", "form", "input", "textarea"}


def is_left_out(tree: Tree, node: int) -> bool:
    """Tell whether an element is no part of what a reader reads: unseen, hidden, or there to be filled in."""
    tag = tree.tag[node]
    if node in tree.hidden:
        return True
    return is_real_form(tree, node) if tag == "form" else tag in _LEFT_OUT


def steps(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> list[int]:
    """Return the walk as numbers: a node where it begins, and ~node where an element ends.

    The root is walked even if its own tag would be left out. A list, because text, HTML and Markdown of an article
    are all made of the same walk.
    """
    tags, ends, attrs = tree.tag, tree.end, tree.attrs
    walked: list[int] = []
    open_nodes: list[int] = []
    index, stop = node, ends[node]
    next_end = stop
    while index < stop:
        while next_end <= index:
            walked.append(~open_nodes.pop())
            next_end = ends[open_nodes[-1]]
        tag = tags[index]
        if tag is not TEXT:
            own = attrs[index]
            # Most elements have an ordinary tag and nothing that can hide them: they are not worth a call.
            doubtful = tag in _LEFT_OUT or (own and ("style" in own or "hidden" in own))
            if index != node and (index in skip or (doubtful and is_left_out(tree, index))):
                index = ends[index]
                continue
            open_nodes.append(index)
            next_end = ends[index]
        elif index in skip and index != node:
            index += 1
            continue
        walked.append(index)
        index += 1
    while open_nodes:
        walked.append(~open_nodes.pop())
    return walked


def walk(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> Iterator[tuple[str, int]]:
    """Yield (event, node) in document order, for readers that prefer words to numbers."""
    tags = tree.tag
    for step in steps(tree, node, skip):
        if step < 0:
            yield CLOSE, ~step
        else:
            yield (CHARS if tags[step] is TEXT else OPEN), step
