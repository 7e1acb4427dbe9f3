"""Further fields of a post, where its page has them: subtitle, series, cover picture, minutes of reading.

Each is declared (<meta>, JSON-LD) or shown beside the title. What the pages of a blog share is the site's: its tagline,
its default picture.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from html import unescape
from operator import itemgetter
from typing import Any
from urllib.parse import unquote, urlsplit

from posterity.dom import Document, Tree
from posterity.dom.document import StructuredData, declared_data, types_of
from posterity.dom.media import absolute, image_url
from posterity.dom.tree import node_path
from posterity.extraction.bylines import opens_byline
from posterity.extraction.method import Context
from posterity.lexicon import any_of, declarations, part_names, part_words, url_words, words_for
from posterity.model import Media, Provenance
from posterity.text.dates.reading import dates_in, may_date
from posterity.text.normal_form import any_part, letters_and_digits, one_line

DETAILS = ("subtitle", "series", "cover", "reading_minutes")
Found = tuple[Any, str, int, float]  # value, rule, node or -1, confidence

# A class may have other words before its name: "c-entry-summary", "article__dek".
_NAMES = {
    name: re.compile(rf"(?:^|[-_\s])(?:{any_of(words)})(?:$|\s)", re.IGNORECASE)
    for name, words in part_words("detail").items()
}
# A quick test, as most classes on a page contain none of these.
_MAYBE_NAME = any_part(part_names("hint.detail"))
_NOT_OF_POST = re.compile(any_of(part_names("hint.not_of_post")), re.IGNORECASE)
_SERIES_FOLDER = re.compile(rf"/(?:{any_of(url_words('listing.series'))})/([^/?#]+)/?$", re.IGNORECASE)
_MINUTES = re.compile(
    rf"(?<!\d)(\d{{1,3}})(?:[.,]\d)?\s?(?:{any_of(words_for('reading_time.minutes'))})(?![a-zà-ÿа-я])", re.IGNORECASE
)
_READING = re.compile(rf"(?<![a-zà-ÿа-я])(?:{any_of(words_for('reading_time.label'))})(?![a-zà-ÿа-я])", re.IGNORECASE)
_BETWEEN_BARS = re.compile(
    rf"[·•|]\s?(\d{{1,3}})\s?(?:{any_of(words_for('reading_time.minutes'))})\s?(?:[·•|]|$)", re.IGNORECASE
)
_DURATION = re.compile(r"P(?:0+[YMWD])*T(?:(\d{1,2})H)?(?:(\d{1,3})(?:\.\d+)?M)?(?:[\d.]+S)?", re.IGNORECASE)
_NO_COVER = re.compile(r"(?:^|[-_.])(?:logo|default|placeholder|avatar|favicon|icon|blank)(?:[-_.\d]|$)", re.IGNORECASE)
_SIZE = re.compile(r"(?:[-_]\d{1,4}x\d{1,4}|-scaled|@\dx)?\.\w{2,5}$")
_COVER_METAS, _SERIES_METAS = declarations("meta.cover"), declarations("meta.series")
_HEADINGS = ("h1", "h2", "h3")
_NO_SUBTITLE = frozenset({"a", "ul", "ol", "figure", "time", "nav", "form", "img", "svg", "button"})
_MENUS = frozenset({"nav", "aside"})
_BEFORE_TITLE, _BEHIND_TITLE = 40, 60  # nodes of the tree
_MIN_SUBTITLE, _MAX_SUBTITLE, _MAX_SERIES, _MAX_LINE = 8, 400, 100, 60  # characters
_MAX_MINUTES = 600


def details_on(
    document: Document, title: str | None, wanted: Sequence[str] = DETAILS
) -> dict[str, tuple[Any, Provenance]]:
    """Return the details of the post with this title."""
    page = _Page(document, title or "")
    found: dict[str, tuple[Any, Provenance]] = {}
    for name, search in _SEARCHES.items():
        result = next(search(page), None) if name in wanted else None
        if result is not None:
            value, rule, node, confidence = result
            path = node_path(document.tree, node) if node >= 0 else None
            found[name] = value, Provenance(method="page", rule=rule, node=path, confidence=confidence)
    return found


def add_details(
    document: Document, context: Context, fields: dict[str, Any], provenance: dict[str, Provenance]
) -> None:
    """Add the details of the page to the fields of its post, and the cover picture to the media."""
    rules = context.rules
    wanted = [name for name in DETAILS if rules is None or name not in rules.absent]
    found = details_on(document, fields.get("title"), wanted) if wanted else {}
    of_site = {*(rules.site_pictures if rules is not None else ()), *site_pictures(context.site)}
    for name, (value, origin) in found.items():
        if value not in of_site:
            fields[name], provenance[name] = value, origin
    if "cover" in fields:
        fields["media"] = with_cover(fields.get("media", ()), fields["cover"])


def site_pictures(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the pictures that several of these pages of a site declare as their own."""
    covers = Counter(each.fact(declared_cover) for each in documents)
    return tuple(cover for cover, pages in covers.items() if cover is not None and pages > 1)


