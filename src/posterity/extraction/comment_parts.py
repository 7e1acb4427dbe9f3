"""The lines and elements of a comment, the texts shared by a thread, and lines that announce comments.

`CommentView` shows one comment without the replies to it; `CommentWords` finds the texts of all comments of a thread.
Lines that announce comments ("3 comments", "Leave a reply") are recognised here, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import NamedTuple, TypeAlias

import msgspec

from posterity.dom import Tree
from posterity.dom.plain_text import Line, line_text, lines_of
from posterity.dom.tree import TEXT, UNSEEN_TAGS, Attributes, cached_by_tree
from posterity.lexicon import any_of, part_names, widget_names, words_for
from posterity.text.dates import is_date_line, read_dates
from posterity.text.normal_form import letters_and_digits, one_line

# Class tokens of the text of comments, most reliable first.
TEXT_CLASSES = dict.fromkeys((*part_names("comment.text"), *widget_names("text"))).keys()
VERB_BEHIND_NAME = re.compile(
    rf"(?:^|(?<=[^\s:：.,…]))\s*+(?:(?<![a-z])(?:{any_of(words_for('comment.says'))}))?\s*+[:：.,…]*+\s*+$",
    re.IGNORECASE,
)
_ABOUT = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('comment.about'))})(?:$|[-_ ])", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_MAX_NAME, _MAX_DATE, _MAX_REST = 60, 120, 40  # characters
_PARAGRAPHS = frozenset({"p", "blockquote", "pre"})
MAX_ELEMENTS = 400  # of one comment; one with more is a pasted page
MIN_COVERED = 0.5  # of the comments of a thread
_HOLDING = 0.7  # of the text of all comments must be in the element chosen for the text


class CommentPart(msgspec.Struct, frozen=True):
    """A node with its text and the target of its link."""

    node: int
    text: str
    link: str | None = None


def comment_end(tree: Tree, element: int) -> int:
    """Return the end of a comment; one in a <dt> ("Gwen said...") includes the <dd> elements after it."""
    end, stop = tree.end[element], tree.end[tree.parent[element]]
    if tree.tag[element] == "dt":
        while end < stop and (tree.tag[end] == "dd" or (tree.tag[end] is TEXT and not tree.text[end].strip())):
            end = tree.end[end]
    return end


MAX_ANNOUNCEMENT = 60  # characters
# Substrings of most words below, in either case: a substring search costs a tenth of the regex.
_PARTS = words_for("comment.heading_part")
_WORDS = any_of(words_for("comment.heading"))
_TRACKBACK_LINE = r"(?:\d+\s+)?(?:track|ping)backs?\b"
_ANNOUNCED = re.compile(
    rf"^\W*+(?:(?:\d[\d.,]*|{any_of(words_for('comment.before_counted'))})\s+(?:a |your |\d+ )?"
    rf"(?:{any_of(words_for('comment.counted'))})\b|comments?\W*(?:\(?\d+\)?)?\W*$|"
    rf"(?:replies|responses)\W+\d+\s+(?:{any_of(words_for('comment.counted'))})\W*$|"
    rf"comments (?:are|on)\b|{_TRACKBACK_LINE}|(?:\d+\s+)?(?:{_WORDS})\W*(?:\(?\d+\)?)?\W*$|"
    rf"(?:{any_of(words_for('comment.invitation'))})\s+(?:{_WORDS})\W*$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d+")
_COUNTED_WORDS = {"no": 0, "one": 1, "two": 2}


def announces_comments(line: str) -> bool:
    """Return whether the line announces comments or invites readers to comment."""
    return len(line) <= MAX_ANNOUNCEMENT and _ANNOUNCED.match(line) is not None


_TRACKBACKS = re.compile(rf"^\W*+{_TRACKBACK_LINE}(?!.*comment)", re.IGNORECASE)


def announces_trackbacks(line: str) -> bool:
    """Return whether the line starts with an announcement of trackbacks or pingbacks."""
    return _TRACKBACKS.match(line[: 2 * MAX_ANNOUNCEMENT]) is not None


def announced_count(line: str) -> int | None:
    """Return the number of comments that the line announces, None if it has no number."""
    if figures := _COUNT.search(line):
        return int(figures.group())
    first = line.split()[:1]
    return _COUNTED_WORDS.get(first[0].lower()) if first else None


def text_announces(text: str) -> bool:
    """Return whether a line of the text announces comments. Only lines with one of `_PARTS` are checked."""
    return any(announces_comments(line) for part in _PARTS for line in _short_lines_with(text, part))


def _short_lines_with(text: str, part: str) -> Iterator[str]:
    at = text.find(part)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        if end - start <= 2 * MAX_ANNOUNCEMENT:
            yield text[start:end].strip()
        at = text.find(part, end)


_STAYING = frozenset({"br", "img"})
_ACTION_TAGS = frozenset({"a", "button", "form", "label"})
ACTIONS = frozenset(words_for("comment.no_name"))
_MAX_SIGNATURE, _MAX_SIGNED_NAME, _MAX_ACTION = 120, 60, 30  # characters
# A relative day or a time of day.
COUNTED_FROM_NOW = re.compile(rf"{any_of(words_for('comment.from_now'))}|\d{{1,2}}:\d\d", re.IGNORECASE)
_LABELS = re.compile(rf"^(?:[\W\d]*\b(?:{any_of(words_for('comment.before_name'))})\b)*[\W\d]*", re.IGNORECASE)
_LABEL_WORDS = re.compile(rf"^(?:\W*\b(?:{any_of(words_for('comment.before_name'))})\b)+\W*", re.IGNORECASE)
_TRAILING = re.compile(
    rf"(?:(?:\W|\b\d+\b)*\b(?:{any_of(words_for('comment.behind_name', 'byline.weekday'))})\b)*(?:\W|\b\d+\b)*$",
    re.IGNORECASE,
)
_BY = re.compile(rf"\b(?:{any_of(words_for('byline.by', 'comment.by_more'))})\b\W*([^\d,|]+)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


def is_dated(text: str) -> bool:
    """Return whether a short text contains a date or a relative time."""
    return len(text) <= _MAX_SIGNATURE and _is_dated(text)


@lru_cache(maxsize=4096)  # nested elements have the same text
def _is_dated(text: str) -> bool:
    is_dated = is_date_line(text) or (len(text) <= _MAX_SIGNED_NAME and COUNTED_FROM_NOW.search(text) is not None)
    return is_dated and "://" not in text


@cached_by_tree
def _dated_lines(tree: Tree) -> tuple[list[Line], list[int], list[int]]:
    """Return the lines of the page, their first nodes, and the number of dated lines before each."""
    lines = list(lines_of(tree, (0,)))
    return lines, [line.runs[0] for line in lines], list(accumulate((is_dated(line.text) for line in lines), initial=0))


def is_dated_part(tree: Tree, node: int) -> bool:
    """Return whether an element has a line with a date, and further lines.

    The page's lines are computed once, because nested elements share them.
    """
    lines, starts, dated = _dated_lines(tree)
    end = comment_end(tree, node)
    first, last = bisect_left(starts, node), bisect_left(starts, end)
    edges = [lines[first - 1].runs] if first and lines[first - 1].runs[-1] >= node else []
    if first < last and lines[last - 1].runs[-1] >= end:
        last -= 1
        edges.append(lines[last].runs)
    # Of lines that cross the element's start or end, only the part inside counts.
    parts = [part for runs in edges if (part := runs[bisect_left(runs, node) : bisect_left(runs, end)])]
    has_date = dated[last] > dated[first] or any(_is_dated_line(tree, part) for part in parts)
    return has_date and last - first + len(parts) > 1


def _is_dated_line(tree: Tree, runs: Sequence[int]) -> bool:
    return len(runs) <= _MAX_SIGNATURE and is_dated(line_text(tree, runs))


def ends_with_verb(text: str) -> bool:
    """Return whether a line ends with a verb of saying: "Anna wrote:"."""
    return len(text) <= _MAX_SIGNATURE and _ends_with_verb(text)


@lru_cache(maxsize=4096)  # called for each element in a line that may be the name
def _ends_with_verb(text: str) -> bool:
    verb = VERB_BEHIND_NAME.search(text)
    return verb is not None and _LETTER.search(verb.group()) is not None


def name_of_text(text: str) -> str:
    """Return a text without the date, the words before a name and the verb after it."""
    return VERB_BEHIND_NAME.sub("", _LABELS.sub("", _without_day(text)))


def label_before_name(text: str) -> str:
    """Return the label at the start of the text: "Posted by: "."""
    match = _LABEL_WORDS.match(text)
    return match.group() if match else ""


def without_words_behind(text: str) -> str:
    """Return the text without words that connect a name with a date at its end: "Anna on"."""
    return _TRAILING.sub("", text)


def _without_day(text: str) -> str:
    """Return the text before the date, else after it; if the date cannot be parsed, only the text after "by"."""
    if not is_dated(text):
        return text
    if dates := read_dates(text):
        before = without_words_behind(text[: dates[0].start])
        return before if _LETTER.search(_LABELS.sub("", before)) else text[dates[0].end :]
    signed = _BY.search(text)
    return signed.group(1) if signed else ""


def is_action(tree: Tree, line: Line) -> bool:
    """Return whether a line has only links, buttons or their words: "Reply", "▲ 3 Share"."""
    if len(line.text) <= _MAX_ACTION and all(is_in(tree, run, _ACTION_TAGS) for run in line.runs):
        return True
    texts = [letters_and_digits(tree.text[run]).strip("0123456789") for run in line.runs]
    return any(texts) and all(not text or text in ACTIONS for text in texts)


def is_in(tree: Tree, node: int, tags: frozenset[str]) -> bool:
    """Return whether the parent or grandparent of a node has one of the tags."""
    parent = max(tree.parent[node], 0)
    return tree.tag[parent] in tags or tree.tag[max(tree.parent[parent], 0)] in tags


def parts_left_out(tree: Tree, top: int, around: set[int]) -> Iterator[int]:
    """Yield the largest parts of an element outside `around`, without line breaks and images beside its texts."""
    node, end = top + 1, tree.end[top]
    while node < end:
        if node in around:
            node += 1
            continue
        if tree.text_sizes[node] or not (tree.tag[node] in _STAYING and _is_beside_words(tree, node, around)):
            yield node
        node = tree.end[node]


def _is_beside_words(tree: Tree, node: int, around: set[int]) -> bool:
    return any(child in around and tree.tag[child] is TEXT for child in tree.children(tree.parent[node]))


class CommentItem(NamedTuple):
    """The sibling elements of a comment, and the elements inside them that are replies."""

    nodes: tuple[int, ...]
    nested: frozenset[int] = frozenset()
    is_trackback: bool = False


class CommentView:
    """The elements and lines of one comment, without the replies to it."""

    def __init__(self, tree: Tree, item: CommentItem) -> None:
        self.tree, self.item = tree, item
        self._texts: dict[int, str] = {}
        self._parts: dict[PartReader, dict[int, CommentPart | None]] = defaultdict(dict)

    @cached_property
    def elements(self) -> list[int]:
        """The elements of the comment, in document order."""
        return list(islice(_own_elements(self.tree, self.item), MAX_ELEMENTS))

    @cached_property
    def lines(self) -> list[Line]:
        """The rendered lines."""
        return list(lines_of(self.tree, self.nodes, self.item.nested))

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The comment's elements; after a <dt> its <dd> elements."""
        nodes = self.item.nodes
        if len(nodes) > 1 or self.tree.tag[nodes[0]] != "dt":
            return nodes
        end, tops = comment_end(self.tree, nodes[0]), [nodes[0]]
        while self.tree.end[tops[-1]] < end:
            tops.append(self.tree.end[tops[-1]])
        return tuple(top for top in tops if self.tree.tag[top] is not TEXT)

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """The elements by all their names."""
        tree = self.tree
        names: dict[str, list[int]] = defaultdict(list)
        for node in self.elements:
            for name in _names_of(tree, node):
                names[name].append(node)
        return names

    @cached_property
    def line_of_run(self) -> dict[int, int]:
        """The number of the line of every text node."""
        return {run: number for number, line in enumerate(self.lines) for run in line.runs}

    @cached_property
    def runs(self) -> list[int]:
        """The text nodes of the comment, in document order."""
        return sorted(self.line_of_run)

    @cached_property
    def run_texts(self) -> dict[int, str]:
        """The text of each text node on one line."""
        return {run: one_line(self.tree.text[run]) for run in self.runs}

    def line_of(self, node: int) -> int | None:
        """Return the number of the line in which a node starts, or None if it has no text of the comment."""
        place = bisect_left(self.runs, node)
        within = place < len(self.runs) and self.runs[place] < max(self.tree.end[node], node + 1)
        return self.line_of_run[self.runs[place]] if within else None

    def is_one_line(self, node: int) -> bool:
        """Return whether an element contains at most one line of the comment."""
        start, end = bisect_left(self.runs, node), bisect_left(self.runs, self.tree.end[node])
        return start == end or self.line_of_run[self.runs[start]] == self.line_of_run[self.runs[end - 1]]

    def text(self, node: int) -> str:
        """Return the text of a short element on one line, "" for a long one."""
        if node not in self._texts:
            self._texts[node] = self._text(node)
        return self._texts[node]

    def _text(self, node: int) -> str:
        tree, nested = self.tree, self.item.nested
        parts, size, index, end = [], 0, node, tree.end[node]
        while index < end:
            if index in nested or tree.unseen[index]:
                index = tree.end[index]
                continue
            if text := tree.text[index]:
                size += len(text.strip())
                if size > _MAX_DATE:
                    return ""
                parts.append(text)
            index += 1
        return one_line(" ".join(parts))

    def part(self, node: int, read: PartReader) -> CommentPart | None:
        """Return the part that `read` finds in an element, cached because most elements have several names."""
        known = self._parts[read]
        if node not in known:
            known[node] = read(self, node)
        return known[node]

    def is_in_words(self, node: int) -> bool:
        """Return whether an element is part of a longer paragraph."""
        tree, top = self.tree, self.item.nodes[0]
        while node > top:
            if tree.tag[node] in _PARAGRAPHS:
                return not self.text(node) or len(self.text(node)) > _MAX_NAME
            node = tree.parent[node]
        return False


