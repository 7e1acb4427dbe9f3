"""BlogBuster rules learned from a few annotated pages.

The authors of BlogBuster wrote their rules by hand and left learning them from a small annotated corpus to future
work (document 000, section 7). Here a page comes with an annotation in JSON that quotes its posts or selects them:

    {"posts": [{"title": "...", "date": "2010-01-31", "author": "...", "text": "..."}]}
    {"selectors": {"post": "div.post", "text": ".entry", "title": "h2", "date": ".meta .date"}}

The quoted parts are found on the page (`QuotedPage`), and the element around a single post is the post. Names shared
by these elements become patterns (`common_names`), and the positions of title, date and text relative to the post
become steps. The result is the TOML of a rule file, which can be edited and passed to the method `blogbuster`.

All posts of a page must be annotated: an element around two annotated posts is known not to be a post.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from posterity.dom import Document, Tree
from posterity.dom.elements import HEADINGS
from posterity.dom.tree import TEXT
from posterity.errors import InputError, NothingLearned
from posterity.text.normal_form import comparable, letters_and_digits

_ATTRIBUTES = ("class", "id", "itemprop", "itemtype", "rel")
_PLAIN = re.compile(r"[\w:/.-]{1,80}")
_NUMBER = re.compile(r"\d+.*$")
_MAX_PATTERNS = 24


class Element(NamedTuple):
    """An element of a page."""

    tree: Tree
    node: int


class Names(NamedTuple):
    """The tags, attributes and patterns that match some elements; without patterns, the tags alone match."""

    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    patterns: tuple[str, ...]


def patterns_of(place: Element) -> list[tuple[str, str]]:
    """Return (attribute, pattern) for every name of an element; numbers become wildcards, bare numbers are skipped."""
    found = []
    for attribute in _ATTRIBUTES:
        for word in (place.tree.attrs[place.node].get(attribute) or "").split():
            pattern = _NUMBER.sub("[0-9]*", word)
            if _PLAIN.fullmatch(word) and pattern != "[0-9]*":
                found.append((attribute, pattern))
    return list(dict.fromkeys(found))


def common_names(places: Sequence[Element], trees: Iterable[Tree]) -> Names:
    """Return patterns that together match as many of the elements as possible, and few others on the trees."""
    tags = tuple(dict.fromkeys(place.tree.tag[place.node] for place in places))
    # Lists, not sets: among names that fit equally well, the first on the page wins in every run.
    left = {(id(place.tree), place.node): patterns_of(place) for place in places}
    others = _other_elements(set(left), tags, trees)
    chosen: list[tuple[str, str]] = []
    while left and len(chosen) < _MAX_PATTERNS:
        counts = Counter(name for names in left.values() for name in names)
        best = max(counts, key=lambda name: counts[name] - others[name], default=None)
        if best is None:
            break
        chosen.append(best)
        left = {key: names for key, names in left.items() if best not in names}
    attributes = tuple(dict.fromkeys(attribute for attribute, _ in chosen))
    return Names(tags, attributes, tuple(dict.fromkeys(pattern for _, pattern in chosen)))


def _other_elements(
    known: set[tuple[int, int]], tags: tuple[str, ...], trees: Iterable[Tree]
) -> Counter[tuple[str, str]]:
    """How many other elements with these tags each pattern matches."""
    counts: Counter[tuple[str, str]] = Counter()
    for tree in trees:
        for node, tag in enumerate(tree.tag):
            if tag in tags and tree.attrs[node] and (id(tree), node) not in known:
                counts.update(patterns_of(Element(tree, node)))
    return counts


_MIN_QUOTE = 8  # characters; shorter text runs are found anywhere on a page
_BEGINNING = 30  # characters; longer runs are compared by their beginning, since excerpts end in an ellipsis
_MAX_DATE_TEXT = 60
_DATE_ATTRIBUTES = ("datetime", "content", "title")
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


class PostExample(msgspec.Struct, frozen=True, kw_only=True):
    """The elements of one annotated post; `date_attribute` is set when the date is in an attribute."""

    text: int
    title: int | None = None
    date: int | None = None
    author: int | None = None
    date_attribute: str = ""


class QuotedPage:
    """A page in which quotations are looked up."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # Letters and digits only: line breaks and quotation marks differ between a page and its quotations.
        self._runs = [letters_and_digits(text) if not tree.unseen[node] else "" for node, text in enumerate(tree.text)]
        self._size = tree.summed([len(run) for run in self._runs])

    def text_node(self, quotation: str) -> int | None:
        """Return the element whose text is most like the quotation, preferring one with a class or id, or None."""
        quoted = letters_and_digits(quotation)
        if not quoted:
            return None
        shortest = min(_MIN_QUOTE, len(quoted))
        shared = self.tree.summed(
            [len(run) if len(run) >= shortest and run[:_BEGINNING] in quoted else 0 for run in self._runs]
        )
        best, highest = None, 0.0
        for node, tag in enumerate(self.tree.tag):
            # Recall is relative to the part of the quotation on the page: a front page may show only its beginning.
            score = shared[node] / (self._size[node] + shared[0]) if shared[0] else 0.0
            if tag != TEXT and shared[node] and score >= highest:
                best, highest = node, score
        return None if best is None else self._climb_to_name(best)

    def same_text(self, quotation: str, near: int, *, headings_first: bool = True) -> int | None:
        """Return the nearest element with exactly this text, or None; with `headings_first`, headings are preferred."""
        wanted = letters_and_digits(quotation)
        nodes = self._elements(len(wanted)) if wanted else ()
        found = [node for node in nodes if letters_and_digits(self.tree.plain(node)) == wanted]
        later = {node for node in found if headings_first and self.tree.tag[node] not in HEADINGS}
        return min(found, key=lambda node: (node in later, abs(node - near)), default=None)

    def date_node(self, date: str, near: int) -> tuple[int, str] | None:
        """Return the nearest element that names the day, and the attribute it is in ("" for its text)."""
        found = [
            (node, name)
            for node, attrs in enumerate(self.tree.attrs)
            for name in _DATE_ATTRIBUTES
            if date[:10] in (attrs.get(name) or "")
        ]
        if not found or not _ISO_DAY.match(date):
            found += [(node, "") for node in self._elements(_MAX_DATE_TEXT) if names_day(self.tree.plain(node), date)]
        # Of nested elements with the same text, the inner one comes later and wins.
        return min(found, key=lambda place: (abs(place[0] - near), -place[0]), default=None)

    def _elements(self, max_size: int) -> Iterator[int]:
        tags, unseen = self.tree.tag, self.tree.unseen
        return (
            node
            for node, size in enumerate(self._size)
            if 0 < size <= max_size and tags[node] != TEXT and not unseen[node]
        )

    def _climb_to_name(self, node: int) -> int:
        """The nearest ancestor with a class or id and no other text, or the node itself."""
        tree, start = self.tree, node
        while not (tree.attrs[node].get("class") or tree.attrs[node].get("id")):
            parent = tree.parent[node]
            if parent < 0 or self._size[parent] != self._size[start]:
                return start
            node = parent
        return node


