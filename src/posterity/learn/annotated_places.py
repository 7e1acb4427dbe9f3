"""Where on an annotated page the annotated posts are: their text, title, date and author as elements of the tree.

An annotation quotes what a person sees. The text is the element that shares most of its characters with the
quotation, so a front page that shows only the beginning of a post is understood too. Title, author and date are the
nearest elements that say the same; a date also counts when an attribute (datetime, content, title) holds it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from posterity.dom.tree import TEXT
from posterity.identify.page_ink import HEADINGS
from posterity.text.normal_form import comparable, letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Tree

_MIN_QUOTE = 8  # characters; shorter text runs stand anywhere on a page
_BEGINNING = 30  # characters; a longer run counts by its beginning, since excerpts break off with dots of their own
_MAX_DATE_TEXT = 60
_DATE_ATTRIBUTES = ("datetime", "content", "title")
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


class PlacedPost(msgspec.Struct, frozen=True, kw_only=True):
    """One annotated post as elements of its page; `date_attribute` is set when the date stands in an attribute."""

    text: int
    title: int | None = None
    date: int | None = None
    author: int | None = None
    date_attribute: str = ""


class QuotedPage:
    """A page in which quotations are looked up."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # Letters and digits alone: line breaks and quotation marks differ between a page and what is quoted from it.
        self._runs = [letters_and_digits(text) if not tree.unseen[node] else "" for node, text in enumerate(tree.text)]
        self._size = tree.summed([len(run) for run in self._runs])

    def text_node(self, quotation: str) -> int | None:
        """Return the element whose text is most like the quotation, the innermost of equals that has a name."""
        quoted = letters_and_digits(quotation)
        if not quoted:
            return None
        shortest = min(_MIN_QUOTE, len(quoted))
        shared = self.tree.summed(
            [len(run) if len(run) >= shortest and run[:_BEGINNING] in quoted else 0 for run in self._runs]
        )
        best, highest = None, 0.0
        for node, tag in enumerate(self.tree.tag):
            # Recall is of what the page shows of the quotation: a front page may show only its beginning.
            score = shared[node] / (self._size[node] + shared[0]) if shared[0] else 0.0
            if tag != TEXT and shared[node] and score >= highest:
                best, highest = node, score
        return None if best is None else self._named(best)

    def same_text(self, quotation: str, near: int, *, headings_first: bool = True) -> int | None:
        """Return the element that says exactly this: the nearest heading, if headings come first, else the nearest."""
        wanted = letters_and_digits(quotation)
        found = [
            node
            for node in self._elements(len(wanted))
            if wanted and letters_and_digits(self.tree.plain(node)) == wanted
        ]
        return min(
            found,
            key=lambda node: (headings_first and self.tree.tag[node] not in HEADINGS, abs(node - near)),
            default=None,
        )

    def date_node(self, date: str, near: int) -> tuple[int, str] | None:
        """Return the nearest element that names the day, and the attribute it stands in ("" for its text)."""
        found = [
            (node, name)
            for node, attrs in enumerate(self.tree.attrs)
            for name in _DATE_ATTRIBUTES
            if date[:10] in (attrs.get(name) or "")
        ]
        if not found or not _ISO_DAY.match(date):
            found += [(node, "") for node in self._elements(_MAX_DATE_TEXT) if names_day(self.tree.plain(node), date)]
        # Of an element and the one around it that say the same, the inner one is later.
        return min(found, key=lambda place: (abs(place[0] - near), -place[0]), default=None)

    def _elements(self, max_size: int) -> Iterator[int]:
        tags, unseen = self.tree.tag, self.tree.unseen
        return (
            node
            for node, size in enumerate(self._size)
            if 0 < size <= max_size and tags[node] != TEXT and not unseen[node]
        )

    def _named(self, node: int) -> int:
        """Climb through wrappers without a name that hold nothing else."""
        tree, start = self.tree, node
        while not (tree.attrs[node].get("class") or tree.attrs[node].get("id")):
            parent = tree.parent[node]
            if parent < 0 or self._size[parent] != self._size[start]:
                return start
            node = parent
        return node


def names_day(text: str, date: str) -> bool:
    """Tell whether a text names the day of a date: the annotation's own words, or year and day of month in figures.

    Month names need no dictionary here: a short text near the post with the right year and day is its date.
    """
    day = _ISO_DAY.match(date)
    if day is None:
        return bool(date) and comparable(date) in comparable(text)
    numbers = [int(number) for number in re.findall(r"\d{1,4}", text)]
    return int(day[1]) in numbers and int(day[3]) in numbers
