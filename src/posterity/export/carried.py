"""A post in a format that has no place for all of it: what the format carries, and the rest as JSON in an extension.

Whoever writes such a format (wxr, atom) says what its own elements carry. The record that follows from them is made the
same way by writer and reader, so the rest is only what differs: text and Markdown follow from the HTML nearly always.
A file of somebody else has no rest, and its posts are what its elements say.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.dom import parse
from posterity.errors import InputError, UnreadablePage
from posterity.extraction.record import article_fields
from posterity.model import Comment, Post, blog_id, post_id
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What XML cannot hold, and what its readers change.
_UNFIT = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class CarriedComment(msgspec.Struct, frozen=True, kw_only=True):
    """What a format's own elements say of a comment."""

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    html: str = ""


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What a format's own elements say of a post."""

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
    comments: tuple[CarriedComment, ...] = ()


def record_of(carried: Carried) -> Post:
    """Return the record that follows from what is carried."""
    url = canonical_url(carried.url)
    plain = {name: getattr(carried, name) for name in _PLAIN}
    return Post(
        id=post_id(url),
        url=url,
        canonical_url=url,
        blog=blog_id(canonical_url(carried.blog_url)) if carried.blog_url else None,
        published_precision="minute" if carried.published else None,
        comments=tuple(_comment(comment, url) for comment in carried.comments),
        **plain,
        **_article(carried.html, url),
    )


# What is said as it stands in the record.
_PLAIN = tuple(name for name in Carried.__struct_fields__ if name not in ("url", "blog_url", "html", "comments"))


def rest_of(post: Post, carried: Carried) -> str:
    """Return what of the post does not follow from what is carried, as JSON that XML can hold."""
    follows = msgspec.to_builtins(record_of(carried))
    rest = _differences(msgspec.to_builtins(post), follows)
    if "comments" in rest:
        pairs = zip(rest["comments"], follows["comments"], strict=True)
        rest["comments"] = [_differences(own, said) for own, said in pairs]
    return _UNFIT.sub(_escaped, msgspec.json.encode(rest).decode())


def with_rest(carried: Carried, rest: str) -> Post:
    """Return the whole record again."""
    follows = msgspec.to_builtins(record_of(carried))
    try:
        said: dict[str, Any] = msgspec.json.decode(rest, type=dict[str, Any])
        if "comments" in said:
            pairs = zip(follows["comments"], said["comments"], strict=True)
            said["comments"] = [comment | differs for comment, differs in pairs]
        return msgspec.convert(follows | said, Post)
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError, ValueError) as problem:
        raise InputError(f"The record of {carried.url} in the file is damaged: {problem}.") from problem


def earlier_parents(comments: Sequence[Comment], names: Iterable[str]) -> list[str | None]:
    """Return the name of the comment that each one answers; one that comes later is nobody's parent for a reader."""
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


def _comment(carried: CarriedComment, url: str) -> Comment:
    article = _article(carried.html, url)
    return Comment(
        id=carried.id, parent=carried.parent, author=carried.author, author_url=carried.author_url,
        published=carried.published, text=article["text"], html=article["html"] or None,
    )  # fmt: skip


def _article(html: str, url: str) -> dict[str, Any]:
    """The article's fields; HTML that cannot be read is kept as it is."""
    if not html:
        return {"text": "", "html": None, "markdown": None}
    try:
        return article_fields(parse(html, url).tree, url)
    except UnreadablePage:
        return {"text": html, "html": html}


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
