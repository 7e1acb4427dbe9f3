"""Metadata that a page declares (<title>, <meta>, JSON-LD), and the URLs of its links, images and media.

URLs are made absolute; a lazily loaded image has its real source in another attribute than `src`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import urljoin

import msgspec

from posterity.dom.document import Document
from posterity.dom.tree import Tree
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url

# Attributes with the source of an image that scripts load when it is scrolled into view.
_LATE_SOURCES = (
    "data-src data-lazy-src data-original data-orig-file data-large-file data-srcset data-lazy-srcset srcset src"
).split()
# Names such as "pixel.gif" and "lazy-placeholder-2.png", but not "pixel-art.png".
_PLACEHOLDER = re.compile(
    r"(?:blank|placeholder|spacer|transparent|lazy|1x1|pixel)"
    r"(?:[-_.\dx]|placeholder|pixel|image|img|gif|load(?:er|ing)?|min|grey|gray|white|transparent|blank){0,12}"
    r"\.(?:gif|png|svg)$",
    re.IGNORECASE,
)
_RENDERED = (".gif", ".png", ".svg")  # formats of placeholders; most images are photographs
# HTML, 2.3.1: a URL may contain commas; one at its end starts the next candidate.
_CANDIDATE = re.compile(r"([^\s,]\S*+)(?:(?<=,)|([^,]*+))")
_DESCRIPTOR = re.compile(r"\s+(\d{1,6}(?:\.\d{1,6})?)[wx]")
_NO_LINK = ("javascript:", "data:", "mailto:", "tel:", "#", "about:")
# Most URLs are absolute or relative to the root; `urljoin` would take ten times as long for them.
_IN_FULL = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w./~%+,:@=-]*)?(?:\?[\w./~%+,:@=&-]+)?(?:#[\w.-]+)?", re.ASCII)
_FROM_ROOT = re.compile(r"(?:/[\w~%+,:@=-][\w.~%+,:@=-]*+)++/?", re.ASCII)
_SITE = re.compile(r"https?://[\w.-]+(?::\d+)?(?=[/?#]|\Z)", re.ASCII)
# Links of copies from which the host was removed: http:///2012/a.html, //2012/a.html. Hosts of blogs have a dot.
_NO_HOST = re.compile(r"^(?:https?:///+(?=[\w-]+[/.])|//(?!localhost\b)(?=[\w-]+(?:[/?#]|$)))", re.IGNORECASE)
_LINK = frozenset({"a"})
_ROUTE = ("#!", "#/")  # a route of a blog rendered by scripts, not a fragment of this page


@lru_cache(maxsize=8192)  # text, HTML, Markdown and the list of links need the same URLs
def absolute(base_url: str, url: str | None) -> str | None:
    """Return the absolute URL, or None if it cannot be fetched over HTTP."""
    url = (url or "").strip()
    if _IN_FULL.fullmatch(url):
        return url
    site = _SITE.match(base_url)
    if site and _FROM_ROOT.fullmatch(url):
        return site.group() + url
    if not url or (url.lower().startswith(_NO_LINK) and not url.startswith(_ROUTE)):
        return None
    try:
        full = urljoin(base_url, _NO_HOST.sub("/", url) if site and "." in site.group() else url)
    except ValueError:
        return None
    return full if full.startswith(("http://", "https://")) else None


# Schemes of mail, telephone, chat, maps and files; none of them runs code.
_OTHER_LINK = re.compile(
    r"(?:mailto:[^\s<>\"']+@|(?:ftps?|sftp|ircs?|git|gopher|gemini|nntp|rtsp|ssh)://|"
    r"(?:tel|sms|sips?|xmpp|matrix|skype|geo|news|magnet|urn|doi|ed2k|feed|webcal|bitcoin|acct|spotify|steam):)"
    r"[^\s<>\"']+",
    re.IGNORECASE,
)


def link_target(base_url: str, href: str | None) -> str | None:
    """Return the target of a link: an absolute URL or a harmless URI such as mailto: and tel:, or None."""
    url = absolute(base_url, href)
    if url is None and href and _OTHER_LINK.fullmatch(href.strip()):
        return href.strip()
    return url


def image_source(attrs: Mapping[str, str | None]) -> str | None:
    """Return the URL of the image itself, not of its placeholder, or None."""
    src = attrs.get("src")
    if src and not any(map(attrs.get, _LATE_SOURCES[:5])) and not _is_placeholder(src):
        return src
    for name in _LATE_SOURCES:
        value = attrs.get(name)
        if not value or (name == "src" and _is_placeholder(value)):
            continue
        return _largest(value) if "srcset" in name else value
    return None


def _is_placeholder(src: str) -> bool:
    if src[:5].lower() == "data:":
        return True
    # The suffix is checked first, because the regex search is slow and few URLs have it.
    return src[-5:].rstrip().lower().endswith(_RENDERED) and _PLACEHOLDER.search(src) is not None


def media_source(tree: Tree, node: int) -> str | None:
    """Return the URL of the media that an <img>, <source>, <audio> or <video> shows, or None.

    An image that scripts load lazily has its real source in a <picture> around it or a <noscript> after it.
    """
    source = image_source(tree.attrs[node])
    if source or tree.tag[node] != "img":
        return source
    if tree.tag[parent := max(0, tree.parent[node])] == "picture":
        others = (image_source(tree.attrs[each]) for each in tree.children(parent) if tree.tag[each] == "source")
        if source := next(filter(None, others), None):
            return source
    after, stop = tree.end[node], tree.end[max(0, tree.parent[node])]
    while after < stop and tree.text[after].isspace():
        after += 1
    if after >= stop or tree.tag[after] != "noscript":
        return None
    inside = (image_source(tree.attrs[inner]) for inner in range(after, tree.end[after]) if tree.tag[inner] == "img")
    return next(filter(None, inside), None)


# Images embedded in the page. Smaller ones are placeholders until the real image has loaded.
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=%\s]+", re.IGNORECASE)
_MIN_DATA_CHARS, _MAX_DATA_CHARS = 4_000, 2_000_000


def image_url(tree: Tree, node: int, base_url: str) -> str | None:
    """Return the absolute URL of an image, a `data:` URL if it is embedded in the page, or None."""
    if source := media_source(tree, node):
        return absolute(base_url, source)
    data = (tree.attrs[node].get("src") or "").strip() if tree.tag[node] == "img" else ""
    is_picture = _MIN_DATA_CHARS <= len(data) <= _MAX_DATA_CHARS and _DATA_IMAGE.fullmatch(data)
    return "".join(data.split()) if is_picture else None


def _largest(srcset: str) -> str:
    return max(srcset_candidates(srcset), default=(1.0, srcset))[1]


def srcset_candidates(srcset: str) -> list[tuple[float, str]]:
    """Return width or density (1.0 if missing) and URL of every image in a `srcset`."""
    found = []
    for url, rest in _CANDIDATE.findall(srcset):
        size = _DESCRIPTOR.match(rest)
        found.append((float(size[1]) if size else 1.0, url.rstrip(",")))
    return found


def links_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[str, ...]:
    """Return the absolute URLs that the subtree links to, each once, in document order."""
    hrefs = (absolute(base_url, tree.attrs[link].get("href")) for link in elements_of(tree, _LINK, node, skip))
    return tuple(dict.fromkeys(url for url in hrefs if url))


def elements_of(tree: Tree, tags: frozenset[str], node: int = 0, skip: frozenset[int] = frozenset()) -> list[int]:
    """Return the elements with these tags in the subtree, in document order, without the subtrees of `skip`."""
    tag_of, found = tree.tag, []
    start, stop = node, tree.end[node]
    for left_out in sorted(skip):
        if start <= left_out < stop:
            found += [index for index in range(start, left_out) if tag_of[index] in tags]
            start = tree.end[left_out]
    return found + [index for index in range(start, stop) if tag_of[index] in tags]


# An unclosed comment extends to the end, as in CSS; searching for missing ends would be quadratic.
COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
CSS_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'();]+))""", re.IGNORECASE)
CSS_URL = re.compile(r"""\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"'()]+))\s*\)""", re.IGNORECASE)
# The whole statement; its fourth group is the media query.
IMPORT_STATEMENT = re.compile(CSS_IMPORT.pattern + r"\s*\)?([^;{}]*);?", re.IGNORECASE)


