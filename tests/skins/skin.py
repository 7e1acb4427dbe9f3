"""A skin: a template in the style of a platform, and the settings of the blogs that use it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, TypeAlias

import msgspec
from tests.skins.passages import KINDS

FeedFormat: TypeAlias = Literal["rss", "atom", "json"]
Extent: TypeAlias = Literal["full", "summary", "titles"]

# The time at which all pages of the gallery are fetched.
NOW = datetime(2024, 6, 1, 12, 0, tzinfo=UTC)


class Skin(msgspec.Struct, frozen=True, kw_only=True):
    """The appearance of a blog: `templates/NAME.html.j2`, and everything that is not markup."""

    name: str
    language: str = "en"
    # A format of URLs with date, slug and number.
    url_pattern: str
    feed: FeedFormat = "rss"
    extent: Extent = "full"
    about: str = "/about/"
    archive: str = "/archive/"
    # The number of authors, and whether pages show them.
    authors: int = 1
    signed: bool = True
    comments: bool = False
    # Every n-th post has no title; 0 for none.
    untitled: int = 0
    kinds: tuple[str, ...] = tuple(KINDS)
    newest: datetime = NOW
    days_between: tuple[int, int] = (2, 40)
