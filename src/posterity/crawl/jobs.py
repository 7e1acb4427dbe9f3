"""The jobs of workers, and the events that they report: each is one line of JSON.

NewCrawl keeps no state outside the archive (BlogForever paper, section 2.4), so any worker can take any job.
"""

from __future__ import annotations

import logging
import os
import re
from datetime import datetime
from typing import Literal

import msgspec

from posterity.config import Settings
from posterity.errors import UsageError
from posterity.model import HarvestReport, RuleSet
from posterity.model.report import UpdateReport
from posterity.text.normal_form import printable
from posterity.urls import is_http_url, with_scheme, without_login

VERBOSE_VARIABLE = "POSTERITY_VERBOSE"  # the environment variable that tells workers how much to log


def log_to_stderr(verbosity: int) -> None:
    """Log to standard error, in this process and those that it starts: 1 is information, 2 everything."""
    os.environ[VERBOSE_VARIABLE] = str(verbosity)
    level = logging.DEBUG if verbosity > 1 else logging.INFO
    handler = logging.StreamHandler()
    handler.setFormatter(_PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


class _PrintableFormatter(logging.Formatter):
    """Removes control characters from log lines, which contain URLs and messages of servers."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class HarvestJob(msgspec.Struct, frozen=True, kw_only=True):
    """The URL of the blog, the location of the archive, and the settings."""

    url: str
    archive: str
    settings: Settings = Settings()


_SHOWN = 500  # characters of a URL in a message


def checked_url(url: str) -> str:
    """Return the URL if it can be harvested; otherwise raise `UsageError` with the correct form."""
    if (shown := without_login(url)) != url:
        raise UsageError(
            f"{shown} was given with a user name or password, which would be stored with every record. Leave it out; "
            "pages behind a login cannot be harvested."
        )
    if not is_http_url(url):
        shown = url if len(url) <= _SHOWN else f"{url[:_SHOWN]}..."
        if re.search(r"^[a-z]+:/|://|\s", url, re.IGNORECASE):  # htp:/blog.example, words
            raise UsageError(f"{shown} is not a web URL. Give one that begins with http:// or https://.")
        raise UsageError(f"The URL {shown} has no scheme. Write {with_scheme(shown)} instead.")
    return url


REVISITS = 10


class UpdateJob(msgspec.Struct, frozen=True, kw_only=True):
    """The id and URL of the blog, the location of the archive, and the settings.

    `since` excludes older posts. `revisits` is the largest number of known posts that are requested again without a
    reason; with `revisit_always`, even if the blog has no news. `rotation` is the number of updates in which every post
    is requested at least once; None: as in the blog's record. Responses since `asked_since` are not requested again.
    """

    blog: str
    url: str
    archive: str
    asked_since: datetime | None = None
    since: datetime | None = None
    revisits: int = REVISITS
    revisit_always: bool = False
    rotation: int | None = None
    settings: Settings = Settings()


class Started(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="started"):
    """The harvest of a blog has started."""

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
    """A page was fetched; `known` URLs are waiting or done, `sources` are the numbers of posts named by each."""

    url: str
    status: int
    bytes: int
    pages: int
    known: int
    sources: dict[str, int] = {}


class Stored(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="stored"):
    """A post has been stored."""

    url: str
    title: str | None
    state: Literal["new", "changed", "same"]
    posts: int


class PageError(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="pageerror"):
    """An unexpected error on one page, after which the harvest continues; `traceback` is for a bug report."""

    url: str
    error: str
    traceback: str


class Drifted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="drifted"):
    """Of `pages` new feed entries, `failing` do not agree with the rules; `version` was learned then, if any."""

    pages: int
    failing: int
    version: int | None = None


class Gone(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="gone"):
    """The blog no longer shows a post, as two updates have confirmed; its record is kept."""

    url: str
    status: int


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="moved"):
    """The home page of the blog redirects to another host, where it is followed from now on."""

    url: str
    to: str


class Rotating(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="rotating"):
    """The update will send this many requests, so that each post is requested once in so many updates."""

    posts: int
    requests: int
    updates: int


class Ended(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="ended"):
    """The harvest has ended."""

    report: HarvestReport


class Updated(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="updated"):
    """The update has ended."""

    report: UpdateReport


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="failed"):
    """The harvest has failed."""

    error: str
    message: str
    exit_code: int


_End = Ended | Updated | Failed
Event = Started | FeedRead | Learned | Fetched | Stored | PageError | Drifted | Gone | Moved | Rotating | _End
