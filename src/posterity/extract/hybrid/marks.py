"""What an element calls itself: an author, a date, a headline, or a part of the page that is not the article's own.

Authors of templates name things for themselves, in their own spelling and mostly in English. Every name here is a
group of such spellings; how far each can be believed is learned (`learned_weights`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Tree
    from posterity.dom.document import Attributes


AUTHOR_MARKS = {
    "author-name": r"author[-_]*(?:full)?name|byline[-_]*(?:author|name|link)|name[-_]*author|p-author|author__name",
    "byline": r"by-?line|posted-?by|post-?by|written-?by|published-?by|by-?author|"
    r"(?:post|entry|article|meta|blog)[-_]+author",
    "author": r"\b(?:post-?)?author\b|\bautor(?:e|en|in)?\b|\bauteur\b|\bcreator\b|\bwriter\b|reviewer",
    "about-author": r"author[-_]*(?:box|bio|info|card|description|desc|about|profile|image|img|avatar|photo|social)|"
    r"about[-_]*author|\bbio\b",
    "some-author": r"author|autor|auteur|redakt",
    "vcard": r"\b(?:vcard|h-card|fn|nickname)\b",
    "user": r"user-?name|display-?name|\bposter\b|\buser\b|member|profile|screen-?name",
    "contributor": r"contributor|journalist|columnist|reporter",
}
# Each of the patterns above needs one of these, and most names on a page have none.
_AUTHOR_WORDS = tuple(
    (
        "aut by creator writ review bio redakt card fn nickname user display poster member profile screen contrib "
        "journalist columnist reporter"
    ).split()
)
DATE_MARKS = {
    "published": r"publi[sc]|posted|pubdate|pub-date|dt-published|datecreated|created|date-?line|erschienen|veroeff",
    "updated": r"updat|modifi|edited|revis|aktualis|changed",
    "entry-date": r"(?:post|entry|article|blog|news|story|byline|meta|header)[-_]*(?:date|time)|date-?header",
    "date": r"\b(?:date|datum|fecha|data|createdate)\b|timestamp|datetime|time-?stamp|post-?meta|entry-?meta",
    "some-date": r"date|time|datum|fecha",
}
_DATE_WORDS = tuple(
    (
        "publi posted pubdate dat time created erschienen veroeff modifi edited revis aktualis changed fecha post-meta "
        "postmeta entry-meta entrymeta"
    ).split()
)
TITLE_MARKS = {
    "entry-title": r"(?:entry|post|article|story|blog|content|news|single|node)[-_]*(?:title|headline|heading|header)",
    "headline": r"headline",
    "p-name": r"\bp-name\b|\bname\b",
    "page-title": r"page[-_]*(?:title|heading|header)",
    "title": r"titl|titel|heading",
    "site-title": r"(?:site|blog)-?(?:title|name|heading)|logo|brand|masthead",
    "subtitle": r"sub-?(?:title|head|line)|kicker|tagline|dek\b|overline|eyebrow|category|rubrik",
}
PLACES = {
    "comments": r"comment|respond\b|disqus|discussion|kommentar|repl(?:y|ies)|trackback|pingback",
    "others": r"related|recommend|popular|recent|trending|latest|more-(?:from|posts|articles|stories|news)|teaser|"
    r"read-?(?:next|more)|also|similar|promo|sponsor|advert|\bads?\b|card|carousel|slider|\bprev|\bnext|weiter",
    "aside": r"side-?bar|widget|aside|\brail\b|newsletter|subscribe|modal|popup|cookie|banner|login",
    "frame": r"footer|\bnav|menu|breadcrumb|copyright|toolbar|topbar|search",
    "header": r"(?:entry|post|article|page|story|blog)[-_]*(?:header|head|top|meta|info)|\bmeta\b|headline|titl",
}
_PLACE_OF_TAG = {"aside": "aside", "nav": "frame", "footer": "frame", "header": "header", "address": "header"}
# Wrappers of the whole page are called after all that may be in it: <body class="single has-sidebar comments-open">.
_WHOLE_PAGE = frozenset({"html", "body", "main"})

_AUTHORS = {name: re.compile(pattern) for name, pattern in AUTHOR_MARKS.items()}
_DATES = {name: re.compile(pattern) for name, pattern in DATE_MARKS.items()}
_TITLES = {name: re.compile(pattern) for name, pattern in TITLE_MARKS.items()}
_PLACES = {name: re.compile(pattern) for name, pattern in PLACES.items()}


def given_names(attrs: Attributes) -> tuple[str | None, ...]:
    """Return the values that are names which a template's author chose."""
    told = attrs.get
    return told("class"), told("id"), told("itemprop"), told("rel"), told("property")


def names_of(attrs: Attributes) -> str:
    """Return all names that the element was given, as one text in lower case."""
    return " ".join(filter(None, given_names(attrs))).lower()


def author_marks(names: str) -> tuple[str, ...]:
    """Return which author names are among these names, the most telling first."""
    if not any(map(names.__contains__, _AUTHOR_WORDS)):
        return ()
    return _in_order(_AUTHORS, {mark for token in names.split() for mark in _author_marks(token)})


def date_marks(names: str) -> tuple[str, ...]:
    """Return which date names are among these names."""
    if not any(map(names.__contains__, _DATE_WORDS)):
        return ()
    return _in_order(_DATES, {mark for token in names.split() for mark in _date_marks(token)})


@lru_cache(maxsize=8192)
def title_marks(names: str) -> tuple[str, ...]:
    """Return which headline names are among these names."""
    return tuple(mark for mark, pattern in _TITLES.items() if pattern.search(names))


@lru_cache(maxsize=8192)
def place_names(names: str) -> frozenset[str]:
    """Return which parts of a page these names stand for."""
    return frozenset(place for token in names.split() for place in _place_names(token))


# The same few thousand tokens make up the names on most pages, so each is looked at once.
@lru_cache(maxsize=32768)
def _author_marks(token: str) -> tuple[str, ...]:
    return tuple(mark for mark, pattern in _AUTHORS.items() if pattern.search(token))


@lru_cache(maxsize=32768)
def _date_marks(token: str) -> tuple[str, ...]:
    return tuple(mark for mark, pattern in _DATES.items() if pattern.search(token))


@lru_cache(maxsize=32768)
def _place_names(token: str) -> tuple[str, ...]:
    return tuple(place for place, pattern in _PLACES.items() if pattern.search(token))


def _in_order(marks: Iterable[str], found: set[str]) -> tuple[str, ...]:
    return tuple([mark for mark in marks if mark in found]) if found else ()


class Places:
    """For any node of a tree, the parts of the page that it stands in. Worked out once for each ancestor."""

    __slots__ = ("_known", "_tree")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[int, frozenset[str]] = {-1: frozenset()}

    def of(self, node: int) -> frozenset[str]:
        """The parts that the node's ancestors and its own names stand for."""
        path = []
        while node not in self._known:
            path.append(node)
            node = self._tree.parent[node]
        places = self._known[node]
        for inner in reversed(path):
            places = self._known[inner] = places | self._own(inner)
        return places

    def _own(self, node: int) -> frozenset[str]:
        tag, attrs = self._tree.tag[node], self._tree.attrs[node]
        own = place_names(names_of(attrs)) if attrs and tag not in _WHOLE_PAGE else frozenset()
        return own | {_PLACE_OF_TAG[tag]} if tag in _PLACE_OF_TAG else own
