"""One comment read line by line, where no name tells its parts: who signs it, when, and what is left as its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from posterity.dom.plain_text import CELL_TAGS, LINE_TAGS, PARAGRAPH_TAGS
from posterity.extract.comment_parts import SAYS, Part
from posterity.extract.comment_words import announces_comments
from posterity.learn.own_text import is_date_line
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.dom import Tree

_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS | {"br"}
_CARD_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_NAMING = frozenset({"a", "b", "strong", "cite", "h3", "h4", "h5", "h6", "dt"})
_LINK = frozenset({"a"})
_ACTIONS = frozenset({"a", "button", "form", "label"})
_MAX_SIGNATURE, _MAX_NAME, _MAX_WORDS, _MAX_ACTION = 120, 60, 6, 30  # characters, but the words
_MOST = 0.6  # a text of which this share is links is the teaser of another page
# A day told from now, and a time of day, which no article's own line has alone.
_TOLD_FROM_NOW = re.compile(
    r"\bago\b|\byesterday\b|^il y a\b|^vor \d|^hace \d|\bgeleden\b|\bназад\b|\bsitten\b|\bönce\b|\d ?(?:前|전)|"
    r"\d{1,2}:\d\d",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"^(?:[\W\d]*\b(?:posted|written|comment(?:ed)?|by|from|on|at|von|par|por|am|um|le|à|el|da|di|de|от|автор)\b)*[\W\d]*",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:[\W\d]*\b(?:on|at|am|um|le|el|à|il|op|den|the|posted|в)\b)*[\W\d]*$", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|von|par|por|da|door|от|autor:?|av|af)\b\W*([^\d,|]+)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


class SignedText(NamedTuple):
    """A comment's parts: by whom, when, and the nodes that hold its words, each with what to leave out of it."""

    author: Part | None
    date: Part | None
    texts: list[tuple[int, frozenset[int]]]
    days: int


class _Line(NamedTuple):
    runs: list[int]
    text: str


def signed_text(tree: Tree, nodes: Sequence[int], nested: frozenset[int] = frozenset()) -> SignedText | None:
    """Return the parts of what stands in the nodes; None if nobody signed it, or it is a teaser or a post."""
    lines = list(_lines(tree, nodes, nested))
    if len(lines) <= 1 or any(_is_of_a_post(tree, line) for line in lines) or _is_card(tree, nodes):
        return None
    days = [place for place, line in enumerate(lines) if _is_dated(line.text)]
    # "ago" may stand in the comment's own words.
    day = min(days, key=lambda place: not is_date_line(lines[place].text), default=None)
    place, author = _author(tree, lines, day)
    words = [line for number, line in enumerate(lines) if number not in (day, place)]
    while words and _is_action(tree, words[-1]):
        words.pop()
    while words and _is_action(tree, words[0]):
        words.pop(0)
    if (
        (author is None and day is None)
        or not any(_LETTER.search(_LABELS.sub("", line.text)) for line in words)
        or _is_mostly_links(tree, words)
    ):
        return None
    date = None if day is None else Part(lines[day].runs[0], lines[day].text)
    return SignedText(author, date, _holding(tree, nodes, nested, words), len(days))


def _lines(tree: Tree, nodes: Sequence[int], nested: frozenset[int]) -> Iterator[_Line]:
    """What a reader sees as lines, answers left out."""
    runs: list[int] = []
    for run in _runs(tree, nodes, nested):
        if runs and (_block(tree, run) != _block(tree, runs[-1]) or _is_broken(tree, runs[-1], run)):
            yield _Line(runs, one_line(" ".join(tree.text[each] for each in runs)))
            runs = []
        runs.append(run)
    if runs:
        yield _Line(runs, one_line(" ".join(tree.text[each] for each in runs)))


def _runs(tree: Tree, nodes: Sequence[int], nested: frozenset[int]) -> Iterator[int]:
    for top in nodes:
        node, end = top, tree.end[top]
        while node < end:
            if node in nested or tree.unseen[node]:
                node = tree.end[node]
                continue
            if tree.text[node] and not tree.text[node].isspace():
                yield node
            node += 1


def _block(tree: Tree, node: int) -> int:
    while node > 0 and tree.tag[node] not in _BLOCKS:
        node = tree.parent[node]
    return node


def _is_broken(tree: Tree, run: int, following: int) -> bool:
    return any(tree.tag[node] in _BLOCKS for node in range(run + 1, following))


def _is_dated(text: str) -> bool:
    return (
        len(text) <= _MAX_SIGNATURE
        and "://" not in text
        and (is_date_line(text) or (_TOLD_FROM_NOW.search(text) is not None and len(text) <= _MAX_NAME))
    )


def _is_of_a_post(tree: Tree, line: _Line) -> bool:
    """A post tells how many comments it has, a comment at most how many replies."""
    texts = (line.text, *(one_line(tree.text[run]) for run in line.runs))
    return any(announces_comments(text) and "repl" not in text.lower() for text in texts)


