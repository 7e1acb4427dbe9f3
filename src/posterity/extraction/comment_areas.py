"""Areas of comments on a page: by the names of elements, or below a line that announces comments.

Most pages have no comments, and flattening the whole tree costs more than all other fields together. One selector
search finds whether any element can be a comment; if so, only the first known container with all candidates is read,
or their nearest common ancestor.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice, pairwise
from typing import NamedTuple

from posterity.dom import Document, Tree
from posterity.dom.document import Element, ancestors_of_all
from posterity.dom.elements import HEADINGS
from posterity.dom.plain_text import CELL_TAGS
from posterity.dom.tree import TEXT, Attributes, cached_by_tree
from posterity.extraction.comment_fields import may_be_dated, share_of_comments
from posterity.extraction.comment_parts import (
    MAX_ANNOUNCEMENT,
    CommentItem,
    announced_count,
    announces_comments,
    announces_trackbacks,
    is_dated,
    is_dated_part,
    label_before_name,
    text_announces,
    view_of,
)
from posterity.lexicon import any_of, part_names, widget_names, words_for
from posterity.model.rules import CommentRules, css_name
from posterity.text.normal_form import Remembered, one_line

_COMMENT_ID = re.compile(
    rf"(?:^|[-_])(?:{any_of(part_names('comment.id_prefix'))})[-_]?(\d+)$|^c(\d{{4,}})$", re.IGNORECASE
)
# TYPO3 has such ids on parts of any page; those of TypePad and Blogger are longer.
_SHORT_NUMBER = re.compile(r"^c\d{1,7}$")
_COMMENT_CLASSES = frozenset((*part_names("comment.item"), *words_for("name.comment"), *widget_names("comment")))
CONTAINERS = part_names("comment.container")
# The word's stem in the languages of themes, in lower case.
_WORD = re.compile(any_of(part_names("comment.stem")))
# Names of containers of comments, in lower case: by that word, or those of comment services.
_COMMENTS = re.compile(
    rf"^[a-z]*[-_]?(?:{any_of(words_for('name.comments'))})[-_]?(?:{any_of(part_names('comment.place_suffix'))})?$"
)
_SERVICES = frozenset((*part_names("comment.place"), *widget_names("thread")))


TRACKBACKS = re.compile(rf"(?:^|[-_])(?:{any_of(part_names('comment.trackbacks'))})(?:$|[-_]?\d)", re.IGNORECASE)


class Feature(NamedTuple):
    """The meaning of an element's id or classes."""

    is_comment: bool = False
    number: str | None = None
    is_place: bool = False
    containers: tuple[str, ...] = ()
    is_doubtful: bool = False
    is_of_trackbacks: bool = False


class CommentNames:
    """The elements of a tree with names of comments, and the containers of comments, in document order."""

    __slots__ = ("_containers", "_named", "_tree", "numbers", "places", "trackbacks")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.numbers: dict[int, str] = {}
        self._containers: dict[str, list[int]] = {}
        named: set[int] = set()
        doubtful: list[int] = []
        places: set[int] = set()
        self.trackbacks: list[int] = []
        for nodes, feature in self._features():
            if feature.is_of_trackbacks:
                self.trackbacks.extend(nodes)
            if feature.is_doubtful:
                doubtful.extend(nodes)
            elif feature.is_comment:
                named.update(node for node in nodes if feature.number or not _is_count(tree.plain(node)))
            if feature.number is not None:
                self.numbers |= dict.fromkeys(nodes, feature.number)
            if feature.is_place:
                places.update(nodes)
            for name in feature.containers:
                self._containers.setdefault(name, []).extend(nodes)
        if doubtful and (not named.isdisjoint(doubtful) or _are_comments(tree, doubtful)):
            named.update(doubtful)
        self._named: list[int] = sorted(named)
        self.places: list[int] = sorted(places)

    def _features(self) -> Iterator[tuple[Sequence[int], Feature]]:
        """Yield the features of ids and classes, with their elements."""
        for classes, nodes in self._tree.named.classes.items():
            if (feature := FEATURES_OF_CLASSES[classes]) is not None:
                yield nodes, feature
        for node, name in self._tree.named.ids:
            if (feature := feature_of_id(name)) is not None:
                yield (node,), feature

    def named(self, root: int = 0) -> list[int]:
        """Return the descendants of a node with names of comments."""
        end = self._tree.end[root]
        return [node for node in self._named if root < node < end]

    def root(self) -> int:
        """Return the first known container with all candidates for comments; the tree's root if there is none."""
        tree = self._tree
        # Highlighted code is full of <span class="comment">.
        candidates = [node for node in self._named if tree.tag[node] != "span" or node in self.numbers]
        for name in CONTAINERS:
            nodes = self._containers.get(name, [])
            if len(nodes) == 1 and all(nodes[0] < node < tree.end[nodes[0]] for node in candidates):
                return nodes[0]
        return 0


