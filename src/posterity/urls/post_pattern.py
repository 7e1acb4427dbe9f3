r"""The minimal pattern that the URLs of a blog's posts share.

Section 2.3 of the BlogForever paper: a regular expression built from the URLs in the feed decides whether a URL is that
of a post. URLs are split into segments, which are numbers or words. Segments that all URLs share stay literal, digits
become `\d+`, words become `[^/]+`. URLs of different shapes give one alternative each.

    /2021/03/12/on-tides/  and  /2020/11/02/bread/   give   /\d{4}/\d{2}/\d{2}/[^/]+/
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from posterity.lexicon import any_of, url_words
from posterity.urls.kinds import is_front, is_listing

_MAX_SECTIONS = 4
_MARKS = frozenset({"", "/", "?", "&", "="})
# A word; a short number alone is not one, because /2/ is a page of a list if posts have names.
_SLUG = r"(?!\d{1,3}(?:/|$))[^/?]+"
# Below a date, only a possible month or day is excluded, because posts without a title are named by their number.
_DATED_SLUG = r"(?!\d{1,2}(?:/|$))[^/?]+"
# Below a day, anything is a post.
_DAY_SLUG = r"[^/?]+"
_YEAR = re.compile(r"(?:^|[/_-])(?:19|20)\d{2}(?:[/_-]|$)")
# Posts named by their number, below a month: the first numbers look like days.
_NUMBER_IN_MONTH = re.compile(r"/(?:19|20)\d{2}/\d{1,2}/\d+/?$")
# WordPress's second URL of every post; in mirrors, its question mark is escaped.
_NUMBERED = re.compile(r"(?:[?&]|%3f)p=\d+", re.IGNORECASE)
# URLs of lists, whatever else they look like.
_LISTING = re.compile(
    rf"/(?:{any_of(url_words('listing.term', 'listing.list', 'listing.archive'))})(?:/|$)|"
    rf"(?<!/\d)(?<!/\d\d)/(?:19|20)\d{{2}}(?:/\d{{1,2}}){{0,2}}/?$|[?&](?:{any_of(url_words('listing.parameter'))})=",
    re.IGNORECASE,
)


class PostPattern(msgspec.Struct, frozen=True):
    """A regular expression for path and query of a URL; an empty one matches nothing.

    `prefix` is the folder that contains all posts, `dated` whether all their URLs contain a year, `depth` the smallest
    and the largest number of folders in their paths.
    """

    regex: str = ""
    prefix: str = "/"
    dated: bool = False
    depth: tuple[int, int] = (0, 0)
    is_listing_like: bool = False

    def fits(self, url: str) -> bool:
        """Return whether the URL looks like a post's; URLs of lists do not, unless posts have such URLs."""
        if not self.regex or re.fullmatch(self.regex, _local_part(url)) is None:
            return False
        return self.is_listing_like or not is_listing(url)

    def is_near(self, url: str) -> bool:
        """Return whether the URL may be a post's although it does not fit: an older style of the same blog."""
        local = _local_part(url)
        if self.regex and _NUMBERED.search(url):
            return True
        if not self.regex or not local.startswith(self.prefix) or local == self.prefix:
            return False
        if _LISTING.search(local) or is_listing(url):
            return False
        if self.dated:
            return _YEAR.search(local) is not None
        # An older scheme may have had dates.
        has_usual_depth = self.depth[0] <= _depth(local) <= self.depth[1] or _YEAR.search(local) is not None
        return "?" not in local and has_usual_depth

    def is_shallow_enough(self, url: str) -> bool:
        """Return whether the URL is no deeper than those of posts; deeper URLs belong to something else.

        Any URL with a date passes if posts have none now: it is of an older scheme.
        """
        local = _local_part(url)
        return _depth(local) <= self.depth[1] or (not self.dated and _YEAR.search(local) is not None)

    def is_specific(self, url: str) -> bool:
        """Return whether the URL fits, and dates or a folder of posts distinguish it from other pages.

        The folder of a language does not, because it contains all pages in that language. If names of posts begin with
        a date (2021-03-12-tides.html), names without one fit, too.
        """
        is_dated = self.dated and _YEAR.search(_local_part(url)) is not None
        return (is_dated or not is_front(self.prefix)) and self.fits(url)


class UrlPattern(Protocol):
    """The interface of `PostPattern` and `GrowingPattern`."""

    def fits(self, url: str) -> bool:
        """Return whether the URL looks like a post's."""

    def is_near(self, url: str) -> bool:
        """Return whether the URL could be a post's although it does not fit."""

    def is_shallow_enough(self, url: str) -> bool:
        """Return whether the URL is no deeper than those of posts."""

    def is_specific(self, url: str) -> bool:
        """Return whether the URL fits, and dates or a folder of posts distinguish it from other pages."""


# The number of posts of one new shape that add a pattern.
_MIN_SHAPE = 3


class GrowingPattern:
    """A pattern that is extended by the posts that a crawl finds, such as another section or an older style."""

    def __init__(self, first: PostPattern) -> None:
        self._patterns = [first]
        self._others: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)

    def fits(self, url: str) -> bool:
        """Return whether the URL looks like a post's."""
        return any(pattern.fits(url) for pattern in self._patterns)

    def is_near(self, url: str) -> bool:
        """Return whether the URL could be a post's although it does not fit."""
        return any(pattern.is_near(url) for pattern in self._patterns)

    def is_shallow_enough(self, url: str) -> bool:
        """Return whether the URL is no deeper than those of posts."""
        return any(pattern.is_shallow_enough(url) for pattern in self._patterns)

    def is_specific(self, url: str) -> bool:
        """Return whether the URL fits, and dates or a folder of posts distinguish it from other pages."""
        return any(pattern.is_specific(url) for pattern in self._patterns)

    def accept(self, url: str) -> bool:
        """Record that the URL is a post's; return whether the pattern has been extended."""
        if self.fits(url) or is_listing(url):
            return False
        local = _local_part(url)
        segments = _segments(local)
        folder = segments[2] if len(segments) > 3 else ""
        key = (*_shape(segments), "" if folder.isdecimal() else folder)
        self._others[key][url] = None
        if len(self._others[key]) < _MIN_SHAPE:
            return False
        self._patterns.append(post_pattern(self._others.pop(key)))
        return True


