"""What a post is once it is extracted: the record that archives, exports and people see.

A field that was not found is absent (None or empty), never guessed silently: `provenance` names for every
field the method, the rule and the confidence that gave it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

# How much of a date is known. A page that says "3 years ago" names no more than about a year.
Precision = Literal["minute", "day", "week", "month", "year"]


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where the value of one field comes from.

    `node` is the path of the element that gave the value, `/html/body/div[2]/article`, counted as XPath counts;
    `posterity.dom.tree.node_at` finds the element again. It is None where no single element did.
    """

    method: str
    rule: str | None = None
    node: str | None = None
    confidence: float
    warc: str | None = None
    at: datetime | None = None


class OddsChange(msgspec.Struct, frozen=True):
    """One reason for a value, and the factor by which it raised the odds of the value against the next best one.

    For the text of an article, the factor compares the blocks that were chosen with those that were not.
    """

    reason: str
    factor: float


class TracedProvenance(Provenance, frozen=True, kw_only=True):
    """A provenance with the reasons that decided, strongest first. Only made on request: records are stored without."""

    trace: tuple[OddsChange, ...] = ()


MediaKind = Literal["image", "audio", "video", "document", "embed"]


class Media(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, sound, film or document that the article shows or offers."""

    url: str
    file: str | None = None
    digest: str | None = None
    mime: str | None = None
    alt: str | None = None
    # An embed is a player or frame of another site, whose page `url` is; the others are files.
    kind: MediaKind = "image"
    provider: str | None = None
    title: str | None = None
    # The URL of a still picture of a video.
    poster: str | None = None

    @property
    def is_embed(self) -> bool:
        """Whether it is shown by another site, so that there is no file to download."""
        return self.kind == "embed" or self.provider is not None


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """One comment; `parent` is the id of the comment it replies to.

    `type` is "trackback" for what another site told of its own post (trackback, pingback); comments have none.
    """

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    text: str = ""
    html: str | None = None
    # Not in the JSON of comments: so it was before there were trackbacks, and so digests stay as they are.
    type: Literal["trackback"] | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_trackback(self) -> bool:
        """Whether another site told of its own post here."""
        return self.type == "trackback"


class Post(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """One post of a blog, with everything that was found of it.

    `language` is that of the text, `language_declared` what the page declares, which is often the template's.
    `access` is "restricted" for a post behind a password or a paywall, of which only what is visible is here.
    """

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
    language_declared: str | None = None
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
    access: Literal["restricted"] | None = None
    revision: int = 1
    provenance: dict[str, Provenance] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the record as the JSON lines have it: texts, numbers, lists and dicts; times are ISO 8601."""
        record: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))  # with lists, not tuples
        return record

    def to_json(self) -> str:
        """Return the record as one line of JSON, the exchange format."""
        return msgspec.json.encode(self).decode()


_FIELDS = {field.name: field for field in msgspec.structs.fields(Post)}
# What goes with a field that is named in the provenance.
_TOGETHER = {"published": ("published", "published_precision")}
ALL = "all"


def sure_part(post: Post, demands: Mapping[str, float]) -> Post | None:
    """Return the post without the fields whose confidence is below what is demanded; None where its text is.

    `demands` are by field, {"authors": 0.7}; "all" is for those that it does not name. The provenance stays whole, so
    that it can be seen what was left out, and why.
    """
    others = demands.get(ALL, 0.0)
    doubtful = [name for name, source in post.provenance.items() if source.confidence < demands.get(name, others)]
    if "text" in doubtful:
        return None
    changes: dict[str, Any] = {
        name: _FIELDS[name].default
        for source in doubtful
        for name in _TOGETHER.get(source, (source,))
        if name in _FIELDS
    }
    return msgspec.structs.replace(post, **changes) if changes else post


def demands_in(words: Iterable[str]) -> dict[str, float]:
    """Return the demands that the words name, `0.7` for all fields or `authors=0.7` for one, or raise `ValueError`."""
    demands: dict[str, float] = {}
    for word in words:
        field, _, least = word.rpartition("=")
        try:
            demands[field or ALL] = float(least)
        except ValueError:
            raise ValueError(f"{word} is no demand. Write 0.7, or authors=0.7 for one field.") from None
        if not 0 <= demands[field or ALL] <= 1:
            raise ValueError(f"Confidence goes from 0 to 1, and {least} does not.")
        if field and field not in _FIELDS:
            raise ValueError(f"A post has no field {field}.")
    return demands


def aware(moment: datetime) -> datetime:
    """Return a moment with a zone; one without is taken for UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
