"""The elements of an article: links, images, headings, items, code, quotes, tables, embeds, formulas, footnotes.

An article is more than its words. The elements of the article's node on the page are compared with those of the
record's Markdown, rendered again, or of its HTML if a candidate returns no Markdown. Only pages with the right text
count (token F1 of at least .9), so that the figures measure elements and not the choice of the node.

An element has one or more keys, any of which matches: a lazy-loaded image has several URLs, an embed has one of its
player and one of its page. Optional elements are neither required nor wrong: those that are missing in the annotated
text (links to the next post inside the article's node), those on at least half of the blog's pages (buttons), tracking
pixels, like buttons.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

import msgspec

from posterity.dom import Tree, parse
from posterity.dom.media import embed_of_url
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt


KINDS = ("links", "images", "headings", "list items", "code", "quotes", "tables", "embeds", "formulas", "footnotes")
_PLAYERS = frozenset({"iframe", "embed", "video", "audio", "object"})
_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | {"td", "th"}
_SOURCES = _PLAYERS | {"source", "param"}
_UNREAD = frozenset({"script", "style", "template", "noscript", "svg", "annotation"})
_IMAGE_URLS = ("src", "data-src", "data-original", "data-lazy-src", "data-orig-file", "data-large-file")
_PLAYER_URLS = ("src", "data-src", "data", "value", "data-lazy-src")
_NO_WORDS = str.maketrans("", "", "¶#§[]\u200b\u200c\u200d\u2060\ufeff\xad")
_NUMBERS = re.compile(r"[\d\s]*")
_NOTE_LABEL = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[*†‡§]{1,3})[\])]?", re.IGNORECASE)
# A formula between two delimiters in the same block.
_DISPLAYED = re.compile(r"\$\$([^$\f]+)\$\$|\\\(((?:[^\\\f]|\\[^()\f])+)\\\)|\\\[((?:[^\\\f]|\\[^\[\]\f])+)\\\]")
_FEW_PAGES = 3  # with fewer pages, repetition means nothing
_REPEATED = ("links", "images", "headings", "embeds")
_MATH_CLASS = re.compile(r"math (?:inline|block|display)")  # classes of Pandoc and of `markdown_renderer`
_PARTS = re.compile(r"[/?&=]")
_NO_IDS = frozenset({"embed", "player", "postcard", "video", "videos", "watch"})
_DIGIT = re.compile(r"\d")
_SMALL_ID = 5  # minimum length of a URL part that identifies an embed
_ITEM_CHARS = 80  # characters of an item or quotation that are compared: nested ones count separately
_ONE_PIXEL = ("0", "1", "0px", "1px")

Elements: TypeAlias = "dict[str, list[ArticleElement]]"


class ArticleElement(msgspec.Struct, frozen=True):
    """An element with the keys that may match it."""

    keys: tuple[str, ...]
    optional: bool = False


def gold_elements(articles: Sequence[Tree], url: str, body: str) -> Elements:
    """Return the elements of an article's node, by kind.

    `articles` are versions of the node, the last one without the parts that annotators excluded. Elements that are
    missing there, and elements whose text is not in the annotated body, are optional.
    """
    *others, chosen = (_Reader(tree, url, _squash(body)).found for tree in articles)
    for other in others:
        for kind, found in other.items():
            rest = Counter(element.keys for element in chosen.get(kind, ()))
            for element in found:
                rest[element.keys] -= 1
                if rest[element.keys] < 0:
                    chosen.setdefault(kind, []).append(ArticleElement(element.keys, optional=True))
    return chosen


def elements_of_html(html: str, url: str) -> Elements:
    """Return the elements of a record's HTML."""
    return _Reader(parse(f"<body>{html}", url).tree, url).found if html else {}


def elements_of_markdown(markdown: str, url: str) -> Elements:
    """Return the elements of a record's Markdown, rendered again."""
    return elements_of_html(markdown_renderer().render(markdown), url)


@lru_cache(maxsize=1)
def markdown_renderer() -> MarkdownIt:
    """Return a renderer for CommonMark with tables, strikethrough, footnotes and TeX between dollar signs."""
    # Imported lazily: the measures are part of the core, which is installed without these packages.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    renderer.use(footnote_plugin)
    return renderer.use(dollarmath_plugin, allow_space=False, allow_digits=True, double_inline=True)


