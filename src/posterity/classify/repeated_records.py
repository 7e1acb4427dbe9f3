"""Repeated records on a page: the parts of a front page, a category or an archive that each show one post.

Records are found by their anchors: headings, and links that are alone in their block, at the same path with the same
classes. The largest element with exactly one anchor is a record. If posts have no wrapper, a record is the run of
siblings from one anchor to the next. The group with the most text and with titles that link to different URLs is the
list of posts. Posts without a title are added by their class.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

import msgspec

from posterity.classify.text_density import TextDensity, stable_classes
from posterity.dom import Document, Tree
from posterity.dom.elements import HEADINGS
from posterity.lexicon import any_of, part_names
from posterity.urls.kinds import is_listing

# Bounds on the text counted for a record, in characters: lists of posts may have no text.
_MOST_TEXT, _LEAST_TEXT, _DATE_TEXT = 2_000, 20, 60
# Groups in sidebars, menus and the like have little weight.
_FRAME = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('other.frame'))})", re.IGNORECASE)
_FRAME_TAGS = frozenset({"nav", "aside", "footer"})
_IN_FRAME = 0.15
_UNLINKED = 0.25
# Weights of anchors: a link that is alone in its block is a title only for want of better ones.
_HEADING, _NAMED_TITLE, _BLOCK_LINK = 1.0, 0.9, 0.6
_TITLE_NAME = re.compile(any_of(part_names("listed.title")), re.IGNORECASE)
# A title may be neither a heading nor a link.
_TITLE_TAGS = frozenset({"div", "span", "p", "td", "dt", "b", "strong"})
_TITLE_CLASS = re.compile(r"title(?:$| )", re.IGNORECASE)
_MOST_RUNS = 1_000  # adjacent posts without a wrapper; the time is quadratic in their number
_MIN_TITLES = 2
_MOSTLY_LINKED = 0.5
_DISTINCT = 0.6  # share of distinct titles: "Read more" and "Share this" repeat


class Record(msgspec.Struct, frozen=True):
    """A run of siblings below `parent`, and the anchor that it was found by, if any."""

    parent: int
    roots: tuple[int, ...]
    anchor: int | None = None

    def inside(self, tree: Tree) -> range:
        """Return all nodes of the record, in document order."""
        return range(self.roots[0], tree.end[self.roots[-1]])


class RecordListing(msgspec.Struct, frozen=True, kw_only=True):
    """The records of a page, with the shares of records that have a linked title (`linked`) and a date (`dated`).

    `text_share` is the share of the page's unlinked text in the records.
    """

    records: tuple[Record, ...] = ()
    score: float = 0.0
    linked: float = 0.0
    dated: float = 0.0
    text_share: float = 0.0


class _Anchor(msgspec.Struct, frozen=True):
    node: int
    worth: float
    url: str | None
    is_own: bool


def density_of(document: Document) -> TextDensity:
    """Return the text density of a page; use `document.fact(density_of)` to compute it once."""
    return TextDensity(document.tree, document.base_url)


def listing_on(document: Document) -> RecordListing:
    """Return the posts that a page lists; use `document.fact(listing_on)` to compute them once."""
    return listing_of(document.tree, document.fact(density_of))


def listing_of(tree: Tree, density: TextDensity, known: Iterable[int] = ()) -> RecordListing:
    """Return the posts that the page lists; lists with the `known` articles, found by rules, are preferred."""
    groups: dict[Hashable, list[_Anchor]] = defaultdict(list)
    for anchor in _anchors(tree, density):
        own, around = _shape(tree, anchor.node), _shape(tree, tree.parent[anchor.node])
        groups[density.path[anchor.node], own].append(anchor)
        # A featured post is at another path but has the same classes.
        if own[1] or around[1]:
            groups[own, around].append(anchor)
    best = RecordListing()
    articles = sorted(known)
    for group in groups.values():
        found = _listing_of_group(tree, density, group, articles)
        if found is not None and found.score > best.score:
            best = found
    return best


def listed_links(document: Document) -> list[str]:
    """Return the URLs of the titles of the page's records; none unless most records have a linked title."""
    listing, density = document.fact(listing_on), document.fact(density_of)
    if len(listing.records) < _MIN_TITLES or listing.linked < _MOSTLY_LINKED:
        return []
    found: dict[str, None] = {}
    for record in listing.records:
        link = density.link_of(record.anchor) if record.anchor is not None else None
        url = density.url_of(link)[0] if link is not None else None
        if url:
            found[url] = None
    return list(found)