def with_cover(media: Sequence[Media], cover: str) -> tuple[Media, ...]:
    """Return the media with the cover picture last, unless the article shows it, perhaps in another size."""
    key = picture_name(cover)
    return tuple(media) if any(picture_name(each.url) == key for each in media) else (*media, Media(url=cover))


def declared_cover(document: Document) -> str | None:
    """Return the URL of the picture that the page declares for itself, or None; logos do not count."""
    data = document.fact(declared_data)
    given = [data.first(name) for name in _COVER_METAS]
    given += [_picture(item.get("image"), data) for item in data.items if _is_article(item)]
    for url in given:
        full = absolute(document.base_url, unescape(url)) if url else None
        if full and "gravatar" not in full and not _NO_COVER.search(urlsplit(full).path.rpartition("/")[2]):
            return full
    return None


class _Page:
    """A page with the node of its title, or -1."""

    def __init__(self, document: Document, title: str) -> None:
        self.document, self.tree, self.title = document, document.tree, title
        self.data = document.fact(declared_data)
        self.key = letters_and_digits(title)
        self.title_node = self._title_node()

    def _title_node(self) -> int:
        for tag in _HEADINGS if self.key else ():
            for node in self.tree.nodes_by_tag.get(tag, ()):
                is_short = self.tree.text_sizes[node] <= 2 * len(self.title) + _MAX_LINE and not self.tree.unseen[node]
                if is_short and self.key in letters_and_digits(self.tree.plain(node)):
                    return node
        return -1

    def near_title(self) -> range:
        """Return the nodes around the title, or around the main heading."""
        node = self.title_node if self.title_node >= 0 else self.tree.nodes_by_tag.get("h1", [-1])[0]
        if node < 0:
            return range(0)
        return range(max(0, node - _BEFORE_TITLE), min(len(self.tree), self.tree.end[node] + _BEHIND_TITLE))

    def is_about_post(self, node: int) -> bool:
        """Return whether a link is in the <article> or <main> of the title, else near the title, and in no menu."""
        around = self.tree.around((node,))
        return node in self._about_post and _MENUS.isdisjoint(self.tree.tag[each] for each in around)

    @cached_property
    def _about_post(self) -> range:
        if self.title_node < 0:
            return range(0)
        around = sorted(self.tree.around((self.title_node,)), reverse=True)
        body = next((each for each in around if self.tree.tag[each] in ("article", "main")), -1)
        return range(body, self.tree.end[body]) if body >= 0 else self.near_title()

    def named(self, name: str) -> list[int]:
        """Return the seen elements with such a class, in document order."""
        return [node for node, names in self._named if name in names]

    @cached_property
    def _named(self) -> list[tuple[int, frozenset[str]]]:
        classes, unseen = self.tree.named.classes, self.tree.unseen
        found = [(node, kinds) for names, nodes in classes.items() if (kinds := _kinds_of(names)) for node in nodes]
        return sorted(((node, kinds) for node, kinds in found if not unseen[node]), key=itemgetter(0))