def theme_optional(pages: Sequence[Elements]) -> list[Elements]:
    """Return the elements with those optional that half of the blog's pages have: they belong to the theme."""
    pairs = ((kind, found) for page in pages for kind, found in page.items())
    seen = Counter((kind, key) for kind, found in pairs for key in {key for one in found for key in one.keys})
    often = max(_FEW_PAGES, len(pages) / 2)

    def marked(kind: str, element: ArticleElement) -> ArticleElement:
        repeats = kind in _REPEATED and any(seen[kind, key] >= often for key in element.keys)
        return ArticleElement(element.keys, optional=True) if repeats else element

    return [{kind: [marked(kind, each) for each in found] for kind, found in page.items()} for page in pages]


def _squash(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).translate(_NO_WORDS).split()).casefold()


def _url_key(base: str, url: str | None) -> str | None:
    """Normalise a URL for comparison; None if it is not http(s) or mailto."""
    try:
        parts = urlsplit(urljoin(base, (url or "").strip()))
    except ValueError:
        return None
    if parts.scheme == "mailto":
        return f"mailto:{unquote(parts.path)}".casefold()
    if parts.scheme not in ("http", "https"):
        return None
    query = f"?{parts.query}" if parts.query else ""
    return unquote(parts.netloc.removeprefix("www.") + parts.path.rstrip("/") + query).casefold()


