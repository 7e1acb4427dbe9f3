"""A parsed page as a read-only document, and the metadata that it declares (<title>, <meta>, JSON-LD).

Lexbor builds the HTML tree as browsers do (docs/decisions/0001). Other stages only get a `Tree` of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from html import escape, unescape
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urljoin

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from posterity.config import ParseLimits
from posterity.dom.media import absolute
from posterity.dom.source import affordable, element_count, in_utf_8, repaired, unpacked
from posterity.dom.tree import Attributes, Tree, matches, node_path, path_step, unwrap_noscript
from posterity.errors import InputError, PageTooLarge, UnreadablePage
from posterity.model import Rule
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url

_Fact = TypeVar("_Fact")

# Characters of a base URL, and of all its copies: resolving repeats it in every relative link.
_MAX_BASE, _SHORT_BASE, _MAX_BASE_COPIES = 8_000, 500, 8_000_000
_LINKING = "a, area, audio, embed, iframe, img, link, object, source, video"
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


class Element:
    """An element found by a selector. Two are equal if they are the same element of the same page."""

    __slots__ = ("_node", "attrs", "tag")

    def __init__(self, node: LexborNode) -> None:
        self._node = node
        self.tag: str = node.tag or ""
        self.attrs: Attributes = node.attributes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self._node.mem_id == other._node.mem_id

    def __hash__(self) -> int:
        return hash(self._node.mem_id)

    @property
    def tree(self) -> Tree:
        """The element with its descendants."""
        return Tree(self._node)

    @property
    def text(self) -> str:
        """All text in the element, including text that is not rendered."""
        return self._node.text()


def ancestors_of_all(elements: Iterable[Element]) -> list[Element]:
    """Return the common ancestors of the elements, innermost first, without the elements themselves."""
    nodes = [element._node for element in elements]  # noqa: SLF001
    if not nodes:
        return []
    path = list(_above(nodes[0]))
    places = {ancestor.mem_id: place for place, ancestor in enumerate(path)}
    innermost = 0
    for node in nodes[1:]:
        # Ancestors are remembered, because comments are usually siblings.
        climbed: list[int] = []
        step: LexborNode | None = node
        while step is not None and step.mem_id not in places:
            climbed.append(step.mem_id)
            step = step.parent
        if step is None:
            return []
        place = places[step.mem_id]
        places |= dict.fromkeys(climbed, place)
        innermost = max(innermost, place + (path[place].mem_id == node.mem_id))
    return [Element(ancestor) for ancestor in path[innermost:]]


def _above(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the ancestors of a node, innermost first."""
    parent = node.parent
    while parent is not None and parent.is_element_node:
        yield parent
        parent = parent.parent