comment_names = cached_by_tree(CommentNames)


def _are_comments(tree: Tree, nodes: Sequence[int]) -> bool:
    """Return whether elements with ids such as "c1234" are comments, or anchors of comments."""
    if tree.tag[nodes[0]] == "a":
        return True
    return len(nodes) > 1 and share_of_comments(tree, tuple(CommentItem((node,)) for node in nodes)) > 0


def _is_count(text: str) -> bool:
    """Return whether an element contains only the number of comments: <li class="comment">3 comments</li>."""
    return len(text) <= 2 * MAX_ANNOUNCEMENT and announces_comments(one_line(text))


def feature_of_id(name: str) -> Feature | None:
    """Return the features of an id, or None if it is unrelated to comments."""
    # Most ids do not end in a digit; checking the last character is faster than a regex.
    match = _COMMENT_ID.search(name) if name[-1:].isdecimal() else None
    if match:
        number = next(filter(None, match.groups()))
        return Feature(is_comment=True, number=number, is_doubtful=_SHORT_NUMBER.match(name) is not None)
    lowered = name.lower()
    if ("ping" in lowered or "back" in lowered) and TRACKBACKS.search(name):
        return Feature(is_of_trackbacks=True)
    if not _is_place(lowered):
        return None
    container = f"#{lowered}"
    return Feature(is_place=True, containers=(container,) if container in CONTAINERS else ())


def _feature_of_classes(classes: str) -> Feature | None:
    lowered = classes.lower()
    if not (_may_name_comments(lowered) and _WORD.search(lowered)) and _SERVICES.isdisjoint(lowered.split()):
        return None
    tokens = classes.split()
    containers = tuple(f".{token}" for token in dict.fromkeys(lowered.split()) if f".{token}" in CONTAINERS)
    feature = Feature(
        is_comment=not _COMMENT_CLASSES.isdisjoint(tokens),
        is_place=any(map(_is_place, lowered.split())),
        containers=containers,
        is_of_trackbacks=any(map(TRACKBACKS.search, tokens)),
    )
    return feature if any(feature) else None


def _is_place(name: str) -> bool:
    return name in _SERVICES or (_may_name_comments(name) and _COMMENTS.match(name) is not None)


def _may_name_comments(lowered: str) -> bool:
    """Prefilter for names of comments; the regexes take ten times as long, and most names do not match."""
    return "ment" in lowered or "back" in lowered or "cmt" in lowered or "yorum" in lowered


FEATURES_OF_CLASSES = Remembered(_feature_of_classes)


# All elements that may have a name of comments or a container, ignoring case as in quirks mode. Substrings shared by
# several words ("comment" and "kommentar", "komentar" and "comentario") are searched once; false matches are harmless.
_NAMED = (
    '[class]:is([class*="omment" i], [class*="oment" i], [class*="ackback" i], [class*="ingback" i], '
    ".posterity-frame, .yorum, .cmt), "
    '[id]:is([id^="c" i], [id*="comment" i], [id*="cmt" i], [id*="reply" i], [id*="ping" i], '
    '[id*="trackback" i], [id*="isso" i], [id="disqus_thread" i])'
)
NO_COMMENT_TAGS = frozenset({"body", "html", "form", "a", "span", "h2", "h3"})
_NOT_COMMENTS = re.compile(any_of(part_names("comment.not_comments")), re.IGNORECASE)