_ONE_IN = 4  # if one post in so many has a URL like a list's, others may too; a single /2021 is an exception


def post_pattern(urls: Iterable[str]) -> PostPattern:
    """Return the minimal pattern of these URLs; an empty one without URLs."""
    shapes: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    given = list(urls)
    locals_ = [local for local in map(_local_part, given) if local not in ("", "/")]
    if not locals_:
        return PostPattern()
    for local in locals_:
        segments = _segments(local)
        shapes[_shape(segments)].append(segments)
    shapes = _by_section(shapes)
    patterns = sorted({_pattern_of(group) for group in shapes.values()})
    depths = [_depth(local) for local in locals_]
    return PostPattern(
        regex="|".join(patterns),
        prefix=_shared_folder(locals_),
        dated=all(_YEAR.search(local) for local in locals_),
        depth=(min(depths), max(depths)),
        is_listing_like=_ONE_IN * sum(map(is_listing, given)) >= len(given)
        or all(map(_NUMBER_IN_MONTH.search, locals_)),
    )


def _by_section(shapes: dict[tuple[str, ...], list[list[str]]]) -> dict[tuple[str, ...], list[list[str]]]:
    """Divide the URLs of each shape by their first folder, if a few folders contain all of them: /posts/ and /notes/.

    If any folder contains a single post, folder names are assumed to vary.
    """
    divided: dict[tuple[str, ...], list[list[str]]] = {}
    for shape, group in shapes.items():
        first = next((place for place, kind in enumerate(shape) if kind.startswith("word")), None)
        folders = Counter(segments[first] for segments in group) if first is not None and first < len(shape) - 2 else {}
        if first is None or len(folders) < 2 or min(folders.values(), default=0) < 2 or len(folders) > _MAX_SECTIONS:
            divided[shape] = group
            continue
        for folder in folders:
            divided[(*shape, folder)] = [segments for segments in group if segments[first] == folder]
    return divided


def _shared_folder(locals_: list[str]) -> str:
    """Return the longest folder that contains all URLs, up to a year."""
    first, last = min(locals_), max(locals_)
    same = next((place for place, char in enumerate(first) if last[place : place + 1] != char), len(first))
    folder = first[: first.rfind("/", 0, same) + 1] or "/"
    year = re.search(r"/(?:19|20)\d{2}/", folder)
    return folder[: year.start() + 1] if year else folder


def _depth(local: str) -> int:
    return local.partition("?")[0].strip("/").count("/")


def _local_part(url: str) -> str:
    """Return path, query and route, unescaped; the URLs are canonical, so they have no tracking parameters."""
    parts = urlsplit(url)
    query = "&".join(f"{key}={value}" for key, value in parse_qsl(parts.query, keep_blank_values=True))
    return unquote(parts.path) + (f"?{query}" if query else "") + (f"#{parts.fragment}" if parts.fragment else "")


def _segments(local: str) -> list[str]:
    return re.split(r"([/?&=])", local)


def _shape(segments: list[str]) -> tuple[str, ...]:
    """Return the kinds of all segments; only years, and months and days after them, have a fixed width."""
    shapes: list[str] = []
    in_date = False
    for segment in segments:
        if segment in _MARKS:
            shapes.append(segment)
            continue
        ending = _ending(segment)
        number = segment.removesuffix(ending)
        is_year = re.fullmatch(r"(?:19|20)\d{2}", number) is not None
        if number.isdecimal():
            in_date = is_year or (in_date and len(number) == 2)
            shapes.append((f"\\d{{{len(number)}}}" if in_date and not ending else r"\d+") + re.escape(ending))
        else:
            in_date = False
            shapes.append("word" + ending)
    return tuple(shapes)


def _ending(segment: str) -> str:
    match = re.search(r"\.(?:html?|php|aspx?|jsp|shtml|cfm|md)$", segment)
    return match.group() if match else ""


def _pattern_of(group: list[list[str]]) -> str:
    """Return the pattern of URLs of one shape: constant words stay literal, those that vary are left open.

    A single URL does not show what varies. If it has a number outside a date, that identifies the post; otherwise the
    last word of the path is the slug.
    """
    shape = _shape(group[0])
    columns = list(zip(*group, strict=True))
    slug = _slug_of(shape) if len(group) == 1 else None
    numbers = sum(kind.startswith(r"\d{") for kind in shape)
    word = _DAY_SLUG if numbers >= 3 else _DATED_SLUG if r"\d{4}" in shape else _SLUG
    pairs = enumerate(zip(shape, columns, strict=True))
    return "".join(_column_pattern(kind, column, word, is_slug=index == slug) for index, (kind, column) in pairs)


def _slug_of(shape: tuple[str, ...]) -> int | None:
    if any(kind.startswith(r"\d+") for kind in shape):
        return None
    path = shape[: shape.index("?")] if "?" in shape else shape
    return max((index for index, kind in enumerate(path) if kind.startswith("word")), default=None)


def _column_pattern(kind: str, column: tuple[str, ...], word: str, *, is_slug: bool) -> str:
    if kind.startswith("\\d"):
        return kind
    if len(set(column)) == 1 and not is_slug:
        return re.escape(column[0])
    return word + re.escape(_ending(column[0]))
