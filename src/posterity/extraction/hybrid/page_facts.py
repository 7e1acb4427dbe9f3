"""Facts of a page, gathered once for all of its fields: declared metadata, and the names of its elements.

Some names of elements mark an author, a date, a headline, or a part of the page that is not the article's. Template
authors choose names freely, in various spellings and mostly in English: a pattern is a group of such spellings, and
the reliability of each was learned (`learned_weights`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity import lexicon
from posterity.classify.page_kind import is_thread
from posterity.dom import Document, Tree
from posterity.dom.metadata import StructuredData, structured_data, types_of
from posterity.dom.tree import Attributes
from posterity.extraction.hybrid.article import Article
from posterity.text.normal_form import any_part, letters_and_digits

# Attributes with names chosen by a template's author.
NAMING_ATTRIBUTES = frozenset({"class", "id", "itemprop", "rel", "property"})
AUTHOR_PATTERNS = lexicon.part_patterns("author")
DATE_PATTERNS = lexicon.part_patterns("date")
TITLE_PATTERNS = lexicon.part_patterns("title")
PLACES = lexicon.part_patterns("place")
_PLACE_OF_TAG = {"aside": "aside", "nav": "frame", "footer": "frame", "header": "header", "address": "header"}

_AUTHORS = {name: re.compile(pattern) for name, pattern in AUTHOR_PATTERNS.items()}
_DATES = {name: re.compile(pattern) for name, pattern in DATE_PATTERNS.items()}
# Prefilter: each of the patterns above needs one of these, and most names on a page have none.
_MAYBE_NAME = any_part(lexicon.part_names("hint.author_or_date"))
_TITLES = {name: re.compile(pattern) for name, pattern in TITLE_PATTERNS.items()}
_PLACES = {name: re.compile(pattern) for name, pattern in PLACES.items()}
# The same for places.
_MAYBE_PLACE = any_part(lexicon.part_names("hint.place"))


class NamePatterns(NamedTuple):
    """The patterns of authors and dates that names match, most reliable first."""

    author: tuple[str, ...] = ()
    date: tuple[str, ...] = ()

    def __or__(self, other: NamePatterns) -> NamePatterns:
        return NamePatterns(
            _in_order(_AUTHORS, {*self.author, *other.author}), _in_order(_DATES, {*self.date, *other.date})
        )


def names_of(attrs: Attributes) -> str:
    """Return the values of an element's naming attributes as one lower-case text."""
    return " ".join(value for name, value in attrs.items() if value and name in NAMING_ATTRIBUTES).lower()


# Cached, because a few thousand values and tokens make up the names on most pages.
@lru_cache(maxsize=32768)
def name_patterns_in(names: str) -> NamePatterns | None:
    """Return the patterns of authors and dates that match these names, or None if there are none."""
    names = names.lower()
    if not _MAYBE_NAME.search(names):
        return None
    patterns = NamePatterns()
    for token in names.split():
        found = _patterns_of_token(token)
        if found is not None:
            patterns |= found
    return patterns if patterns.author or patterns.date else None


@lru_cache(maxsize=32768)
def title_patterns(names: str) -> tuple[str, ...]:
    """Return the patterns of headlines that match these names."""
    return tuple(name for name, pattern in _TITLES.items() if pattern.search(names))


@lru_cache(maxsize=32768)
def place_names(names: str) -> frozenset[str]:
    """Return the parts of a page that these names mark."""
    return frozenset(place for token in names.lower().split() for place in _place_names(token))


@lru_cache(maxsize=32768)
def _patterns_of_token(token: str) -> NamePatterns | None:
    authors = tuple(name for name, pattern in _AUTHORS.items() if pattern.search(token))
    dates = tuple(name for name, pattern in _DATES.items() if pattern.search(token))
    return NamePatterns(authors, dates) if authors or dates else None


@lru_cache(maxsize=32768)
def _place_names(token: str) -> tuple[str, ...]:
    if not _MAYBE_PLACE.search(token):
        return ()
    return tuple(place for place, pattern in _PLACES.items() if pattern.search(token))


def _in_order(patterns: Iterable[str], found: set[str]) -> tuple[str, ...]:
    return tuple([name for name in patterns if name in found]) if found else ()


# Headings and anchors before a flat run of comments: <h2 id="comments">, <a name="comments">.
_RUN_HEADS = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
_RUN_NAMES = frozenset(lexicon.part_names("comment.run_head"))


