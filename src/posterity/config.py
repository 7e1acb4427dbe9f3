"""All settings, one frozen object per stage, with their defaults and the reasons for them."""

from __future__ import annotations

from typing import Literal

import msgspec

__version__ = "0.4.0"

PROJECT_URL = "https://github.com/posterity-archive/posterity"
CONTACT_VARIABLE = "POSTERITY_CONTACT"  # environment variable
# The namespace of Posterity's elements and categories in XML exports. It must not change: importers compare it.
XML_NAMESPACE = f"{PROJECT_URL}/ns/1.0"

RenderMode = Literal["auto", "always", "never"]


def user_agent(contact: str = "") -> str:
    """Return the User-Agent header; `contact` is the e-mail address or URL of the operator."""
    return f"Posterity/{__version__} (blog archiving; +{PROJECT_URL}{f'; {contact}' if contact else ''})"


class ParseLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on pages to parse."""

    max_bytes: int = 64 * 1024 * 1024
    # Lexbor is quadratic in the depth: 10,000 levels take 0.1 s, 100,000 take 20 s.
    max_depth: int = 20_000
    # An element takes about 4 kB of memory. The largest page of the test blogs and data sets has 21,421 elements.
    max_elements: int = 200_000
    # The limit if elements average fewer than 16 bytes, markup included: no readable text looks like that.
    max_short_elements: int = 50_000


class LearnSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How `learn` turns evidence into rules."""

    max_pages: int = 40
    # A rule below this mean similarity is worse than no rule: it selects a sidebar or the whole page.
    min_confidence: float = 0.3


class CrawlSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a crawl requests pages, and what it keeps."""

    delay_s: float = 1.0
    # Take the pages of the last harvest from the archive, and request only those that it failed to fetch.
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
    # A podcast episode is 30 to 60 MB; hour-long videos are out of scope.
    max_media_bytes: int = 64 * 1024 * 1024
    comments: bool = True
    # An e-mail address or URL at which site owners can reach the operator.
    contact: str = ""
    # Replaces the default User-Agent.
    user_agent: str = ""
    # Skip pages that opt out of archiving or mining. Opt-outs are recorded in any case.
    respect_optout: bool = False
    # For untrusted URLs: refuse hosts on this machine or in a private network, except `allowed_hosts`.
    public_only: bool = False
    allowed_hosts: tuple[str, ...] = ()
    # Whether links and redirects from the public web to this machine or a private network are followed.
    allow_private: bool = False
    # Whether a crawl with `public_only` uses the proxy of the environment.
    use_proxy: bool = False

    def without_limits(self) -> CrawlSettings:
        """Return the settings to store with the blog: without this run's limits and network guards."""
        defaults = CrawlSettings()
        of_run = (
            "retry_missing", "limit_pages", "time_limit_s", "limit_bytes", "public_only", "allowed_hosts", "use_proxy",
        )  # fmt: skip
        return msgspec.structs.replace(self, **{name: getattr(defaults, name) for name in of_run})

    @property
    def sent_user_agent(self) -> str:
        """The value of the User-Agent header."""
        return self.user_agent or user_agent(self.contact)


class RenderSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How `render` uses a browser, and the URLs of comment services."""

    # Pages open at the same time. A page takes about 200 ms of CPU time; the rest is waiting for the network.
    pages: int = 4
    page_timeout_s: float = 60.0
    # A page is idle after `quiet_s` without requests or DOM changes, or after `empty_s` if the page or a comment area
    # is still empty. After `settle_timeout_s` it is used in any state.
    settle_timeout_s: float = 8.0
    quiet_s: float = 0.06
    empty_s: float = 1.5
    # Enough for a thread of 5,000 comments at 50 per click; stops endless pages.
    max_clicks: int = 100
    max_scrolls: int = 60
    max_bytes: int = 64 * 1024 * 1024
    # The browser is restarted after this many pages: Chromium does not free all their memory.
    recycle_pages: int = 250
    recycle_mb: int = 2000
    # A page process above `page_mb` is killed; so is the largest process if the whole browser exceeds `browser_mb`.
    page_mb: int = 1000
    browser_mb: int = 3000
    # A page that blocks its event loop for this long, or uses this much CPU time, is closed.
    unresponsive_s: float = 10.0
    page_cpu_s: float = 30.0
    # After this many consecutive pages that exceed a limit, the crawl continues without a browser.
    max_failures: int = 3
    allow_private: bool = False
    screenshot: bool = False
    # The URLs of comment services with public data.
    disqus_url: str = "https://disqus.com"
    github_url: str = "https://api.github.com"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings."""

    parse: ParseLimits = ParseLimits()
    learn: LearnSettings = LearnSettings()
    crawl: CrawlSettings = CrawlSettings()
    render: RenderSettings = RenderSettings()