def _outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Return the nodes that are not inside another; descendants of a removed node must not be touched."""
    is_inside = {node.mem_id: True for node in nodes}  # whether an element is a match or inside one
    found = []
    for node in nodes:
        climbed: list[int] = []
        inside = False
        for around in _above(node):
            if around.mem_id in is_inside:
                inside = is_inside[around.mem_id]
                break
            climbed.append(around.mem_id)
        is_inside |= dict.fromkeys(climbed, inside)
        if not inside:
            found.append(node)
    return found


_LICENSE = '[rel~="license"]'
_OF_THE_HEAD = ("base", "link", "meta")


class Document:
    """A parsed page. `tree` flattens the whole page; `first` and `all` flatten only the matches, which is faster."""

    __slots__ = ("__dict__", "_declared", "_facts", "_is_standard", "_parser", "encoding", "url")

    def __init__(
        self,
        parser: LexborHTMLParser,
        url: str,
        encoding: str,
        *,
        is_standard: bool = False,
        data: tuple[str, ...] = (),
    ) -> None:
        self._parser, self._data = parser, data
        self._is_standard = is_standard
        self._declared: dict[str, LexborNode | None] = {}
        self._facts: dict[Callable[[Document], Any], Any] = {}
        self.url = url
        self.encoding = encoding

    @cached_property
    def tree(self) -> Tree:
        """The whole document as a tree."""
        root = self._parser.root
        assert root is not None  # the parser creates <html> for any input
        tree = Tree(root)
        unwrap_noscript(tree)
        return tree

    def fact(self, compute: Callable[[Document], _Fact]) -> _Fact:
        """Return the result of a function for this page, computed once and cached. Do not change the value."""
        if compute not in self._facts:
            self._facts[compute] = compute(self)
        known: _Fact = self._facts[compute]
        return known

    def first(self, rule: Rule | str) -> Tree | None:
        """Return the subtree of the first node that a rule or CSS selector matches, or None."""
        if (nodes := self._in_tree(rule)) is not None:
            return self.tree.subtree(nodes[0]) if nodes else None
        node = self._first_named(rule)
        return None if node is None else Tree(node)

    def _in_tree(self, rule: Rule | str) -> list[int] | None:
        """Return the rule's matches from the tree if it has been built, else None.

        None also if <noscript> became ordinary markup in the tree, because `Tree(node)` does not do that for a part,
        and in quirks mode, where only the parser ignores the case of class names and ids.
        """
        if isinstance(rule, str) or not self._is_standard or "tree" not in self.__dict__ or self.tree.noscripts:
            return None
        return matches(self.tree, rule)

    def path_of(self, rule: Rule | str) -> str | None:
        """Return the path of the first node that a rule or CSS selector matches, or None."""
        if (nodes := self._in_tree(rule)) is not None:
            return node_path(self.tree, nodes[0]) if nodes else None
        node = self._first_named(rule)
        if node is None:
            return None
        steps = [_step(node), *(_step(around) for around in _above(node))]
        return "/" + "/".join(reversed(steps))

    def has(self, rule: Rule | str) -> bool:
        """Return whether the rule matches a node."""
        return self._first_named(rule) is not None

    def _first_named(self, rule: Rule | str) -> LexborNode | None:
        selector = rule if isinstance(rule, str) else rule.css
        try:
            return self._parser.css_first(selector)
        except SelectolaxError as problem:
            raise _not_a_rule(selector) from problem

    def all(self, rule: Rule | str, most: int | None = None) -> list[Tree]:
        """Return the subtrees that a rule or CSS selector matches, in document order, including nested ones."""
        if (nodes := self._in_tree(rule)) is not None:
            return [self.tree.subtree(node) for node in nodes[:most]]
        return [Tree(node) for node in self._named(rule)[:most]]

    def count(self, rule: Rule | str) -> int:
        """Return the number of nodes that the rule matches."""
        nodes = self._in_tree(rule)
        return len(self._named(rule)) if nodes is None else len(nodes)

    def attributes(self, selector: str, name: str) -> list[str]:
        """Return the non-empty values of an attribute on all nodes that a CSS selector matches."""
        if name == "id":  # cheaper than reading all attributes
            return [value for node in self._named(selector) if (value := node.id)]
        return [value for node in self._named(selector) if (value := node.attrs.get(name))]

    def meta_contents(self, name: str) -> list[str]:
        """Return the contents of the <meta> elements with this property."""
        if "tree" not in self.__dict__:
            return self.attributes(f'meta[property="{name}"]', "content")
        metas = (self.tree.attrs[node] for node in self.tree.nodes_by_tag.get("meta", ()))
        return [content for meta in metas if meta.get("property") == name and (content := meta.get("content"))]

    @property
    def data_scripts(self) -> list[str]:
        """The texts of the JSON-LD scripts, and what the page declares for trackbacks as JSON-LD."""
        if "tree" not in self.__dict__:
            return [*(script.plain(0) for script in self.all('script[type*="ld+json"]')), *self._data]
        tree = self.tree
        scripts = tree.nodes_by_tag.get("script", ())
        found = (tree.plain(node) for node in scripts if "ld+json" in (tree.attrs[node].get("type") or ""))
        return [*found, *self._data]

    def elements(self, selector: str) -> list[Element]:
        """Return the elements that a CSS selector or selector list matches, each once, in document order."""
        return [Element(node) for node in {node.mem_id: node for node in self._named(selector)}.values()]

    def _named(self, rule: Rule | str) -> list[LexborNode]:
        selector = rule if isinstance(rule, str) else rule.css
        try:
            return self._parser.css(selector)
        except SelectolaxError as problem:
            raise _not_a_rule(selector) from problem

    def declared(self, selector: str, name: str) -> str | None:
        """Return an attribute of the first matching <meta>, <link> or <base>; <head> is searched before <body>."""
        if selector not in self._declared:
            head = self._parser.head
            node = head.css_first(selector) if head is not None else None
            self._declared[selector] = self._parser.css_first(selector) if node is None and self._has_strays else node
        found = self._declared[selector]
        return (found.attrs.get(name) or None) if found is not None else None

    @cached_property
    def _has_strays(self) -> bool:
        """Whether elements that belong in <head> are also in <body>."""
        if "tree" in self.__dict__:
            index = self.tree.nodes_by_tag
            body = index.get("body", [len(self.tree)])[0]
            return any(index[tag][-1] > body for tag in _OF_THE_HEAD if tag in index)
        return any(stray.tag in _OF_THE_HEAD for stray in self._declared_below_the_head)

    @cached_property
    def _declared_below_the_head(self) -> list[LexborNode]:
        """Licence links in <body>, and head elements there because a broken <head> ended early; found in one walk."""
        body = self._parser.body
        return body.css(f"{_LICENSE}, {', '.join(_OF_THE_HEAD)}") if body is not None else []

    @property
    def licenses(self) -> list[str]:
        """The URLs of all `rel=license` links."""
        head = self._parser.head
        nodes = [*(head.css(_LICENSE) if head is not None else ()), *self._declared_below_the_head]
        attrs = (node.attributes for node in nodes)
        own = (each for each in attrs if "license" in (each.get("rel") or "").lower().split())
        return [href for each in own if (href := each.get("href"))]

    @property
    def raw_text(self) -> str:
        """All text in <body>, including scripts, on separate lines. The cheapest text to search."""
        body = self._parser.body
        return body.text(separator="\n") if body is not None else ""

    @cached_property
    def base_url(self) -> str:
        """The base of relative links: <base href>, the page's URL or its root, the first short enough, else ""."""
        # A search without a match walks the whole page, so the tree's index is used if there is one.
        absent = "tree" in self.__dict__ and "base" not in self.tree.nodes_by_tag
        base = None if absent else self.declared("base[href]", "href")
        try:
            urls = (urljoin(self.url, base) if base else self.url, self.url, urljoin(self.url, "/"))
            return next(filter(self._can_repeat, urls), "")
        except ValueError:  # an invalid URL: http://[::1
            return self.url

    def _can_repeat(self, url: str) -> bool:
        """Return whether the URL is short enough to be repeated in every link of the page."""
        if _SHORT_BASE < len(url) <= _MAX_BASE:
            return len(url) * len(self._parser.css(_LINKING)) <= _MAX_BASE_COPIES
        return len(url) <= _MAX_BASE

    def outermost_texts(self, selector: str) -> list[str]:
        """Return the texts of the elements that a CSS selector matches, without matches inside other matches."""
        return [node.text() for node in _outermost(self._parser.css(selector))]

    def without(self, selector: str) -> Document:
        """Return a new document without the elements that a CSS selector matches."""
        parser = LexborHTMLParser(self._parser.html or "")
        for node in _outermost(parser.css(selector)):
            node.decompose()
        return Document(parser, self.url, self.encoding, data=self._data)

    def with_data_shown(self) -> Document:
        """Return a document with the longest text from the scripts' data appended; `self` if there is none."""
        text = max((_longest_text(script.text()) for script in self._parser.css("script")), key=len, default="")
        if text and "</" not in text and "<br" not in text:
            text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in re.split(r"\n\s*\n", text))
        return parse(f"{self._parser.html}<article>{text}</article>", self.url) if text else self

    @property
    def language(self) -> str | None:
        """The language that the page declares, such as "de" or "pt-BR"."""
        root = self._parser.root
        return (root.attrs.get("lang") or None) if root is not None else None