def comment_tree(document: Document, rules: CommentRules | None = None) -> Tree | None:
    """Return the smallest known subtree with all elements of the page that can be comments, or None if there are none.

    Nothing is searched if the blog's rules match the comments, or if their container has the same tags as on other
    pages without comments.
    """
    if rules is not None and rules.item:
        known = ancestors_of_all(document.elements(f".{css_name(rules.item)}"))
        return known[0].tree if known else None
    if rules is not None and rules.place is not None and (known_place := document.first(rules.place)) is not None:
        return None if rules.empty and digest_of_tags(known_place) in rules.empty else known_place
    named = list(_named(document))
    places = _containers(named)
    # Highlighted code is full of <span class="comment">.
    comments = ((element, feature.number) for element, feature in named if feature.is_comment)
    candidates = [one for one, number in comments if number or not (one.tag == "span" or _is_count(one.text))]
    if not candidates:
        # Comments without such names need a named container, a line that announces them, or a form.
        may_have = document.has("textarea") or text_announces(document.raw_text)
        return places[0].tree if places else document.tree if may_have else None
    trackbacks = [one for one, feature in named if feature.is_of_trackbacks and one.tag not in NO_COMMENT_TAGS]
    around = ancestors_of_all((*candidates, *trackbacks))
    for place in places:
        if place in around:
            return place.tree
    if all(feature.is_doubtful for element, feature in named if feature.is_comment):
        return document.tree
    # If all candidates are excluded, there may be comments without names elsewhere on the page.
    are_something_else = all(element.tag in NO_COMMENT_TAGS for element in candidates) or any(
        element.tag == "noscript" or is_excluded_by_name(element.tag, element.attrs) for element in around
    )
    return document.tree if are_something_else or not around else around[0].tree


def digest_of_tags(tree: Tree) -> str:
    """Return a digest of the tags in a tree, ignoring texts and attributes."""
    return blake2b(" ".join(tree.tag).encode(), digest_size=8).hexdigest()


def is_excluded_by_name(tag: str, attrs: Attributes) -> bool:
    """Return whether the names of an element exclude that it is a comment or a list of comments."""
    names = f"{attrs.get('id') or ''} {attrs.get('class') or ''}"
    return tag not in NO_COMMENT_TAGS and _NOT_COMMENTS.search(names) is not None and "comment-respond-" not in names


def _containers(named: Iterable[tuple[Element, Feature]]) -> list[Element]:
    """Return the known containers that occur once, most reliable first."""
    found: dict[str, list[Element]] = {}
    for element, feature in named:
        for name in feature.containers:
            if element.tag not in NO_COMMENT_TAGS:  # such as the heading above the comments
                found.setdefault(name, []).append(element)
    return [found[place][0] for place in CONTAINERS if len(found.get(place, ())) == 1]


def _named(document: Document) -> Iterator[tuple[Element, Feature]]:
    """Yield the elements whose id or classes have features of comments, with the features."""
    for element in document.elements(_NAMED):
        name, classes = element.attrs.get("id"), element.attrs.get("class")
        if name and (feature := feature_of_id(name)) is not None:
            yield element, feature
        if classes and (feature := FEATURES_OF_CLASSES[classes]) is not None:
            yield element, feature


_ENDS = HEADINGS | {"form", "hr"}
_TABLE_TAGS = frozenset({"table", "tbody", "tr", "td"})
_INLINE = frozenset({"a", "span", "b", "strong", "i", "em", "small", "font", "button", "label", "time", "cite"})
_ELSEWHERE = frozenset({"aside", "nav", "footer", "form"})
_MAX_UP = 5  # wrappers around the line
_MAX_BETWEEN = 120  # characters between the line and the first comment: "Newest first", "Subscribe to this thread"
_MAX_TRIES = 20  # candidates for the first comment: its wrappers and first parts
_MAX_LINES = 20  # a page with more announcements is a list of posts
_MAX_REPLIES = 2_000
_MAX_LONE = 20_000  # characters; more in one element is a whole thread
_ROWS = (2, 3)  # table rows per comment
# Numbers in class names, not those of sizes ("mt-4"); "depth-2" differs between a comment and its replies.
_NUMBER = re.compile(r"\d{3,}|(?<=[a-z])\d+$|(?:(?<=depth[-_])|(?<=level[-_])|(?<=lvl[-_])|(?<=indent[-_]))\d+$")


@cached_by_tree  # used for the end of the article, and again to read comments
def announced_comments(tree: Tree) -> tuple[CommentItem, ...]:
    """Return the comments below the first line that announces any, and the trackbacks below theirs."""
    trackbacks: list[CommentItem] = []
    for line, count in islice(_announcements(tree), _MAX_LINES):
        if count != 0 and not _is_elsewhere(tree, line) and (found := _run_below(tree, line, count)):
            if not announces_trackbacks(one_line(tree.plain(line))):
                return tuple(sorted((*trackbacks, *found)))
            trackbacks += [item._replace(is_trackback=True) for item in found]
    return tuple(trackbacks)