def _anchors(tree: Tree, density: TextDensity) -> Iterable[_Anchor]:
    for node, tag in enumerate(tree.tag):
        if tag in HEADINGS and density.chars(node):
            link = density.link_of(node)
            yield _Anchor(node, _HEADING, *density.url_of(link))
        elif tag == "a" and density.chars(node) and not density.in_heading(node):
            yield from _anchors_of_link(tree, density, node)
        elif tag in _TITLE_TAGS and _TITLE_CLASS.search(tree.attrs[node].get("class") or "") and density.is_plain(node):
            yield _Anchor(node, _NAMED_TITLE, None, is_own=False)


def _anchors_of_link(tree: Tree, density: TextDensity, link: int) -> Iterable[_Anchor]:
    if _TITLE_NAME.search(_names_around(tree, density, link)):
        yield _Anchor(link, _NAMED_TITLE, *density.url_of(link))
    elif density.is_alone(link) or "bookmark" in (tree.attrs[link].get("rel") or ""):
        yield _Anchor(link, _BLOCK_LINK, *density.url_of(link))
    if density.is_card(link) and (line := density.first_line(link)) is not None:
        yield _Anchor(line, _BLOCK_LINK, *density.url_of(link))


def _names_around(tree: Tree, density: TextDensity, link: int) -> str:
    """The classes of a link, of its parent, and of a child that holds all of its text."""
    inside = [child for child in tree.children(link) if tree.tag[child] != "#text" and density.chars(child)]
    whole = [child for child in inside if density.chars(child) == density.chars(link)]
    return " ".join(tree.attrs[node].get("class") or "" for node in (link, tree.parent[link], *whole))


def _listing_of_group(
    tree: Tree, density: TextDensity, group: list[_Anchor], articles: list[int]
) -> RecordListing | None:
    group = _without_headings_of_text(tree, _once_each(group))
    if len(group) < 2 or len({density.line(anchor.node) for anchor in group}) < _DISTINCT * len(group):
        return None
    units = _units(tree, [anchor.node for anchor in group])
    records = _records(tree, density, [anchor.node for anchor in group], units)
    if len(records) < 2:
        return None
    return _score_listing(tree, density, records, group, articles)


def _without_headings_of_text(tree: Tree, group: list[_Anchor]) -> list[_Anchor]:
    """Without unlinked headings beside linked titles: they are headings in the text of a post."""
    linked = [tree.parent[anchor.node] for anchor in group if anchor.is_own]
    beside = frozenset(linked) if len(linked) >= _MIN_TITLES else frozenset()
    return [anchor for anchor in group if anchor.url or tree.parent[anchor.node] not in beside]


def _once_each(group: list[_Anchor]) -> list[_Anchor]:
    """The first anchor for each URL: a record may link to its post several times."""
    seen: set[str] = set()
    kept = []
    for anchor in group:
        if anchor.url is None or anchor.url not in seen:
            kept.append(anchor)
        if anchor.url is not None:
            seen.add(anchor.url)
    return kept


def _units(tree: Tree, anchors: Sequence[int]) -> list[int]:
    """For every anchor, the largest element around it without another anchor, all at the same height above them."""
    held: Counter[int] = Counter()
    for anchor in anchors:
        node = anchor
        while node >= 0:
            held[node] += 1
            node = tree.parent[node]
    height = min(_height(tree, anchor, held) for anchor in anchors)
    return [_ancestor(tree, anchor, height) for anchor in anchors]


def _height(tree: Tree, anchor: int, held: Counter[int]) -> int:
    height, node = 0, anchor
    while held[tree.parent[node]] == 1:
        height, node = height + 1, tree.parent[node]
    return height


def _ancestor(tree: Tree, node: int, height: int) -> int:
    for _ in range(height):
        node = tree.parent[node]
    return node


def _records(tree: Tree, density: TextDensity, anchors: Sequence[int], units: list[int]) -> list[Record]:
    within = sum(density.chars(unit) - density.chars(anchor) for unit, anchor in zip(units, anchors, strict=True))
    pairs = ((unit, after) for unit, after in pairwise(units) if tree.parent[unit] == tree.parent[after])
    gaps = sum(density.between(tree.end[unit], after) for unit, after in pairs)
    if gaps > 2 * within:
        return _runs(tree, density, anchors, units)
    records = [Record(tree.parent[unit], (unit,), anchor) for unit, anchor in zip(units, anchors, strict=True)]
    return sorted([*records, *_without_anchor(tree, density, units)], key=lambda record: record.roots)