PartReader: TypeAlias = "Callable[[CommentView, int], CommentPart | None]"


view_of = cached_by_tree(CommentView)  # several searches try the same elements


def is_of_posts(view: CommentView) -> bool:
    """Return whether this is a post or too long: it has a number of comments, or a headline or linked heading."""
    tree = view.tree
    if not 1 < len(view.lines) <= MAX_ELEMENTS:
        return True
    for line in view.lines:
        texts = (line.text, *(view.run_texts[run] for run in line.runs if len(line.runs) > 1))
        if any(announces_comments(text) and "repl" not in text.lower() for text in texts):
            return True
    return any(
        tree.tag[node] in ("h1", "h2") or (tree.tag[node] in ("h3", "h4") and _links_to_page(tree, node))
        for node in view.elements
    )


def _links_to_page(tree: Tree, heading: int) -> bool:
    """Return whether a heading links to another page that is not a commenter's."""
    around = (*range(heading, tree.end[heading]), tree.parent[heading])
    links = [tree.attrs[node] for node in around if tree.tag[node] == "a"]
    leads_away = any("#" not in (link.get("href") or "#") and not is_commenter_link(link) for link in links)
    return leads_away and not ends_with_verb(one_line(tree.plain(heading)))


def is_commenter_link(link: Attributes) -> bool:
    """Return whether a link is marked as a commenter's (nofollow, external, ugc)."""
    rel = link.get("rel") or ""
    return "nofollow" in rel or "external" in rel or "ugc" in rel


