"""The completeness report of a harvest: what each source listed, what was stored, what is missing and why."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

# The names of Browsertrix where the meaning is the same (outOfScope, pageLimit, robotsTxt, duplicate).
Reason = Literal[
    "duplicate", "error", "givenUp", "httpError", "interstitial", "networkError", "noArticle", "notHtml", "notPost",
    "optOut", "outOfScope", "pageLimit", "robotsTxt", "takenDown", "unreadable",
]  # fmt: skip
# The outcome of a URL that some source named; each URL has exactly one.
Outcome = Literal["stored", "alias", "notPost", "notFetched", "outside", "refused", "failed"]
OUTCOMES: dict[Reason, Outcome] = {
    "duplicate": "alias", "error": "failed", "givenUp": "notFetched", "httpError": "failed", "interstitial": "failed",
    "networkError": "failed", "noArticle": "failed", "notHtml": "notPost", "notPost": "notPost", "optOut": "refused",
    "outOfScope": "outside", "pageLimit": "notFetched", "robotsTxt": "refused", "takenDown": "refused",
    "unreadable": "failed",
}  # fmt: skip


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """A URL without a post, and the reason."""

    url: str
    reason: Reason
    detail: str = ""


class SourceCount(msgspec.Struct, frozen=True, kw_only=True):
    """The number of post URLs that a source listed, and of those that no earlier source had listed."""

    source: str
    listed: int
    new: int


class MissingPost(msgspec.Struct, frozen=True, kw_only=True):
    """A listed post that was not harvested."""

    url: str
    reason: Reason
    detail: str = ""


class MissingMedia(msgspec.Struct, frozen=True, kw_only=True):
    """An image, audio, video or document of a post that could not be stored."""

    url: str
    post: str
    reason: str


class HarvestReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one harvest."""

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
    # Requests for images, audio, video and documents; `requests` are those for pages, feeds and sitemaps.
    media_requests: int = 0
    missing_media: tuple[MissingMedia, ...] = ()
    # Pages on which Posterity itself failed; the traceback was printed.
    errors: int = 0
    # Stored posts that declare an opt-out from archiving or mining, by opt-out (noarchive, noai, tdm-reservation).
    optouts: dict[str, int] = {}
    # The longest pause between two requests to any host.
    delay_s: float = 0.0
    # Bytes of media; `bytes` are those of pages, feeds and sitemaps.
    media_bytes: int = 0
    # The number of URLs that a source named, by outcome; they add up to `urls`.
    outcomes: dict[str, int] = {}
    # The reason why there are no rules for this blog, if there are none; every page was extracted without rules.
    no_rules: str = ""
    # Sources that could not be read completely.
    notes: tuple[str, ...] = ()
    # Whether one of these sources may be readable at another time.
    gave_up: bool = False
    # The number of unfetched sitemap URLs that are unlike every fetched URL; URLs of lists do not count.
    never_sampled: int = 0

    @property
    def urls(self) -> int:
        """The number of URLs that the sources named."""
        return sum(self.outcomes.values())

    @property
    def is_complete(self) -> bool:
        """Whether every listed post is archived, with its media, and nothing ended the harvest early."""
        return not (self.missing or self.missing_media or self.errors or self.notes or self.is_cut_short)

    @property
    def is_cut_short(self) -> bool:
        """Whether a limit or the user ended the harvest; the next harvest continues there."""
        return "limit was reached" in self.ended_because or "interrupted" in self.ended_because

    @property
    def requests_per_post(self) -> float:
        """The number of requests for pages, feeds and sitemaps per stored post."""
        return self.requests / max(1, self.posts)

    @property
    def bytes_per_post(self) -> int:
        """The number of bytes of pages, feeds and sitemaps per stored post."""
        return self.bytes // max(1, self.posts)


class UpdateReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one update. `requests` includes robots.txt and retries.

    `unchanged` pages were requested again and are the same. `missing` posts were not found for the first time, and are
    `gone` if the next update does not find them either. `failed` pages could not be read; `failures` names some.
    `rules` is the version in use at the end.
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
    failed: int = 0
    failures: tuple[Rejected, ...] = ()
    comments: int = 0
    requests: int = 0
    bytes: int = 0
    rules: int = 0
    relearned: bool = False
    due_at: datetime | None = None

    @property
    def has_news(self) -> bool:
        """Whether anything has changed since the last update."""
        return bool(self.new or self.edited or self.gone or self.back or self.moved or self.missing or self.comments)
