"""The comments on a post page as records: author, date, text and parent.

Nearly all blog software marks up a comment as one element, with an id that ends in the comment's number or a class such
as "comment". A reply is inside its parent's element or has a depth class. A list of recent comments in a sidebar is
excluded: it has no texts and is not in the main part.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice, pairwise

import msgspec

from posterity.dom import Tree, text_of
from posterity.dom.media import absolute
from posterity.dom.plain_text import html_of
from posterity.dom.tree import TEXT, cached_by_tree, matches
from posterity.extraction import comment_areas
from posterity.extraction.comment_fields import CommentFields, fields_of_thread, share_of_comments
from posterity.extraction.comment_parts import TEXT_CLASSES, CommentItem, CommentPart, announces_trackbacks, comment_end
from posterity.learning.comments import elements_of
from posterity.lexicon import any_of, part_names
from posterity.model import Comment
from posterity.model.rules import CommentRules
from posterity.text.dates import DayOrder
from posterity.text.dates.reading import ThreadDates
from posterity.text.normal_form import Remembered, letters_and_digits, one_line

_DEPTH = re.compile(r"(?:^|[-_])(?:depth|level|lvl|indent)[-_]?(\d+)$", re.IGNORECASE)
_INDENT = re.compile(r"(?:margin|padding)-left\s*:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
_REPLIES = re.compile(any_of(part_names("comment.replies")), re.IGNORECASE)
_SAID_IN = frozenset({"p", "blockquote", "pre"})
_FIRST_NODES = 12  # of a comment, searched for its anchor and its spacer
_BETWEEN_LINKS = 20  # characters outside the links of a line: brackets, bars, "in reply to"
_NAMED_WITHIN = 80  # characters
_LAST_NUMBER = re.compile(r"(?<!\d)\d+$")
_MAX_COMMENTS = 20_000
_MIN_PLACE = 40  # characters; two comments with names and dates are longer


class CommentElement(msgspec.Struct):
    """The element of one comment, while elements are collected."""

    node: int
    number: str | None
    parent: CommentElement | None = None
    item: CommentItem | None = None  # known already if found by the line above the thread


def comments_on(
    tree: Tree,
    base_url: str = "",
    languages: Sequence[str] = (),
    now: datetime | None = None,
    order: DayOrder | None = None,
    rules: CommentRules | None = None,
    posted: datetime | None = None,
) -> tuple[Comment, ...]:
    """Return the comments of the tree in document order.

    `order` is the blog's order of day and month, if known; else unambiguous dates decide, or the fact that comments are
    later than their post (`posted`). `rules` are those of the blog.
    """
    reader = ThreadDates(languages, now, order, posted)
    if rules is not None and rules.item:
        classes = (rules.item, *_TRACKBACK_ITEMS)
        nodes = sorted({node for name in classes for node in tree.nodes_by_class.get(name, ())})
        elements = _nested_elements(tree, nodes[:_MAX_COMMENTS])
        return _comments(tree, elements, base_url, reader, rules)
    return _first_thread(tree, _possible_elements(tree, comment_areas.comment_names(tree)), base_url, reader, rules)


def comments_with_texts(
    tree: Tree, texts: Sequence[int], base_url: str, reader: ThreadDates, rules: CommentRules | None = None
) -> tuple[Comment, ...]:
    """Return the comments whose texts are in these nodes, matched by a rule learned from a comment feed."""
    found = _elements_of(tree, [CommentItem(nodes) for nodes in elements_of(tree, texts)])
    return _comments(tree, found, base_url, reader, rules) if found else ()


def _first_thread(
    tree: Tree,
    found: Iterable[list[CommentElement]],
    base_url: str,
    reader: ThreadDates,
    rules: CommentRules | None = None,
) -> tuple[Comment, ...]:
    threads = (_comments(tree, elements, base_url, reader, rules) for elements in found if elements)
    return next(filter(None, threads), ())


def comments_of_page(
    tree: Tree,
    base_url: str = "",
    now: datetime | None = None,
    language: str | None = None,
    posted: datetime | None = None,
) -> tuple[Comment, ...]:
    """Return the comments of a whole page; if they have a container, only those inside it."""
    features = comment_areas.comment_names(tree)
    reader = ThreadDates((language,) if language else (), now, None, posted)
    return _first_thread(tree, _possible_elements(tree, features, features.root()), base_url, reader)


@cached_by_tree
def comment_roots(tree: Tree, rules: CommentRules | None = None, place: Tree | None = None) -> frozenset[int]:
    """Return the elements of comments, which are not part of the article.

    A class alone is not enough here: authors use the class "comment" in their articles. `place` is the area with the
    page's comments (`comment_tree`), which the blog's rules may match.
    """
    if rules is not None and rules.item:
        return frozenset(tree.nodes_by_class.get(rules.item, ()))
    if rules is not None and rules.place is not None and place is not None and 0 in matches(place, rules.place):
        return frozenset(matches(tree, rules.place))
    elements = comment_elements(tree, comment_areas.comment_names(tree))
    doubtful = [element for element in elements if not (element.item or element.number)]
    fields = fields_of_thread(tree, tuple(items_of(doubtful)), None)
    unsigned = {element.node for element, read in zip(doubtful, fields, strict=True) if not read.author}
    signed = (element for element in elements if element.node not in unsigned)
    spans = (element.item.nodes if element.item else _roots_of(tree, element.node) for element in signed)
    return frozenset(node for nodes in spans for node in nodes)


def _roots_of(tree: Tree, node: int) -> Iterator[int]:
    """Yield the element of a comment and the siblings that belong to it."""
    end = comment_end(tree, node)
    while node < end:
        yield node
        node = tree.end[node]


def _comments(
    tree: Tree, elements: list[CommentElement], base_url: str, reader: ThreadDates, rules: CommentRules | None = None
) -> tuple[Comment, ...]:
    read = _read_all(tree, elements, rules)
    if not any(one.author or one.date for one in read):
        if around := _elements_around(tree, elements):
            return _comments(tree, around, base_url, reader, rules)
        if not any(element.number for element in elements):
            return ()  # a class name alone is not enough
    reader = reader.with_order([one.date.text for one in read if one.date])
    pairs = enumerate(zip(elements, read, strict=True), 1)
    made = ((one.node, _comment(tree, one, parts, f"c{number}", base_url, reader)) for number, (one, parts) in pairs)
    found = {node: comment for node, comment in made if comment}
    if elements[0].item is not None and reader.is_too_early([each.published for each in found.values()]):
        return ()  # teasers of other posts
    nested = {element.node: element.parent.node for element in elements if element.parent is not None}
    return _with_parents(tree, [element.node for element in elements], nested, found)


def _elements_around(tree: Tree, elements: list[CommentElement]) -> list[CommentElement]:
    """Return the ancestors with author and date of elements that contain only the texts of comments."""
    nodes = [element.node for element in elements]
    while nodes[0] > 0 and all(element.number for element in elements):
        nodes = [tree.parent[node] for node in nodes]
        if len(set(nodes)) < len(nodes) or any(tree.end[one] > other for one, other in pairwise(nodes)):
            break
        fields = fields_of_thread(tree, tuple(CommentItem((node,)) for node in nodes), None)
        if all(one.author and one.date and one.texts for one in fields):
            around = _nested_elements(tree, nodes)
            for one, element in zip(around, elements, strict=True):
                one.number = element.number
            return around
    return []


def _read_all(tree: Tree, elements: list[CommentElement], rules: CommentRules | None) -> list[CommentFields]:
    """Read the fields of all elements; trackbacks and comments are compared separately."""
    items = items_of(elements)
    fields: dict[int, CommentFields] = {}
    are_trackbacks = [is_trackback(tree, element) for element in elements]
    for kind in sorted(set(are_trackbacks)):
        some = [place for place, is_one in enumerate(are_trackbacks) if is_one is kind]
        found = fields_of_thread(tree, tuple(items[place] for place in some), None if kind else rules)
        fields |= zip(some, found, strict=True)
    return [fields[place] for place in range(len(items))]


def items_of(elements: list[CommentElement]) -> list[CommentItem]:
    """Return the elements of each comment with the replies inside them."""
    inside: dict[int, list[int]] = {}
    for element in elements:
        if element.parent is not None:
            inside.setdefault(element.parent.node, []).append(element.node)
    return [
        CommentItem(element.item.nodes if element.item else (element.node,), frozenset(inside.get(element.node, ())))
        for element in elements
    ]


def comment_elements(tree: Tree, features: comment_areas.CommentNames) -> list[CommentElement]:
    """Return the most reliable candidates for the elements of the comments."""
    return next(filter(None, _possible_elements(tree, features)), [])


def _possible_elements(
    tree: Tree, features: comment_areas.CommentNames, root: int = 0
) -> Iterator[list[CommentElement]]:
    """Yield candidates, most reliable first: by class names, by container, below an announcement, beside a form."""
    named = _named_elements(tree, features, root)
    yield _with_trackbacks(tree, features, _elements_inside(tree, named) or named)
    yield _with_trackbacks(tree, features, _listed_elements(tree, features, root))
    yield _elements_of(tree, comment_areas.announced_comments(tree))
    yield _elements_of(tree, comment_areas.comments_beside_form(tree))


def _elements_inside(tree: Tree, named: list[CommentElement]) -> list[CommentElement]:
    """Return the comments inside the only element named as a comment, if it contains several."""
    group = _best_group(tree, named[0].node) if len(named) == 1 and tree.text_sizes[named[0].node] >= _MIN_PLACE else []
    if not group or (named[0].number and len(one_line("".join(tree.text[named[0].node : group[0]]))) > _MIN_PLACE):
        return []  # it is a comment with replies
    items = tuple(CommentItem((node,)) for node in group)
    return _nested_elements(tree, group) if len(group) > 1 and share_of_comments(tree, items, are_signed=True) else []


def _elements_of(tree: Tree, found: Sequence[CommentItem]) -> list[CommentElement]:
    items = {item.nodes[0]: item for item in found[:_MAX_COMMENTS]}
    elements = _nested_elements(tree, items)
    for element in elements:
        element.item = items[element.node]
    return elements


def _listed_elements(tree: Tree, features: comment_areas.CommentNames, root: int) -> list[CommentElement]:
    places = [place for place in features.places if root <= place < tree.end[root]]
    return _nested_elements(tree, _listed_comments(tree, places)[:_MAX_COMMENTS])


_NEVER = frozenset({"a", "span", "form", "button", "h1", "h2", "h3", "h4", "time", "img", "input", "label", "svg"})
_MAX_GROUPS = 40
_PURE = 0.5  # bonus for a group that consists only of comments


def _listed_comments(tree: Tree, places: Sequence[int]) -> list[int]:
    """Return the elements of the comments in containers of comments, in order; none if nothing fits.

    Several containers of one kind may be the comments themselves.
    """
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in places:
        for kind in comment_areas.kinds_of(tree, place) or {""}:
            alike[tree.tag[place], kind].append(place)
    several = (group for group in alike.values() if len(group) > 1)
    groups = sorted(several, key=lambda group: -_share(tree, group) * len(group))
    found: list[int] = []
    for group in groups:
        if _share(tree, group) and not any(_is_around(tree, node, each) for node in found for each in group):
            found += group
    passed = 0
    for place in places if not found else ():
        if place >= passed:
            passed = tree.end[place]
            found += _best_group(tree, place)
    return sorted(found)


def _is_around(tree: Tree, one: int, other: int) -> bool:
    return min(one, other) <= max(one, other) < tree.end[min(one, other)]


def _best_group(tree: Tree, place: int) -> list[int]:
    """Return the group of similar elements with the most complete comments; the purest wins ties."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node in range(place + 1, tree.end[place]):
        tag = tree.tag[node]
        if tag != TEXT and tag not in _NEVER and tree.text_sizes[node]:
            kinds = comment_areas.kinds_of(tree, node)
            unnamed = {"", f"/{tree.parent[node]}"}  # a list of comments may contain lists of links
            for kind in kinds | unnamed if tag in comment_areas.ITEM_TAGS or not kinds else kinds:
                groups[tag, kind].append(node)
    best: list[int] = []
    whole = 0.0
    for group in sorted(groups.values(), key=len, reverse=True)[:_MAX_GROUPS]:
        share = _share(tree, group) if len(group) >= whole else 0
        points = share * len(group) + (share == 1) * _PURE if share else 0
        if points > whole:
            best, whole = group, points
    return best


