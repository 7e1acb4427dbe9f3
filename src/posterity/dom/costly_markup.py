"""Markup that would hold the parser for minutes, taken out or refused before the parser meets it.

Lexbor reads ordinary pages in linear time, 50 MB of them as well. A few shapes cost it the square of their number,
as a browser's own rules demand or because of lists it searches from the beginning; each was found by measuring
(`benchmarks/costly_markup.py`), and a page of a megabyte made of one of them takes from seconds to hours:

- elements inside each other, and blocks opened far below them: refused
- <option>s of one <select>: those past the first thousands lose their tags; no reader sees them
- <b>, <font> and the like left open: every later block begins with copies of all of them; they lose their tags
- attributes of one element, also of <body> and <html> written again and again: those past the first thousand go
- names of tags and attributes that are all different, text between the rows of a table: refused

The checks read the markup without parsing it, so they are estimates, generous ones. Each begins with a bound that
most pages are far below, and a small page pays for a few leaps through it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.errors import PageTooDeep, UnreadablePage

if TYPE_CHECKING:
    from collections.abc import Iterator

# Lexbor did 10,000 levels with 40,000 blocks below them, 4e8 steps up the tree, in 2.3 s.
_MAX_STEPS = 200_000_000
_MAX_OPTIONS = 2_000  # 10,000 of them take 0.7 s
_MAX_COPIES = 1_000_000  # elements that the parser would add by itself, 0.2 s and 200 MB
_MAX_ATTRIBUTES = 1_000  # of one element; 40,000 take 6 s
_MAX_NAMES = 50_000  # different ones; 100,000 take 3 s
_MAX_STRAYS = 50_000  # texts between rows; 100,000 take 0.6 s
_MAX_ROOTS = 20  # how often <html> and <body> may be written
# Fewer characters than these, in one tag or in all, cannot hold as many attributes, or names, as the limits allow.
_LONG_TAG, _MUCH_IN_TAGS, _MANY_NAMES_IN_TAGS = 2 * _MAX_ATTRIBUTES, 60_000, 4 * _MAX_NAMES
# Nothing that fits into a page of this size takes the parser more than half a second, but for one long tag.
_SMALL = 60_000
_MANY_EQUALS = 5_000
_FAR = 200
# With so few tags, even the worst order of them makes fewer copies than are allowed.
_FEW_TAGS = 2_000

_TAG_BEGINS = re.compile(rb"<[a-zA-Z]")
_ENDS = r"(?=[\s/>])"
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
_NAME = re.compile(r"""[\s/]*+([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_WHOLE_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE})*+")
_SHORT_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{_MAX_ATTRIBUTES}}}+")
_OPTION = re.compile(rf"</?(?:option|optgroup){_ENDS}[^>]*>?", re.IGNORECASE)
_ROOT = re.compile(rf"<(?:html|body){_ENDS}(?:{_ATTRIBUTE})*+\s*+>?", re.IGNORECASE)
# The formatting elements of the HTML standard, without <a> and <nobr>, which close themselves, and its markers.
_FORMATTING = "b|big|code|em|font|i|s|small|strike|strong|tt|u"
_MARKERS = "applet|caption|marquee|object|table|td|template|th"
_FORMATTING_TAG = re.compile(rf"</?(?:{_FORMATTING}){_ENDS}[^>]*>?", re.IGNORECASE)
_FORMATTING_BEGINS = re.compile(rf"<(?:{_FORMATTING}){_ENDS}", re.IGNORECASE)
_FORMAT_OR_MARKER = re.compile(rf"<(/?)({_FORMATTING}|{_MARKERS}){_ENDS}", re.IGNORECASE)
_MARKER_TAGS = frozenset(_MARKERS.split("|"))
_STRAY_TEXT = re.compile(r"(?:</?t(?:r|able|body|head|foot)[^>]*+>|</t[dh][^>]*+>)\s*+[^<\s]", re.IGNORECASE)
_CLOSE_BY_THEMSELVES = frozenset(
    "p li td th tr dt dd option optgroup br img hr input meta link source wbr area col param".split()
)


def affordable(page: bytes, max_depth: int) -> bytes:
    """Return a page in UTF-8 without what costs the parser too much, or raise `UnreadablePage` or its like."""
    long_tag = _has_long_tag(page)
    if not long_tag and _is_harmless(page, max_depth):
        return page
    markup = page.decode("utf-8", "replace")
    return _made_affordable(markup, page.count(b"<"), max_depth, long_tag=long_tag).encode("utf-8", "replace")


def _is_harmless(page: bytes, max_depth: int) -> bool:
    # An element takes three bytes or more, so a small page cannot nest deeper than it may.
    if len(page) <= min(_SMALL, 3 * max_depth):
        return True
    return page.count(b"<") <= min(_FEW_TAGS, max_depth) and page.count(b"=") <= _MANY_EQUALS


