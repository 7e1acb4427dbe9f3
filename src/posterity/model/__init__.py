"""The values that the stages exchange: frozen, typed, and unchanged by a JSON round trip."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from posterity.errors import InputError
from posterity.model.blog import Blog, Schedule, blog_id, post_id
from posterity.model.page import Feed, FeedEntry, Page, WarcPointer
from posterity.model.post import (
    Comment,
    Media,
    OddsChange,
    Post,
    Provenance,
    TracedProvenance,
    demands_in,
    sure_part,
)
from posterity.model.report import HarvestReport, MissingMedia, MissingPost, Rejected, SourceCount
from posterity.model.rules import FieldRule, Rule, RuleSet

__all__ = [
    "Blog",
    "Comment",
    "Feed",
    "FeedEntry",
    "FieldRule",
    "HarvestReport",
    "Media",
    "MissingMedia",
    "MissingPost",
    "OddsChange",
    "Page",
    "Post",
    "Provenance",
    "Rejected",
    "Rule",
    "RuleSet",
    "Schedule",
    "SourceCount",
    "TracedProvenance",
    "WarcPointer",
    "blog_id",
    "demands_in",
    "from_json",
    "post_id",
    "sure_part",
    "to_json",
]

T = TypeVar("T")


def to_json(value: object) -> bytes:
    """Return the value as one line of UTF-8 JSON, keys in the order of the model."""
    return msgspec.json.encode(value)


def from_json(line: bytes | str, kind: type[T]) -> T:
    """Parse JSON as a value of this kind; raise `InputError` with the position of the first error."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError) as problem:
        raise InputError(f"This is not the JSON of a {kind.__name__}: {problem}.") from problem