def names_day(text: str, date: str) -> bool:
    """Return whether a text names a date: in the annotation's words, or by year and day of the month in digits.

    The month is not checked: a short text near the post with the right year and day is its date.
    """
    day = _ISO_DAY.match(date)
    if day is None:
        return bool(date) and comparable(date) in comparable(text)
    numbers = [int(number) for number in re.findall(r"\d{1,4}", text)]
    return int(day[1]) in numbers and int(day[3]) in numbers


_PART = re.compile(r"""([\w-]+|\*)|\.([\w-]+)|\#([\w-]+)|\[([\w:-]+)(?:=["']?([^"'\]]*)["']?)?\]""")


class _Step(msgspec.Struct, frozen=True):
    tag: str = "*"
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str | None], ...] = ()

    def fits(self, tree: Tree, node: int) -> bool:
        attrs = tree.attrs[node]
        return (
            self.tag in ("*", tree.tag[node])
            and self.classes <= set(tree.classes(node))
            and all(name in attrs and value in (None, attrs[name]) for name, value in self.attributes)
        )


def selected(tree: Tree, selector: str, within: int = 0) -> list[int]:
    """Return the elements inside a node (the node included) that match the selector, or raise `InputError`."""
    *ancestors, last = _steps(selector)
    nodes = [node for node in range(within, tree.end[within]) if tree.tag[node][0] != "#" and last.fits(tree, node)]
    return [node for node in nodes if _is_in(tree, node, ancestors)]