def _is_card(tree: Tree, nodes: Sequence[int]) -> bool:
    """A heading that links, or is in a link, is that of another page; one of the first rank that of a page."""
    return any(
        tag == "h1" or (tag in _CARD_HEADINGS and ("a" in tree.tag[node : tree.end[node]] or _is_in(tree, node, _LINK)))
        for top in nodes
        for node, tag in enumerate(tree.tag[top : tree.end[top]], top)
    )


def _author(tree: Tree, lines: list[_Line], day: int | None) -> tuple[int | None, Part | None]:
    """The line that names the author, and the name: set off beside the day, else right above it, else in its words."""
    if day is None:
        signs = _says(lines[0]) or _is_of_a_reader(tree, lines[0])
        return (0, name) if signs and (name := _name_in(tree, lines[0].runs)) else (None, None)
    beside = [run for run in lines[day].runs if not _is_dated(one_line(tree.text[run]))]
    first = lines[0].runs if day == 1 or (day > 1 and _opens(tree, lines[0])) else []
    below = lines[1].runs if day == 0 and len(lines) > 2 and _opens(tree, lines[1]) else []
    labelled = lines[day].runs if _BY.search(lines[day].text) else []
    for place, runs in ((day, beside), (day, labelled), (0, first), (day, lines[day].runs), (1, below)):
        if name := _name_in(tree, runs):
            return place, name
    return None, None


def _opens(tree: Tree, line: _Line) -> bool:
    """A name set off from what follows it, or "Anna wrote:"."""
    return _is_naming(tree, line.runs[0]) or _says(line)


def _says(line: _Line) -> bool:
    said = SAYS.search(line.text) if len(line.text) <= _MAX_SIGNATURE else None
    return said is not None and _LETTER.search(said.group()) is not None


def _is_of_a_reader(tree: Tree, line: _Line) -> bool:
    """Without a day a name in bold is no signature, but a cited one is, and one with a link that nobody vouches for."""
    return any(
        tree.tag[node] == "cite" or "nofollow" in (tree.attrs[node].get("rel") or "")
        for node in _around(tree, line.runs[0])
    )


def _name_in(tree: Tree, runs: Sequence[int]) -> Part | None:
    """The name in the runs of a signing line: the one that is set off, else the first that is not too long for one."""
    for run in sorted(runs, key=lambda each: not _is_naming(tree, each)):
        text = SAYS.sub("", _LABELS.sub("", _without_day(one_line(tree.text[run]))))
        if _LETTER.search(text) and len(text) <= _MAX_NAME and len(text.split()) <= _MAX_WORDS:
            links = (tree.attrs[node].get("href") for node in _around(tree, run) if tree.tag[node] == "a")
            return Part(run, text, next(links, None))
    return None


def _without_day(text: str) -> str:
    """What a text says besides the day: before it, else after it. In a language that is not read, after "by" only."""
    if not _is_dated(text):
        return text
    if dates := read_dates(text):
        before = _TRAILING.sub("", text[: dates[0].start])
        return before if _LETTER.search(_LABELS.sub("", before)) else text[dates[0].end :]
    signed = _BY.search(text)
    return signed.group(1) if signed else ""


def _is_naming(tree: Tree, run: int) -> bool:
    return _is_in(tree, run, _NAMING)


def _is_action(tree: Tree, line: _Line) -> bool:
    """A short line of links or buttons below the words: "Reply", "Permalink"."""
    return len(line.text) <= _MAX_ACTION and all(_is_in(tree, run, _ACTIONS) for run in line.runs)


def _is_in(tree: Tree, node: int, tags: frozenset[str]) -> bool:
    return any(tree.tag[each] in tags for each in _around(tree, node))


def _around(tree: Tree, node: int) -> tuple[int, ...]:
    """The element around a node and the one around that, as far as the tree goes."""
    parent = max(tree.parent[node], 0)
    return parent, max(tree.parent[parent], 0)


def _is_mostly_links(tree: Tree, words: list[_Line]) -> bool:
    chars = [(len(tree.text[run]), _is_in(tree, run, _LINK)) for line in words for run in line.runs]
    return sum(size for size, linked in chars if linked) > _MOST * sum(size for size, _ in chars)


def _holding(
    tree: Tree, nodes: Sequence[int], nested: frozenset[int], words: list[_Line]
) -> list[tuple[int, frozenset[int]]]:
    """The nodes that hold the words, each with the largest parts of it that hold none."""
    around = tree.around(run for line in words for run in line.runs)
    return [(node, nested.union(_left_out(tree, node, around))) for node in nodes if node in around]


def _left_out(tree: Tree, top: int, around: set[int]) -> Iterator[int]:
    node, end = top + 1, tree.end[top]
    while node < end:
        if node in around:
            node += 1
            continue
        yield node
        node = tree.end[node]
