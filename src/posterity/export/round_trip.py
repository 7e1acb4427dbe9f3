"""Posts in formats that lack some fields: what the elements of the format hold, and the rest as JSON in an extension.

The writer of such a format (wxr, atom) defines what its own elements hold. The record that follows from them is made
the same way by writer and reader, so the rest is only what differs: text and Markdown nearly always follow from
the HTML.
A file of another program has no rest, and its posts are what its elements hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from posterity.dom import parse
from posterity.errors import InputError, UnreadablePage
from posterity.extraction.record import article_fields
from posterity.model import Comment, Post, blog_id, post_id
from posterity.urls import canonical_url

# What XML cannot hold, and what its readers change.
_UNFIT = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FormatComment(msgspec.Struct, frozen=True, kw_only=True):
    """What a format's own elements hold of a comment."""

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    html: str = ""
    type: Literal["trackback"] | msgspec.UnsetType = msgspec.UNSET


class FormatPost(msgspec.Struct, frozen=True, kw_only=True):
    """What a format's own elements hold of a post."""

    url: str
    blog_url: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    license: str | None = None
    summary: str | None = None
    html: str = ""
    comments: tuple[FormatComment, ...] = ()


def record_of(covered: FormatPost) -> Post:
    """Return the record that follows from the elements."""
    url = canonical_url(covered.url)
    plain = {name: getattr(covered, name) for name in _PLAIN}
    return Post(
        id=post_id(url),
        url=url,
        canonical_url=url,
        blog=blog_id(canonical_url(covered.blog_url)) if covered.blog_url else None,
        published_precision="minute" if covered.published else None,
        comments=tuple(_comment(comment, url) for comment in covered.comments),
        **plain,
        **_article(covered.html, url),
    )


# What is said as it stands in the record.
_PLAIN = tuple(name for name in FormatPost.__struct_fields__ if name not in ("url", "blog_url", "html", "comments"))


def rest_of(post: Post, covered: FormatPost) -> str:
    """Return what of the post does not follow from the elements, as JSON that XML can hold."""
    follows = msgspec.to_builtins(record_of(covered))
    rest = _differences(msgspec.to_builtins(post), follows)
    if "comments" in rest:
        pairs = zip(rest["comments"], follows["comments"], strict=True)
        rest["comments"] = [_differences(own, said) for own, said in pairs]
    return fit_json(rest)


def fit_json(value: object) -> str:
    """Return the JSON of a value with escapes for what XML cannot hold."""
    return _UNFIT.sub(_escape, msgspec.json.encode(value).decode())


def with_rest(covered: FormatPost, rest: str) -> Post:
    """Return the whole record again."""
    follows = msgspec.to_builtins(record_of(covered))
    try:
        said: dict[str, Any] = msgspec.json.decode(rest, type=dict[str, Any])
        if "comments" in said:
            pairs = zip(follows["comments"], said["comments"], strict=True)
            said["comments"] = [comment | differs for comment, differs in pairs]
        return msgspec.convert(follows | said, Post)
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"The record of {covered.url} in the file is damaged: {problem}.") from problem


def earlier_parents(comments: Sequence[Comment], names: Iterable[str]) -> list[str | None]:
    """Return the name of the comment that each one responses; one that comes later is nobody's parent for a reader."""
    known: dict[str, str] = {}
    parents = []
    for comment, name in zip(comments, names, strict=True):
        parents.append(known.get(comment.parent) if comment.parent is not None else None)
        known.setdefault(comment.id, name)
    return parents


def as_read(text: str) -> str:
    """Return the text as a reader of XML will get it back."""
    return _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _differences(own: dict[str, Any], follows: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in own.items() if follows.get(name) != value}


def _comment(covered: FormatComment, url: str) -> Comment:
    article = _article(covered.html, url)
    return Comment(
        id=covered.id, parent=covered.parent, author=covered.author, author_url=covered.author_url,
        published=covered.published, text=article["text"], html=article["html"] or None, type=covered.type,
    )  # fmt: skip


def _article(html: str, url: str) -> dict[str, Any]:
    """The article's fields; HTML that cannot be read is kept as it is."""
    if not html:
        return {"text": "", "html": None, "markdown": None}
    try:
        return article_fields(parse(html, url).tree, url)
    except UnreadablePage:
        return {"text": html, "html": html}


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
