"""Where on a page a value is shown, told from its title and article: bylines and dates stand near them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from posterity.dom.metadata import types_of
from posterity.lexicon import declarations, url_words
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from posterity.dom import Document, Tree
    from posterity.dom.metadata import StructuredData
    from posterity.extraction.hybrid.page_facts import PageFacts


# Distances are counted in nodes of the tree, which grow with the text and the markup between two places.
_BEFORE_TITLE = 60
NEXT_TO_TITLE = 40
NEAR_TITLE = 140
_BEFORE_END, _BEHIND_END = 20, 60
_MAX_TEXT = 300  # characters: a short text with the white space of its source
_APART = frozenset({"others", "aside", "frame"})
_BY_TITLE = ("next to title", "before title", "near title")
_ELSEWHERE = ("end of article", "in article", "far before", "far behind")
# Best places first; "aside" are those inside a part of the page that is about something else.
_ZONES = (
    *_BY_TITLE,
    *(f"{zone} aside" for zone in _BY_TITLE),
    *_ELSEWHERE,
    *(f"{zone} aside" for zone in _ELSEWHERE),
    "comments",
    "unseen",
)
# What stands there is about something else, whatever it calls itself.
NOT_OF_ARTICLE = frozenset({"comments", "unseen", "far before aside", "far behind aside"})
_RANK = {zone: rank for rank, zone in enumerate(_ZONES)}


class TitleSurroundings(msgspec.Struct, frozen=True):
    """The node that shows the title, or -1, and the texts that readers see around it and around the article's end.

    Each with its node and on one line; of long ones the beginning.
    """

    title: int
    spans: tuple[range, range]
    near_title: tuple[tuple[int, str], ...]
    near_end: tuple[tuple[int, str], ...]


def zone_of(page: PageFacts, node: int, title: int) -> str:
    """Return the name of the place where a node stands; `title` is the node of the title, or -1."""
    if page.tree.unseen[node]:
        return "unseen"
    places = page.places.of(page.tree.parent[node])
    # Comments stand behind what they comment on: a section of opinions may be called "comments" too.
    if "comments" in places and node >= page.article.node:
        return "comments"
    zone = _distance(page, node, title)
    return f"{zone} aside" if places & _APART else zone


def _distance(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + NEAR_TITLE:
        return "next to title" if node <= start + NEXT_TO_TITLE else "near title"
    article, end = page.article.node, page.tree.end[page.article.node]
    if end - _BEFORE_END < node < end + _BEHIND_END:
        return "end of article"
    if node < start:
        return "far before"
    return "in article" if article <= node < end else "far behind"


def surroundings(page: PageFacts, title: int) -> TitleSurroundings:
    """Return the texts around the title, or around the article's beginning where no node (-1) shows the title."""
    tree = page.tree
    start = title if title >= 0 else page.article.node
    end = tree.end[page.article.node]
    near_title = range(max(0, start - _BEFORE_TITLE), min(len(tree), start + NEAR_TITLE))
    near_end = range(max(near_title.stop, end - _BEFORE_END), min(len(tree), end + _BEHIND_END))
    return TitleSurroundings(
        title, (near_title, near_end), tuple(_texts(tree, near_title)), tuple(_texts(tree, near_end))
    )


def _texts(tree: Tree, nodes: range) -> Iterator[tuple[int, str]]:
    unseen = tree.unseen
    for node in nodes:
        text = tree.text[node]
        if text and not text.isspace() and not unseen[node] and (short := one_line(text[:_MAX_TEXT])):
            yield node, short


def placed(sources: Iterable[str], zone: str) -> tuple[str, ...]:
    """Return the signs of a value that these sources show in a zone."""
    return tuple(f"{source}, {zone}" for source in sources)


def zone_in(feature: str) -> str:
    """Return the zone of a placed sign."""
    return feature.rpartition(", ")[2]


def place_features(features: Iterable[str], sources: Sequence[str]) -> Iterator[str]:
    """Yield what is to be weighed of all places where a value is shown: sources, zones, and the best pair of both.

    All pairs would be too many to learn a weight for each. `sources` are in order, the most telling first.
    """
    shown = [tuple(feature.split(", ", 1)) for feature in features if ", " in feature]
    if not shown:
        return
    best, zone = min(shown, key=lambda pair: (_RANK[pair[1]], sources.index(pair[0])))
    yield f"{best}, {zone}"
    yield f"at {zone}"
    for source, place in shown:
        if place not in NOT_OF_ARTICLE:
            yield source


_SITE_NAME_METAS = declarations("meta.site_name")
_TYPES = frozenset(declarations("type.site"))
_MUCH = 0.6  # "The Example Times" and example.com share less than this, "Example Times" and exampletimes.com more


def site_names(host: str, data: StructuredData) -> frozenset[str]:
    """Return the names of the site by their letters and digits: its host, and what its pages declare."""
    labels = host.split(".")
    names = {host, labels[0], labels[-2] if len(labels) > 1 else ""}
    names.update(data.first(meta) for meta in _SITE_NAME_METAS)
    for item in data.items:
        names.add(_text(data.resolved(item.get("publisher")).get("name")))
        if _TYPES.intersection(types_of(item)):
            names.add(_text(item.get("name")))
    return frozenset(filter(None, map(letters_and_digits, names)))


def is_site_name(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text is one of the names, or differs from it by little."""
    return is_key_of_site(letters_and_digits(text), names)


def is_key_of_site(key: str, names: Iterable[str]) -> bool:
    """Tell the same of the letters and digits of a text."""
    length = len(key)
    return bool(key) and any(
        (name in key and len(name) > _MUCH * length) or (key in name and length > _MUCH * len(name)) for name in names
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# Parts of addresses that forums and nobody else use: forum.example/t/7, example.org/threads/7/, /viewtopic.php?t=7.
_PLACES = frozenset(url_words("page.forum"))
_THREAD_TYPES = declarations("type.thread")  # FAQPage is a list by the page's own author


def is_thread(document: Document) -> bool:
    """Tell whether the messages of many people are what this page is for."""
    return _is_forum_address(document.url) or _declares_thread(document.tree)


def _is_forum_address(url: str) -> bool:
    try:
        parts = urlsplit(url.lower())
    except ValueError:  # an address that nobody could open: http://[::1
        return False
    *folders, page = parts.path.split("/")
    names = {*parts.netloc.split(".")[:-1], *folders}
    if page.endswith(".php"):
        names.add(page.removesuffix(".php"))
    return not _PLACES.isdisjoint(names)


def _declares_thread(tree: Tree) -> bool:
    if any(declared.endswith(_THREAD_TYPES) for _, declared in tree.named.typed):
        return True
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            declared = tree.plain(node)
            if any(f'"{name}"' in declared for name in _THREAD_TYPES):
                return True
    return False
