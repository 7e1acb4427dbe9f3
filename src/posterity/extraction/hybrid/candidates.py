"""Facts of a page, gathered once for all of its fields; candidates for the value of a field; the choice among them.

Facts are declared metadata and the names of elements. Some names mark an author, a date, a headline, or a part of the
page that is not the article's. Template authors choose names freely, in various spellings and mostly in English: a
pattern is a group of such spellings. Zones of the page, by distance from title and article, are features as well:
bylines and dates are near them.

Each feature has a learned weight for or against a value. Candidates with the same value are scored together, with the
features of all of them, so sources that agree add up. The weights are those of a conditional logit model (McFadden
1974): a value's probability is its share of the exponentiated sums, among all values of the page and "none of them".
The confidence is that share after Platt's correction (1999), also learned, because correlated features make the shares
too high.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.classify.page_kind import is_thread
from posterity.dom import Document, Tree
from posterity.dom.document import StructuredData, declared_data, types_of
from posterity.dom.tree import Attributes, node_path
from posterity.extraction.comments import comment_roots
from posterity.extraction.hybrid.article import Article
from posterity.lexicon import (
    any_of,
    declarations,
    declared_names,
    language_of_country,
    part_names,
    part_patterns,
    words_for,
)
from posterity.model import OddsChange, Provenance, TracedProvenance
from posterity.text.normal_form import any_part, letters_and_digits, one_line

# Attributes with names chosen by a template's author.
NAMING_ATTRIBUTES = frozenset({"class", "id", "itemprop", "rel", "property"})
_PLACE_OF_TAG = {"aside": "aside", "nav": "frame", "footer": "frame", "header": "header", "address": "header"}

_AUTHORS, _DATES, _TITLES, _PLACES = (
    {name: re.compile(pattern) for name, pattern in part_patterns(kind).items()}
    for kind in ("author", "date", "title", "place")
)
# Prefilters: each pattern of authors and dates, and of places, needs one of these, and most names on a page have none.
_MAYBE_NAME = any_part(part_names("hint.author_or_date"))
_MAYBE_PLACE = any_part(part_names("hint.place"))


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
_BETWEEN_COMMENTS = 3  # nodes: white space, a line
_RUN_NAMES = frozenset(part_names("comment.run_head"))


def comment_runs(tree: Tree) -> tuple[range, ...]:
    """Return the flat runs of comments: the nodes from their heading to the end of its parent."""
    named = [node for node, name in tree.named.ids if name.lower() in _RUN_NAMES]
    anchors = tree.nodes_by_tag.get("a", ())
    named += [node for node in anchors if (tree.attrs[node].get("name") or "").lower() in _RUN_NAMES]
    heads = [node for node in named if tree.tag[node] in _RUN_HEADS]
    return tuple(range(node, tree.end[tree.parent[node]]) for node in heads)


def _threads(tree: Tree, article: Article) -> Iterator[range]:
    """Yield the runs of comments that are recognised by their structure and are no part of the article."""
    start = stop = 0
    for root in sorted(root for root in comment_roots(tree) if not _is_kept(tree, article, root)):
        if root > stop + _BETWEEN_COMMENTS:
            yield range(start, stop)
            start = root
        stop = max(stop, tree.end[root])
    yield range(start, stop)


def _is_kept(tree: Tree, article: Article, node: int) -> bool:
    while node > article.node and node not in article.left_out:
        node = tree.parent[node]
    return node == article.node and node not in article.left_out


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
    data = document.fact(declared_data)
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
        comment_runs=(*runs, *_threads(tree, article), *_embedded_posts(tree, article.node)),
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
    return declared.replace("_", "-").strip() or language_of_country().get(host.rpartition(".")[2], "")


_SITE_NAME_METAS = declarations("meta.site_name")
_TYPES = frozenset(declarations("type.site"))
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
    f"label {what}": re.compile(any_of(words_for(f"date.{what}")), re.IGNORECASE)
    for what in ("modified", "other", "published")
}


@lru_cache(maxsize=4096)
def label_of_date(label: str) -> str | None:
    """Return the feature of the last word in a label that tells the kind of date, or None."""
    hits = ((feature, [hit.end() for hit in pattern.finditer(label)]) for feature, pattern in _LABELS.items())
    ends = {feature: found[-1] for feature, found in hits if found}
    return max(ends, key=ends.__getitem__) if ends else None


_KIND_OF_NAME = {name: kind for kind, names in declared_names("meta_date").items() for name in names}
_SOME_DATE = re.compile(r"date|time|publish|upload|created")


def kind_of_meta(name: str) -> str | None:
    """Return "published", "modified" or "date", "some" for other names similar to a date's, None for the rest."""
    return _KIND_OF_NAME.get(name) or ("some" if _SOME_DATE.search(name) else None)