_SHORT_ELEMENT_BYTES = 16
# Other doctypes may trigger quirks mode.
_STANDARD = re.compile(rb"\s*<!doctype html\s*>", re.IGNORECASE)


def parse(
    body: bytes | str,
    url: str = "",
    content_type: str = "",
    limits: ParseLimits = ParseLimits(),
    *,
    header_links: bytes = b"",
) -> Document:
    """Parse any bytes and return the document, or raise `UnreadablePage`.

    `header_links` are the <link> elements that correspond to the response headers.
    """
    body = body if isinstance(body, str) else unpacked(body, limits.max_bytes)
    if len(body) > limits.max_bytes:
        raise PageTooLarge(f"The page has {len(body):,} bytes; the limit is {limits.max_bytes:,}.")
    encoding, source = in_utf_8(body, content_type)
    page = affordable(repaired(source), limits.max_depth) + header_links
    if page.count(b"<") > min(limits.max_elements, limits.max_short_elements):
        _refuse_elements(page, limits)
    try:
        parser = LexborHTMLParser(page)
    except (ValueError, RuntimeError, MemoryError) as problem:
        raise UnreadablePage(f"The page cannot be parsed: {problem}.") from problem
    if b'id="S:' in page:
        _put_parts_in_place(parser, page)
    data = _declared_for_trackbacks(page) if b"<rdf:Description" in page else ()
    return Document(parser, url, encoding, is_standard=_STANDARD.match(page) is not None, data=data)