def comment_runs(tree: Tree) -> tuple[range, ...]:
    """Return the flat runs of comments: the nodes from their heading to the end of its parent."""
    named = [node for node, name in tree.named.ids if name.lower() in _RUN_NAMES]
    named += [
        node for node in tree.nodes_by_tag.get("a", ()) if (tree.attrs[node].get("name") or "").lower() in _RUN_NAMES
    ]
    heads = [node for node in named if tree.tag[node] in _RUN_HEADS]
    return tuple(range(node, tree.end[tree.parent[node]]) for node in heads)


def _embedded_posts(tree: Tree, article: int) -> Iterator[range]:
    """Yield posts of social networks embedded in or after the article, which end with their author and date."""
    for node in tree.nodes_by_tag.get("blockquote", ()):
        if node > article and ("cite" in tree.attrs[node] or "class" in tree.attrs[node]):
            yield range(node, tree.end[node])


class Places:
    """The parts of the page that contain a node, by the names of its ancestors; cached per element."""

    __slots__ = ("_known", "_tree")

    def __init__(self, tree: Tree, article: int) -> None:
        self._tree = tree
        self._known: dict[int, frozenset[str]] = {-1: frozenset()}
        # Names of the article's ancestors do not count: <div class="post comments-open">.
        while article >= 0:
            self._known[article] = frozenset()
            article = tree.parent[article]

    def of(self, node: int) -> frozenset[str]:
        """Return the parts that the names of a node and its ancestors mark."""
        path = []
        while node not in self._known:
            path.append(node)
            node = self._tree.parent[node]
        places = self._known[node]
        for inner in reversed(path):
            own = self._own(inner)
            places = self._known[inner] = places | own if own else places
        return places

    def _own(self, node: int) -> frozenset[str]:
        tag, attrs = self._tree.tag[node], self._tree.attrs[node]
        own: frozenset[str] = frozenset({_PLACE_OF_TAG[tag]}) if tag in _PLACE_OF_TAG else frozenset()
        if attrs:
            for name, value in attrs.items():
                if value and name in NAMING_ATTRIBUTES:
                    own |= place_names(value)
        return own


# Paths that start with a language: /en-gb/, /de/.
_SECTION = re.compile(r"/([a-z]{2}[-_][a-zA-Z]{2}|de|en|es|fr|it|nl|pl|pt|ru)/")
_SHORTEST_PATH = 4
_NEVER_NAMED = frozenset({"meta", "link", "body", "html", "script", "style", "img", "input", "form"})


