"""What a feed says: its entries are the evidence that rules are learned from."""

from __future__ import annotations

from datetime import datetime

import msgspec


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry; `content` and `summary` are HTML as the feed gives it, links made absolute."""

    link: str | None = None
    guid: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    updated: datetime | None = None
    content: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] = ()
    language: str | None = None
    comments_url: str | None = None
    comment_feed: str | None = None
    comment_count: int | None = None


NO_FEED = "none"  # the format of the feed that stands in where a blog has none


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed as read; `problem` says what is wrong with it when entries could be read all the same."""

    url: str
    format: str
    title: str | None = None
    home: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    license: str | None = None
    next_url: str | None = None
    entries: tuple[FeedEntry, ...] = ()
    problem: str | None = None
