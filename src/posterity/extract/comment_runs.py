"""Comments in markup without a telling name: what repeats right below a line that announces comments.

The line ("3 comments") marks the place that no name marks. What follows it side by side, of one kind, each signed with
a name or a day, is a thread; the same below a heading of its own, or farther down, is something else.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.tree import TEXT
from posterity.extract.comment_lines import SignedText, signed_text
from posterity.extract.comment_place import is_something_else
from posterity.extract.comment_words import MAX_ANNOUNCEMENT, announced_count, announces_comments, text_announces
from posterity.identify.page_ink import HEADINGS
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

_ENDS = HEADINGS | {"form", "hr"}
_INLINE = frozenset({"a", "span", "b", "strong", "i", "em", "small", "font", "button", "label", "time", "cite"})
_ELSEWHERE = frozenset({"aside", "nav", "footer", "form"})
_MAX_UP = 5  # wrappers around the line
_MAX_BETWEEN = 120  # characters between the line and the first comment: "Newest first", "Subscribe to this thread"
_MAX_TRIES = 20  # wrappers and first parts of the first comment, each of which could be what repeats
_MAX_LINES = 20  # a page with more of them is a list of posts
_MAX_ANSWERS = 2_000
_MAX_LONE = 20_000  # characters; more in one element is a whole thread
_MIN_SHARE = 0.8  # deleted comments have lost their author or their words


class RunItem(NamedTuple):
    """A comment of a run: the elements side by side that it consists of, and what they say."""

    nodes: tuple[int, ...]
    signed: SignedText


@lru_cache(maxsize=1)  # asked where the article ends, and again where comments are read
def announced_comments(tree: Tree) -> tuple[RunItem, ...]:
    """Return the comments below the first line that announces some; none if what follows it is not signed."""
    for line, count in islice(_announcements(tree), _MAX_LINES):
        if count != 0 and not _is_elsewhere(tree, line) and (found := _run_below(tree, line, count)):
            return tuple(found)
    return ()


def _announcements(tree: Tree) -> Iterator[tuple[int, int | None]]:
    """The outermost elements that hold nothing but an announcement, with the number of comments that it tells."""
    short = [run for run in tree.runs if len(tree.text[run]) <= 2 * MAX_ANNOUNCEMENT]
    if not text_announces("\n".join(tree.text[run] for run in short)):
        return
    passed = 0
    for run in short:
        if run < passed or not announces_comments(tree.text[run].strip()):
            continue
        element, found = tree.parent[run], None
        while element > 0 and tree.text_sizes[element] <= MAX_ANNOUNCEMENT:
            line = one_line(tree.plain(element))
            if announces_comments(line):
                found = element, announced_count(line)
            element = tree.parent[element]
        if found is not None:
            passed = tree.end[found[0]]
            if not _points_elsewhere(tree, found[0]):
                yield found


def _points_elsewhere(tree: Tree, line: int) -> bool:
    """A link to a place on a page ("3 comments" below a title) says that the comments are there and not here."""
    return tree.tag[line] == "a" and "#" in (tree.attrs[line].get("href") or "")


def _is_elsewhere(tree: Tree, node: int) -> bool:
    return any(
        tree.tag[each] in _ELSEWHERE or is_something_else(tree.tag[each], tree.attrs[each])
        for each in tree.around([node])
    )


def _run_below(tree: Tree, line: int, count: int | None) -> list[RunItem]:
    """The longest run that begins near the line, if it is no longer than the line says; a lone comment is doubted."""
    best: list[RunItem] = []
    known: set[int] = set()
    for first in islice(_near(tree, line), _MAX_TRIES):
        found = _run_from(tree, first) if first not in known else []
        if len(found) > len(best):
            best, known = found, {node for item in found for node in item.nodes}
    if count is not None and len(best) > count:
        return []
    return best if len(best) > 1 or count == 1 or _is_shorter_than_before(tree, best, line) else []


def _is_shorter_than_before(tree: Tree, lone: list[RunItem], line: int) -> bool:
    """A comment stands below what it is about; below a link to the comments stands the article."""
    said = sum(tree.text_sizes[node] for item in lone for node in item.nodes)
    return said <= sum(len(tree.text[run]) for run in tree.runs if run < line)


def _near(tree: Tree, line: int) -> Iterator[int]:
    """The elements after the line that could begin a thread: until a heading, or too much text, stands in between."""
    around = line
    for _ in range(_MAX_UP):
        around = max(tree.parent[around], 0)
    node, stop, between = tree.end[line], tree.end[around], 0
    while node < stop and between <= _MAX_BETWEEN:
        tag = tree.tag[node]
        if tree.unseen[node] or tag == "form":
            node = tree.end[node]
            continue
        if tag is TEXT:
            between += len(tree.text[node].strip())
        elif tag not in _INLINE and tree.text_sizes[node]:
            yield node
        if tag in HEADINGS:
            return
        node += 1


def _run_from(tree: Tree, first: int) -> list[RunItem]:
    """The comments that begin with this element and with its siblings of the same kind; none if most are not signed."""
    stop = tree.end[tree.parent[first]]
    heads = [node for node in _elements(tree, first, stop) if _is_alike(tree, first, node)]
    if len(heads) == 1 and tree.text_sizes[first] > _MAX_LONE:
        return []
    found = _read(tree, [(head,) for head in heads])
    return found or _read(tree, _spans(tree, heads, stop))


def _elements(tree: Tree, start: int, stop: int) -> Iterator[int]:
    while start < stop:
        if tree.tag[start] is not TEXT and tree.text_sizes[start] and not tree.unseen[start]:
            yield start
        start = tree.end[start]


def _is_alike(tree: Tree, first: int, node: int) -> bool:
    if tree.tag[first] != tree.tag[node]:
        return False
    wanted, own = tree.classes(first), tree.classes(node)
    return not set(wanted).isdisjoint(own) if wanted else not own


def _spans(tree: Tree, heads: list[int], stop: int) -> list[tuple[int, ...]]:
    """Each head with the elements that follow it up to the next: <dt> with <dd>, a row with the row below it.

    The last one has as many as the one before, or all up to a heading or a form.
    """
    spans = [tuple(_elements(tree, head, following)) for head, following in pairwise(heads)]
    last: list[int] = []
    for node in _elements(tree, heads[-1], stop):
        if tree.tag[node] in _ENDS or (spans and len(last) == len(spans[-1])):
            break
        last.append(node)
    return [*spans, tuple(last)]


def _read(tree: Tree, spans: list[tuple[int, ...]]) -> list[RunItem]:
    """What the spans and the answers inside them say; nothing if it is not what comments say."""
    found: list[RunItem] = []
    unsigned = 0
    for nodes in spans:
        items = _with_answers(tree, nodes) if nodes else []
        found += items
        unsigned += not items
        if unsigned > len(spans) * (1 - _MIN_SHARE):
            return []
    if len(found) == 1:
        lone = found[0].signed
        return found if lone.author and lone.date and lone.days == 1 else []
    return found


def _with_answers(tree: Tree, nodes: tuple[int, ...]) -> list[RunItem]:
    """A comment and the elements of its kind inside it that are signed themselves; nothing if it is not signed."""
    first = nodes[0]
    inside = [node for node in range(first + 1, tree.end[first]) if _is_alike(tree, first, node)]
    answers: dict[int, SignedText] = {}
    # Answers to an answer come first, and are no part of what it says.
    for node in reversed(inside[:_MAX_ANSWERS] if len(nodes) == 1 else []):
        nested = frozenset(takewhile(tree.end[node].__gt__, reversed(answers)))
        if (signed := signed_text(tree, (node,), nested)) and signed.date:
            answers[node] = signed
    own = signed_text(tree, nodes, frozenset(answers))
    if own is None:
        return []
    return [RunItem(nodes, own), *(RunItem((node,), answers[node]) for node in reversed(answers))]