# The feature of the value "none of them".
NONE = "none"
# The parameters of Platt's correction, stored among the weights.
SLOPE, OFFSET = "confidence: slope", "confidence: offset"
_MAX_SOURCES = 4
_MAX_TRACE = 6  # features of one value
_SMALLEST = 1e-6


class FieldCandidate(msgspec.Struct, frozen=True):
    """A value from one source, a key that is equal for equal values, its features, and its node (-1: none)."""

    value: Any
    key: str
    features: tuple[str, ...]
    node: int = -1


class ScoredValue(msgspec.Struct, frozen=True):
    """The candidates with the same value, in the order in which they were found, and all their features."""

    key: str
    candidates: tuple[FieldCandidate, ...]
    features: frozenset[str]


class Choice(msgspec.Struct, frozen=True):
    """The most likely value, its confidence, and the features of the next best value."""

    value: ScoredValue
    confidence: float
    second: frozenset[str] = frozenset()


def scored_values(candidates: Iterable[FieldCandidate]) -> list[ScoredValue]:
    """Group candidates by value, in the order of their first candidates."""
    groups: dict[str, list[FieldCandidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.key, []).append(candidate)
    features = {key: frozenset(feature for one in group for feature in one.features) for key, group in groups.items()}
    return [ScoredValue(key, tuple(group), features[key]) for key, group in groups.items()]


def best_value(values: Iterable[ScoredValue], weights: Mapping[str, float], none_margin: float = 0.0) -> Choice | None:
    """Return the most likely value, or None if "none of them" is more likely; of equals the first.

    With `none_margin`, a value may be less likely than "none" by up to that much, in logits.
    """
    none = weights.get(NONE, 0.0)
    weight_of = weights.get
    # `fsum`, because other sums of floats depend on their order and sets have none.
    scored = [(math.fsum([weight_of(feature, 0.0) for feature in value.features]), value) for value in values]
    if not scored:
        return None
    score, value = max(scored, key=lambda pair: pair[0])
    if score <= none - none_margin:
        return None
    total = math.exp(none - score) + sum(math.exp(other - score) for other, _ in scored)
    others = [(other, rival.features) for other, rival in scored if rival is not value]
    second = max([(none, frozenset({NONE})), *others], key=lambda pair: pair[0])[1]
    return Choice(value, round(_correct_share(1 / total, weights), 4), second)


def _correct_share(share: float, weights: Mapping[str, float]) -> float:
    share = min(max(share, _SMALLEST), 1 - _SMALLEST)
    logit = weights.get(SLOPE, 1.0) * math.log(share / (1 - share)) + weights.get(OFFSET, 0.0)
    return 1 / (1 + math.exp(-logit))


def provenance_of(
    choice: Choice, page: PageFacts, node: int = -1, explain: Mapping[str, float] | None = None
) -> Provenance:
    """Return the provenance of a chosen value: the sources that agree on it, and the node that shows it.

    `node` defaults to the first node of a candidate. With the weights in `explain`, the deciding features are included.
    """
    candidates = choice.value.candidates
    sources = dict.fromkeys(candidate.features[0] for candidate in candidates)
    rule = "; ".join(list(sources)[:_MAX_SOURCES])
    if node < 0:
        node = next((candidate.node for candidate in candidates if candidate.node >= 0), -1)
    path = node_path(page.tree, node) if node >= 0 else None
    if explain is None:
        return Provenance(method="page", rule=rule, node=path, confidence=choice.confidence)
    trace = deciding_features(choice, explain)
    return TracedProvenance(method="page", rule=rule, node=path, confidence=choice.confidence, trace=trace)


def deciding_features(choice: Choice, weights: Mapping[str, float]) -> tuple[OddsChange, ...]:
    """Return the features in which the chosen value and the next best differ, by decreasing effect."""
    own, other = choice.value.features, choice.second
    changes = {feature: weights.get(feature, 0.0) for feature in own - other}
    changes |= {f"next best: {feature}": -weights.get(feature, 0.0) for feature in other - own}
    weighty = sorted((pair for pair in changes.items() if pair[1]), key=lambda pair: (-abs(pair[1]), pair[0]))
    return tuple(OddsChange(name, round(math.exp(weight), 4)) for name, weight in weighty[:_MAX_TRACE])


ARTICLE_TYPES = frozenset(declarations("type.article"))
FORUM_TYPES = frozenset(declarations("type.forum"))


def kind_features(page: PageFacts) -> Iterator[str]:
    """Yield features of the kind of page, by its declared types and its URL."""
    if page.data.first("og:type") == "article" or any("published_time" in name for name in page.data.metas):
        yield "article page"
    types = page.data.types
    if types & ARTICLE_TYPES:
        yield "page of an article"
    if types & FORUM_TYPES:
        yield "page of a forum"
    if "Product" in types or "product" in page.data.first("og:type"):
        yield "page of a product"
    if page.is_front:
        yield "front page"


# Distances are counted in nodes of the tree, which grow with the text and the markup between two places.
_BEFORE_TITLE = 60
NEXT_TO_TITLE = 40
NEAR_TITLE = 140
_BEFORE_END, _BEHIND_END = 20, 60
_MAX_TEXT = 300  # characters, including white space of the source
_APART = frozenset({"others", "aside", "frame"})
_BY_TITLE = ("next to title", "before title", "near title")
_ELSEWHERE = ("end of article", "in article", "far before", "far behind")
# Best zones first; "aside" marks those in parts of the page with other content.
_ZONES = (
    *_BY_TITLE,
    *(f"{zone} aside" for zone in _BY_TITLE),
    *_ELSEWHERE,
    *(f"{zone} aside" for zone in _ELSEWHERE),
    "comments",
    "unseen",
)
# Values in these zones are not the article's, whatever their names.
NOT_OF_ARTICLE = frozenset({"comments", "unseen", "far before aside", "far behind aside"})
_RANK = {zone: rank for rank, zone in enumerate(_ZONES)}


class TitleSurroundings(msgspec.Struct, frozen=True):
    """The node of the title, or -1, and the rendered texts around it and around the article's end.

    Each text comes with its node, on one line and truncated.
    """

    title: int
    spans: tuple[range, range]
    near_title: tuple[tuple[int, str], ...]
    near_end: tuple[tuple[int, str], ...]


def zone_of(page: PageFacts, node: int, title: int) -> str:
    """Return the zone of a node; `title` is the node of the title, or -1."""
    if page.tree.unseen[node]:
        return "unseen"
    places = page.places.of(page.tree.parent[node])
    # Comments follow the article; a section of opinions before it may be named "comments", too.
    if "comments" in places and node >= page.article.node:
        return "comments"
    if any(node in run for run in page.comment_runs):
        return "comments"
    zone = _distance(page, node, title)
    return f"{zone} aside" if places & _APART else zone


def _distance(page: PageFacts, node: int, title: int) -> str:
    start = title if title >= 0 else page.article.node
    if start - _BEFORE_TITLE <= node < start:
        return "before title"
    if start <= node <= start + NEAR_TITLE:
        return "next to title" if node <= start + NEXT_TO_TITLE else "near title"
    article, end = page.article.node, page.article_end
    if end - _BEFORE_END < node < end + _BEHIND_END:
        return "end of article"
    if node < start:
        return "far before"
    return "in article" if article <= node < end else "far behind"


def surroundings(page: PageFacts, title: int) -> TitleSurroundings:
    """Return the texts around the title, or around the article's start if `title` is -1."""
    tree = page.tree
    start = title if title >= 0 else page.article.node
    end = page.article_end
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


def features_in_zone(sources: Iterable[str], zone: str) -> tuple[str, ...]:
    """Return the features of a value that these sources show in a zone."""
    return tuple(f"{source}, {zone}" for source in sources)


def zone_in(feature: str) -> str:
    """Return the zone in a feature of `features_in_zone`."""
    return feature.rpartition(", ")[2]


def place_features(features: Iterable[str], sources: Sequence[str]) -> Iterator[str]:
    """Yield the features of the places where a value is shown: sources, zones, and the best pair of both.

    There are too many pairs to learn a weight for each. `sources` are ordered by reliability.
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
