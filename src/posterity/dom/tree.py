"""A subtree of a page as parallel lists in document order, one entry per node, and the matching of rules on it.

A node is an index into the lists. Its descendants are the entries up to `end[node]`: a subtree is a range, top-down
is counting up, and bottom-up is counting down. Algorithms on it are loops that visit each node once.

Rules are matched through the tree's indexes. `Document.first` uses the parser, which is faster for a few rules on a
page; learning matches thousands of rules on one page, and here a match is a dictionary lookup.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from selectolax.lexbor import LexborNode

from posterity.lexicon import any_of, part_names
from posterity.model import Rule
from posterity.model.rules import step_parts

_CODE = frozenset({"script", "style", "template", "iframe", "object", "svg", "math"})
_MUCH = 500  # characters; "please enable JavaScript" is shorter in any language
_TIMES = 2  # as much text as outside
# Roles of the panels of tabs and accordions in the WAI-ARIA patterns.
_PANELS = frozenset({"tabpanel", "region"})
_FOLDED = re.compile(any_of(part_names("other.folded")), re.IGNORECASE)
# Ids of the hidden elements in which React's streaming server sends late parts; a script moves them.
_SENT_LATER = re.compile(r"^S:[0-9a-f]+$")


def unwrap_noscript(tree: Tree) -> None:
    """Turn <noscript> elements into ordinary ones if they contain most of the page's text."""
    tags, ends = tree.tag, tree.end
    if "noscript" not in tags:
        return
    inside = sum(_length(tree, node) for node, tag in enumerate(tags) if tag == "noscript")
    if inside <= _MUCH:
        return
    everything = _length(tree, 0)
    code = sum(_length(tree, node) for node, tag in enumerate(tags) if tag in _CODE and ends[node] > node + 1)
    if inside > _TIMES * (everything - code - inside):
        tree.noscripts = frozenset(node for node, tag in enumerate(tags) if tag == "noscript")
        tags[:] = ["div" if tag == "noscript" else tag for tag in tags]


def _length(tree: Tree, node: int) -> int:
    return sum(len(text.strip()) for text in tree.text[node : tree.end[node]])


def is_revealed_later(attrs: Attributes) -> bool:
    """Return whether a hidden element is a panel that users open, or a part that a script shows after loading."""
    if attrs.get("role") in _PANELS or attrs.get("hidden") == "until-found":
        return True
    return bool(_SENT_LATER.match(attrs.get("id") or "") or _FOLDED.search(attrs.get("class") or ""))


TEXT = "#text"
# Elements whose text is never rendered. <noscript> is still parsed as markup, because lazy images are in it.
UNSEEN_TAGS = frozenset(
    {"script", "style", "template", "head", "noscript", "iframe", "object", "svg", "math", "select", "datalist"}
)
# Attributes that declare the meaning of an element: microformats, microdata, RDFa, <meta>.
DECLARING_ATTRIBUTES = frozenset({"itemprop", "rel", "property", "name"})
_RARE_ATTRIBUTES = frozenset({"style", "hidden", "itemtype", "itemprop", "rel", "property"})
# An attribute without a value, such as <input disabled>, is None.
Attributes: TypeAlias = "dict[str, str | None]"
_NO_ATTRIBUTES: Attributes = {}
_Number = TypeVar("_Number", int, float)
_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")
# Tag names by the parser's tag id, filled on first use: all nodes of a tag share one string, so that sets and
# dictionaries compare by identity. Ids of tags unknown to the parser differ between documents and are not cached.
_TAGS: dict[int, str] = {}
_OWN_TAGS = 1_000


class Named(NamedTuple):
    """Elements by attribute: by the whole value of `class`; those with an id, a `style` or `hidden`, an `itemtype`.

    `declaring` are the elements with `itemprop`, `property` or `rel`.
    """

    classes: dict[str, list[int]]
    ids: list[tuple[int, str]]
    styled: list[int]
    typed: list[tuple[int, str]]
    declaring: list[int]


# Deeper elements become siblings, as in browsers (Blink's limit); this bounds every walk to the root.
_MAX_DEPTH = 512
_HARDLY_ANY = 100  # visible characters beside hidden parts: a notice, a menu


