"""The completeness report of a harvest: what each source listed, what was kept, what is missing and why."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

# Words of Browsertrix where they mean the same (outOfScope, pageLimit, robotsTxt, duplicate).
Reason = Literal[
    "duplicate",
    "error",
    "givenUp",
    "httpError",
    "networkError",
    "noArticle",
    "notHtml",
    "notPost",
    "optOut",
    "outOfScope",
    "pageLimit",
    "robotsTxt",
    "takenDown",
    "unreadable",
]
# What became of a URL that some source named; each URL has exactly one.
Outcome = Literal["stored", "alias", "notPost", "notFetched", "refused", "failed"]
OUTCOMES: dict[Reason, Outcome] = {
    "duplicate": "alias",
    "error": "failed",
    "givenUp": "notFetched",
    "httpError": "failed",
    "networkError": "failed",
    "noArticle": "failed",
    "notHtml": "notPost",
    "notPost": "notPost",
    "optOut": "refused",
    "outOfScope": "notFetched",
    "pageLimit": "notFetched",
    "robotsTxt": "refused",
    "takenDown": "refused",
    "unreadable": "failed",
}


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """A URL that gave no post, and why."""

    url: str
    reason: Reason
    detail: str = ""


class SourceCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many post URLs one source listed, and how many no earlier source had."""

    source: str
    listed: int
    new: int


class MissingPost(msgspec.Struct, frozen=True, kw_only=True):
    """A listed post that was not harvested."""

    url: str
    reason: Reason
    detail: str = ""


class MissingMedia(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, sound, film or document of a post that could not be kept."""

    url: str
    post: str
    reason: str


class HarvestReport(msgspec.Struct, frozen=True, kw_only=True):
    """How one harvest ended."""

    blog: str
    url: str
    started_at: datetime
    ended_at: datetime
    ended_because: str
    sources: tuple[SourceCount, ...] = ()
    posts: int = 0
    new_posts: int = 0
    comments: int = 0
    media: int = 0
    requests: int = 0
    bytes: int = 0
    missing: tuple[MissingPost, ...] = ()
    # Requests for pictures, sounds, films and documents; `requests` are those for pages, feeds and sitemaps.
    media_requests: int = 0
    missing_media: tuple[MissingMedia, ...] = ()
    # Pages on which something of ours failed; the traceback was printed when it happened.
    errors: int = 0
    # How many stored posts ask not to be archived or mined (noarchive, noai, tdm-reservation), by what they ask.
    optouts: dict[str, int] = {}
    # The longest wait between two requests that any host was granted.
    delay_s: float = 0.0
    # Bytes of media; `bytes` are those of pages, feeds and sitemaps.
    media_bytes: int = 0
    # What became of every URL that a source named: the numbers add up to `urls`.
    outcomes: dict[str, int] = {}
    # Why there are no rules for this blog, if there are none: its pages were read one by one.
    no_rules: str = ""
    # Requests to a source that failed or were given up.
    notes: tuple[str, ...] = ()
    # Whether one of the lists may be readable another time.
    gave_up: bool = False

    @property
    def urls(self) -> int:
        """How many URLs the sources named."""
        return sum(self.outcomes.values())

    @property
    def is_complete(self) -> bool:
        """Whether every listed post is archived, with its media, and nothing ended the harvest early."""
        return not (self.missing or self.missing_media or self.errors or self.notes or self.is_cut_short)

    @property
    def is_cut_short(self) -> bool:
        """Whether a limit or a person ended it before the blog did; the next harvest goes on from there."""
        return "limit was reached" in self.ended_because or "interrupted" in self.ended_because

    @property
    def requests_per_post(self) -> float:
        """How many requests for pages, feeds and sitemaps a stored post has cost."""
        return self.requests / max(1, self.posts)

    @property
    def bytes_per_post(self) -> int:
        """How many bytes of pages, feeds and sitemaps a stored post has cost."""
        return self.bytes // max(1, self.posts)


class UpdateReport(msgspec.Struct, frozen=True, kw_only=True):
    """How one update ended. `requests` are all that left the machine, robots.txt and retries among them.

    `unchanged` pages were requested again and are the same; `missing` were not found for the first time, and
    are `gone` when the next update does not find them either. `rules` is the version in use at the end.
    """

    blog: str
    url: str
    started_at: datetime
    ended_at: datetime
    ended_because: str
    new: int = 0
    edited: int = 0
    gone: int = 0
    back: int = 0
    moved: int = 0
    missing: int = 0
    unchanged: int = 0
    comments: int = 0
    requests: int = 0
    bytes: int = 0
    rules: int = 0
    relearned: bool = False
    due_at: datetime | None = None

    @property
    def has_news(self) -> bool:
        """Tell whether anything is different from the last time."""
        return bool(self.new or self.edited or self.gone or self.back or self.moved or self.missing or self.comments)