def _is_in(tree: Tree, node: int, ancestors: list[_Step]) -> bool:
    wanted = list(ancestors)
    node = tree.parent[node]
    while wanted and node >= 0:
        if wanted[-1].fits(tree, node):
            wanted.pop()
        node = tree.parent[node]
    return not wanted


def _steps(selector: str) -> list[_Step]:
    steps = [_step(part, selector) for part in selector.split()]
    if not steps:
        raise InputError("An annotation has an empty selector. Remove it, or use a selector such as h2.title.")
    return steps


def _step(part: str, selector: str) -> _Step:
    tag, at = "*", 0
    classes: set[str] = set()
    attributes: list[tuple[str, str | None]] = []
    while at < len(part):
        match = _PART.match(part, at)
        if match is None:
            raise InputError(
                f"The selector {selector!r} cannot be used. Write tags, .class, #id and [attribute=value] only."
            )
        name, class_, id_, attribute, value = match.groups()
        tag = name or tag
        classes |= {class_} if class_ else set()
        attributes += [("id", id_)] if id_ else [(attribute, value)] if attribute else []
        at = match.end()
    return _Step(tag.lower(), frozenset(classes), tuple(attributes))


_FIELDS = ("title", "date", "author")
_ORDER = ("self", "descendants", "previous-siblings", "before")


class AnnotatedPost(msgspec.Struct, frozen=True, kw_only=True):
    """A person's annotation of one post of a page. The date is an ISO day, or the words on the page."""

    text: str = ""
    title: str | None = None
    date: str | None = None
    author: str | None = None


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """A person's annotation of one page; selectors for title, date, author and text are relative to each post."""

    posts: tuple[AnnotatedPost, ...] = ()
    selectors: dict[str, str] = {}


class _Example(msgspec.Struct, frozen=True, kw_only=True):
    tree: Tree
    post: int
    parts: PostExample


class _Position(NamedTuple):
    """How a part was found: whether without a name, where relative to the post, in which attribute."""

    bare: bool
    where: str
    read: str


def annotation_from_json(text: str | bytes) -> Annotation:
    """Return the annotation, or raise `InputError` with the problem."""
    try:
        return msgspec.json.decode(text, type=Annotation)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError) as problem:
        raise InputError(f"The annotation cannot be used: {problem}.") from problem


def rules_from_annotated(pages: Sequence[tuple[Document, Annotation]]) -> str:
    """Return the TOML of a rule file that finds the annotated posts, or raise `NothingLearned`."""
    examples = [example for document, annotation in pages for example in _examples(document.tree, annotation)]
    if not examples:
        raise NothingLearned(
            "None of the annotated posts was found on its page. Check that pages and annotations belong together."
        )
    trees = list({id(document.tree): document.tree for document, _ in pages}.values())
    lines = ['name = "annotated"', 'match = "word"', 'date_search = "first-readable"', "fields_leave_text = true"]
    posts = [Element(example.tree, example.post) for example in examples]
    for places in (
        [place for place in posts if patterns_of(place)],
        [place for place in posts if not patterns_of(place)],
    ):
        lines += _step_lines("post", "", common_names(places, trees)) if places else []
    for field in ("text", *_FIELDS):
        lines += _field_lines(field, examples, trees)
    return "\n".join([*lines, ""])


