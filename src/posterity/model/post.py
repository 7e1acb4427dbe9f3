"""The record of an extracted post, as it is stored and exported.

A field that was not found is None or empty, never a silent guess: `provenance` has the method, the rule and the
confidence of every field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

# The precision of a date: "3 years ago" is precise to about a year.
Precision = Literal["minute", "day", "week", "month", "year"]


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of the value of one field.

    `node` is the path of the element that contains the value, such as `/html/body/div[2]/article`, with the indexes of
    XPath; `posterity.dom.tree.node_at` returns the element. It is None if there is no single element.
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
    """A provenance with the reasons for the value, strongest first. Only on request; not stored in the archive."""

    trace: tuple[OddsChange, ...] = ()


MediaKind = Literal["image", "audio", "video", "document", "embed"]


class Media(msgspec.Struct, frozen=True, kw_only=True):
    """An image, audio, video or document that the article shows or links to."""

    url: str
    file: str | None = None
    digest: str | None = None
    mime: str | None = None
    alt: str | None = None
    # An embed is a player or frame of another site, and `url` its page; the others are files.
    kind: MediaKind = "image"
    provider: str | None = None
    title: str | None = None
    # The URL of the preview image of a video.
    poster: str | None = None

    @property
    def is_embed(self) -> bool:
        """Whether it is embedded from another site, so there is no file to download."""
        return self.kind == "embed" or self.provider is not None


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """One comment; `parent` is the id of the comment it replies to.

    `type` is "trackback" for a trackback or pingback from another site; comments have none.
    """

    id: str
    parent: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    text: str = ""
    html: str | None = None
    # Left out of the JSON of comments, so that digests of records from before this field stay valid.
    type: Literal["trackback"] | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_trackback(self) -> bool:
        """Whether this is a trackback or pingback."""
        return self.type == "trackback"


def origins_on(provenance: Mapping[str, Provenance], warc: str | None, at: datetime | None) -> dict[str, Provenance]:
    """Return the provenance with the WARC record of the page, and the time at which it was fetched."""
    return {field: msgspec.structs.replace(origin, warc=warc, at=at) for field, origin in provenance.items()}


class Post(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """One post of a blog, with all fields that were found.

    `language` is that of the text, `language_declared` the one that the page declares, which is often the template's.
    `access` is "restricted" for a post behind a password or a paywall, of which only the visible part is stored.
    `cover` is the URL of the picture that stands for the post; it is in `media`, too, unless the article shows
    it in another size. `reading_minutes` is the page's own estimate.
    """

    id: str
    url: str
    canonical_url: str | None = None
    blog: str | None = None
    title: str | None = None
    subtitle: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    published_precision: Precision | None = None
    modified: datetime | None = None
    language: str | None = None
    language_declared: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    series: str | None = None
    license: str | None = None
    summary: str | None = None
    text: str = ""
    markdown: str | None = None
    html: str | None = None
    reading_minutes: int | None = None
    cover: str | None = None
    media: tuple[Media, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[str, ...] = ()
    access: Literal["restricted"] | None = None
    revision: int = 1
    provenance: dict[str, Provenance] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the record as in JSON lines: texts, numbers, lists and dicts; times are ISO 8601."""
        record: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))  # with lists, not tuples
        return record

    def to_json(self) -> str:
        """Return the record as one line of JSON, the exchange format."""
        return msgspec.json.encode(self).decode()


_FIELDS = {field.name: field for field in msgspec.structs.fields(Post)}
# Fields that share one entry of the provenance.
_TOGETHER = {"published": ("published", "published_precision")}
ALL = "all"


def sure_part(post: Post, demands: Mapping[str, float]) -> Post | None:
    """Return the post without the fields whose confidence is too low; None if the text is one of them.

    `demands` are minimum values by field, {"authors": 0.7}; "all" is for all other fields. The provenance of removed
    fields is kept.
    """
    others = demands.get(ALL, 0.0)
    doubtful = [name for name, source in post.provenance.items() if source.confidence < demands.get(name, others)]
    if "text" in doubtful:
        return None
    names = (name for source in doubtful for name in _TOGETHER.get(source, (source,)))
    changes: dict[str, Any] = {name: _FIELDS[name].default for name in names if name in _FIELDS}
    return msgspec.structs.replace(post, **changes) if changes else post


def demands_in(words: Iterable[str]) -> dict[str, float]:
    """Parse minimum confidences, `0.7` for all fields or `authors=0.7` for one; raise `ValueError`."""
    demands: dict[str, float] = {}
    for word in words:
        field, _, least = word.rpartition("=")
        try:
            demands[field or ALL] = float(least)
        except ValueError:
            raise ValueError(f"{word} is not a confidence. Write 0.7, or authors=0.7 for one field.") from None
        if not 0 <= demands[field or ALL] <= 1:
            raise ValueError(f"A confidence is between 0 and 1, but {least} is not.")
        if field and field not in _FIELDS:
            raise ValueError(f"A post has no field {field}.")
    return demands


def aware(moment: datetime) -> datetime:
    """Return the time with a time zone; UTC is assumed if it has none."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
