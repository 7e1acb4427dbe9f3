"""The parts of one comment: author, date and text, by class names, or by the lines of a text that somebody signed.

Lines that announce comments ("3 comments", "Leave a reply") are recognised here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from posterity.dom import Tree
from posterity.dom.plain_text import CELL_TAGS, LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import TEXT, UNSEEN_TAGS
from posterity.learning.article import is_date_line
from posterity.lexicon import any_of, part_names, widget_names, words_for
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line

# Class tokens by how surely they mark the part, surest first.
_TEXT_CLASSES = (*part_names("comment.text"), *widget_names("text"))
_BODY_CLASSES = part_names("comment.body")
_AUTHOR_CLASSES = (*part_names("comment.author"), *widget_names("author"))
_DATE_CLASSES = (*part_names("comment.date"), *widget_names("date"))
VERB_BEHIND_NAME = re.compile(rf"\s*(?:{any_of(words_for('comment.says'))})?\s*[:：.,…]*\s*$", re.IGNORECASE)
_META = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('comment.about'))})(?:$|[-_ ])", re.IGNORECASE)


_DIGIT = re.compile(r"\d")
_OWN_LINK = re.compile(r"#(?:comment-?)?c?\d+$")
_MAX_NAME, _MAX_DATE = 80, 120


class CommentPart(msgspec.Struct, frozen=True):
    """A node with its text, and the URL it links to."""

    node: int
    text: str
    link: str | None = None


class CommentParts:
    """One comment's element, read once: its elements in order and by class, replies to it left out."""

    __slots__ = ("_by_class", "_element", "_nested", "_own", "_tree")

    def __init__(self, tree: Tree, element: int, nested: frozenset[int]) -> None:
        self._tree, self._element, self._nested = tree, element, nested
        self._own = _inside(tree, element, nested)
        self._by_class: dict[str, list[int]] = {}
        for node in self._own:
            names = tree.attrs[node].get("class")
            for token in names.split() if names else ():
                self._by_class.setdefault(token, []).append(node)

    def author(self) -> CommentPart | None:
        """Return who wrote the comment: the surest class, else <cite>, else a name in bold above its words.

        In a list of definitions it is the term.
        """
        cited = (node for node in self._own if self._tree.tag[node] == "cite")
        term = (self._element,) if self._tree.tag[self._element] == "dt" else ()
        for node in chain(self._named(_AUTHOR_CLASSES), cited, self._bold_before_the_words(), term):
            text = VERB_BEHIND_NAME.sub("", one_line(self._plain(node)))
            if 0 < len(text) <= _MAX_NAME:
                return CommentPart(node, text, _first_link(self._tree, node))
        return None

    def date(self) -> CommentPart | None:
        """Return when it was written: <time datetime>, else the surest class, else the link to the comment itself."""
        tree = self._tree
        for node in self._own:
            if tree.tag[node] == "time":
                return CommentPart(node, tree.attrs[node].get("datetime") or one_line(tree.plain(node)))
        for node in self._named(_DATE_CLASSES):
            text = one_line(self._plain(node))
            if len(text) <= _MAX_DATE and _DIGIT.search(text):
                return CommentPart(node, one_line(tree.attrs[node].get("title") or "") or text)
        for node in self._own:
            if tree.tag[node] == "a" and _OWN_LINK.search(tree.attrs[node].get("href") or ""):
                return CommentPart(node, one_line(tree.plain(node)))
        return None

    def date_beside(self, author: CommentPart | None) -> CommentPart | None:
        """Return the rest of the line that names the author ("Gwen wrote on 27.02.2022"), if it can hold a date."""
        line = self._tree.parent[author.node] if author else self._element
        if author is None:
            return None
        if line <= self._element:
            return self._figures_after(author)
        rest = one_line(self._plain(line)).partition(author.text)[2]
        return CommentPart(line, rest) if len(rest) <= _MAX_DATE and _DIGIT.search(rest) else None

    def _figures_after(self, author: CommentPart) -> CommentPart | None:
        """The short piece between the author and the words that has figures in it (<b>Gwen</b> <i>2022-02-27</i>)."""
        for node in self._own:
            if node < self._tree.end[author.node]:
                continue
            if self._tree.tag[node] in ("p", "blockquote", "pre", "div"):
                return None
            text = one_line(self._plain(node))
            if len(text) <= _MAX_DATE and _DIGIT.search(text):
                return CommentPart(node, text)
        return None

    def _bold_before_the_words(self) -> Iterator[int]:
        for node in self._own:
            if self._tree.tag[node] in ("p", "blockquote", "pre"):
                return
            if self._tree.tag[node] in ("b", "strong"):
                yield node

    def texts(self, author: CommentPart | None, date: CommentPart | None) -> list[tuple[int, frozenset[int]]]:
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

    def _meta_in(self, body: int, author: CommentPart | None, date: CommentPart | None) -> frozenset[int]:
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
    """The elements below a comment's, or their texts, replies to it left out."""
    tags, ends, attrs = tree.tag, tree.end, tree.attrs
    found = []
    node, stop = element + 1, comment_end(tree, element)
    while node < stop:
        tag, own = tags[node], attrs[node]
        if node in nested or tag in UNSEEN_TAGS or (own and node in tree.hidden):
            node = ends[node]
            continue
        if (tag is TEXT) is texts:
            found.append(node)
        node += 1
    return found