def _examples(tree: Tree, annotation: Annotation) -> list[_Example]:
    if annotation.selectors:
        return _selected_examples(tree, annotation.selectors)
    page = QuotedPage(tree)
    post_at = [place for post in annotation.posts if (place := _example_by_quotes(page, post))]
    texts = [place.text for place in post_at]
    return [_Example(tree=tree, post=_post_node(tree, place, texts), parts=place) for place in post_at]


def _example_by_quotes(page: QuotedPage, post: AnnotatedPost) -> PostExample | None:
    text = page.text_node(post.text)
    if text is None:
        return None
    date = page.date_node(post.date, text) if post.date else None
    return PostExample(
        text=text,
        title=page.same_text(post.title, text) if post.title else None,
        author=page.same_text(post.author, text, headings_first=False) if post.author else None,
        date=date[0] if date else None,
        date_attribute=date[1] if date else "",
    )


def _selected_examples(tree: Tree, selectors: dict[str, str]) -> list[_Example]:
    examples = []
    for post in selected(tree, selectors.get("post", "body")):
        found = {field: selected(tree, css, post) for field, css in selectors.items() if field != "post"}
        first = {"text": post} | {field: nodes[0] for field, nodes in found.items() if nodes}
        attrs = tree.attrs[first["date"]] if "date" in first else {}
        attribute = next((name for name in ("datetime", "content") if attrs.get(name)), "")
        known = {field: first[field] for field in ("text", *_FIELDS) if field in first}
        parts = PostExample(date_attribute=attribute, **known)
        examples.append(_Example(tree=tree, post=post, parts=parts))
    return examples


def _post_node(tree: Tree, place: PostExample, texts: list[int]) -> int:
    """The smallest named element that holds most of the post's parts and no other post."""
    best = node = place.text
    wanted = {part for part in (place.title, place.date) if part is not None}
    node = tree.parent[node]
    while node > 0 and not any(node <= text < tree.end[node] and text != place.text for text in texts):
        reached = sum(node <= part < tree.end[node] for part in wanted)
        known = sum(best <= part < tree.end[best] for part in wanted)
        named = tree.attrs[node].get("class") or tree.attrs[node].get("id") or tree.tag[node] == "article"
        if reached > known and named and tree.tag[node] != "body":
            best = node
        node = tree.parent[node]
    return best


def _field_lines(field: str, examples: list[_Example], trees: list[Tree]) -> list[str]:
    """The steps of one field, one for each position relative to the post at which it was found, surest first."""
    found: dict[_Position, list[Element]] = defaultdict(list)
    for example in examples:
        node = getattr(example.parts, field)
        if node is None:
            continue
        place, where = Element(example.tree, node), _where(example, node)
        # A name far above all posts is the blog's, not the author's.
        if (field, where) != ("author", "before"):
            read = example.parts.date_attribute if field == "date" else ""
            found[_Position(not patterns_of(place), where, read)].append(place)
    # Elements with a name are surer than "the first <p>"; then the more frequent way goes first.
    ways = sorted(found, key=lambda way: (way.bare, -len(found[way]), _ORDER.index(way.where), way.read))
    return [line for way in ways for line in _step_lines(field, way.where, common_names(found[way], trees), way.read)]


def _where(example: _Example, node: int) -> str:
    tree, post = example.tree, example.post
    if node == post:
        return "self"
    if post < node < tree.end[post]:
        return "descendants"
    if node < post and tree.parent[node] == tree.parent[post]:
        return "previous-siblings"
    return "before"


def _step_lines(field: str, where: str, names: Names, read: str = "") -> list[str]:
    lines = ["", f"[[{field}]]"]
    if where:
        lines += [f"step = {_toml(f'learned {field}')}", f"where = {_toml(where)}", 'order = "document"']
    lines.append(f"tags = {_toml(names.tags)}")
    if names.patterns:
        lines += [f"attributes = {_toml(names.attributes)}", f"patterns = {_toml(names.patterns)}"]
    if read:
        lines.append(f"read = {_toml(read)}")
    return lines


def _toml(value: str | tuple[str, ...]) -> str:
    """A string or list of strings; without control characters, JSON and TOML write them the same way."""
    return json.dumps(value, ensure_ascii=False)
