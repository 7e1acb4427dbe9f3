"""The source of a page in UTF-8, without markup that would take the parser minutes.

The encoding is that of the header, the byte order mark or <meta>; it is detected only if none of them declares it.

Lexbor parses ordinary pages in linear time, even 50 MB. A few constructs take quadratic time, because the HTML
standard requires it or because Lexbor searches lists from the start. Each was found by measuring
(`benchmarks/costly_markup.py`); a page of a megabyte made of one of them takes from seconds to hours:

- deeply nested elements, and blocks opened far below them: refused
- <option>s of one <select>: those beyond the first thousands lose their tags; they are not rendered
- <b>, <font> and the like left open: every later block begins with copies of all of them; they lose their tags
- the same and <a> with long attributes, which every copy repeats: they lose their attributes
- attributes of one element, also of repeated <body> and <html> tags: those beyond the first thousand are dropped
- too many distinct names of tags and attributes, or texts between the rows of a table: refused

The checks do not parse the markup, so they are estimates with generous limits. They search bytes, which is several
times faster than searching text. Most pages cost a few searches, those with thousands of tags one more, and each
further check starts with a bound that hardly any page exceeds.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_BE, BOM_LE, BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding

from posterity.errors import PageTooDeep, UnreadablePage

# Bytes read for detection: enough for any script, and bounded for large pages.
_SAMPLE_BYTES = 16_384
# Encodings of pages that declare none. With rarer ones as candidates, French is detected as Baltic.
_ON_THE_WEB = (
    "cp1252 cp1251 cp1250 cp1253 cp1254 cp1255 cp1256 koi8_r shift_jis euc_jp gb18030 big5 euc_kr utf_16 utf_8"
).split()


# Python codecs that are not encodings of pages. Browsers must not decode UTF-7 (HTML, 13.2.3.3); others would turn
# plain letters into tags, or raise.
_NOT_OF_PAGES = frozenset(
    (
        "base64 bz2 hex idna mbcs oem punycode quopri raw-unicode-escape rot-13 undefined unicode-escape utf-7 uu zlib"
    ).split()
)


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the encoding's name and the text. Invalid bytes become U+FFFD; never raises."""
    header = http_content_type_encoding(content_type)
    if header is None or header in _NOT_OF_PAGES:
        content_type = ""
        declared = html_body_declared_encoding(body) or ""
        if _is_utf_16_in_ascii(body, declared) or _is_surely_utf_8(body):
            return "utf-8", body.decode("utf-8", "replace")
        if declared in _NOT_OF_PAGES:
            encoding = _detect_encoding(body)
            return encoding, body.decode(encoding, "replace")
    encoding, text = html_to_unicode(
        content_type or None, body, default_encoding="utf-8", auto_detect_fun=_detect_encoding
    )
    return encoding, text


def declares_invalid_encoding(body: bytes, content_type: str) -> bool:
    """Return whether the header or page declares a codec that is not an encoding of pages."""
    header = http_content_type_encoding(content_type)
    return (header or html_body_declared_encoding(body)) in _NOT_OF_PAGES


def in_utf_8(body: bytes | str, content_type: str = "") -> tuple[str, bytes]:
    """Return the encoding's name and the page in UTF-8, which the parser requires."""
    if isinstance(body, bytes) and _is_in_utf_8(body, content_type):
        return "utf-8", body
    encoding, text = ("utf-8", body) if isinstance(body, str) else decode(body, content_type)
    # Unpaired surrogates (from a str) have no UTF-8 form.
    return encoding, text.encode("utf-8", "replace")


def _is_utf_16_in_ascii(body: bytes, declared: str) -> bool:
    """Return whether a <meta> in ASCII declares UTF-16; HTML, 13.2.3.2, requires UTF-8 then."""
    return declared.startswith("utf-16") and not body.startswith((BOM_LE, BOM_BE))


_BEYOND_ASCII = bytes(range(128, 256))
_SURE_BYTES = 6  # beyond ASCII: three accented letters, two characters of Chinese