def _own_elements(tree: Tree, item: CommentItem) -> Iterator[int]:
    for top in item.nodes:
        node, stop = top, comment_end(tree, top)
        while node < stop:
            if node in item.nested or tree.tag[node] in UNSEEN_TAGS or (tree.attrs[node] and node in tree.hidden):
                node = tree.end[node]
                continue
            if tree.tag[node] is not TEXT:
                yield node
            node += 1


@lru_cache(maxsize=4096)  # the elements of a thread share a few
def _names(tag: str, classes: str, kind: str, own: str, tag_around: str, classes_around: str) -> tuple[str, ...]:
    """Return the names of an element: its classes, `itemprop`, id without digits, and its tag with its parent."""
    names = [f".{token}" for token in classes.split()]
    if kind:
        names.append(f"[itemprop={kind}]")
    if own and _DIGIT.search(own):
        names.append(f"#{_DIGIT.sub('', own)}")
    # Class tokens that may number an element are left out.
    tokens = (token for token in classes_around.split() if not _DIGIT.search(token) or "-" in token or "_" in token)
    return (*names, f"{tag_around}.{'.'.join(tokens)}>{tag}")


def _names_of(tree: Tree, node: int) -> tuple[str, ...]:
    attrs, tag, parent = tree.attrs[node], tree.tag[node], tree.parent[node]
    tag_around, around = (tree.tag[parent], tree.attrs[parent].get("class") or "") if parent >= 0 else ("", "")
    if not attrs:
        return _names(tag, "", "", "", tag_around, around)
    own = attrs.get("id") or ""
    return _names(tag, attrs.get("class") or "", attrs.get("itemprop") or "", own, tag_around, around)