def _without_anchor(tree: Tree, density: TextDensity, units: list[int]) -> list[Record]:
    """Posts without a title: elements at the records' path with all of the classes that the records share."""
    shared = frozenset.intersection(*(stable_classes(tree, unit) for unit in units))
    if not shared and tree.tag[units[0]] != "article":
        return []
    path, taken = density.path[units[0]], set(units)
    return [
        Record(tree.parent[node], (node,))
        for node in tree.nodes_by_tag[tree.tag[units[0]]]
        if density.path[node] == path
        and node not in taken
        and shared <= stable_classes(tree, node)
        and density.chars(node)
    ]


def _runs(tree: Tree, density: TextDensity, anchors: Sequence[int], units: list[int]) -> list[Record]:
    """Records without a wrapper: siblings from one anchor to the next, with similar siblings before each anchor."""
    (parent, _), *_ = Counter(tree.parent[unit] for unit in units).most_common(1)
    siblings = [child for child in tree.children(parent) if density.chars(child) or tree.tag[child] != "#text"]
    place = {child: index for index, child in enumerate(siblings)}
    starts = [(place[unit], anchor) for unit, anchor in zip(units, anchors, strict=True) if unit in place]
    if len(starts) > _MOST_RUNS:
        return []
    before = _alike_before(tree, siblings, [start for start, _ in starts])
    begins = [start - before for start, _ in starts]
    ends = [*begins[1:], _end_of_last(tree, siblings, begins)]
    spans = zip(begins, ends, starts, strict=True)
    return [Record(parent, tuple(siblings[begin:end]), anchor) for begin, end, (_, anchor) in spans if begin < end]


def _alike_before(tree: Tree, siblings: list[int], starts: list[int]) -> int:
    """How many siblings before the anchors are alike for all of them: a date, a line of categories."""
    if all(start and tree.tag[siblings[start]] == "dd" and tree.tag[siblings[start - 1]] == "dt" for start in starts):
        return 1  # a description belongs to the term above it
    before = 0
    while all(start > before for start in starts):
        shapes = {_shape(tree, siblings[start - before - 1]) for start in starts}
        if len(shapes) > 1 or min(b - a for a, b in pairwise(starts)) <= before + 2:
            break
        before += 1
    return before


def _end_of_last(tree: Tree, siblings: list[int], begins: list[int]) -> int:
    """The index after the last record, which ends at the first sibling unlike any in the earlier records."""
    usual = {_shape(tree, child) for child in siblings[begins[0] : begins[-1]]}
    end = begins[-1] + 1
    while end < len(siblings) and _shape(tree, siblings[end]) in usual:
        end += 1
    return end


def _shape(tree: Tree, node: int) -> tuple[str, frozenset[str]]:
    return tree.tag[node], stable_classes(tree, node)


def _score_listing(
    tree: Tree, density: TextDensity, records: list[Record], group: list[_Anchor], articles: list[int]
) -> RecordListing:
    links = sum((1.0 if anchor.is_own else 0.5) for anchor in group if anchor.url and not is_listing(anchor.url))
    linked = links / len(group)
    free = [density.unlinked(record.roots[0], tree.end[record.roots[-1]]) for record in records]
    dates = [density.is_dated(record.roots[0], tree.end[record.roots[-1]]) for record in records]
    pairs = zip(free, dates, strict=True)
    mass = sum(min(chars, _MOST_TEXT) ** 0.5 + (_LEAST_TEXT + _DATE_TEXT * dated) ** 0.5 for chars, dated in pairs)
    worth = sum(anchor.worth for anchor in group) / len(group)
    framed = _IN_FRAME if _is_in_frame(tree, density, records[0].parent) else 1.0
    hit = sum(any(node in record.inside(tree) for node in articles) for record in records) / len(records)
    return RecordListing(
        records=tuple(records),
        score=mass * worth * framed * (_UNLINKED + linked) * (1.0 + hit),
        linked=linked,
        dated=sum(dates) / len(records),
        text_share=sum(free) / max(1, density.unlinked(0, len(tree))),
    )


def _is_in_frame(tree: Tree, density: TextDensity, node: int) -> bool:
    """Whether the node is in a sidebar, menu or the like; elements with most of the page do not count as such."""
    most = density.chars(0) / 2
    while node >= 0 and tree.tag[node] != "body" and density.chars(node) <= most:
        attrs = tree.attrs[node]
        if tree.tag[node] in _FRAME_TAGS or _FRAME.search(f"{attrs.get('id') or ''} {attrs.get('class') or ''}"):
            return True
        node = tree.parent[node]
    return False