def _share(tree: Tree, group: list[int]) -> float:
    items = (CommentItem((node,), _nested_in(tree, group, place)) for place, node in enumerate(group))
    return share_of_comments(tree, tuple(items), in_place=True)


def _nested_in(tree: Tree, group: list[int], place: int) -> frozenset[int]:
    return frozenset(group[place + 1 : bisect_left(group, tree.end[group[place]], place + 1)])


def _nested_elements(tree: Tree, nodes: Iterable[int]) -> list[CommentElement]:
    elements: list[CommentElement] = []
    open_elements: list[CommentElement] = []
    for node in nodes:
        while open_elements and tree.end[open_elements[-1].node] <= node:
            open_elements.pop()
        number = _LAST_NUMBER.search(tree.attrs[node].get("id") or "")
        parent = open_elements[-1] if open_elements else None
        element = CommentElement(node=node, number=number and number.group(), parent=parent)
        elements.append(element)
        open_elements.append(element)
    return elements


def _named_elements(tree: Tree, features: comment_areas.CommentNames, root: int) -> list[CommentElement]:
    elements, open_elements = list[CommentElement](), list[CommentElement]()
    elsewhere: dict[int, bool] = {root: False}
    for node in features.named(root):
        if tree.tag[node] in comment_areas.NO_COMMENT_TAGS or _is_elsewhere(tree, node, elsewhere):
            continue
        while open_elements and comment_end(tree, open_elements[-1].node) <= node:
            open_elements.pop()
        if open_elements and not TEXT_CLASSES.isdisjoint(tree.classes(node)):
            continue  # <section class="comment-content comment"> has the text of a comment
        _enter(tree, node, features.numbers.get(node), elements, open_elements)
        if len(elements) >= _MAX_COMMENTS:
            break
    return _without_words(tree, elements)