# The attributes that name <meta> elements: RDFa and Open Graph, HTML, microdata.
_META_NAMES = ("property", "name", "itemprop")
# Keys under which JSON-LD nests a page's main objects.
_NESTED = ("@graph", "mainEntity", "mainEntityOfPage")
_MAX_NESTING = 4
# Comments and CDATA marks that content management systems put around JSON for older browsers and XML parsers.
_WRAPPING = re.compile(
    r"^\s*(?://\s*)?(?:<!--|<!\[CDATA\[|/\*.{0,20}?\*/)*|(?<![\s>])\s*+(?://\s*+)?(?:-->|\]\]>)*+\s*+;?\s*+$"
)
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")


class JsonLd(tuple[dict[str, Any], ...]):
    """The JSON-LD objects of a page, including nested ones, in order."""

    @cached_property
    def by_id(self) -> dict[str, dict[str, Any]]:
        """The first object with each @id, without mere references."""
        return {item["@id"]: item for item in reversed(self) if len(item) > 1 and isinstance(item.get("@id"), str)}


class StructuredData(msgspec.Struct, frozen=True):
    """Declared metadata: `metas` are contents by lower-case name, `items` the JSON-LD objects."""

    title: str
    metas: dict[str, list[str]]
    items: JsonLd

    def first(self, *names: str) -> str:
        """Return the first content of the first of these <meta> names that the page has, or ""."""
        return next((self.metas[name][0] for name in names if name in self.metas), "")

    @property
    def types(self) -> set[str]:
        """The types of all JSON-LD objects."""
        return {name for item in self.items for name in types_of(item)}

    def resolved(self, value: object) -> dict[str, Any]:
        """Return the object that a JSON-LD value is or refers to by @id; an empty one for anything else."""
        return _resolve(value, self.items)