class _Reader:
    """Reads the elements of one article in one pass."""

    def __init__(self, tree: Tree, url: str, body: str | None = None) -> None:
        self.tree, self.url, self.page, self.body = tree, url, _url_key(url, url), body
        self.found: Elements = {}
        self.notes: dict[int, int] = {}  # numbers of footnotes, by the node of the note
        self.names = {
            name: node for node in range(len(tree)) for key in ("id", "name") if (name := tree.attrs[node].get(key))
        }
        node = 0
        while node < len(tree):
            if node in tree.hidden and node:
                node = tree.end[node]
                continue
            if tree.tag[node] is not TEXT:
                self._read(node, tree.tag[node])
            node += 1
        for match in _DISPLAYED.finditer("".join(self._texts(0, _UNREAD | {"pre", "code"}, between="\f"))):
            self._add("formulas", _squash(next(filter(None, match.groups()))))

    def _add_text(self, kind: str, text: str, key: str = "", *, optional: bool = False) -> None:
        """Add an element with text; it is optional if the annotated text does not contain it."""
        squashed = _squash(text)
        missing = self.body is not None and squashed[:_ITEM_CHARS] not in self.body
        if squashed:
            self._add(kind, key or squashed[:_ITEM_CHARS], optional=optional or missing)

    def _add(self, kind: str, *keys: str, optional: bool = False) -> None:
        if kept := tuple(dict.fromkeys(filter(None, keys))):
            self.found.setdefault(kind, []).append(ArticleElement(kept, optional))

    def _read(self, node: int, tag: str) -> None:
        if tag == "a":
            self._read_link(node)
        elif tag == "img":
            self._read_image(node)
        elif tag in frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}):
            self._add_text("headings", self._text(node))
        elif tag == "li":
            in_notes = any("footnote" in (self.tree.attrs[each].get("class") or "") for each in self._around(node))
            self._add_text("list items", self._text(node), optional=in_notes)
        elif tag == "blockquote":
            self._add_text("quotes", self._text(node))
        elif tag == "pre":
            self._read_code(node)
        elif tag == "table":
            self._read_table(node)
        elif tag in _PLAYERS:
            self._read_player(node)
        elif tag in ("script", "annotation", "span", "div"):
            self._read_formula(node, tag)

    def _text(self, node: int) -> str:
        return "".join(self._texts(node))

    def _texts(self, node: int, unread: frozenset[str] = _UNREAD, *, between: str = "") -> Iterator[str]:
        """Yield the texts below a node, and `between` at the boundaries of blocks."""
        tree, each, ends = self.tree, node, set[int]()
        while each < tree.end[node]:
            if tree.tag[each] in _BLOCKS:
                ends.add(tree.end[each])
            if tree.tag[each] in _BLOCKS or each in ends:
                yield between
            is_gutter = tree.tag[each] == "pre" and _NUMBERS.fullmatch(tree.plain(each))
            if each > node and (tree.tag[each] in unread or each in tree.hidden or is_gutter):
                each = tree.end[each]
                continue
            yield "\n" if tree.tag[each] == "br" else tree.text[each]
            each += 1

    def _around(self, node: int) -> Iterator[int]:
        node = self.tree.parent[node]
        while node >= 0:
            yield node
            node = self.tree.parent[node]

    def _is_inside(self, node: int, tag: str) -> bool:
        return any(self.tree.tag[each] == tag for each in self._around(node))

    def _read_link(self, node: int) -> None:
        tree, href = self.tree, self.tree.attrs[node].get("href")
        shown, key = self._text(node).strip(), _url_key(self.url, href)
        _, _, name = (href or "").partition("#")
        if (name and (href or "").startswith("#")) or (name and key == self.page):
            target = self.names.get(unquote(name))
            is_small = tree.tag[tree.parent[node]] == "sup" or "sup" in tree.tag[node : tree.end[node]]
            named = f"{tree.attrs[node].get('class') or ''} {name}".casefold()
            is_note = is_small or "fn" in named or "note" in named or "ftn" in named
            if target is not None and target > node and is_note and _NOTE_LABEL.fullmatch(shown):
                # Rendering Markdown renumbers the labels, so footnotes are compared by their order.
                self._add("footnotes", str(self.notes.setdefault(target, len(self.notes) + 1)))
        elif key:
            self._add_text("links", shown, key, optional=tree.attrs[node].get("rel") == "tag")

    def _read_image(self, node: int) -> None:
        attrs = self.tree.attrs[node]
        given = [attrs.get(name) or "" for name in _IMAGE_URLS]
        for name in ("srcset", "data-srcset"):
            given += [part.split()[0] for part in (attrs.get(name) or "").split(", ") if part.split()]
        found = (_url_key(self.url, url) for url in given if not url.startswith("data:"))
        keys = [key.split("?")[0] for key in found if key and key != self.page]
        known = {key for each in self.found.get("images", ()) for key in each.keys}
        if self._is_inside(node, "noscript") and known & set(keys):
            return
        is_pixel = attrs.get("width") in _ONE_PIXEL and attrs.get("height") in _ONE_PIXEL
        names = f"{attrs.get('class') or ''} {attrs.get('src') or ''}".casefold()
        is_sign = "favicon" in names or "emoji" in names or "wp-smiley" in names or "latex" in names
        self._add("images", *keys, optional=is_pixel or is_sign)

    def _read_code(self, node: int) -> None:
        code = self._text(node)
        if self._is_inside(node, "pre") or _NUMBERS.fullmatch(code):
            return
        lines = [line.rstrip() for line in code.replace("\xa0", " ").strip("\n").splitlines()]
        self._add("code", "\n".join(lines).strip())

    def _read_table(self, node: int) -> None:
        tree = self.tree
        inside = range(node + 1, tree.end[node])
        if any(tree.tag[each] in ("pre", "table") for each in inside) or self._is_inside(node, "pre"):
            return
        rows: list[list[str]] = []
        for each in inside:
            if tree.tag[each] == "tr":
                rows.append([])
            elif tree.tag[each] in ("td", "th") and rows:
                rows[-1].append(_squash(self._text(each)))
        if len(rows) > 1 and max(map(len, rows)) > 1:
            self._add("tables", "|".join(cell for row in rows for cell in row if cell))

    def _read_player(self, node: int) -> None:
        """Add an embed, with the URLs of its player and the ids in them as keys."""
        tree = self.tree
        if any(tree.tag[each] in _PLAYERS for each in self._around(node)):
            return
        inside = [each for each in range(node, tree.end[node]) if tree.tag[each] in _SOURCES]
        given = (tree.attrs[each].get(name) for each in inside for name in _PLAYER_URLS)
        urls = [url for url in given if url and ("/" in url or "." in url) and _url_key(self.url, url)]
        keys = [_url_key(self.url, url) or "" for url in urls]
        ids = [part for key in keys for part in _PARTS.split(key) if len(part) >= _SMALL_ID and _DIGIT.search(part)]
        for key in keys:
            path = [part for part in key.split("?")[0].split("/") if len(part) >= _SMALL_ID and part not in _NO_IDS]
            ids += path[-1:] if len(path) > 1 else []
        keys = [key.split("?")[0] for key in keys]
        ignored = bool(urls) and all(embed_of_url(urljoin(self.url, url), None) is None for url in urls[:1])
        self._add("embeds", *keys, *ids, optional=ignored)

    def _read_formula(self, node: int, tag: str) -> None:
        attrs = self.tree.attrs[node]
        kind = (attrs.get("type") if tag == "script" else attrs.get("encoding")) or ""
        is_source = "tex" in kind and (tag == "annotation" or kind.startswith("math/"))
        if is_source or _MATH_CLASS.fullmatch(attrs.get("class") or ""):
            self._add("formulas", _squash(self.tree.plain(node)))