def _without_words(tree: Tree, elements: list[CommentElement]) -> list[CommentElement]:
    """The elements without those in numbered comments that have no number, and neither names nor dates, themselves.

    Themes call the words of a comment "comment" too; a reply without a number is signed or dated.
    """
    doubtful = {each.node: each for each in elements if not each.number and each.parent and each.parent.number}
    if not doubtful or share_of_comments(tree, tuple(items_of([*doubtful.values()]))):
        return elements
    return [each for each in elements if each.node not in doubtful]


def _is_elsewhere(tree: Tree, node: int, known: dict[int, bool]) -> bool:
    """Return whether the names of an element or an ancestor exclude comments."""
    path = []
    while node not in known:
        path.append(node)
        node = tree.parent[node]
    found = known[node]
    for inner in reversed(path):
        found = known[inner] = found or comment_areas.is_excluded_by_name(tree.tag[inner], tree.attrs[inner])
    return found


def _enter(
    tree: Tree, node: int, number: str | None, elements: list[CommentElement], open_elements: list[CommentElement]
) -> None:
    """Add a new comment, or a second element of the same one (li#li-comment-7 > article#comment-7)."""
    outer = open_elements[-1] if open_elements else None
    if outer is not None and _same_comment(tree, outer, node, number):
        outer.number = outer.number or number
        return
    element = CommentElement(node=node, number=number, parent=outer)
    elements.append(element)
    open_elements.append(element)


