"""Training pages: pairs of page and feed entry that rules are learned from, and the feed's text of each article.

A feed's links and the pages' URLs often differ: redirects, canonical links, an old host name, FeedBurner, a move to
another platform. An entry is matched by its URL, then by the URL that a page declares, then by a path that only one
page has, then by a title that only one entry and one page have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit
from zlib import compress, decompress

import msgspec

from posterity.discover.feed import entry_text, join_url
from posterity.dom import Document, readable_document, text_of
from posterity.dom.document import declared_url
from posterity.lexicon import any_of, words_for
from posterity.model import Feed, FeedEntry
from posterity.text.normal_form import letters_and_digits, words
from posterity.urls import canonical_url

# How feeds mark a cut text: an ellipsis at the end, bracketed or not, or a "read more" link.
_READ_ON = any_of(words_for("link.cut_text"))
_CUT = re.compile(
    rf"(?:(?:\[\s*+)?(?:…|\.{{3}}|&hellip;)\s*+\]?|(?:{_READ_ON})[^.\n]{{0,60}}(?:→|»|\.{{3}}|…)?)\s*$", re.IGNORECASE
)
_LAST_LINE = 120  # characters
_TAG = re.compile("<[^<>]*>")
_HREF = re.compile(r"""\bhref\s?=\s?["']?([^"'\s>#]+)(?=["'\s]|$)""")
# WordPress appends this to every entry.
_FOOTER = re.compile(r"\bThe post .{1,300} (?:first appeared|appeared first) on .{1,200}\.?\s*$", re.DOTALL)
# A first or last line that begins alike in this share of the entries was added by the feed.
_MOST = 0.7
_MIN_ENTRIES = 4
_LONGEST_ADDED = 300  # characters; an introduction that an author repeats in every post is longer
_END_WORDS = 8  # the last words of a text, by which its end is found on its page
_ZLIB_LEVEL = 1  # zlib's fastest level already compresses to a third


Pages: TypeAlias = Mapping[str, bytes | str | Document]  # by URL, parsed or not


class FeedText(msgspec.Struct, frozen=True):
    """The feed's text of an article, and whether it seems complete.

    Compressed, because the texts of all entries stay in memory while pages are parsed one at a time.
    """

    packed: bytes
    whole: bool

    @property
    def text(self) -> str:
        """The text; empty when the entry has none."""
        return decompress(self.packed).decode("utf-8", "surrogatepass")


class _FeedParts(NamedTuple):
    text: str
    whole: bool

    def packed(self) -> FeedText:
        return FeedText(compress(self.text.encode("utf-8", "surrogatepass"), _ZLIB_LEVEL), self.whole)


def feed_texts(entries: Sequence[FeedEntry]) -> list[FeedText]:
    """Return the article text of each entry, without lines that the feed adds to all of them.

    Such a line is the first or one of the last and begins alike in most entries ("Filed under: ...").
    """
    parts = _without_repeated([_feed_text(entry) for entry in entries])
    added = _added_beginnings([each.text for each in parts])
    return [_FeedParts(_without_edges(each.text, added) if added else each.text, each.whole).packed() for each in parts]


def feed_text(entry: FeedEntry) -> FeedText:
    """Return the entry's text of the article; empty when it has none."""
    return _feed_text(entry).packed()


def _feed_text(entry: FeedEntry) -> _FeedParts:
    text = _FOOTER.sub("", entry_text(entry)).strip()
    cut = _CUT.search(text, max(0, len(text) - _LAST_LINE))
    end = cut.start() if cut else _link_to_page(entry, text)
    return _FeedParts(text[:end].rstrip(), whole=entry.content is not None and end is None)


def _link_to_page(entry: FeedEntry, text: str) -> int | None:
    """Where the text ends in a link to its own page, in any language; None if it does not, or names the post."""
    markup = unescape((entry.content or "").rpartition("<a ")[2].partition("</a>")[0])
    tag, _, label = markup.partition(">")
    label = _TAG.sub("", label).strip()
    start = text.rfind(label, max(0, len(text) - _LAST_LINE)) if letters_and_digits(label) else -1
    href = _HREF.search(tag)
    if start < 0 or not href or not entry.link or letters_and_digits(label) in letters_and_digits(entry.title or ""):
        return None
    return start if page_key(join_url(entry.link, href[1]) or "") == page_key(entry.link) else None


def _without_repeated(parts: list[_FeedParts]) -> list[_FeedParts]:
    """Clear texts that several entries share, such as "No summary" or the blog's description."""
    counts = Counter(each.text for each in parts)
    return [each if counts[each.text] == 1 else _FeedParts("", whole=False) for each in parts]


def _added_beginnings(texts: Sequence[str]) -> set[str]:
    """The beginnings of first and last lines that most texts share."""
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
    # A one-line post may begin like the others.
    return "\n".join(lines) or text


