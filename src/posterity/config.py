"""Every setting, one frozen object per stage, each with its default and the reason for it."""

from __future__ import annotations

from typing import Literal

import msgspec

__version__ = "0.2.0"

PROJECT_URL = "https://github.com/posterity-archive/posterity"
CONTACT_VARIABLE = "POSTERITY_CONTACT"  # of the environment
# The name of our own elements and categories in XML exports. It must not change: importers compare it as text.
XML_NAMESPACE = f"{PROJECT_URL}/ns/1.0"

RenderMode = Literal["auto", "always", "never"]


def user_agent(contact: str = "") -> str:
    """Return the User-Agent of our requests. `contact` is the e-mail address or URL of the operator."""
    return f"Posterity/{__version__} (blog archiving; +{PROJECT_URL}{f'; {contact}' if contact else ''})"


class ParseLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The largest and deepest page that `dom` parses."""

    max_bytes: int = 64 * 1024 * 1024
    # Lexbor's time grows with the square of the depth: 10,000 levels take 0.1 s, 100,000 take 20 s.
    max_depth: int = 20_000
    # An element costs some 4 kB until its page is read. The largest page of the test blogs and data sets has 21,421.
    max_elements: int = 200_000
    # And so many where they have fewer bytes than 16 each, markup included: no text that people read looks so.
    max_short_elements: int = 50_000


class LearnSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How `learn` turns evidence into rules."""

    max_pages: int = 40
    # A rule below this mean similarity is worse than no rule: it selects a sidebar or the whole page.
    min_confidence: float = 0.3


class CrawlSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a crawl behaves towards a blog."""

    delay_s: float = 1.0
    # Read what the last harvest stored from the archive, and ask only for what it could not get.
    retry_missing: bool = False
    concurrency: int = 4
    limit_pages: int | None = None
    time_limit_s: float | None = None
    limit_bytes: int | None = None
    timeout_s: float = 30.0
    retries: int = 2
    max_page_bytes: int = 32 * 1024 * 1024
    render: RenderMode = "auto"
    media: bool = True
    # A podcast episode has 30 to 60 MB; hour-long videos are out of scope.
    max_media_bytes: int = 64 * 1024 * 1024
    comments: bool = True
    # Whom the owner of a site can write to: an e-mail address or a URL.
    contact: str = ""
    # Sent instead of our own User-Agent, as it is.
    user_agent: str = ""
    # Opt-outs from archiving and mining are always recorded; with this, such pages are left out.
    respect_optout: bool = False
    # For URLs given by a stranger: nothing on this machine or in a private network, but for these hosts.
    public_only: bool = False
    allowed_hosts: tuple[str, ...] = ()
    # Whether a blog on the public web may lead to hosts on this machine or in a private network.
    allow_private: bool = False
    # Whether a crawl with `public_only` uses the proxy of the environment.
    use_proxy: bool = False

    def without_limits(self) -> CrawlSettings:
        """Return what of them is of the blog and not of one run: no limits, and no guards of the one who runs it."""
        own = CrawlSettings()
        of_run = (
            "retry_missing", "limit_pages", "time_limit_s", "limit_bytes", "public_only", "allowed_hosts", "use_proxy",
        )  # fmt: skip
        return msgspec.structs.replace(self, **{name: getattr(own, name) for name in of_run})

    @property
    def sent_user_agent(self) -> str:
        """The text of the User-Agent header."""
        return self.user_agent or user_agent(self.contact)


class RenderSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How `render` uses a browser, and the URLs of comment services."""

    # Pages open at a time. A page takes some 200 ms of processor time, and waits for the network in between.
    pages: int = 4
    page_timeout_s: float = 60.0
    # A page is taken as it is when it has not come to rest after this time...
    settle_timeout_s: float = 8.0
    # ...and is at rest when for so long nothing was requested and nothing has changed.
    quiet_s: float = 0.06
    # A page or a place for comments that is still empty is given so long without a change.
    empty_s: float = 1.5
    # A thread of 5,000 comments at 50 a click; an endless page ends somewhere.
    max_clicks: int = 100
    max_scrolls: int = 60
    max_bytes: int = 64 * 1024 * 1024
    # Chromium does not give back all memory of the pages it has shown.
    recycle_pages: int = 250
    recycle_mb: int = 2000
    # A process of one page that takes more is ended; so is the largest one when the whole browser takes more.
    page_mb: int = 1000
    browser_mb: int = 3000
    # A page whose scripts let nothing else run for so long, or that takes so much processor time, is given up.
    unresponsive_s: float = 10.0
    page_cpu_s: float = 30.0
    # After so many pages in a row that could not be rendered within their limits, a blog is read without a browser.
    max_failures: int = 3
    allow_private: bool = False
    screenshot: bool = False
    # Where public data of comment services are requested.
    disqus_url: str = "https://disqus.com"
    github_url: str = "https://api.github.com"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All of them together."""

    parse: ParseLimits = ParseLimits()
    learn: LearnSettings = LearnSettings()
    crawl: CrawlSettings = CrawlSettings()
    render: RenderSettings = RenderSettings()
