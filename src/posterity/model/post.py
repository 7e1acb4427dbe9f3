"""What a post is once it is extracted: the record that archives, exports and people see.

A field that was not found is absent (None or empty), never guessed silently: `provenance` names for every
field the method, the rule and the confidence that gave it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

Precision = Literal["minute", "day"]


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where the value of one field comes from."""

    method: str
    rule: str | None = None
    confidence: float
    warc: str | None = None
    at: datetime | None = None


class Media(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, sound, film or document that the article shows or offers."""

    url: str
    file: str | None = None
    digest: str | None = None
    mime: str | None = None
    alt: str | None = None


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """One comment; `parent` is the id of the comment it answers."""

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    text: str = ""
    html: str | None = None


class Post(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """One post of a blog, with everything that was found of it."""

    id: str
    url: str
    canonical_url: str | None = None
    blog: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    published_precision: Precision | None = None
    modified: datetime | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    license: str | None = None
    summary: str | None = None
    text: str = ""
    markdown: str | None = None
    html: str | None = None
    media: tuple[Media, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[str, ...] = ()
    revision: int = 1
    provenance: dict[str, Provenance] = {}
