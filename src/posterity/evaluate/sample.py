"""A page with its gold standard: what a method is shown, and what it is compared with.

A field of `Gold` that is None is not known, and nothing is measured with it. An empty one says that the page has
none: a method that finds an author there has invented one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from posterity.export.cleaneval import cleaneval_lines
from posterity.model import Feed, Post

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
    # Feed and page may name the day in different zones; 0 requires the same calendar day.
    date_tolerance_h: int = 0
    comments: tuple[GoldComment, ...] | None = None
    # All comments as one text, where the data set does not separate them.
    comments_text: str | None = None
    segments_with: tuple[str, ...] = ()
    segments_without: tuple[str, ...] = ()
    comment_segments: tuple[str, ...] = ()
    posts: tuple[GoldPost, ...] | None = None
    # URLs of posts that may be on the page as well: neither required nor wrong.
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


class SiteEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a blog's rules can be learned from: its feed, and the pages that the feed links to."""

    feed: Feed
    pages: Mapping[str, str]


class SampleSite(msgspec.Struct, frozen=True, kw_only=True):
    """Pages that may know of one another: those of one host, or of one blog."""

    name: str
    samples: tuple[Sample, ...]
    evidence: SiteEvidence | None = None


class FoundItem(msgspec.Struct, frozen=True, kw_only=True):
    """One post or comment that was found on the page."""

    text: str = ""
    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """The text of all posts on the page, the first post's fields, and every post and comment by itself.

    The empty prediction is also what a crash, a timeout and a page without posts come to.
    """

    text: str = ""
    # The text with CleanEval's marks; only made where the gold standard has them.
    marked: str = ""
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    posts: tuple[FoundItem, ...] = ()
    comments: tuple[FoundItem, ...] = ()


def prediction_of(posts: Sequence[Post], *, marked: bool = False) -> Prediction:
    """Return the prediction that the posts of a page make. A page's text is everything that was returned for it."""
    if not posts:
        return Prediction()
    first = posts[0]
    return Prediction(
        text=_joined(post.text for post in posts),
        marked=_joined(cleaneval_lines(post) for post in posts) if marked else "",
        title=_clean(first.title),
        authors=tuple(filter(None, map(_clean, first.authors))),
        date=first.published.isoformat() if first.published else None,
        posts=tuple(_found(post) for post in posts),
        comments=tuple(
            FoundItem(
                text=_clean(comment.text) or "",
                author=_clean(comment.author),
                date=comment.published.isoformat() if comment.published else None,
            )
            for post in posts
            for comment in post.comments
        ),
    )


def _found(post: Post) -> FoundItem:
    return FoundItem(
        text=_clean(post.text) or "",
        url=_clean(post.url),
        title=_clean(post.title),
        author=_clean(", ".join(post.authors)),
        date=post.published.isoformat() if post.published else None,
    )


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, map(_clean, texts)))


def _clean(text: str | None) -> str | None:
    """Rivals pass half surrogates through; no file can hold them."""
    return text.encode("utf-8", "replace").decode() if text else None