def _same_comment(tree: Tree, outer: CommentElement, node: int, number: str | None) -> bool:
    if tree.tag[node] == "dd" and tree.tag[outer.node] == "dt":
        return True  # <dt class="comment"> has author and date, <dd class="comment"> the text
    if number is not None and outer.number is not None:
        return number == outer.number
    # One of them has no number: they are the same comment if there is no text between them.
    return not one_line("".join(tree.text[outer.node : node]))


def _comment(
    tree: Tree, element: CommentElement, read: CommentFields, fallback_id: str, base_url: str, reader: ThreadDates
) -> Comment | None:
    author, date, texts = read
    is_one = is_trackback(tree, element)
    if is_one and not texts:
        texts = [(element.node, frozenset())]  # "Pingback: Other blog"
    text = "\n\n".join(filter(None, (text_of(tree, node, skip) for node, skip in texts)))
    if not text or element.number == "0":  # the template that scripts copy for new comments
        return None
    is_one = is_one or announces_trackbacks(text)
    if is_one:
        source = _source_of_trackback(tree, element.item.nodes if element.item else (element.node,))
        if source is None and not element.number:
            return None  # the blog's trackback URL
        is_named = author is not None and author.link and not announces_trackbacks(author.text)
        author = author if is_named else source or author
    return Comment(
        id=f"comment-{element.number}" if element.number else fallback_id,
        author=author.text if author else None,
        author_url=absolute(base_url, author.link) if author else None,
        published=reader.moment(date.text) if date else None,
        text=text,
        type="trackback" if is_one else msgspec.UNSET,
        html="".join(html_of(tree, base_url, node, skip) for node, skip in texts),
    )


