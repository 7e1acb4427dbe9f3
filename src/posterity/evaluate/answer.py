"""What a contestant gave for one page, reduced to what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.cleaneval import cleaneval_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.model import Post


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One post or comment that was found on the page."""

    text: str = ""
    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The text of all posts on the page, the first post's fields, and every post and comment by itself.

    The empty answer is also what a crash, a timeout and a page without posts come to.
    """

    text: str = ""
    # The text with CleanEval's marks; only made where the gold standard has them.
    marked: str = ""
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    posts: tuple[Found, ...] = ()
    comments: tuple[Found, ...] = ()


def answer_of(posts: Sequence[Post], *, marked: bool = False) -> Answer:
    """Return what the posts of a page answer. A page's text is everything that was returned for it."""
    if not posts:
        return Answer()
    first = posts[0]
    return Answer(
        text=_joined(post.text for post in posts),
        marked=_joined(cleaneval_lines(post) for post in posts) if marked else "",
        title=_clean(first.title),
        authors=tuple(filter(None, map(_clean, first.authors))),
        date=first.published.isoformat() if first.published else None,
        posts=tuple(_found(post) for post in posts),
        comments=tuple(
            Found(
                text=_clean(comment.text) or "",
                author=_clean(comment.author),
                date=comment.published.isoformat() if comment.published else None,
            )
            for post in posts
            for comment in post.comments
        ),
    )


def _found(post: Post) -> Found:
    return Found(
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