def _edges(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    return [*lines[:1], *lines[1:][-3:]]


def _beginning(line: str) -> str:
    """The first two words, after which added lines vary; empty for a line too long to be added by the feed."""
    return " ".join(line.split()[:2]) if len(line) <= _LONGEST_ADDED else ""


# Shorter titles ("Links", "Home") do not identify a post.
_MIN_TITLE = 6


class TrainingPage(msgspec.Struct, frozen=True):
    """A page's URL, its feed entry, and the entry's text of the article."""

    url: str
    entry: FeedEntry
    feed_text: FeedText


# A tree takes about 20 times the memory of its page.
_KEPT_BYTES = 2 * 1024 * 1024


class TrainingDocuments(Pages):
    """Pages by URL, parsed on first access and cached, because learning reads a page several times.

    At most `_KEPT_BYTES` of pages are cached as documents. Other pages, and unreadable ones, are returned as they are.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._documents: dict[str, Document] = {}
        self._room = _KEPT_BYTES

    def __getitem__(self, url: str) -> bytes | str | Document:
        page = self._documents.get(url) or self._pages[url]
        if isinstance(page, Document) or len(page) > self._room:
            return page
        document = readable_document(page, url)
        if document is None:
            return page
        self._room -= len(page)
        self._documents[url] = document
        return document

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)


def matched_training_pages(feed: Feed, pages: Pages, limit: int) -> list[TrainingPage]:
    """Return the feed's entries whose pages are available, in the feed's order, at most `limit`."""
    pairs = matched_pages(feed.entries, pages)[:limit]
    listed = _completed([url for url, _ in pairs], feed_texts([entry for _, entry in pairs]), pages)
    return [TrainingPage(url, entry, text) for (url, entry), text in zip(pairs, listed, strict=True)]


def _completed(urls: Sequence[str], listed: Sequence[FeedText], pages: Pages) -> Sequence[FeedText]:
    """Return the texts; those that end in a link to their pages are whole if the pages have no more text.

    After the last words of an article, most pages continue alike; after a beginning, each with its own text.
    """
    cut = [(url, each) for url, each in zip(urls, listed, strict=True) if not each.whole and "\n" in each.text]
    if len(cut) < _MIN_ENTRIES or 2 * len(cut) <= len(listed):
        return listed
    after = Counter(_words_after(pages[url], url, each.text) for url, each in cut)
    _, count = max((pair for pair in after.items() if pair[0]), key=lambda pair: pair[1], default=("", 0))
    if count < _MOST * len(cut):
        return listed
    return [msgspec.structs.replace(each, whole=each.whole or "\n" in each.text) for each in listed]


def _words_after(page: bytes | str | Document, url: str, text: str) -> str:
    """The words on the page after the last occurrence of the end of the text; empty if it does not occur."""
    document = readable_document(page, url)
    shown = words(text_of(document.tree)) if document is not None else []
    _, found, after = f" {' '.join(shown)} ".rpartition(f" {' '.join(words(text)[-_END_WORDS:])} ")
    return " ".join([word for word in after.split()[:_END_WORDS] if not word.isdecimal()][:2]) if found else ""


def matched_pages(entries: Iterable[FeedEntry], pages: Pages) -> list[tuple[str, FeedEntry]]:
    """Return (page URL, entry) for every entry whose page is available; a page is matched to one entry at most."""
    entries = [entry for entry in entries if entry.link]
    found: dict[str, FeedEntry] = {}
    matched: set[int] = set()
    for index_of, key_of in (
        (_by_url, _url_key),
        (_by_declared_url, _url_key),
        (_by_path, _path_key),
        (_by_title, _title_key),
    ):
        rest = [entry for entry in entries if id(entry) not in matched]
        if not rest:
            break
        index = index_of([url for url in pages if url not in found], pages)
        same = Counter(key_of(entry) for entry in rest) if index_of is _by_title else Counter()
        for entry in rest:
            url = index.get(key_of(entry))
            if url is not None and url not in found and same[key_of(entry)] <= 1:
                found[url] = entry
                matched.add(id(entry))
    order = {id(entry): place for place, entry in enumerate(entries)}
    return sorted(found.items(), key=lambda pair: order[id(pair[1])])


def documents(training_pages: Iterable[TrainingPage], pages: Pages) -> Iterator[tuple[Document, TrainingPage]]:
    """Yield the documents of the pages one at a time, without keeping them; unreadable pages are skipped."""
    for training_page in training_pages:
        document = readable_document(pages[training_page.url], training_page.url)
        if document is not None:
            yield document, training_page


def _by_url(urls: Sequence[str], _: Pages) -> dict[str, str]:
    return {page_key(url): url for url in urls}


def _by_declared_url(urls: Sequence[str], pages: Pages) -> dict[str, str]:
    index: dict[str, str] = {}
    for url in urls:
        document = readable_document(pages[url], url)
        declared = declared_url(document) if document is not None else None
        if declared:
            index.setdefault(page_key(declared), url)
    return index


def _by_path(urls: Sequence[str], _: Pages) -> dict[str, str]:
    keys = {url: page_key(url, by_path=True) for url in urls}
    counts = Counter(keys.values())
    return {key: url for url, key in keys.items() if counts[key] == 1 and key != "/"}


def _by_title(urls: Sequence[str], pages: Pages) -> dict[str, str]:
    """Pages by their first <h1>, where no other page has the same."""
    keys: dict[str, str] = {}
    for url in urls:
        document = readable_document(pages[url], url)
        heading = document.first("h1") if document is not None else None
        if heading is not None:
            keys[url] = letters_and_digits(heading.plain(0))
    counts = Counter(keys.values())
    return {key: url for url, key in keys.items() if counts[key] == 1 and len(key) >= _MIN_TITLE}


def _url_key(entry: FeedEntry) -> str:
    return page_key(entry.link or "")


def _path_key(entry: FeedEntry) -> str:
    return page_key(entry.link or "", by_path=True)


def _title_key(entry: FeedEntry) -> str:
    return letters_and_digits(entry.title or "")


def page_key(url: str, *, by_path: bool = False) -> str:
    """Return the URL without scheme, www, trailing slash, index.html and escapes, in which spellings differ.

    With `by_path`, the host is left out too.
    """
    try:
        parts = urlsplit(canonical_url(url))
    except ValueError:  # an invalid URL such as http://[::1
        return url
    path = unquote(parts.path).removesuffix("index.html").rstrip("/") or "/"
    local = path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return local if by_path else parts.netloc.removeprefix("www.") + local