_TRACKBACK_ITEMS = ("trackback", "pingback")
_NAMES_TRACKBACKS = Remembered[str, bool](
    lambda names: any(comment_areas.TRACKBACKS.search(name) and "comment" not in name.lower() for name in names.split())
)
TRACKBACK_URL = re.compile(r"trackback|/mt-tb|[?&]tb_id=", re.IGNORECASE)


def is_trackback(tree: Tree, element: CommentElement) -> bool:
    """Return whether an element or an ancestor has a name for trackbacks that is not also one for comments."""
    if element.item is not None and element.item.is_trackback:
        return True
    around = (tree.attrs[node] for node in tree.around([element.node]))
    return any(_NAMES_TRACKBACKS[f"{attrs.get('class') or ''} {attrs.get('id') or ''}"] for attrs in around if attrs)


def _with_trackbacks(
    tree: Tree, features: comment_areas.CommentNames, elements: list[CommentElement]
) -> list[CommentElement]:
    """Return the comments with the trackbacks in separate containers."""
    if not elements or not features.trackbacks:
        return elements
    known = {element.node for element in elements}
    places = sorted(node for node in features.trackbacks if tree.tag[node] not in comment_areas.NO_COMMENT_TAGS)
    both = sorted({*places, *known, len(tree)})
    inner = [place for place in places if both[bisect_right(both, place)] >= tree.end[place]]
    items = {
        node: CommentItem((node,), is_trackback=True)
        for place in inner
        if known.isdisjoint(tree.around([place]))
        for node in _trackbacks_in(tree, place)
    }
    return sorted((*elements, *_elements_of(tree, [*items.values()])), key=lambda element: element.node)


def _trackbacks_in(tree: Tree, place: int) -> list[int]:
    """Return the trackback itself, by its name, or the container's children that link to other sites."""
    is_one = any(name.lower().endswith(_TRACKBACK_ITEMS) for name in tree.classes(place))
    nodes = _listed_comments(tree, [place]) or ([place] if is_one else list(tree.children(place)))
    named = ((node, tree.tag[node], tree.attrs[node]) for node in nodes)
    skip = comment_areas.NO_COMMENT_TAGS
    others = (
        node for node, tag, attrs in named if tag not in skip and not comment_areas.is_excluded_by_name(tag, attrs)
    )
    return [node for node in others if _source_of_trackback(tree, (node,))]


def _source_of_trackback(tree: Tree, nodes: Iterable[int]) -> CommentPart | None:
    """Return the post that a trackback announces: its first absolute link."""
    for node in (inner for top in nodes for inner in range(top, comment_end(tree, top))):
        href = tree.attrs[node].get("href") or "" if tree.tag[node] == "a" else ""
        if href.startswith(("http://", "https://", "//")) and not TRACKBACK_URL.search(href):
            return CommentPart(node, one_line(tree.plain(node)), href)
    return None


def _with_parents(
    tree: Tree, nodes: Sequence[int], nested: dict[int, int], found: dict[int, Comment]
) -> tuple[Comment, ...]:
    """Return the comments with parents: by nesting, depth, links to the parent, or a leading "@name".

    `nodes` are the elements of all comments in order; `nested` maps those inside their parents.
    """
    parents = nested
    for ways in (_parents_by_depth, _parents_by_indented_list, _parents_by_link):
        if len(parents) < len(nodes):
            parents = ways(tree, nodes) | parents
    if not parents:
        parents = _parents_by_name(found)
    ids = {node: comment.id for node, comment in found.items()}
    return tuple(
        msgspec.structs.replace(comment, parent=ids[parent]) if (parent := parents.get(node)) in ids else comment
        for node, comment in found.items()
    )


def _parents_by_depth(tree: Tree, nodes: Sequence[int]) -> dict[int, int]:
    """Return the parents by depth: themes that do not nest replies have depth classes, or indent replies."""
    for depth_of in (_class_depth, _indentation, _spacer_width):
        depths = [depth_of(tree, node) for node in nodes]
        if len({depth for depth in depths if depth is not None}) > 1:
            return _parents_of_depths(nodes, depths)
    return {}


def _parents_of_depths(nodes: Sequence[int], depths: Sequence[float | None]) -> dict[int, int]:
    """Return for each comment the last one before it with a smaller depth."""
    parents: dict[int, int] = {}
    above: list[tuple[float, int]] = []
    for node, depth in zip(nodes, depths, strict=True):
        if depth is None:
            continue
        while above and above[-1][0] >= depth:
            above.pop()
        if above:
            parents[node] = above[-1][1]
        above.append((depth, node))
    return parents