def announced_number(tree: Tree) -> int | None:
    """Return the number of comments in the last line that announces one, or None if no line has a number."""
    lines = islice(_announcements(tree), _MAX_LINES)
    counts = [count for line, count in lines if count is not None and not _is_elsewhere(tree, line)]
    return counts[-1] if counts else None


def _announcements(tree: Tree) -> Iterator[tuple[int, int | None]]:
    """Yield the outermost elements that contain only an announcement, with the announced number of comments."""
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
            if not _points_elsewhere(tree, found[0]) and not _heads_column(tree, found[0]):
                yield found


def _points_elsewhere(tree: Tree, line: int) -> bool:
    """Return whether a line links to a fragment ("3 comments" below a title), so that comments are not below it."""
    return tree.tag[line] == "a" and "#" in (tree.attrs[line].get("href") or "")


def _is_elsewhere(tree: Tree, node: int) -> bool:
    return any(
        (tree.tag[each] in _ELSEWHERE and not _is_around_page(tree, each))
        or is_excluded_by_name(tree.tag[each], tree.attrs[each])
        for each in tree.around([node])
    )


def _heads_column(tree: Tree, line: int) -> bool:
    """Return whether a line is a column header, such as "Replies" in a table of threads."""
    cell = next((node for node in (line, tree.parent[line]) if tree.tag[node] in CELL_TAGS), None)
    if cell is None:
        return False
    cells = [node for node in tree.children(tree.parent[cell]) if tree.text_sizes[node] and tree.tag[node] in CELL_TAGS]
    return len(cells) > _ROWS[0] and all(tree.text_sizes[node] <= MAX_ANNOUNCEMENT for node in cells)


def _is_around_page(tree: Tree, node: int) -> bool:
    """Return whether a <form> wraps the whole page, as in ASP.NET."""
    return tree.tag[node] == "form" and 2 * tree.text_sizes[node] > tree.text_sizes[0]


def _run_below(tree: Tree, line: int, count: int | None) -> list[CommentItem]:
    """Return the longest run of comments near the line, not more than announced; a single one only if plausible."""
    best: list[CommentItem] = []
    known: set[int] = set()
    for first in islice(_near(tree, line), _MAX_TRIES):
        found = _run_from(tree, first) if first not in known else []
        if len(found) > len(best):
            known |= {node for item in found for node in item.nodes}
            best = found if count is None or len(found) <= count else best
    if len(best) == 1 and not best[0].nested:
        best = [CommentItem(_without_wrappers(tree, best[0].nodes))]
    is_lone = tree.tag[line] != "a" and _is_shorter_than_before(tree, best, line)
    return best if len(best) > 1 or count == 1 or is_lone else []


