"""A page with its gold standard: what a method is shown, and what it is compared with.

A field of `Gold` that is None is not known, and nothing is measured with it. An empty one says that the page has
none: a method that finds an author there has invented one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from posterity.model import Feed

# CleanEval's files begin with a line "URL: ..." and mark every block with <p>, <h> or <l> (Baroni et al., LREC 2008).
_MARKED = re.compile(r"\s*(?:URL\b[^\n]*\n\s*)?<[phl]>", re.IGNORECASE)

# CleanEval never closes a block; a forum post about HTML does.
_CLOSED = re.compile(r"</[a-z]+>", re.IGNORECASE)


class GoldComment(msgspec.Struct, frozen=True, kw_only=True):
    """One comment as it should be found."""

    text: str = ""
    author: str | None = None
    date: str | None = None


class GoldPost(msgspec.Struct, frozen=True, kw_only=True):
    """One of several posts of a page: of a front page, or of a forum thread."""

    url: str | None = None
    title: str | None = None
    text: str | None = None
    author: str | None = None
    date: str | None = None


class Gold(msgspec.Struct, frozen=True, kw_only=True):
    """What a page really holds."""

    body: str | None = None
    title: str | None = None
    authors: tuple[str, ...] | None = None
    date: str | None = None
    # Feed and page may name the day in different zones; 0 asks for the same calendar day.
    date_tolerance_h: int = 0
    comments: tuple[GoldComment, ...] | None = None
    # All comments as one text, where the data set does not tell them apart.
    comments_text: str | None = None
    segments_with: tuple[str, ...] = ()
    segments_without: tuple[str, ...] = ()
    comment_segments: tuple[str, ...] = ()
    posts: tuple[GoldPost, ...] | None = None
    # Addresses of posts that may stand on the page as well: neither asked for nor wrong.
    other_posts: tuple[str, ...] = ()

    @property
    def is_marked(self) -> bool:
        """Whether the body carries CleanEval's block marks, and is not just a text that begins with a tag."""
        return bool(self.body and _MARKED.match(self.body) and not _CLOSED.search(self.body))


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a data set. `html` is text already: guessing the encoding is not what is compared."""

    id: str
    url: str = ""
    html: str
    gold: Gold
    tags: Mapping[str, bool | str | None] = {}
    # Is it a front page with several posts?
    index: bool = False


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a blog's rules can be learned from: its feed, and the pages that the feed links to."""

    feed: Feed
    pages: Mapping[str, str]


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Pages that may know of one another: those of one host, or of one blog."""

    name: str
    samples: tuple[Sample, ...]
    evidence: Evidence | None = None