@lru_cache(maxsize=32768)
def _kinds_of(names: str) -> frozenset[str]:
    if not _MAYBE_NAME.search(names.lower()) or _NOT_OF_POST.search(names):
        return frozenset()
    return frozenset(name for name, pattern in _NAMES.items() if pattern.search(names))


def _subtitles(page: _Page) -> Iterator[Found]:
    tree, title = page.tree, page.title_node
    if title >= 0:
        end = tree.end[title]
        for node in page.named("subtitle"):
            if end <= node < end + _BEHIND_TITLE and (text := _subtitle(page, node)):
                yield text, f".{tree.attrs[node].get('class')}", node, 0.8
        group = tree.parent[title]
        if tree.tag[group] == "hgroup":
            for node in tree.children(group):
                if node >= end and tree.attrs[node] is not None and (text := _subtitle(page, node)):
                    yield text, "hgroup", node, 0.8
    for item in page.data.items:
        given = item.get("alternativeHeadline")
        if isinstance(given, str) and _is_article(item) and (text := _usable(page, one_line(unescape(given)))):
            yield text, "JSON-LD alternativeHeadline", -1, 0.7
    if text := _usable(page, page.data.first("alternativeheadline")):
        yield text, "alternativeHeadline", -1, 0.7


def _subtitle(page: _Page, node: int) -> str:
    tree = page.tree
    if tree.tag[node] in _NO_SUBTITLE or tree.text_sizes[node] > _MAX_SUBTITLE:
        return ""
    inside = range(node, tree.end[node])
    if any(tree.tag[inner] in ("h1", "h2", "time") and inner != node for inner in inside):
        return ""
    return _usable(page, one_line(tree.plain(node)))


def _usable(page: _Page, text: str) -> str:
    """Return the text if it may be a subtitle: no byline, no date, not the title again; else ""."""
    if not _MIN_SUBTITLE <= len(text) <= _MAX_SUBTITLE or letters_and_digits(text) in page.key:
        return ""
    is_line = len(text) <= _MAX_LINE and (opens_byline(text) or (may_date(text) and bool(dates_in(text, ""))))
    return "" if is_line or (len(text) <= _MAX_LINE and _MINUTES.search(text)) else text


def _series(page: _Page) -> Iterator[Found]:
    if text := page.data.first(*_SERIES_METAS):
        yield text[:_MAX_SERIES], "meta series", -1, 0.85
    for item in page.data.items:
        parts = item.get("isPartOf")
        for part in parts if isinstance(parts, list) else [parts]:
            whole = page.data.resolved(part)
            name = whole.get("name")
            if isinstance(name, str) and one_line(name) and any(kind.endswith("Series") for kind in types_of(whole)):
                yield one_line(unescape(name))[:_MAX_SERIES], "JSON-LD isPartOf", -1, 0.85
    tree = page.tree
    for node in page.named("series"):
        links = tree.nodes_by_tag.get("a", ())
        first = bisect_left(links, node)
        link = links[first] if first < len(links) and links[first] < tree.end[node] else node
        if tree.text_sizes[link] > _MAX_SERIES or node <= page.title_node < tree.end[node]:
            continue
        text = one_line(tree.plain(link))
        if 0 < len(text) <= _MAX_SERIES and letters_and_digits(text) not in page.key:
            yield text, f".{tree.attrs[node].get('class')}", link, 0.75
    linked = {
        found[1]: node
        for node in reversed(tree.nodes_by_tag.get("a", ()))
        if not tree.unseen[node] and (found := _SERIES_FOLDER.search(tree.attrs[node].get("href") or ""))
    }
    linked = {name: node for name, node in linked.items() if page.is_about_post(node)}
    for name, node in linked.items() if len(linked) == 1 else ():
        text = one_line(tree.plain(node))
        words = unquote(name).replace("-", " ")
        yield text if 0 < len(text) <= _MAX_SERIES else words, "link to a series", node, 0.75