def _is_surely_utf_8(body: bytes) -> bool:
    """Return whether enough non-ASCII bytes are valid UTF-8, which text in other encodings is not by chance.

    Saved pages lack the HTTP header that overrode a wrong <meta>.
    """
    if body.startswith(BOM_UTF8) or len(body.translate(None, _BEYOND_ASCII)) > len(body) - _SURE_BYTES:
        return False
    try:
        return bool(body.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _is_in_utf_8(body: bytes, content_type: str) -> bool:
    """Return whether the bytes are valid UTF-8 and no other encoding is declared."""
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body) or "utf-8"
    if declared != "utf-8" or body.startswith(BOM_UTF8):
        return False
    try:
        return body.isascii() or bool(body.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _detect_encoding(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes  # rarely needed: most pages declare it or are in UTF-8

        best = from_bytes(_text_sample(body), cp_isolation=_ON_THE_WEB).best()
        return best.encoding if best else "cp1252"
    return "utf-8"


def _text_sample(body: bytes) -> bytes:
    """Return the bytes around and after the first that is not ASCII; before it, all encodings look alike."""
    first = next((index for index, byte in enumerate(body) if byte > 127), 0)
    return body[max(0, first - 1024) : first + _SAMPLE_BYTES]


_GZIP = b"\x1f\x8b"


def unpacked(body: bytes, max_bytes: int) -> bytes:
    """Return the body decompressed if it is a gzip file, truncated to `max_bytes` + 1; unchanged if it is damaged.

    Mirrors contain responses as they were sent, compressed, and their servers send them without Content-Encoding.
    """
    if not body.startswith(_GZIP):
        return body
    with suppress(zlib.error):
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(body, max_bytes + 1) or body
    return body


_BINARY_SAMPLE_BYTES = 1024
_MAX_SHARE = 0.05  # of control characters; in random bytes it is 0.1
_CONTROLS = bytes(set(range(1, 32)) - {9, 10, 12, 13, 27}) + b"\x7f"
_BEGINNINGS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04", _GZIP, b"\xfd7zXZ", b"RIFF", b"\x7fELF")


def is_binary(body: bytes | str) -> bool:
    """Return whether the bytes are binary data. A `str` is text, and so is an empty body."""
    if isinstance(body, str) or not body:
        return False
    sample = unpacked(body, _BINARY_SAMPLE_BYTES)[:_BINARY_SAMPLE_BYTES]
    if sample.startswith(_BEGINNINGS):
        return True
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_SHARE * len(sample)


def element_count(source: bytes) -> int:
    """Estimate the number of elements, never too low: all tags except end tags."""
    return source.count(b"<") - source.count(b"</")


# Lexbor parses 10,000 levels with 40,000 blocks below them, 4e8 steps up the tree, in 2.3 s.
_MAX_STEPS = 200_000_000
_MAX_OPTIONS = 2_000  # 10,000 of them take 0.7 s
_MAX_COPIES = 1_000_000  # elements added by the parser; 0.2 s and 200 MB
_MAX_COPIED = 32_000_000  # bytes of attributes in such elements
_SHORT_COPY = 200  # bytes of a tag that may be copied for each of them
_MAX_ATTRIBUTES = 1_000  # of one element; 40,000 take 6 s
_MAX_NAMES = 50_000  # different ones; 100,000 take 3 s
_MAX_STRAYS = 50_000  # texts between rows; 100,000 take 0.6 s
_MAX_ROOTS = 20  # <html> and <body> tags
# Fewer characters than this, in one tag or in all, cannot contain more attributes, or names, than allowed.
_LONG_TAG, _MANY_NAMES_IN_TAGS = 2 * _MAX_ATTRIBUTES, 4 * _MAX_NAMES
# A page of this size takes the parser at most 0.5 s, except for one long tag.
_SMALL = 60_000
# A page of this size with so few tags takes at most 3 s.
_MEDIUM, _FEW_TAGS = 120_000, 2_000
# In a page of this size, names take at most 3 s, and tags that fall between probes this far apart 6 s.
_LARGE, _APART, _GLANCE = 500_000, 20_000, 4_000
_FAR = 200

_TAG_BEGINS = re.compile(rb"<[a-zA-Z]")
_ENDS = rb"(?=[\s/>])"
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = rb"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
_NAME = re.compile(rb"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_QUOTED = re.compile(rb""""[^"]*+"|'[^']*+'""")
_WHOLE_TAG = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:%b)*+" % _ATTRIBUTE)
_SHORT_TAG = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:%b){0,%d}+" % (_ATTRIBUTE, _MAX_ATTRIBUTES))
# From anywhere in a tag to its end: between attributes, in a double-quoted value, in a single-quoted value.
_REST = rb"""[^=>]*+(?:=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?+[^=>]*+)*+"""
_RESTS = tuple(re.compile(start + _REST) for start in (b"", rb"""[^"]*+\"""", rb"[^']*+'"))
_DIVIDES = b" \t\n\f\r/\"'"
_OPTION = re.compile(rb"</?(?:option|optgroup)%b[^>]*>?" % _ENDS, re.IGNORECASE)
_ROOT = re.compile(rb"<(?:html|body)%b(?:%b)*+\s*+>?" % (_ENDS, _ATTRIBUTE), re.IGNORECASE)
# The HTML standard's formatting elements without <a> and <nobr>, which close themselves, and its markers.
_FORMATTING = b"b|big|code|em|font|i|s|small|strike|strong|tt|u"
_MARKERS = b"applet|caption|marquee|object|table|td|template|th"
_SELF_CLOSING = frozenset({b"a", b"nobr"})
_FORMATTING_TAG = re.compile(rb"</?(?:%b)%b[^>]*>?" % (_FORMATTING, _ENDS), re.IGNORECASE)
# Matching first letters is faster than matching names or ignoring case.
_COUNTED = re.compile(rb"<([bcefhiostuBCEFHIOSTU][a-zA-Z]{0,7})%b" % _ENDS)
# For lower-cased pages: ignoring case takes twice the time.
_FORMAT_OR_MARKER = re.compile(rb"<(/?)(%b|%b)%b" % (_FORMATTING, _MARKERS, _ENDS))
_FORMATTING_TAGS = frozenset(_FORMATTING.split(b"|"))
# With attributes, which every copy repeats.
_COPIED = re.compile(rb"<(a|nobr|%b)(?=[\s/])(?:%b)*+" % (_FORMATTING, _ATTRIBUTE), re.IGNORECASE)
_CLOSED_SOON = re.compile(rb"\s*+/?>[^<]*+(?:<(?!/?a\b|/?(?:%b)\b)[^<]*+){0,9}</a\b" % _MARKERS, re.IGNORECASE)
_MARKER_TAGS = frozenset(_MARKERS.split(b"|"))
_STRAY_TEXT = re.compile(rb"(?:</?t(?:r|able|body|head|foot)[^>]*+>|</t[dh][^>]*+>)\s*+[^<\s]", re.IGNORECASE)
# Self-closing SVG elements.
_SHAPE = re.compile(
    rb"<(?:path|circle|rect|line|poly(?:gon|line)|ellipse|use|stop|image|g|animate\w*|fe[a-z]+)%b(?:%b)*+\s*+/>"
    % (_ENDS, _ATTRIBUTE),
    re.IGNORECASE,
)
_CLOSE_BY_THEMSELVES = frozenset(
    b"p li td th tr dt dd option optgroup br img hr input meta link source wbr area col param".split()
)


