"""What a feed entry promises of the article: all of it, its beginning, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from zlib import compress, decompress

import msgspec

from posterity.dom import parse, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.model import FeedEntry

# How feeds say that there is more: an ellipsis at the end, bracketed or not, or a link to read on.
_READ_ON = "read|continue|more|weiter\\w*|lire la suite|leer más|читать далее|続きを読む|阅读全文"
_CUT = re.compile(
    rf"(?:\[?\s*(?:…|\.{{3}}|&hellip;)\s*\]?|(?:{_READ_ON})[^.\n]{{0,60}}(?:→|»|\.{{3}}|…)?)\s*$", re.IGNORECASE
)
# What WordPress writes below every entry.
_FOOTER = re.compile(r"\s*\bThe post .{1,300} (?:first appeared|appeared first) on .{1,200}\.?\s*$", re.DOTALL)
# A line is the feed's own when so many entries begin it alike, of at least so many.
_MOST = 0.7
_MIN_ENTRIES = 4
_QUICKLY = 1  # zlib's level: a third of the size in no time to speak of


class Promise(msgspec.Struct, frozen=True):
    """What the feed says of an article, and whether it claims that this is all of it.

    Packed, because the texts of all entries are kept while pages are read one at a time.
    """

    packed: bytes
    whole: bool

    @property
    def text(self) -> str:
        """The text; empty when the entry says nothing."""
        return decompress(self.packed).decode("utf-8", "surrogatepass")


class _Told(NamedTuple):
    text: str
    whole: bool

    def packed(self) -> Promise:
        return Promise(compress(self.text.encode("utf-8", "surrogatepass"), _QUICKLY), self.whole)


def promised_texts(entries: Sequence[FeedEntry]) -> list[Promise]:
    """Return what each entry says of its article, without what the feed adds to all of them.

    "Filed under: ..." or "The post ... appeared first on ...": a line at the edge that begins alike in most entries.
    """
    told = _without_repeated([_told(entry) for entry in entries])
    added = _added_beginnings([each.text for each in told])
    return [_Told(_without_edges(each.text, added) if added else each.text, each.whole).packed() for each in told]


def promised_text(entry: FeedEntry) -> Promise:
    """Return what the entry says of the article; an empty text when it says nothing."""
    return _told(entry).packed()


def _told(entry: FeedEntry) -> _Told:
    markup = entry.content or entry.summary or ""
    if not markup:
        return _Told("", whole=False)
    text = _FOOTER.sub("", text_of(parse(markup).tree)).strip()
    cut = _CUT.search(text, max(0, len(text) - 120))
    if cut:
        text = text[: cut.start()].rstrip()
    return _Told(text, whole=entry.content is not None and cut is None)


def _without_repeated(told: list[_Told]) -> list[_Told]:
    """A text that several entries have ("No summary", the blog's own description) promises nothing of any of them."""
    counts = Counter(each.text for each in told)
    return [each if counts[each.text] == 1 else _Told("", whole=False) for each in told]


def _added_beginnings(texts: Sequence[str]) -> set[str]:
    """The beginnings of edge lines that stand in most texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({_beginning(line) for line in _edges(text)})
    full = sum(bool(text) for text in texts)
    return {start for start, count in counts.items() if start and full >= _MIN_ENTRIES and count >= _MOST * full}


def _without_edges(text: str, added: set[str]) -> str:
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or _beginning(lines[-1]) in added):
        lines.pop()
    while lines and (not lines[0].strip() or _beginning(lines[0]) in added):
        lines.pop(0)
    # A post of one line that begins as the others do is still a post.
    return "\n".join(lines) or text


def _edges(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    return [*lines[:1], *lines[1:][-3:]]


def _beginning(line: str) -> str:
    """The first two words: what varies comes after them."""
    return " ".join(line.split()[:2])