def _first_link(tree: Tree, node: int) -> str | None:
    around = (node, *range(node + 1, tree.end[node]), tree.parent[node])
    return next((href for each in around if tree.tag[each] == "a" and (href := tree.attrs[each].get("href"))), None)


MAX_ANNOUNCEMENT = 60  # characters
# What most of the words below have in common, whatever letters of them are capitals: looking for it takes a tenth of
# the pattern's time.
_PARTS = words_for("comment.heading_part")
_WORDS = any_of(words_for("comment.heading"))
_ANNOUNCED = re.compile(
    rf"^\W*+(?:(?:\d[\d.,]*|{any_of(words_for('comment.before_counted'))})\s+(?:a |your |\d+ )?"
    rf"(?:{any_of(words_for('comment.counted'))})\b|comments?\W*(?:\(?\d+\)?)?\W*$|"
    rf"comments (?:are|on)\b|trackbacks?\b|(?:\d+\s+)?(?:{_WORDS})\W*(?:\(?\d+\)?)?\W*$|"
    rf"(?:{any_of(words_for('comment.invitation'))})\s+(?:{_WORDS})\W*$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d+")
_COUNTED_WORDS = {"no": 0, "one": 1, "two": 2}


def announces_comments(line: str) -> bool:
    """Tell whether the line announces comments, or asks for one."""
    return len(line) <= MAX_ANNOUNCEMENT and _ANNOUNCED.match(line) is not None


def announced_count(line: str) -> int | None:
    """Return how many comments the line announces, None if it has no number."""
    if figures := _COUNT.search(line):
        return int(figures.group())
    first = line.split()[:1]
    return _COUNTED_WORDS.get(first[0].lower()) if first else None


def text_announces(text: str) -> bool:
    """Tell whether one of the text's lines announces comments. Only lines that have something of the words are read."""
    return any(announces_comments(line) for part in _PARTS for line in _short_lines_with(text, part))


def _short_lines_with(text: str, part: str) -> Iterator[str]:
    at = text.find(part)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        if end - start <= 2 * MAX_ANNOUNCEMENT:
            yield text[start:end].strip()
        at = text.find(part, end)


