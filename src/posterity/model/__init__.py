"""The values that the stages exchange: frozen, typed, and unchanged by a JSON round trip."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from posterity.errors import InputError
from posterity.model.blog import Blog, Schedule
from posterity.model.page import Feed, FeedEntry, Page, WarcPointer
from posterity.model.post import Comment, Media, OddsChange, Post, Provenance, TracedProvenance, demands_in, sure_part
from posterity.model.report import HarvestReport, MissingMedia, MissingPost, Rejected, SourceCount
from posterity.model.rules import FieldRule, Rule, RuleSet, check_rules

__all__ = [
    "Blog", "Comment", "Feed", "FeedEntry", "FieldRule", "HarvestReport", "Media", "MissingMedia", "MissingPost",
    "OddsChange", "Page", "Post", "Provenance", "Rejected", "Rule", "RuleSet", "Schedule", "SourceCount",
    "TracedProvenance", "WarcPointer", "demands_in", "from_json", "from_toml", "sure_part", "to_json",
]  # fmt: skip

T = TypeVar("T")
_MAX_TOML = 64 * 1024  # a dotted key takes quadratic time and memory: gigabytes for 100,000 parts


def to_json(value: object) -> bytes:
    """Return the value as one line of UTF-8 JSON, keys in the order of the model."""
    return msgspec.json.encode(value)


def from_json(line: bytes | str, kind: type[T]) -> T:
    """Parse JSON as a value of this kind; raise `InputError` with the position of the first error."""
    try:
        value = msgspec.json.decode(line, type=kind)
        if isinstance(value, RuleSet):
            check_rules(value)
    except (ValueError, RecursionError) as problem:  # msgspec's errors and Unicode errors are ValueErrors
        raise InputError(f"This is not the JSON of a {kind.__name__}: {problem}.") from problem
    return value


def from_toml(text: str, name: str) -> dict[str, Any]:
    """Parse TOML from a file that may be untrusted; raise `InputError` with the file's name and the defect."""
    import tomllib  # rarely needed: most users have no such file

    if len(text) > _MAX_TOML:
        raise InputError(f"{name} has more than {_MAX_TOML:,} characters. Make it shorter.")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # ValueError: bad TOML, or an integer with thousands of digits
        raise InputError(f"{name} is not valid TOML: {problem}.") from problem