def _made_affordable(markup: str, tags: int, max_depth: int, *, long_tag: bool) -> str:
    # A tag full of attributes is long, or hides its length behind ">" in quotes, which takes as many "=".
    if long_tag or tags > _MAX_NAMES or markup.count("=") > _MANY_EQUALS:
        markup = _with_few_attributes(markup)
        tags = markup.count("<")
    if tags > max_depth:
        _refuse_depth(markup, max_depth)
    if tags > _MAX_STRAYS and len(_STRAY_TEXT.findall(markup)) > _MAX_STRAYS:
        raise UnreadablePage(f"The page has more than {_MAX_STRAYS:,} texts between the rows of its tables.")
    if tags > _MAX_OPTIONS:
        markup = _without_surplus(markup, _OPTION, 2 * _MAX_OPTIONS)  # start tags and end tags
    most = max(_MAX_COPIES, 3 * tags)
    # Far more are begun than are ever open at the same time, and counting them is quicker.
    if len(_FORMATTING_BEGINS.findall(markup)) * tags > most and _open_formatting(markup) * tags > most:
        markup = _FORMATTING_TAG.sub("", markup)
    return markup


def _has_long_tag(page: bytes) -> bool:
    """Tell whether a tag begins so far before the next ">" that it could hold too many attributes."""
    return any(
        _TAG_BEGINS.search(stretch, 0, len(stretch) - _LONG_TAG) and _may_divide(stretch) > _MAX_ATTRIBUTES
        for stretch in _long_stretches(page)
    )


def _long_stretches(page: bytes) -> Iterator[bytes]:
    """The stretches without ">" that are as long as a long tag, found by leaps: hardly a byte is looked at."""
    start, size = 0, len(page)
    while size - start > _LONG_TAG:
        end = page.rfind(b">", start, start + _LONG_TAG + 1)
        if end < 0:
            end = page.find(b">", start + _LONG_TAG)
            end = size if end < 0 else end
            yield page[start:end]
        start = end + 1


def _may_divide(stretch: bytes) -> int:
    """Return how many attributes the stretch has at most: each ends with white space, a slash or a quote."""
    return len(stretch.split()) + stretch.count(b"/") + stretch.count(b'"') + stretch.count(b"'")


def _refuse_depth(markup: str, max_depth: int) -> None:
    """Every new block looks up through all levels above it, so levels times blocks is what a page costs."""
    depth = steps = 0
    for slash, name in _TAG.findall(markup):
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


def _with_few_attributes(markup: str) -> str:
    tags = _WHOLE_TAG.findall(markup)
    if any(len(tag) > _LONG_TAG and _shortened(tag) != tag for tag in tags):
        markup = _WHOLE_TAG.sub(lambda match: _shortened(match.group()), markup)
        tags = _WHOLE_TAG.findall(markup)
    length = sum(map(len, tags))
    if length > _MUCH_IN_TAGS:
        markup = _without_surplus(markup, _ROOT, _MAX_ROOTS)
    if length > _MANY_NAMES_IN_TAGS:
        _refuse_names(tags)
    return markup


def _shortened(tag: str) -> str:
    short = _SHORT_TAG.match(tag) if len(tag) > _LONG_TAG else None
    return short.group() if short else tag


def _refuse_names(tags: list[str]) -> None:
    names: set[str] = set()
    for tag in set(tags):
        names.update(_NAME.findall(tag, 1))  # the tag's own name comes as the first
        if len(names) > _MAX_NAMES:
            raise UnreadablePage(f"The page uses more than {_MAX_NAMES:,} different names of tags and attributes.")


def _without_surplus(markup: str, tag: re.Pattern[str], most: int) -> str:
    """Return the markup in which the tag stands at most so many times; what stands between later ones stays."""
    kept_until = 0
    for number, match in enumerate(tag.finditer(markup), start=1):
        if number == most:
            kept_until = match.end()
        elif number > most:
            return markup[:kept_until] + tag.sub("", markup[kept_until:])
    return markup


def _open_formatting(markup: str) -> int:
    """Return how many formatting elements are open at the same time, at most.

    An end tag in a table cell does not close what was opened outside of the cell, so it does not count here.
    """
    most = still_open = 0
    stack: list[str] = []
    for slash, name in _FORMAT_OR_MARKER.findall(markup):
        tag = name.lower()
        if not slash:
            stack.append(tag)
            still_open += tag not in _MARKER_TAGS
            most = max(most, still_open)
        elif (place := _last(stack, tag)) is None:
            continue
        elif tag in _MARKER_TAGS:
            # Cells that were never closed end with their table.
            stack[place:] = [inner for inner in stack[place:] if inner not in _MARKER_TAGS]
        else:
            del stack[place]
            still_open -= 1
    return most


def _last(stack: list[str], tag: str) -> int | None:
    """Return where the element stands that an end tag closes, if it closes one; farther up than this it does not."""
    for place in range(len(stack) - 1, max(-1, len(stack) - _FAR), -1):
        if stack[place] == tag:
            return place
        if stack[place] in _MARKER_TAGS and tag not in _MARKER_TAGS:
            return None
    return None