def _without_wrappers(tree: Tree, nodes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the innermost element with all text of a single comment: of a list with one item, the item."""
    while len(nodes) == 1:
        inner = [child for child in tree.children(nodes[0]) if tree.text_sizes[child]]
        if len(inner) != 1 or tree.tag[inner[0]] is TEXT:
            break
        nodes = (inner[0],)
    return nodes


def _is_shorter_than_before(tree: Tree, lone: list[CommentItem], line: int) -> bool:
    """Return whether a single comment is shorter than the text before it; below a link to comments is the article."""
    chars = sum(tree.text_sizes[node] for item in lone for node in item.nodes)
    return chars <= sum(len(tree.text[run]) for run in tree.runs if run < line)


def _near(tree: Tree, line: int) -> Iterator[int]:
    """Yield the elements after the line that could start a thread, up to a heading or too much text."""
    around = line
    for _ in range(_MAX_UP):
        around = max(tree.parent[around], 0)
    node, stop, between = tree.end[line], tree.end[around], 0
    while node < stop and between <= _MAX_BETWEEN:
        tag = tree.tag[node]
        if tree.unseen[node] or tag in _ELSEWHERE or (tree.attrs[node] and is_excluded_by_name(tag, tree.attrs[node])):
            node = tree.end[node]
            continue
        if tag is TEXT:
            between += len(tree.text[node].strip())
        elif tag not in _INLINE and tree.text_sizes[node]:
            yield node
        if tree.text_sizes[node] and _begins_between_rules(tree, node):
            yield node
        if tag in HEADINGS:
            return
        node += 1


def _begins_between_rules(tree: Tree, node: int) -> bool:
    """Return whether a text or inline element is the first content after a heading or <hr>, with another <hr> later."""
    if tree.tag[node] is not TEXT and tree.tag[node] not in _INLINE:
        return False
    siblings = list(islice(tree.children(tree.parent[node]), _MAX_REPLIES))
    seen = [each for each in siblings if tree.text_sizes[each] or tree.tag[each] == "hr"]
    place = seen.index(node) if node in seen else 0
    starts = place > 0 and tree.tag[seen[place - 1]] in HEADINGS | {"hr"}
    return starts and any(tree.tag[each] == "hr" for each in seen[place:])


@cached_by_tree
def comments_beside_form(tree: Tree) -> tuple[CommentItem, ...]:
    """Return the comments above or below the last form with a <textarea>, if no name and no line announces them.

    All of them must have an author and a date.
    """
    node = next((node for node in range(len(tree) - 1, 0, -1) if tree.tag[node] == "textarea"), 0)
    if any(tree.tag[each] in ("aside", "nav") or _is_sidebar(tree.attrs[each]) for each in tree.around([node])):
        return ()
    for _ in range(_MAX_UP):
        above = tree.parent[node]
        if above <= 0:
            break
        best: list[CommentItem] = []
        for first in islice(_firsts_beside(tree, above, node), _MAX_TRIES):
            found = _run_from(tree, first, are_signed=True)
            best = found if len(found) > max(1, len(best)) else best
        if best:
            return tuple(best)
        node = above
    return ()


def _is_sidebar(attrs: Attributes) -> bool:
    return "sidebar" in f"{attrs.get('id') or ''} {attrs.get('class') or ''}".lower()


def _firsts_beside(tree: Tree, around: int, node: int) -> Iterator[int]:
    """Yield the first element of each kind beside a node, and the first ones inside it; nearest first."""
    beside = [each for each in _elements(tree, around + 1, tree.end[around]) if not each <= node < tree.end[each]]
    for each in sorted(beside, key=lambda one: abs(one - node)):
        if tree.tag[each] in _ELSEWHERE | HEADINGS or is_excluded_by_name(tree.tag[each], tree.attrs[each]):
            continue
        yield next(one for one in beside if _is_alike(tree, one, each))
        yield from _firsts_in(tree, each)


def _firsts_in(tree: Tree, node: int, depth: int = 3) -> Iterator[int]:
    """Yield the first two elements of a wrapper, recursively."""
    for inner in islice(_elements(tree, node + 1, tree.end[node]), 2):
        if tree.tag[inner] not in _INLINE | HEADINGS:
            yield inner
            yield from _firsts_in(tree, inner, depth - 1) if depth > 1 else ()


@cached_by_tree  # several elements beside a form may have the same first element
def _run_from(tree: Tree, first: int, *, are_signed: bool = False) -> list[CommentItem]:
    """Return the comments that start at this element and its similar siblings; none if most have no author or date.

    A comment is one element, or one with those up to the next, or several rows, or the content between two <hr>.
    """
    stop = tree.end[tree.parent[first]]
    siblings = list(_elements(tree, first, stop))
    alike = [node for node in siblings if _is_alike(tree, first, node)]
    listed = [node for node in siblings if tree.tag[first] in ITEM_TAGS and tree.tag[node] == tree.tag[first]]
    for heads in (listed, alike) if len(listed) > len(alike) else (alike,):
        if len(heads) == 1 and tree.text_sizes[first] > _MAX_LONE:
            continue
        kinds = frozenset.intersection(*(kinds_of(tree, head) for head in heads))
        for spans in _ways_to_divide(tree, first, heads, stop):
            if are_signed and not may_be_dated(view_of(tree, CommentItem(spans[0]))):
                continue
            is_lone = len(heads) == 1
            found = [item for nodes in spans if nodes for item in _with_replies(tree, nodes, kinds, is_lone=is_lone)]
            if found and share_of_comments(tree, tuple(found), are_signed=are_signed):
                return found
    return []


def _ways_to_divide(tree: Tree, first: int, heads: list[int], stop: int) -> Iterator[list[tuple[int, ...]]]:
    yield [(head,) for head in heads]
    yield _spans(tree, heads, stop)
    if tree.tag[first] == "tr":
        for rows in _ROWS:
            if len(heads) >= 2 * rows and len(heads) % rows == 0:
                yield [tuple(heads[start : start + rows]) for start in range(0, len(heads), rows)]
    between = _between_rules(tree, first, stop)
    if len(between) > 1:
        yield between
    if signed_below := _signed_below(tree, first, stop):
        yield signed_below


def _signed_below(tree: Tree, first: int, stop: int) -> list[tuple[int, ...]]:
    """Return comments that end with a line such as "Posted by: Anna | May 6, 2007 1:11 PM"."""
    parts: list[list[int]] = [[]]
    end = next((node for node in _elements(tree, first, stop) if tree.tag[node] in HEADINGS | {"form"}), stop)
    nodes = list(_elements(tree, first, end))
    signing = [node for node in nodes if _is_signature_below(tree, node)]
    kinds = {(tree.tag[node], tree.attrs[node].get("class")) for node in signing}
    if len(signing) <= 1 or len(kinds) > 1 or signing[0] == first:
        return []
    for node in nodes:
        parts[-1].append(node)
        if node in signing:
            parts.append([])
    return [tuple(part) for part in parts[:-1]]


def _is_signature_below(tree: Tree, node: int) -> bool:
    if tree.text_sizes[node] > _MAX_BETWEEN:
        return False
    text = one_line(tree.plain(node))
    return is_dated(text) and bool(label_before_name(text))


def _between_rules(tree: Tree, first: int, stop: int) -> list[tuple[int, ...]]:
    """Return the contents between <hr> elements, up to a heading or a form."""
    parts: list[list[int]] = [[]]
    node = first
    while node < stop and tree.tag[node] not in _ENDS - {"hr"}:
        if tree.tag[node] == "hr":
            parts.append([])
        elif tree.text_sizes[node] and not tree.unseen[node]:
            parts[-1].append(node)
        node = tree.end[node]
    return [tuple(part) for part in parts if part]


def _elements(tree: Tree, start: int, stop: int) -> Iterator[int]:
    while start < stop:
        if tree.tag[start] is not TEXT and tree.text_sizes[start] and not tree.unseen[start]:
            yield start
        start = tree.end[start]


ITEM_TAGS = frozenset({"li"})  # similar by tag, whatever their classes are ("odd", "even")


def _is_alike(tree: Tree, first: int, node: int) -> bool:
    if tree.tag[first] != tree.tag[node]:
        return False
    wanted, own = kinds_of(tree, first), kinds_of(tree, node)
    return not wanted.isdisjoint(own) if wanted else not own


_KINDS = Remembered[str, frozenset[str]](lambda names: frozenset(_NUMBER.sub("", name) for name in names.split()))


def kinds_of(tree: Tree, node: int) -> frozenset[str]:
    """Return the class tokens without numbers that differ between comments."""
    return _KINDS[tree.attrs[node].get("class") or ""]


def _spans(tree: Tree, heads: list[int], stop: int) -> list[tuple[int, ...]]:
    """Return each head with the elements up to the next: <dt> with <dd>, a row with the row below it.

    The last one has as many as the one before, or all up to a heading or form.
    """
    spans = [tuple(_elements(tree, head, next_head)) for head, next_head in pairwise(heads)]
    last: list[int] = []
    for node in _elements(tree, heads[-1], stop):
        if (tree.tag[node] in _ENDS and node != heads[-1]) or (spans and len(last) == len(spans[-1])):
            break
        last.append(node)
    return [*spans, tuple(last)]


def _with_replies(tree: Tree, nodes: tuple[int, ...], kinds: frozenset[str], *, is_lone: bool) -> list[CommentItem]:
    """Return a comment and the replies inside it: elements of the same tag and classes with a date."""
    first = nodes[0]
    is_named = kinds or tree.tag[first] in ITEM_TAGS
    inside = [
        node
        for node in range(first + 1, tree.end[first])
        if tree.tag[node] == tree.tag[first] and (kinds <= kinds_of(tree, node) if is_named else not tree.classes(node))
    ]
    words = next((run for run in range(first, tree.end[first]) if tree.text[run].strip()), tree.end[first])
    # An element before the comment's text is its header.
    may_hold = len(nodes) == 1 and tree.tag[first] not in _TABLE_TAGS
    later = (node for node in inside[:_MAX_REPLIES] if may_hold and (is_lone or words < node))
    replies = [node for node in later if is_dated_part(tree, node)]
    items = [CommentItem(nodes, frozenset(replies))]
    for place, node in enumerate(replies):
        nested = replies[place + 1 : bisect_left(replies, tree.end[node], place + 1)]
        items.append(CommentItem((node,), frozenset(nested)))
    return items
