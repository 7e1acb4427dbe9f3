"""What a harvest says while it runs, one value per event; with --json these are the lines that are printed."""

from __future__ import annotations

from typing import Literal

import msgspec

from posterity.model import HarvestReport, RuleSet


class Started(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="started"):
    """The harvest of a blog begins."""

    url: str


class FeedRead(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="feedread"):
    """A feed was found and read."""

    url: str
    format: str
    entries: int
    problem: str | None = None


class Learned(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="learned"):
    """Rules were learned from the feed's pages."""

    rules: RuleSet


class Fetched(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="fetched"):
    """One more page came in; `known` addresses are waiting or done."""

    url: str
    status: int
    bytes: int
    pages: int
    known: int


class Stored(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="stored"):
    """A post is in the archive."""

    url: str
    title: str | None
    state: Literal["new", "changed", "same"]
    posts: int


class Ended(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="ended"):
    """The harvest is over and this is what it brought."""

    report: HarvestReport


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="failed"):
    """The harvest could not go on."""

    error: str
    message: str
    exit_code: int


Event = Started | FeedRead | Learned | Fetched | Stored | Ended | Failed