def affordable(page: bytes, max_depth: int) -> bytes:
    """Return a page in UTF-8 without markup that is too costly to parse, or raise `UnreadablePage`."""
    if len(page) > _LARGE or _has_long_tag(page):
        page = _with_few_attributes(page)
    tags = page.count(b"<")
    if len(page) * tags > _MAX_COPIED:
        page = _without_copied_attributes(page, tags)
    # An element takes at least three bytes, so a page this small cannot exceed the depth limit.
    if len(page) <= min(_SMALL, 3 * max_depth):
        return page
    if len(page) <= _MEDIUM and tags <= min(_FEW_TAGS, max_depth):
        return page
    return _with_few_of_each(page, tags, max_depth)


def _with_few_of_each(page: bytes, tags: int, max_depth: int) -> bytes:
    counts: Counter[bytes] = Counter()
    for name, times in Counter(_COUNTED.findall(page)).items():
        counts[name.lower()] += times
    if counts[b"html"] + counts[b"body"] > _MAX_ROOTS:
        page = _without_surplus(page, _ROOT, _MAX_ROOTS)
        tags = page.count(b"<")
    if tags > max_depth:
        _refuse_depth(page, max_depth)
    if tags > _MAX_STRAYS and len(_STRAY_TEXT.findall(page)) > _MAX_STRAYS:
        raise UnreadablePage(f"The page has more than {_MAX_STRAYS:,} texts between the rows of its tables.")
    if counts[b"option"] + counts[b"optgroup"] > _MAX_OPTIONS:
        page = _without_surplus(page, _OPTION, 2 * _MAX_OPTIONS)  # start tags and end tags
    if _copies(page, tags, sum(counts[tag] for tag in _FORMATTING_TAGS)) > max(_MAX_COPIES, 3 * tags):
        page = _FORMATTING_TAG.sub(b"", page)
    return page