class Tree:
    """A subtree as lists in document order; entry 0 is its root. Treat as read-only."""

    __slots__ = ("__dict__", "attrs", "end", "noscripts", "parent", "tag", "text")

    def __init__(self, root: LexborNode) -> None:
        self.tag: list[str] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.attrs: list[Attributes] = []
        self.text: list[str] = []
        # Elements that are <noscript> in the source and <div> here.
        self.noscripts: frozenset[int] = frozenset()
        _flatten(root, self)

    def __len__(self) -> int:
        return len(self.tag)

    def children(self, node: int) -> Iterator[int]:
        """Yield the child nodes, including text, in order."""
        child, end = node + 1, self.end[node]
        while child < end:
            yield child
            child = self.end[child]

    def classes(self, node: int) -> list[str]:
        """Return the class tokens of an element."""
        return (self.attrs[node].get("class") or "").split()

    def plain(self, node: int) -> str:
        """Return all text of the subtree, unchanged, including unseen parts."""
        return "".join(self.text[node : self.end[node]])

    def subtree(self, node: int) -> Tree:
        """Return the node and its descendants as a new tree."""
        part, end = Tree.__new__(Tree), self.end[node]
        part.tag, part.attrs, part.text = self.tag[node:end], self.attrs[node:end], self.text[node:end]
        part.parent = [-1, *(parent - node for parent in self.parent[node + 1 : end])]
        part.noscripts = frozenset(each - node for each in self.noscripts if node <= each < end)
        part.end = [each - node for each in self.end[node:end]]
        return part

    def with_children(self, node: int, first: int, stop: int) -> Tree:
        """Return a new tree of the node and its children from `first` up to `stop`; `first` becomes node 1."""
        part, shift = Tree.__new__(Tree), first - 1
        part.tag = [self.tag[node], *self.tag[first:stop]]
        part.attrs = [self.attrs[node], *self.attrs[first:stop]]
        part.text = [self.text[node], *self.text[first:stop]]
        part.parent = [-1, *(max(0, parent - shift) for parent in self.parent[first:stop])]
        part.end = [stop - shift, *(end - shift for end in self.end[first:stop])]
        part.noscripts = frozenset(each - shift for each in self.noscripts if first <= each < stop)
        return part

    def depth(self, node: int) -> int:
        """Return the number of ancestors in this tree."""
        depth, parent = 0, self.parent[node]
        while parent >= 0:
            depth, parent = depth + 1, self.parent[parent]
        return depth

    def around(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes and all their ancestors."""
        around: set[int] = set()
        for inner in nodes:
            node = inner
            while node >= 0 and node not in around:
                around.add(node)
                node = self.parent[node]
        return around

    def outermost(self, nodes: Iterable[int]) -> list[int]:
        """Return the nodes that are not inside another of them, in document order."""
        found: list[int] = []
        for node in sorted(set(nodes)):
            if not found or node >= self.end[found[-1]]:
                found.append(node)
        return found

    def summed(self, masses: Sequence[_Number]) -> list[_Number]:
        """Return for every node the sum of the masses in its subtree."""
        sums, parent = list(masses), self.parent
        for node in range(len(sums) - 1, 0, -1):
            if sums[node]:
                sums[parent[node]] += sums[node]
        return sums

    @cached_property
    def named(self) -> Named:
        """Elements by their most used attributes, indexed in one pass."""
        classes: dict[str, list[int]] = defaultdict(list)
        ids, styled, typed, declaring = [], [], [], []
        for node, attrs in enumerate(self.attrs):
            if not attrs:
                continue
            if (names := attrs.get("class")) is not None:
                classes[names].append(node)
                if len(attrs) == 1:
                    continue
            if "id" in attrs:
                ids.append((node, attrs["id"] or ""))
            if not _RARE_ATTRIBUTES.isdisjoint(attrs):
                if "style" in attrs or "hidden" in attrs:
                    styled.append(node)
                if "itemtype" in attrs:
                    typed.append((node, attrs["itemtype"] or ""))
                if "itemprop" in attrs or "rel" in attrs or "property" in attrs:
                    declaring.append(node)
        return Named(classes, ids, styled, typed, declaring)

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The elements hidden by their own attributes that no script shows after loading."""
        hidden = [node for node in self.named.styled if is_hidden(self.attrs[node])]
        return frozenset(hidden) - self._shown_when_loaded(hidden)

    def _shown_when_loaded(self, hidden: list[int]) -> frozenset[int]:
        """Return hidden elements that must be the content: half of the page, or parts with `visibility: hidden`."""
        is_half = any(2 * (self.end[node] - node) > len(self.tag) for node in hidden)
        waiting = (
            hidden if is_half else [node for node in hidden if "visibility" in (self.attrs[node].get("style") or "")]
        )
        if not waiting:
            return frozenset()
        unread = {*hidden, *(node for tag in UNSEEN_TAGS for node in self.nodes_by_tag.get(tag, ()))}
        chars = index = 0
        while index < len(self.tag):
            if index in unread:
                index = self.end[index]
                continue
            chars += len((self.text[index] or "").strip())
            index += 1
        is_read = chars < _HARDLY_ANY and (is_half or sum(len(self.plain(node).strip()) for node in waiting) > chars)
        return frozenset(waiting) if is_read else frozenset()

    @cached_property
    def unseen(self) -> list[bool]:
        """For every node, whether it is never rendered: scripts, styles, hidden parts and their descendants."""
        unseen = [False] * len(self.tag)
        passed = 0
        for node in sorted({*self.hidden, *(node for tag in UNSEEN_TAGS for node in self.nodes_by_tag.get(tag, ()))}):
            if node >= passed:
                passed = self.end[node]
                unseen[node:passed] = [True] * (passed - node)
        return unseen

    @cached_property
    def runs(self) -> list[int]:
        """The rendered text nodes that are not only white space, in document order."""
        unseen = self.unseen
        return [node for node, text in enumerate(self.text) if text and not unseen[node] and not text.isspace()]

    @cached_property
    def text_sizes(self) -> list[int]:
        """For every node, the characters of text in its subtree, each text node stripped.

        An upper bound that saves reading large elements if only short ones can win.
        """
        return self.summed([len(text.strip()) if text else 0 for text in self.text])

    @cached_property
    def previous(self) -> list[int]:
        """For every node its previous sibling, or -1."""
        previous, latest = [], [-1] * len(self.tag)
        for node, parent in enumerate(self.parent):
            previous.append(latest[parent] if parent >= 0 else -1)
            latest[parent] = node
        return previous

    def _place(self, node: int) -> tuple[int, int]:
        """Return the node's position among siblings with its tag, from 1, and their number."""
        parent = self.parent[node]
        if parent not in self._places:
            same: dict[str, list[int]] = defaultdict(list)
            for child in self.children(parent):
                same[self.source_tag(child)].append(child)
            self._places[parent] = {
                child: (number, len(nodes)) for nodes in same.values() for number, child in enumerate(nodes, 1)
            }
        return self._places[parent][node]

    @cached_property
    def _places(self) -> dict[int, dict[int, tuple[int, int]]]:
        """The results of `_place` by parent; most elements never need them."""
        return {}

    @cached_property
    def nodes_by_id(self) -> dict[str, list[int]]:
        """Elements by their id, in document order."""
        index: dict[str, list[int]] = defaultdict(list)
        for node, name in self.named.ids:
            if name:
                index[name].append(node)
        return dict(index)

    @cached_property
    def nodes_by_class(self) -> dict[str, list[int]]:
        """Elements by each of their class tokens, in document order."""
        index: dict[str, list[int]] = defaultdict(list)
        for names, nodes in self.named.classes.items():
            for token in dict.fromkeys(names.split()):
                index[token] += nodes
        return {token: sorted(nodes) for token, nodes in index.items()}

    @cached_property
    def nodes_by_tag(self) -> dict[str, list[int]]:
        """Nodes by their tag, in document order."""
        index: dict[str, list[int]] = defaultdict(list)
        for node, tag in enumerate(self.tag):
            index[tag].append(node)
        return dict(index)

    @cached_property
    def nodes_by_declaration(self) -> dict[str, list[int]]:
        """Elements by token of their declaring attributes, such as `rel=author`, in document order."""
        index: dict[str, list[int]] = defaultdict(list)
        for node, attrs in enumerate(self.attrs):
            if attrs and not DECLARING_ATTRIBUTES.isdisjoint(attrs):
                for name in DECLARING_ATTRIBUTES & attrs.keys():
                    for token in dict.fromkeys((attrs[name] or "").split()):
                        index[f"{name}={token}"].append(node)
        return dict(index)

    def path(self, node: int) -> str:
        """Return the path from the root; elements of the same tag among siblings are numbered from 1."""
        steps = []
        while node >= 0:
            steps.append(self._step(node))
            node = self.parent[node]
        return "/".join(reversed(steps))

    def source_tag(self, node: int) -> str:
        """Return the tag in the page's source, which paths and selectors refer to."""
        return "noscript" if node in self.noscripts else self.tag[node]

    def _step(self, node: int) -> str:
        tag = self.source_tag(node)
        return tag if self.parent[node] < 0 else path_step(tag, *self._place(node))


def cached_by_tree(
    find: Callable[Concatenate[Tree, _Params], _Result],
) -> Callable[Concatenate[Tree, _Params], _Result]:
    """Cache a function's results by tree and hashable arguments. Callers must not change the results."""

    @wraps(find)
    def find_once(tree: Tree, /, *args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        key = (find, args, *kwargs.items()) if kwargs else (find, args)
        facts = _facts(tree)
        if key not in facts:
            facts[key] = find(tree, *args, **kwargs)
        known: _Result = facts[key]
        return known

    return find_once


@lru_cache(maxsize=2)  # a page and its comments; not attributes of the tree, as facts may refer to it
def _facts(_tree: Tree) -> dict[object, Any]:
    return {}


def path_step(tag: str, number: int, of: int) -> str:
    """Return a step of a path; without the number if the element is the only one of its tag."""
    # A tag may be anything that starts with a letter, even <a[1]>.
    return tag if of == 1 and "[" not in tag and "]" not in tag else f"{tag}[{number}]"


def is_hidden(attrs: Attributes) -> bool:
    """Return whether the element's own attributes hide it permanently, not only until a click."""
    if not attrs:
        return False
    style = attrs.get("style")
    if "hidden" in attrs or (style and _hides(style)):
        return not is_revealed_later(attrs)
    return False


@lru_cache(maxsize=4096)  # most elements with a style share a few values
def _hides(style: str) -> bool:
    squeezed = style.replace(" ", "").lower()
    return "display:none" in squeezed or "visibility:hidden" in squeezed


def _flatten(root: LexborNode, tree: Tree) -> None:
    """Fill the lists. One loop without function calls, because it runs for every node of every page."""
    tags, parents, ends, attrs, texts = tree.tag, tree.parent, tree.end, tree.attrs, tree.text
    node, parent, index = root, -1, 0
    above: list[LexborNode] = []  # `node.parent` would create a new object for every step
    while True:
        tag = _TAGS.get(node.tag_id) or _tag(node)
        child = None
        if tag is TEXT:
            texts.append(node.text_content or "")
            attrs.append(_NO_ATTRIBUTES)
        elif tag:
            texts.append("")
            attrs.append(node.attributes or _NO_ATTRIBUTES)
            child = node.first_child
        if tag:
            tags.append(tag)
            parents.append(parent)
            index += 1
            ends.append(index)
        if child is not None:
            above.append(node)
            node = child
            if len(above) <= _MAX_DEPTH:
                parent = index - 1
            continue
        while parent >= 0 and (sibling := node.next) is None:
            ends[parent] = index
            if len(above) <= _MAX_DEPTH:
                parent = parents[parent]
            node = above.pop()
        if parent < 0:
            return
        node = sibling  # type: ignore[assignment]


def _tag(node: LexborNode) -> str:
    """Return the tag of an element, or "" for comments and the like."""
    tag = node.tag or ""
    tag = TEXT if tag == "-text" else "" if tag.startswith("-") else tag
    if tag and node.tag_id < _OWN_TAGS:
        _TAGS[node.tag_id] = tag
    return tag


def matches(tree: Tree, rule: Rule) -> list[int]:
    """Return the nodes that match the rule, in document order. A `child` rule without `under` starts at the root."""
    if rule.kind in ("child", "until", "from"):
        parents = matches(tree, rule.under) if rule.under else [0]
        if rule.kind != "child":
            return [node for parent in parents for node in _children_beside(tree, parent, rule)]
        found = (_counted_child(tree, parent, rule.value) for parent in parents)
        return [node for node in found if node is not None]
    found_nodes = _own_matches(tree, rule)
    if rule.under is None or not found_nodes:
        return found_nodes
    return _below(tree, found_nodes, matches(tree, rule.under))


def first_match(tree: Tree, rule: Rule) -> int | None:
    """Return the first node that matches the rule, or None."""
    return next(iter(matches(tree, rule)), None)


def node_path(tree: Tree, node: int) -> str:
    """Return the path of an element, or of a text node's parent: `/html/body/div[2]/article`."""
    return "/" + tree.path(tree.parent[node] if tree.tag[node] == TEXT else node)


def node_at(tree: Tree, path: str) -> int | None:
    """Return the element with a path from `node_path` or `Document.path_of`, or None."""
    return _at_path(tree, path.removeprefix("/"))


def _below(tree: Tree, nodes: list[int], ancestors: list[int]) -> list[int]:
    """Return the nodes below one of the ancestors; both lists are in document order."""
    found, passed, reach = [], 0, 0
    for node in nodes:
        while passed < len(ancestors) and ancestors[passed] < node:
            reach = max(reach, tree.end[ancestors[passed]])
            passed += 1
        if node < reach:
            found.append(node)
    return found


def _own_matches(tree: Tree, rule: Rule) -> list[int]:
    match rule.kind:
        case "path":
            node = _at_path(tree, rule.value)
            return [] if node is None else [node]
        case "tag":
            return tree.nodes_by_tag.get(rule.value, [])
        case "id":
            named = tree.nodes_by_id.get(rule.value, [])
        case "attr":
            named = tree.nodes_by_declaration.get(rule.value, [])
        case "class-value":
            named = tree.named.classes.get(rule.value, [])
        case _:
            tokens = rule.value.split()
            named = min((tree.nodes_by_class.get(token, []) for token in tokens), key=len)
            if len(tokens) > 1:
                named = [node for node in named if set(tokens).issubset(tree.classes(node))]
    return named if rule.tag == "*" else [node for node in named if tree.tag[node] == rule.tag]


def _counted_child(tree: Tree, parent: int, value: str) -> int | None:
    tag, _, number = value.rpartition(":")
    same = [child for child in tree.children(parent) if tree.source_tag(child) == tag]
    place = int(number) - 1 if int(number) > 0 else int(number)
    return same[place] if -len(same) <= place < len(same) else None


def child_selectors(tree: Tree, node: int) -> tuple[str, ...]:
    """Return the simple selectors that fit a node, as rules of the kinds `until` and `from` have them."""
    attrs, tag = tree.attrs[node], tree.source_tag(node)
    name = (f"#{attrs['id']}",) if attrs.get("id") else ()
    return (tag, *name, *(f"{tag}.{token}" for token in tree.classes(node)))


def _children_beside(tree: Tree, parent: int, rule: Rule) -> list[int]:
    """The children up to the first one that fits the rule's selector, or from it on; that one is included."""
    children = list(tree.children(parent))
    fitting = (index for index, child in enumerate(children) if rule.value in child_selectors(tree, child))
    index = next(fitting, None)
    if index is None:
        return []
    return children[: index + 1] if rule.kind == "until" else children[index:]


def _at_path(tree: Tree, path: str) -> int | None:
    steps = path.split("/")
    if not len(tree) or tree.tag[0] != steps[0]:
        return None
    node = 0
    for step in steps[1:]:
        tag, number = step_parts(step)
        child = _counted_child(tree, node, f"{tag}:{number}") if number.isdecimal() else None
        if child is None:
            return None
        node = child
    return node


_FEW_ROWS = 3
# Elements that data cells never contain, and blocks that they contain at most once.
_NO_DATA = frozenset({"table", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_CELL_BLOCKS = frozenset({"p", "ul", "ol", "dl", "blockquote", "figure", "hr", "div"})


def is_layout_table(tree: Tree, table: int) -> bool:
    """Return whether a table is only for layout: by its role, with one column, or without data in its cells."""
    if tree.attrs[table].get("role") in ("presentation", "none"):
        return True
    rows = [0]  # columns of each row, without those of nested tables
    tags: set[str] = set()
    has_long_cells = False
    node, stop = table + 1, tree.end[table]
    while node < stop:
        tag = tree.tag[node]
        tags.add(tag)
        if tag == "tr":
            rows.append(0)
        elif tag in ("td", "th"):
            rows[-1] += 2 if (tree.attrs[node].get("colspan") or "1") not in ("0", "1") else 1
            has_long_cells = has_long_cells or _holds_blocks(tree, node)
        node = tree.end[node] if tag == "table" else node + 1
    if max(rows) < 2 or not tags.isdisjoint(_NO_DATA):
        return True
    return "th" not in tags and "caption" not in tags and sum(map(bool, rows)) < _FEW_ROWS and has_long_cells


def _holds_blocks(tree: Tree, cell: int) -> bool:
    """Return whether a cell contains several blocks: paragraphs, or text and a list."""
    while True:
        inside = tree.children(cell)
        children = [child for child in inside if tree.tag[child] is not TEXT or not tree.text[child].isspace()]
        if len(children) != 1 or tree.tag[children[0]] != "div":
            return len(children) > 1 and any(tree.tag[child] in _CELL_BLOCKS for child in children)
        cell = children[0]