_NO_HOLDERS = frozenset({"p", "li", "blockquote", "pre", "ul", "ol", "span", "font", "a", "b", "i", "em", "strong"})


FEW = 3  # comments needed to recognise repeated text
_STANDING = 0.6  # of the comments; a text that this many share is the theme's
_MAX_STANDING = 40  # characters; longer equal texts may be quotes, as in two trackbacks of one blog


def standing_lines(views: Sequence[CommentView]) -> frozenset[str]:
    """Return the texts that most comments share, which are the theme's."""
    if len(views) < FEW:
        return frozenset()
    counts: Counter[str] = Counter()
    for view in views:
        counts.update(set(view.run_texts.values()))
    least = _STANDING * len(views)
    return frozenset(text for text, count in counts.items() if count >= least and len(text) <= _MAX_STANDING)


class CommentWords:
    """Finds the texts of the comments of a thread."""

    def __init__(
        self,
        views: Sequence[CommentView],
        authors: Sequence[CommentPart | None],
        dates: Sequence[CommentPart | None],
        standing: frozenset[str],
        name: str = "",
    ) -> None:
        self._views, self._name = views, name
        self._parts = [[part for part in parts if part] for parts in zip(authors, dates, strict=True)]
        self._words = [_own_runs(view, parts, standing) for view, parts in zip(views, self._parts, strict=True)]

    def texts(self) -> list[list[tuple[int, frozenset[int]]]]:
        """Return for each comment the nodes of its text, each with the nodes to leave out."""
        name = self._name or self.element_of_words()
        is_known = name[1:] in TEXT_CLASSES
        return [self._texts_of(place, self._first(place, name), is_known=is_known) for place in range(len(self._views))]

    def element_of_words(self) -> str:
        """Return the name of the element with the text of the comments, "" if there is none."""
        return self._known_name() or self._main_name()

    def _known_name(self) -> str:
        """Return the first known class for texts that most comments have."""
        found = {name for view in self._views for name in view.by_name}
        names = (f".{name}" for name in TEXT_CLASSES)
        return next((name for name in names if name in found and self._is_common(name)), "")

    def _is_common(self, name: str) -> bool:
        found = sum(self._first(place, name) is not None for place in range(len(self._views)))
        return found >= max(1, MIN_COVERED * len(self._views))

    def _first(self, place: int, name: str) -> int | None:
        view = self._views[place]
        return next((node for node in view.by_name.get(name, ()) if self._size(place, node)), None)

    def _main_name(self) -> str:
        """Return the name of the smallest element with most of the text of all comments, at most one per comment."""
        if len(self._views) == 1 or any(len(view.item.nodes) > 1 for view in self._views):
            return ""
        least = _HOLDING * sum(self._size(place, None) for place in range(len(self._views)))
        counts = Counter(name for view in self._views for name in view.by_name)
        common = [name for name, count in counts.items() if count >= MIN_COVERED * len(self._views)]
        # A paragraph may have the whole text of many comments, but not of those with two paragraphs.
        holders = [name for name in common if name.rpartition(">")[2] not in _NO_HOLDERS]
        once = [name for name in holders if all(len(view.by_name.get(name, ())) <= 1 for view in self._views)]
        holding = [name for name in once if self._sum(self._size, name) >= least] if least else []
        return min(holding, key=lambda name: self._sum(self._extent, name), default="")

    def _sum(self, measure: Callable[[int, int], int], name: str) -> int:
        views = enumerate(self._views)
        return sum(measure(place, node) for place, view in views for node in view.by_name.get(name, ()))

    def _extent(self, place: int, node: int) -> int:
        return self._views[place].tree.end[node] - node

    def _size(self, place: int, node: int | None) -> int:
        """Return the characters of a node or the comment without author, date and shared texts."""
        sizes = self._words[place]
        if node is None:
            return sum(sizes.values())
        end = self._views[place].tree.end[node]
        return sum([size for run, size in sizes.items() if node <= run < end])

    def _texts_of(self, place: int, top: int | None, *, is_known: bool) -> list[tuple[int, frozenset[int]]]:
        view = self._views[place]
        tree, nested = view.tree, view.item.nested
        nodes = (top,) if top is not None else view.nodes
        is_whole = top is None or not is_known
        wanted = self._word_lines(place, nodes, is_whole=is_whole, is_about=_is_about)
        if not wanted and self._parts[place]:  # a theme may name the element of the text "edit-toggle" or the like
            wanted = self._word_lines(place, nodes, is_whole=is_whole, is_about=_is_never)
        around = tree.around(run for line in wanted for run in line.runs)
        return [(node, nested.union(parts_left_out(tree, node, around))) for node in nodes if node in around]

    def _word_lines(
        self, place: int, nodes: Iterable[int], *, is_whole: bool, is_about: Callable[[Tree, int, Sequence[int]], bool]
    ) -> list[Line]:
        """Return the lines of the comment's text; `is_about` tells whether a node is metadata."""
        view = self._views[place]
        tree = view.tree
        tops = tuple(nodes)
        spans = [(node, comment_end(tree, node)) for node in tops]
        kept: list[Line] = []
        for line in view.lines:
            runs = [run for run in line.runs if any(start <= run < end for start, end in spans)]
            if not runs:
                continue
            rest = [run for run in runs if run in self._words[place]]
            if len(rest) < len(runs) and not any(char.isalnum() for run in rest for char in tree.text[run]):
                continue  # the dot between a name and a date
            if is_whole and (len(rest) < len(runs) or any(part.node in line.runs for part in self._parts[place])):
                # Short text beside a name or date is metadata; longer text is the comment.
                said = "".join(tree.text[run].strip() for run in rest)
                if (len(said) <= _MAX_REST and not _is_sentence(said)) or self._is_cut(place, line):
                    continue
            if rest and not (is_whole and is_about(tree, rest[0], tops)):
                kept.append(Line(rest, line.text))
        while is_whole and kept and is_action(tree, kept[-1]):
            kept.pop()
        while (
            is_whole and kept and (is_action(tree, kept[0]) or (len(kept) > 1 and self._is_above(place, kept[0].text)))
        ):
            kept.pop(0)
        return kept

    def _is_above(self, place: int, text: str) -> bool:
        """Return whether a line above the text is the title of a reply, or a letter in place of an avatar."""
        names = (part.text for part in self._parts[place])
        return _REPLY_TITLE.match(text) is not None or (len(text) == 1 and any(name.startswith(text) for name in names))

    def _is_cut(self, place: int, line: Line) -> bool:
        """Return whether a name was cut from a text node of this line, which then is the comment's byline."""
        tree = self._views[place].tree
        return any(tree.tag[part.node] is TEXT and part.node in line.runs for part in self._parts[place])


def _own_runs(view: CommentView, parts: Sequence[CommentPart], standing: frozenset[str]) -> dict[int, int]:
    """Return the sizes of the text nodes that are not author, date or shared texts."""
    tree = view.tree
    spans = [(part.node, tree.end[part.node]) for part in parts]
    runs = (run for run, text in view.run_texts.items() if text not in standing)
    return {run: len(tree.text[run].strip()) for run in runs if not any(start <= run < end for start, end in spans)}


_REPLY_TITLE = re.compile(r"^[\W\d]*re ?[:：]", re.IGNORECASE)


def _is_sentence(text: str) -> bool:
    return text[-1:] in (".", "!", "?", "…", "。") and " " in text


def _is_about(tree: Tree, node: int, tops: Sequence[int]) -> bool:
    """Return whether an ancestor of a node, inside `tops`, has a name for metadata of comments."""
    node = tree.parent[node]
    while node > tops[0] and node not in tops:
        attrs = tree.attrs[node]
        if attrs and _ABOUT.search(f"{attrs.get('id') or ''} {attrs.get('class') or ''}"):
            return True
        node = tree.parent[node]
    return False


def _is_never(_tree: Tree, _node: int, _tops: Sequence[int]) -> bool:
    return False