def declared_data(document: Document) -> StructuredData:
    """Return the declared metadata of a page, for `Document.fact`; broken JSON-LD is left out."""
    tree = document.tree
    metas: dict[str, list[str]] = {}
    for node in tree.nodes_by_tag.get("meta", ()):
        attrs = tree.attrs[node]
        content = one_line(attrs.get("content") or "")
        if content:
            for name in _META_NAMES:
                if key := attrs.get(name):
                    metas.setdefault(key.lower(), []).append(content)
    return StructuredData(title=_page_title(tree), metas=metas, items=json_ld(document))


def json_ld(document: Document) -> JsonLd:
    """Return the objects of a page's JSON-LD, without building the page's tree."""
    return _items(document.data_scripts)


def declared_person_names(value: object, items: JsonLd) -> Iterator[str]:
    """Yield the names in a JSON-LD value such as `author`: a string, an object, a reference by @id, or a list."""
    for each in value if isinstance(value, list) else [value]:
        names = _resolve(each, items).get("name") if isinstance(each, dict) else each
        for name in names if isinstance(names, list) else [names]:
            if isinstance(name, str) and (declared := one_line(name)) and "://" not in declared:
                yield declared


def authors_of(item: dict[str, Any]) -> list[object]:
    """Return the values of `author` and the people in `contributor`: Ghost's authors after the first are there."""
    author, others = item.get("author"), item.get("contributor")
    found = author if isinstance(author, list) else [author]
    listed = others if author and isinstance(others, list) else []
    return found + [each for each in listed if isinstance(each, dict) and "Person" in types_of(each)]


def types_of(item: dict[str, Any]) -> list[str]:
    """Return the types of a JSON-LD object, without the vocabulary's URL."""
    types = item.get("@type")
    names = types if isinstance(types, list) else [types]
    return [name.rsplit("/", 1)[-1] for name in names if isinstance(name, str)]


def _resolve(value: object, items: JsonLd) -> dict[str, Any]:
    if not isinstance(value, dict) or len(value) > 1 or "@id" not in value:
        return value if isinstance(value, dict) else {}
    return items.by_id.get(str(value["@id"]), value)


def _items(scripts: Iterable[str]) -> JsonLd:
    return JsonLd(item for script in scripts for item in _objects(_decode_json(script), 0))


def _decode_json(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    try:
        # Line breaks in strings and trailing commas are invalid JSON but common.
        return json.loads(_LAST_COMMA.sub("", _WRAPPING.sub("", text)), strict=False)
    except (ValueError, RecursionError):
        return None


def _objects(data: object, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(data, list):
        for part in data:
            yield from _objects(part, depth)
    elif isinstance(data, dict) and depth < _MAX_NESTING:
        yield data
        for key in _NESTED:
            if isinstance(data.get(key), (dict, list)):
                yield from _objects(data[key], depth + 1)


def _page_title(tree: Tree) -> str:
    """Return the first <title> that is not in an <svg>, or ""."""
    for node in tree.nodes_by_tag.get("title", ()):
        if tree.tag[tree.parent[node]] != "svg" and (title := one_line(tree.plain(node))):
            return title
    return ""


def declared_url(document: Document) -> str | None:
    """Return the canonical URL that the page declares, or None if it is missing or unusable."""
    declared = document.declared("link[rel~=canonical][href]", "href")
    full = absolute(document.base_url, declared)
    if not full:
        return None
    # A blog rendered by scripts has one <head> for all its routes.
    is_for_all_routes = "#" in canonical_url(document.url) and "#" not in canonical_url(full)
    return None if is_for_all_routes else canonical_url(full)


def declared_summary(document: Document) -> str | None:
    """Return the page's declared description in one line, or None."""
    described = 'meta[name="description"][content], meta[property="og:description"][content]'
    return one_line(document.declared(described, "content") or "") or None