def _class_depth(tree: Tree, node: int) -> float | None:
    return next((float(match.group(1)) for token in tree.classes(node) if (match := _DEPTH.search(token))), None)


def _indentation(tree: Tree, node: int) -> float | None:
    """Return the left margin of a comment or of a wrapper that contains only it."""
    size = tree.text_sizes[node]
    while node > 0 and tree.text_sizes[node] == size:
        if match := _INDENT.search(tree.attrs[node].get("style") or ""):
            return float(match.group(1))
        node = tree.parent[node]
    return None


def _spacer_width(tree: Tree, node: int) -> float | None:
    """Return the width of the empty image or cell that indents a comment in a table."""
    for inner in islice(range(node, tree.end[node]), _FIRST_NODES):
        if tree.text[inner].strip():
            return None
        width = tree.attrs[inner].get("width") or ""
        if tree.tag[inner] in ("img", "td") and width.isdecimal() and not tree.text_sizes[inner]:
            return float(width)
    return None


def _parents_by_indented_list(tree: Tree, nodes: Sequence[int]) -> dict[int, int]:
    """Return the parents of replies in a list or box after the comment: its last sibling comment."""
    last_in: dict[int, int] = {}
    parents: dict[int, int] = {}
    for node in nodes:
        box, around = node, tree.parent[node]
        last_in[around] = node
        while tree.parent[around] >= 0:
            box, around = around, tree.parent[around]
            if around in last_in:
                if _holds_replies(tree, box, around):
                    parents[node] = last_in[around]
                break
    return parents


def _holds_replies(tree: Tree, box: int, around: int) -> bool:
    """Return whether a sibling of comments is a list, has a name for replies, or has its parent's class."""
    if (classes := tree.classes(box)) and tree.classes(around) == classes:
        return True
    names = f"{tree.attrs[box].get('id') or ''} {tree.attrs[box].get('class') or ''}"
    return tree.tag[box] in ("ul", "ol", "dl", "blockquote") or _REPLIES.search(names) is not None


def _parents_by_link(tree: Tree, nodes: Sequence[int]) -> dict[int, int]:
    """Return the parents by links to an earlier comment outside the text: "in reply to Anna", "Parent"."""
    owners: dict[str, int] = {}
    parents: dict[int, int] = {}
    for place, node in enumerate(nodes):
        end = nodes[place + 1] if place + 1 < len(nodes) else tree.end[node]
        own = set(_anchors(tree, node))
        for inner in range(node, min(end, tree.end[node])):
            href = tree.attrs[inner].get("href") if tree.tag[inner] == "a" else None
            target = owners.get(href.rpartition("#")[2]) if href and "#" in href else None
            if target is not None and not _is_said(tree, inner):
                parents[node] = target
                break
        owners |= dict.fromkeys(own, node)
    return parents


def _is_said(tree: Tree, link: int) -> bool:
    """Return whether a link is part of a sentence."""
    line = tree.parent[link]
    linked = sum(tree.text_sizes[node] for node in tree.children(line) if tree.tag[node] == "a")
    return tree.tag[line] in _SAID_IN and tree.text_sizes[line] - linked > _BETWEEN_LINKS


def _anchors(tree: Tree, node: int) -> Iterator[str]:
    """Yield the fragments that link to this comment: its id, and those of anchors in it or right before it."""
    before = node - 1
    while before > 0 and tree.tag[before] is TEXT and not tree.text[before].strip():
        before -= 1
    for each in (before, *range(node, min(node + _FIRST_NODES, tree.end[node]))):
        for name in ("id", "name"):
            if value := tree.attrs[each].get(name):
                yield value
                if number := _LAST_NUMBER.search(value):
                    yield f"t{number.group()}"


def _parents_by_name(found: dict[int, Comment]) -> dict[int, int]:
    """Return the parents in flat threads, where replies start with the name of the parent's author: "@Anna: ..."."""
    last_of: dict[str, int] = {}
    parents: dict[int, int] = {}
    for node, comment in found.items():
        if comment.text.startswith("@"):
            begins = letters_and_digits(comment.text[1:_NAMED_WITHIN])
            names = [name for name in last_of if begins.startswith(name)]
            if names:
                parents[node] = last_of[max(names, key=len)]
        if comment.author and (own := letters_and_digits(comment.author)):
            last_of[own] = node
    return parents