NamedNodes: TypeAlias = "tuple[tuple[int, tuple[str, ...]], ...]"


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that fields are found in. Named nodes are in document order, each with its patterns."""

    url: str
    # Both empty if the URL is invalid: http://[::1
    host: str
    path: str
    # As declared, else by the country of the host; may be empty.
    language: str
    tree: Tree
    article: Article
    data: StructuredData
    places: Places
    # Includes embedded posts of social networks.
    comment_runs: tuple[range, ...]
    # The node after the article's last one that is neither left out nor a comment.
    article_end: int
    author_nodes: NamedNodes
    date_nodes: NamedNodes
    # Whether the page is a thread of a forum.
    is_thread: bool
    # The targets of links with rel="license".
    licenses: tuple[str, ...]
    # The site's names, reduced to letters and digits.
    site_names: frozenset[str]

    @property
    def is_front(self) -> bool:
        """Whether the URL is that of a front page: "/", "/en" or "/de/"."""
        return len(self.path) < _SHORTEST_PATH


def page_facts(document: Document, article: Article) -> PageFacts:
    """Return the facts of a page, gathered in one pass over its elements."""
    tree = document.tree
    authors, dates, licenses = _named_nodes(tree)
    data = structured_data(tree)
    host, path = _host_and_path(document.url)
    runs = comment_runs(tree)
    return PageFacts(
        url=document.url,
        host=host,
        path=path,
        language=_language(document, data, host, path),
        tree=tree,
        article=article,
        data=data,
        places=Places(tree, article.node),
        comment_runs=(*runs, *_embedded_posts(tree, article.node)),
        article_end=_end_of(article, tree, runs),
        author_nodes=authors,
        date_nodes=dates,
        is_thread=is_thread(document),
        licenses=licenses,
        site_names=site_names(host, data),
    )


def _end_of(article: Article, tree: Tree, runs: Sequence[range]) -> int:
    last = tree.end[article.node]
    end = min([last, *(run.start for run in runs if article.node < run.start < last)])
    for part in sorted(article.left_out, reverse=True):
        if part < end and not any(tree.text[node].strip() for node in range(tree.end[part], end)):
            end = part
    return end


def _named_nodes(tree: Tree) -> tuple[NamedNodes, NamedNodes, tuple[str, ...]]:
    """Return the nodes named as authors, those named as dates, and the licences."""
    found: dict[int, NamePatterns] = {}
    for names, nodes in tree.named.classes.items():
        patterns = name_patterns_in(names)
        if patterns is not None:
            found |= dict.fromkeys(nodes, patterns)
    for node, names in _other_names(tree):
        patterns = name_patterns_in(names)
        if patterns is not None:
            found[node] = found[node] | patterns if node in found else patterns
    named = [(node, found[node]) for node in sorted(found) if tree.tag[node] not in _NEVER_NAMED]
    authors = tuple((node, patterns.author) for node, patterns in named if patterns.author)
    return authors, tuple((node, patterns.date) for node, patterns in named if patterns.date), tuple(_licenses(tree))


def _other_names(tree: Tree) -> Iterator[tuple[int, str]]:
    """Yield the nodes with names in other attributes than `class`, and these names."""
    yield from tree.named.ids
    for node in tree.named.declaring:
        if tree.tag[node] not in _NEVER_NAMED:
            attrs = tree.attrs[node]
            for attribute in ("itemprop", "rel", "property"):
                if value := attrs.get(attribute):
                    yield node, value


def _licenses(tree: Tree) -> Iterator[str]:
    for node in tree.named.declaring:
        rel = tree.attrs[node].get("rel")
        if rel and "license" in rel and "license" in rel.split() and (href := tree.attrs[node].get("href")):
            yield href


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www."), parts.path
    except ValueError:
        return "", ""


def _language(document: Document, data: StructuredData, host: str, path: str) -> str:
    declared = document.language or data.first("og:locale", "content-language", "language", "dc.language")
    if not declared and (section := _SECTION.match(path)):
        declared = section[1]
    return declared.replace("_", "-").strip() or lexicon.language_of_country().get(host.rpartition(".")[2], "")


_SITE_NAME_METAS = lexicon.declarations("meta.site_name")
_TYPES = frozenset(lexicon.declarations("type.site"))
_MUCH = 0.6  # "The Example Times" and example.com share less, "Example Times" and exampletimes.com more


def site_names(host: str, data: StructuredData) -> frozenset[str]:
    """Return the site's names, of its host and declared, reduced to letters and digits."""
    labels = host.split(".")
    names = {host, labels[0], labels[-2] if len(labels) > 1 else ""}
    names.update(data.first(meta) for meta in _SITE_NAME_METAS)
    for item in data.items:
        names.add(_text(data.resolved(item.get("publisher")).get("name")))
        if _TYPES.intersection(types_of(item)):
            names.add(_text(item.get("name")))
    headlines = {_text(item.get("headline")) for item in data.items}  # some themes declare it as the site's name
    return frozenset(filter(None, map(letters_and_digits, names - headlines)))


def is_site_name(text: str, names: Iterable[str]) -> bool:
    """Return whether a text equals one of the names or differs little from it."""
    return is_key_of_site(letters_and_digits(text), names)


def is_key_of_site(key: str, names: Iterable[str]) -> bool:
    """Like `is_site_name`, for a text reduced to letters and digits."""
    length = len(key)
    return bool(key) and any(
        (name in key and len(name) > _MUCH * length) or (key in name and length > _MUCH * len(name)) for name in names
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# Of matches with the same end the first kind wins: "updated on" contains "on".
_LABELS = {
    f"label {what}": re.compile(lexicon.any_of(lexicon.words_for(f"date.{what}")), re.IGNORECASE)
    for what in ("modified", "other", "published")
}


@lru_cache(maxsize=4096)
def label_of_date(label: str) -> str | None:
    """Return the feature of the last word in a label that tells the kind of date, or None."""
    ends = {
        feature: found[-1]
        for feature, pattern in _LABELS.items()
        if (found := [hit.end() for hit in pattern.finditer(label)])
    }
    return max(ends, key=ends.__getitem__) if ends else None


_KIND_OF_NAME = {name: kind for kind, names in lexicon.declared_names("meta_date").items() for name in names}
_SOME_DATE = re.compile(r"date|time|publish|upload|created")


def kind_of_meta(name: str) -> str | None:
    """Return "published", "modified" or "date", "some" for other names similar to a date's, None for the rest."""
    return _KIND_OF_NAME.get(name) or ("some" if _SOME_DATE.search(name) else None)