# RDF in a comment, from which other blogs learned where to send a trackback: Movable Type, TypePad, WordPress before 3.
_RDF = re.compile(rb"<rdf:Description\s([^<]*)/>")
_RDF_VALUE = re.compile(r'\bdc:(title|creator|date)="([^"]*)"')
_RDF_NAMES = {"title": "headline", "creator": "author", "date": "datePublished"}


def _declared_for_trackbacks(page: bytes) -> tuple[str, ...]:
    """Return the page's title, author and date as JSON-LD; nothing on a list, which has the RDF of several posts."""
    found = list(islice(_RDF.finditer(page), 2))
    values = dict(_RDF_VALUE.findall(found[0][1].decode("utf-8", "replace"))) if len(found) == 1 else {}
    item = {_RDF_NAMES[name]: unescape(value) for name, value in values.items() if value}
    return (json.dumps({"@type": "BlogPosting", **item}),) if item else ()


# React's streaming server sends late parts at the end of the page, each with a call that moves it into its place:
# inside another part (RS), or in place of a fallback (RC, and RR when stylesheets come with it).
_PUT = re.compile(rb'\$R(?:S\("(S:[0-9a-f]+)","(P:[0-9a-f]+)"|[CR]\("(B:[0-9a-f]+)","(S:[0-9a-f]+)")')
_MAX_PARTS = 100  # each is searched for on the whole page


def _put_parts_in_place(parser: LexborHTMLParser, page: bytes) -> None:
    for call in islice(_PUT.finditer(page), _MAX_PARTS):
        part_id, place_id = (call[1], call[2]) if call[1] else (call[4], call[3])
        part = parser.css_first(f'div[hidden][id="{part_id.decode()}"]')
        place = parser.css_first(f'template[id="{place_id.decode()}"]')
        if part is None or place is None or part.mem_id in (around.mem_id for around in _above(place)):
            continue
        child = part.first_child
        while child is not None:
            place.insert_before(child)  # a copy
            child = child.next
        part.decompose()
        pending, depth = [place], 0  # up to the comment that ends the fallback
        while call[4] and (behind := pending[-1].next) is not None:
            note = behind.comment_content if behind.is_comment_node else ""
            depth += (note or "").startswith("$") - (note == "/$")
            if depth < 0:
                break
            pending.append(behind)
        for node in pending:
            node.decompose()


# String values in JSON, and in scripts that contain JSON.
_VALUE = re.compile(r'(?:[:,\[]|JSON\.parse\()\s*"((?:[^"\\]|\\.)*+)"')
_PARAGRAPH = re.compile(r"</p>|</h[1-6]>|</li>|<br\b|\n\s*\n", re.IGNORECASE)
_MIN_PARAGRAPHS, _MIN_TEXT = 3, 500


def _longest_text(data: str, nested: int = 1) -> str:
    """Return the longest string with several paragraphs, including those in strings that are themselves JSON."""
    texts = [""]
    for value in _VALUE.findall(data):
        with suppress(ValueError):  # not JSON but part of a script
            text = json.loads(f'"{value}"'.replace("\\x", "\\u00"), strict=False) if len(value) >= _MIN_TEXT else ""
            inner = _longest_text(text, nested - 1) if nested else ""
            texts.append(inner or (text if len(_PARAGRAPH.findall(text)) >= _MIN_PARAGRAPHS else ""))
    return max(texts, key=len)


def _refuse_elements(page: bytes, limits: ParseLimits) -> None:
    elements = element_count(page)
    most = limits.max_elements if len(page) >= _SHORT_ELEMENT_BYTES * elements else limits.max_short_elements
    if elements > most:
        raise PageTooLarge(f"The page has about {elements:,} elements; the limit is {most:,} for such a page.")


def document_of(page: bytes | str | Document, url: str = "") -> Document:
    """Return the page if it is a document, else parse it, or raise `UnreadablePage`."""
    return page if isinstance(page, Document) else parse(page, url)


def readable_document(page: bytes | str | Document, url: str, content_type: str = "") -> Document | None:
    """Return the page if it is a document, else parse it; None if it cannot be parsed."""
    try:
        return page if isinstance(page, Document) else parse(page, url, content_type)
    except UnreadablePage:
        return None


def _step(node: LexborNode) -> str:
    tag, before, after = node.tag or "", 0, 0
    sibling = node.prev
    while sibling is not None:
        before += sibling.tag == tag
        sibling = sibling.prev
    sibling = node.next
    while sibling is not None:
        after += sibling.tag == tag
        sibling = sibling.next
    return path_step(tag, before + 1, before + 1 + after)


def _not_a_rule(selector: str) -> InputError:
    return InputError(f"{selector!r} does not select an element. Check the rule that it comes from.")


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
