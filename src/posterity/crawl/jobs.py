"""A blog to harvest: all data that a worker needs, as one line of JSON.

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

VERBOSE_VARIABLE = "POSTERITY_VERBOSE"  # of the environment, from which workers know how much to log


def log_to_stderr(verbosity: int) -> None:
    """Log on standard error, here and in the processes started from here: 1 is information, 2 everything."""
    os.environ[VERBOSE_VARIABLE] = str(verbosity)
    level = logging.DEBUG if verbosity > 1 else logging.INFO
    handler = logging.StreamHandler()
    handler.setFormatter(_PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


class _PrintableFormatter(logging.Formatter):
    """Log lines without control characters: they have URLs and messages of servers in them."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class HarvestJob(msgspec.Struct, frozen=True, kw_only=True):
    """The blog's URL, the archive's place, and the settings."""

    url: str
    archive: str
    settings: Settings = Settings()


_SHOWN = 500  # characters of a URL in a message


def checked_url(url: str) -> str:
    """Return the URL if it can be harvested, or raise with the way it should be written."""
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
    """The blog's id and URL, the archive's place, and the settings.

    `since` leaves older posts alone. `revisits` is how many known posts are asked for again at most without a reason;
    with `revisit_always` also when the blog has no news. `rotation` is in how many updates every post is requested at
    least once; None: as the blog's record has it. What was requested from `asked_since` on is not requested again.
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
    """One more page came in; `known` URLs are waiting or done, `sources` have named so many posts each."""

    url: str
    status: int
    bytes: int
    pages: int
    known: int
    sources: dict[str, int] = {}


class Stored(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="stored"):
    """A post is in the archive."""

    url: str
    title: str | None
    state: Literal["new", "changed", "same"]
    posts: int


class PageError(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="pageerror"):
    """Something of ours failed on one page, and the harvest goes on; `traceback` is for the report of the bug."""

    url: str
    error: str
    traceback: str


class Drifted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="drifted"):
    """New feed entries do not agree with the rules, `failing` of `pages`; `version` was learned then, if any."""

    pages: int
    failing: int
    version: int | None = None


class Gone(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="gone"):
    """The blog no longer shows a post, as two updates have seen; its record stays."""

    url: str
    status: int


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="moved"):
    """The home page of the blog leads to another host: it is followed there from now on."""

    url: str
    to: str


class Rotating(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="rotating"):
    """So many requests are about to be sent so that each of the posts is requested once in so many updates."""

    posts: int
    requests: int
    updates: int


class Ended(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="ended"):
    """The harvest is over and this is what it brought."""

    report: HarvestReport


class Updated(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="updated"):
    """The update is over and this is what it brought."""

    report: UpdateReport


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="failed"):
    """The harvest could not go on."""

    error: str
    message: str
    exit_code: int


Event = (
    Started
    | FeedRead
    | Learned
    | Fetched
    | Stored
    | PageError
    | Drifted
    | Gone
    | Moved
    | Rotating
    | Ended
    | Updated
    | Failed
)