def _copies(page: bytes, tags: int, begun: int) -> int:
    """Return an upper bound for the copies of formatting elements: all that are open, for each block.

    Far more are started than are ever open at once, and most tags are not blocks, so cheap bounds clear most pages.
    """
    if begun * tags <= _MAX_COPIES:
        return begun * tags
    blocks = tags - page.count(b"</")
    return begun * blocks if begun * blocks <= _MAX_COPIES else _open_formatting(page.lower()) * blocks


def _without_copied_attributes(page: bytes, tags: int) -> bytes:
    """Return the page without long attributes of formatting elements and links that may be open in many blocks.

    An unclosed formatting element is reopened in each later block, with all its attributes. Of links only the last is
    open; one that is closed before the next block is not copied.
    """
    longest = total = 0
    for tag in _COPIED.finditer(page):
        size = tag.end() - tag.start()
        if tag[1] in _SELF_CLOSING:
            longest = max(longest, size)
        else:
            total += size
    if (longest + total) * tags <= _MAX_COPIED:
        return page
    most = max(_SHORT_COPY, _MAX_COPIED // tags)

    def written(tag: re.Match[bytes]) -> bytes:
        name = tag[1].lower()
        is_short = len(tag[0]) <= (most if name in _SELF_CLOSING else _SHORT_COPY)
        return tag[0] if is_short or (name == b"a" and _CLOSED_SOON.match(page, tag.end())) else b"<" + name

    return _COPIED.sub(written, page)


def _has_long_tag(page: bytes) -> bool:
    """Return whether a tag starts so far before the next ">" that it could contain too many attributes.

    A ">" in quotes does not end a tag; that is only checked if the page is large enough for it to matter.
    """
    return any(
        _TAG_BEGINS.search(stretch, 0, len(stretch) - _LONG_TAG) and _may_divide(stretch) > _MAX_ATTRIBUTES
        for stretch in _long_stretches(page)
    ) or (len(page) > _MEDIUM and _may_hide_a_long_tag(page))


def _long_stretches(page: bytes) -> Iterator[bytes]:
    """Yield the stretches without ">" that are as long as a long tag; jumping ahead skips most bytes."""
    start, size = 0, len(page)
    while size - start > _LONG_TAG:
        end = page.rfind(b">", start, start + _LONG_TAG + 1)
        if end < 0:
            end = page.find(b">", start + _LONG_TAG)
            end = size if end < 0 else end
            yield page[start:end]
        start = end + 1


def _may_divide(stretch: bytes) -> int:
    """Return an upper bound for the attributes: each ends with white space, a slash or a quote."""
    most = len(stretch) - len(stretch.translate(None, _DIVIDES))
    if most <= _MAX_ATTRIBUTES:
        return most
    return len(stretch.split()) + stretch.count(b"/") + stretch.count(b'"') + stretch.count(b"'")


def _may_hide_a_long_tag(page: bytes) -> bool:
    """Return whether two neighbouring probes may be inside a tag, as for any tag three probe distances long."""
    return any(
        _may_be_in_a_tag(page, place)
        and (_may_be_in_a_tag(page, place - _APART) or _may_be_in_a_tag(page, place + _APART))
        for place in range(_APART, len(page), 2 * _APART)
    )


def _may_be_in_a_tag(page: bytes, place: int) -> bool:
    """Whether the text from here may be inside one tag although it contains a ">"."""
    end = place + _GLANCE
    if page.find(b">", place, end) < 0:
        return False
    rests = (rest.match(page, place, end) for rest in _RESTS)
    return any(rest is not None and rest.end() == end for rest in rests)


def _refuse_depth(page: bytes, max_depth: int) -> None:
    """Raise if levels times blocks is too much: for every new block the parser walks up all levels."""
    depth = steps = 0
    for slash, name in _TAG.findall(_SHAPE.sub(b"", page)):
        if name.lower() in _CLOSE_BY_THEMSELVES:
            steps += depth
        elif not slash:
            steps += depth
            depth += 1
            if depth > max_depth:
                raise PageTooDeep(f"The page nests elements deeper than {max_depth:,} levels.")
        elif depth:
            depth -= 1
    if steps > max(_MAX_STEPS, max_depth * max_depth):
        raise PageTooDeep("The page has too many elements too many levels deep.")


def _with_few_attributes(page: bytes) -> bytes:
    tags = set(_WHOLE_TAG.findall(page))
    if any(len(tag) > _LONG_TAG and _shorten(tag) != tag for tag in tags):
        page = _WHOLE_TAG.sub(lambda match: _shorten(match.group()), page)
        tags = set(map(_shorten, tags))
    if sum(map(len, tags)) > _MANY_NAMES_IN_TAGS:
        _refuse_names(tags)
    return page


def _shorten(tag: bytes) -> bytes:
    short = _SHORT_TAG.match(tag) if len(tag) > _LONG_TAG else None
    return short.group() if short else tag


def _refuse_names(tags: set[bytes]) -> None:
    # Most bytes in tags are attribute values.
    if len(_QUOTED.sub(b"", b"".join(tags))) <= _MANY_NAMES_IN_TAGS:
        return
    names: set[bytes] = set()
    for tag in tags:
        names.update(_NAME.findall(tag, 1))  # the first match is the tag's name
        if len(names) > _MAX_NAMES:
            raise UnreadablePage(f"The page uses more than {_MAX_NAMES:,} different names of tags and attributes.")


def _without_surplus(page: bytes, tag: re.Pattern[bytes], most: int) -> bytes:
    """Return the page with at most `most` occurrences of the tag; the text between removed ones stays."""
    kept_until = 0
    for number, match in enumerate(tag.finditer(page), start=1):
        if number == most:
            kept_until = match.end()
        elif number > most:
            return page[:kept_until] + tag.sub(b"", page[kept_until:])
    return page


def _open_formatting(lowered: bytes) -> int:
    """Return the maximum of simultaneously open formatting elements in a lower-cased page.

    An end tag in a table cell does not close elements opened outside the cell, so it is not counted here.
    """
    most = still_open = 0
    stack: list[bytes] = []
    for slash, tag in _FORMAT_OR_MARKER.findall(lowered):
        if not slash:
            stack.append(tag)
            still_open += tag not in _MARKER_TAGS
            most = max(most, still_open)
        elif (place := _last(stack, tag)) is None:
            continue
        elif tag in _MARKER_TAGS:
            # Unclosed cells end with their table.
            stack[place:] = [inner for inner in stack[place:] if inner not in _MARKER_TAGS]
        else:
            del stack[place]
            still_open -= 1
    return most


def _last(stack: list[bytes], tag: bytes) -> int | None:
    """Return the index of the element that an end tag closes, or None; only the last `_FAR` are searched."""
    for place in range(len(stack) - 1, max(-1, len(stack) - _FAR), -1):
        if stack[place] == tag:
            return place
        if stack[place] in _MARKER_TAGS and tag not in _MARKER_TAGS:
            return None
    return None


# Elements whose content is text up to the end tag; with XHTML's closing slash they have none.
_RAW_NAMES = b"script|style|iframe|title|textarea|noframes|noembed|xmp"
_RAW = re.compile(rb"<(%b)%b(?:%b)*+\s*+(/?)>" % (_RAW_NAMES, _ENDS, _ATTRIBUTE), re.IGNORECASE)
# Faster than the one above: case-sensitive (XHTML is lower case), and rejects other names by their first letter.
_CLOSED = rb"[sitnx](?:cript|tyle|frame|itle|extarea|oframes|oembed|mp)\b[^<>]*+(?<=/)>"
_MAYBE_CLOSED = re.compile(rb"<%b" % _CLOSED)
# One search that finds no match on most pages, which then need no repair.
_MAY_HIDE = re.compile(rb"<(?:%b|noframes|NOFRAMES|[tT][eE][mM][pP][lL]|foreign)" % _CLOSED)
_RAW_END = {name: re.compile(rb"</%b" % name, re.IGNORECASE) for name in _RAW_NAMES.split(b"|")}
_FRAMES = re.compile(rb"<(/?)(frameset|noframes|frame)%b((?:%b)*+)" % (_ENDS, _ATTRIBUTE), re.IGNORECASE)
# HTML ignores frames outside a <frameset>, and everything but frames inside it.
_INSTEAD = {b"frameset": b"frame-set", b"noframes": b"div", b"frame": b"iframe"}
_TEMPLATE = re.compile(rb"<template%b((?:%b)*+)|</template%b" % (_ENDS, _ATTRIBUTE, _ENDS), re.IGNORECASE)
_FOREIGN = re.compile(rb"<(/?)foreignobject%b" % _ENDS, re.IGNORECASE)
_FOREIGN_TEXT = 120  # bytes without tags; labels of diagrams are shorter than paragraphs
_MARKUP = re.compile(rb"<[^<>]*+>|\s++")


def repaired(page: bytes) -> bytes:
    """Return the page with markup rewritten that hides text from HTML parsers but not from readers.

    Elements closed by a slash, as in XHTML, get end tags; the content of <noframes>, of declared shadow roots and of
    SVG's <foreignObject> becomes ordinary content.
    """
    if not _MAY_HIDE.search(page):
        return page
    if _MAYBE_CLOSED.search(page):
        page = _with_end_tags(page)
    if (b"<noframes" in page or b"<NOFRAMES" in page) and (b"<frameset" in page or b"<FRAMESET" in page):
        page = _FRAMES.sub(_with_open_frames, page)
    if b"shadowroot" in page:
        page = _with_open_shadow_roots(page)
    if b"<foreign" in page:
        page = _with_foreign_content(page)
    return page


def _with_end_tags(page: bytes) -> bytes:
    """Give self-closed raw text elements end tags, unless one follows; contents of scripts are skipped."""
    pieces, written, place = [], 0, 0
    while tag := _RAW.search(page, place):
        name, place = tag[1].lower(), tag.end()
        behind = page.find(b"<", place) if tag[2] else -1
        if not tag[2]:
            end = _RAW_END[name].search(page, place)
            place = end.end() if end else len(page)
        elif behind < 0 or not _RAW_END[name].match(page, behind):
            pieces += [page[written : place - 2], b"></%b>" % name]
            written = place
    return b"".join([*pieces, page[written:]])


def _with_open_frames(tag: re.Match[bytes]) -> bytes:
    name = _INSTEAD[tag[2].lower()]
    return b"<%b%b%b%b" % (tag[1], name, tag[3], b"></iframe" if name == b"iframe" and not tag[1] else b"")


def _with_open_shadow_roots(page: bytes) -> bytes:
    is_root: list[bool] = []

    def written(tag: re.Match[bytes]) -> bytes:
        if tag[1] is not None:
            is_root.append(b"shadowroot" in tag[1].lower())
            return b"<div" if is_root[-1] else tag[0]
        return b"</div" if is_root and is_root.pop() else tag[0]

    return _TEMPLATE.sub(written, page)


def _with_foreign_content(page: bytes) -> bytes:
    """Close SVG before a <foreignObject> with a paragraph and reopen it after."""
    pieces, place = [], 0
    tags = list(_FOREIGN.finditer(page))
    for tag, end in pairwise(tags):
        if tag[1] or not end[1] or len(_MARKUP.sub(b"", page[tag.end() : end.start()])) < _FOREIGN_TEXT:
            continue
        pieces += [page[place : tag.start()], b"</svg><div", page[tag.end() : end.start()], b"</div><svg><g"]
        place = end.end()
    return b"".join([*pieces, page[place:]])