_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS | {"br"}
_CARD_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_NAMING = frozenset({"a", "b", "strong", "cite", "h3", "h4", "h5", "h6", "dt"})
_LINK = frozenset({"a"})
_ACTIONS = frozenset({"a", "button", "form", "label"})
_MAX_SIGNATURE, _MAX_SIGNED_NAME, _MAX_WORDS, _MAX_ACTION = 120, 60, 6, 30  # characters, but the words
_MOST = 0.6  # a text of which this share is links is the teaser of another page
# A day counted from now, and a time of day, which no article's own line has alone.
_COUNTED_FROM_NOW = re.compile(rf"{any_of(words_for('comment.from_now'))}|\d{{1,2}}:\d\d", re.IGNORECASE)
_LABELS = re.compile(rf"^(?:[\W\d]*\b(?:{any_of(words_for('comment.before_name'))})\b)*[\W\d]*", re.IGNORECASE)
_TRAILING = re.compile(rf"(?:[\W\d]*\b(?:{any_of(words_for('comment.behind_name'))})\b)*[\W\d]*$", re.IGNORECASE)
_BY = re.compile(rf"\b(?:{any_of(words_for('byline.by', 'comment.by_more'))})\b\W*([^\d,|]+)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


class SignedText(NamedTuple):
    """A comment's parts: by whom, when, and the nodes that hold its words, each with what to leave out of it."""

    author: CommentPart | None
    date: CommentPart | None
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
    date = None if day is None else CommentPart(lines[day].runs[0], lines[day].text)
    return SignedText(author, date, _elements_holding(tree, nodes, nested, words), len(days))


def _lines(tree: Tree, nodes: Sequence[int], nested: frozenset[int]) -> Iterator[_Line]:
    """What a reader sees as lines, replies left out."""
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


def _is_broken(tree: Tree, run: int, next_run: int) -> bool:
    return any(tree.tag[node] in _BLOCKS for node in range(run + 1, next_run))


def _is_dated(text: str) -> bool:
    return (
        len(text) <= _MAX_SIGNATURE
        and "://" not in text
        and (is_date_line(text) or (_COUNTED_FROM_NOW.search(text) is not None and len(text) <= _MAX_SIGNED_NAME))
    )


def _is_of_a_post(tree: Tree, line: _Line) -> bool:
    """A post shows how many comments it has, a comment at most how many replies."""
    texts = (line.text, *(one_line(tree.text[run]) for run in line.runs))
    return any(announces_comments(text) and "repl" not in text.lower() for text in texts)


def _is_card(tree: Tree, nodes: Sequence[int]) -> bool:
    """A heading that links, or is in a link, is that of another page; one of the first rank that of a page."""
    return any(
        tag == "h1" or (tag in _CARD_HEADINGS and ("a" in tree.tag[node : tree.end[node]] or _is_in(tree, node, _LINK)))
        for top in nodes
        for node, tag in enumerate(tree.tag[top : tree.end[top]], top)
    )


def _author(tree: Tree, lines: list[_Line], day: int | None) -> tuple[int | None, CommentPart | None]:
    """The line that names the author, and the name: set off beside the day, else right above it, else in its words."""
    if day is None:
        features = _has_verb(lines[0]) or _is_of_a_reader(tree, lines[0])
        return (0, name) if features and (name := _name_in(tree, lines[0].runs)) else (None, None)
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
    return _is_naming(tree, line.runs[0]) or _has_verb(line)


def _has_verb(line: _Line) -> bool:
    verb = VERB_BEHIND_NAME.search(line.text) if len(line.text) <= _MAX_SIGNATURE else None
    return verb is not None and _LETTER.search(verb.group()) is not None


def _is_of_a_reader(tree: Tree, line: _Line) -> bool:
    """Without a day a name in bold is no signature, but a cited one is, and one with a link that nobody vouches for."""
    return any(
        tree.tag[node] == "cite" or "nofollow" in (tree.attrs[node].get("rel") or "")
        for node in _around(tree, line.runs[0])
    )


def _name_in(tree: Tree, runs: Sequence[int]) -> CommentPart | None:
    """The name in the runs of a signing line: the one that is set off, else the first that is not too long for one."""
    for run in sorted(runs, key=lambda each: not _is_naming(tree, each)):
        text = VERB_BEHIND_NAME.sub("", _LABELS.sub("", _without_day(one_line(tree.text[run]))))
        if _LETTER.search(text) and len(text) <= _MAX_SIGNED_NAME and len(text.split()) <= _MAX_WORDS:
            links = (tree.attrs[node].get("href") for node in _around(tree, run) if tree.tag[node] == "a")
            return CommentPart(run, text, next(links, None))
    return None


def _without_day(text: str) -> str:
    """What a text has besides the day: before it, else after it. In a language that is not read, after "by" only."""
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


def _elements_holding(
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
