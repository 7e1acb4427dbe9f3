"""Lossless round trips through formats that lack some fields (wxr, atom): the rest is JSON in an extension element.

A writer puts into the format's own elements what fits there (`FormatPost`). Writer and reader derive the same record
from these elements (`record_of`), so the rest contains only what differs from it; text and Markdown nearly always
follow from the HTML. Files of other programs have no rest, and their records are those derived from the elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from posterity.dom import parse
from posterity.errors import InputError, UnreadablePage
from posterity.export.xml import xml_text
from posterity.extraction.record import article_fields
from posterity.model import Comment, Post
from posterity.urls import blog_id, canonical_url, post_id

# Characters that XML cannot contain or that XML parsers change.
_UNFIT = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FormatComment(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a comment in a format's own elements."""

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    html: str = ""
    type: Literal["trackback"] | msgspec.UnsetType = msgspec.UNSET


class FormatPost(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a post in a format's own elements."""

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


def format_post(
    post: Post, names: Sequence[str], moment: Callable[[datetime | None], datetime | None], *, typed: bool, **own: Any
) -> FormatPost:
    """Return the content of a format's elements, as a reader will parse it.

    `names` are the ids of the comments, `moment` returns a time as the format has it, `typed` whether it has types of
    comments, and `own` are the fields that it writes in its own way.
    """

    def line(text: str | None) -> str | None:
        return as_parsed(text or "").strip() or None

    comments = tuple(
        FormatComment(
            id=name, parent=parent, author=line(comment.author), author_url=line(comment.author_url),
            published=moment(comment.published), html=as_parsed(comment.html or xml_text(comment.text)),
            type=comment.type if typed else msgspec.UNSET,
        )
        for comment, name, parent in zip(post.comments, names, earlier_parents(post.comments, names), strict=True)
    )  # fmt: skip
    return FormatPost(
        url=post.url,
        title=line(post.title),
        tags=tuple(filter(None, map(as_parsed, post.tags))),
        categories=tuple(filter(None, map(as_parsed, post.categories))),
        summary=line(post.summary),
        html=as_parsed(post.html or xml_text(post.text)),
        comments=comments,
        **own,
    )


def record_of(covered: FormatPost) -> Post:
    """Return the record that is derived from the elements."""
    url = canonical_url(covered.url)
    return Post(
        id=post_id(url),
        url=url,
        canonical_url=url,
        blog=blog_id(canonical_url(covered.blog_url)) if covered.blog_url else None,
        published_precision="minute" if covered.published else None,
        comments=tuple(_comment(comment, url) for comment in covered.comments),
        **{name: getattr(covered, name) for name in _PLAIN},
        **_article(covered.html, url),
    )


# Fields that are the same in the record.
_PLAIN = tuple(name for name in FormatPost.__struct_fields__ if name not in ("url", "blog_url", "html", "comments"))


def rest_of(post: Post, covered: FormatPost) -> str:
    """Return the part of the post that cannot be derived from the elements, as JSON for XML."""
    derived = msgspec.to_builtins(record_of(covered))
    rest = _differences(msgspec.to_builtins(post), derived)
    if "comments" in rest:
        pairs = zip(rest["comments"], derived["comments"], strict=True)
        rest["comments"] = [_differences(comment, other) for comment, other in pairs]
    return xml_json(rest)


def xml_json(value: object) -> str:
    """Return the JSON of a value, with escapes for characters that XML cannot contain."""
    return _UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", msgspec.json.encode(value).decode())


def with_rest(covered: FormatPost, rest: str) -> Post:
    """Return the whole record, from the elements and the rest."""
    derived = msgspec.to_builtins(record_of(covered))
    try:
        differences: dict[str, Any] = msgspec.json.decode(rest, type=dict[str, Any])
        if "comments" in differences:
            pairs = zip(derived["comments"], differences["comments"], strict=True)
            differences["comments"] = [comment | changes for comment, changes in pairs]
        return msgspec.convert(derived | differences, Post)
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"The record of {covered.url} in the file is damaged: {problem}.") from problem


def earlier_parents(comments: Sequence[Comment], names: Iterable[str]) -> list[str | None]:
    """Return the name of each comment's parent; None if the parent comes later, since readers would not know it."""
    known: dict[str, str] = {}
    parents = []
    for comment, name in zip(comments, names, strict=True):
        parents.append(known.get(comment.parent) if comment.parent is not None else None)
        known.setdefault(comment.id, name)
    return parents


def as_parsed(text: str) -> str:
    """Return the text as an XML parser will return it."""
    return _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _differences(record: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if derived.get(name) != value}


def _comment(covered: FormatComment, url: str) -> Comment:
    article = _article(covered.html, url)
    return Comment(
        id=covered.id, parent=covered.parent, author=covered.author, author_url=covered.author_url,
        published=covered.published, text=article["text"], html=article["html"] or None, type=covered.type,
    )  # fmt: skip


def _article(html: str, url: str) -> dict[str, Any]:
    """Return the fields of the article; HTML that cannot be parsed is kept unchanged."""
    if not html:
        return {"text": "", "html": None, "markdown": None}
    try:
        return article_fields(parse(html, url).tree, url)
    except UnreadablePage:
        return {"text": html, "html": html}