def _covers(page: _Page) -> Iterator[Found]:
    cover = page.document.fact(declared_cover)
    if cover is not None:
        tree, base_url, key = page.tree, page.document.base_url, picture_name(cover)
        shown = (node for node in tree.nodes_by_tag.get("img", ()) if _shows(tree, node, base_url, key))
        node = next(shown, -1)
        yield cover, "declared picture", node, 0.9 if node >= 0 else 0.7
    for node in page.named("cover"):
        images = page.tree.nodes_by_tag.get("img", ())
        first = bisect_left(images, node)
        if first < len(images) and images[first] < page.tree.end[node] and page.is_about_post(node):
            url = image_url(page.tree, images[first], page.document.base_url)
            if url and url.startswith("http"):
                yield url, f".{page.tree.attrs[node].get('class')}", images[first], 0.8


def _shows(tree: Tree, node: int, base_url: str, key: str) -> bool:
    url = image_url(tree, node, base_url)
    return url is not None and url.startswith("http") and picture_name(url) == key


@lru_cache(maxsize=1024)
def picture_name(url: str) -> str:
    """Return the name of a picture's file without its size: photo-300x200.jpg and photo.jpg are the same picture."""
    name = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    return _SIZE.sub("", unquote(name)).lower() or url


def _minutes(page: _Page) -> Iterator[Found]:
    times = [item.get("timeRequired") for item in page.data.items]
    for given in (*times, page.data.first("timerequired")):
        found = _DURATION.fullmatch(given.strip()) if isinstance(given, str) else None
        if found is not None and (found[1] or found[2]):
            yield from _checked(60 * int(found[1] or 0) + int(found[2] or 0), "timeRequired", -1, 0.9)
    for number in ("1", "2", "3"):
        label, value = (page.data.first(f"twitter:{name}{number}") for name in ("label", "data"))
        if (found := _MINUTES.search(value)) and (_READING.search(label) or _READING.search(value)):
            yield from _checked(int(found[1]), f"twitter:data{number}", -1, 0.9)
    yield from _shown_minutes(page.tree, page.near_title())


def _shown_minutes(tree: Tree, near: range) -> Iterator[Found]:
    for node in near:
        text = tree.text[node]
        if text and len(text) <= 2 * _MAX_LINE and _READING.search(text) and not tree.unseen[node]:
            for around in (node, tree.parent[node], tree.parent[tree.parent[node]]):
                line = one_line(tree.plain(around)) if tree.text_sizes[around] <= 2 * _MAX_LINE else ""
                if found := _MINUTES.search(line):
                    yield from _checked(int(found[1]), "line beside the title", node, 0.8)
                    break
    for node in near:
        text = tree.text[node]
        # "3 May 2021 · 5 min · Ada Lovelace", perhaps with the date in an element of its own.
        if text and len(text) <= 2 * _MAX_LINE and not tree.unseen[node] and (found := _BETWEEN_BARS.search(text)):
            line = one_line(tree.plain(tree.parent[node]))
            if len(line) <= 2 * _MAX_LINE and may_date(line) and dates_in(line, ""):
                yield from _checked(int(found[1]), "line beside the title", node, 0.7)


def _checked(minutes: int, rule: str, node: int, confidence: float) -> Iterator[Found]:
    if 0 < minutes <= _MAX_MINUTES:
        yield minutes, rule, node, confidence


def _is_article(item: dict[str, Any]) -> bool:
    return "headline" in item or not _ARTICLES.isdisjoint(types_of(item))


def _picture(value: object, data: StructuredData) -> str:
    """Return the URL in a JSON-LD value such as `image`: a string, an object, a reference, or a list; or ""."""
    first = next(iter(value), None) if isinstance(value, list) else value
    url = first if isinstance(first, str) else data.resolved(first).get("url")
    return url if isinstance(url, str) else ""


_ARTICLES = frozenset(declarations("type.article"))
_SEARCHES: dict[str, Callable[[_Page], Iterator[Found]]] = {
    "subtitle": _subtitles, "series": _series, "cover": _covers, "reading_minutes": _minutes,
}  # fmt: skip
