"""Settings of the server: where the archive is, who may write, and the limits for visitors.

Writes need the token in the request, or the session cookie that a browser has instead of it.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

import msgspec

from posterity.config import user_agent
from posterity.errors import UsageError
from posterity.http_client import HttpClient
from posterity.urls.kinds import is_this_machine

if TYPE_CHECKING:
    from starlette.requests import Request


class VisitorLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds that one visitor cannot exceed."""

    # The largest page of the test blogs has 4 MB; a rule set has some kilobytes.
    body_bytes: int = 8 * 1024 * 1024
    # One page of one method. The slowest method needs under a second for pages of a megabyte.
    extract_s: float = 15.0
    fetch_s: float = 15.0
    # Everything that the demo fetches for one URL: the page, its feed, a few posts.
    demo_s: float = 40.0
    # Costly requests (demo, extract, jobs) of one IP address in a minute.
    costly_a_minute: int = 60
    # A third of the server's threads: readers never wait for visitors who try pages.
    costly_at_once: int = 4
    # Searches at the same time; each takes a processor for as long as it runs.
    searches_at_once: int = 3
    # A request whose headers or body come slower than this is ended.
    request_s: float = 20.0
    connections: int = 512
    jobs_at_once: int = 2
    jobs_waiting: int = 20


class ServeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `posterity serve`."""

    archive: str
    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    public: bool = False
    # Hosts that may be fetched although they are not on the public web; "*" allows all of them.
    allowed_hosts: tuple[str, ...] = ()
    # The host names under which this server may be requested; empty for any.
    names: tuple[str, ...] = ()
    # Whom owners of fetched sites and OAI-PMH harvesters can write to: an e-mail address or a URL.
    contact: str = ""
    delay_s: float = 1.0
    reports: str = "evaluation"
    # Whether blogs are updated whenever they are due.
    updates: bool = False
    # Whether to load at the start what the first visitor of the demo would wait for.
    warm_up: bool = False
    # How many processes serve; all but one only read the archive.
    processes: int = 1
    limits: VisitorLimits = VisitorLimits()

    @property
    def is_loopback(self) -> bool:
        """Return whether only this machine can ask."""
        return is_this_machine(self.host)

    @property
    def fetches_private(self) -> bool:
        """Return whether every host may be fetched."""
        return "*" in self.allowed_hosts


def visitor_client(settings: ServeSettings, total_s: float | None = None) -> HttpClient:
    """Return a client for URLs that one visitor names; all its fetches together take `total_s` at most."""
    return HttpClient(
        user_agent(settings.contact),
        fetch_s=settings.limits.fetch_s,
        total_s=total_s,
        max_bytes=settings.limits.body_bytes,
        public_only=True,
        allowed_hosts=settings.allowed_hosts,
    )


def checked_settings(settings: ServeSettings) -> ServeSettings:
    """Return the settings if they are safe, or raise with what is missing."""
    if not settings.is_loopback and not settings.public and not settings.token:
        raise UsageError(
            f"Everybody who reaches {settings.host} could write into the archive. Give a secret with --token or "
            "$POSTERITY_TOKEN, or --public to let people only read."
        )
    if settings.token is not None and len(settings.token) < 8:
        raise UsageError("The token is too short to be a secret. Give one of at least 8 characters.")
    return settings


COOKIE = "posterity_session"


def is_writer(request: Request, settings: ServeSettings) -> bool:
    """Return whether the sender of the request may write."""
    if settings.token is None:
        return not settings.public
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return is_token(settings, given.strip())
    return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), session_of(settings.token).encode())


def is_token(settings: ServeSettings, given: str) -> bool:
    """Return whether this is the token, in constant time: the duration does not show how near a guess is."""
    return settings.token is not None and hmac.compare_digest(given.encode(), settings.token.encode())


def session_of(token: str) -> str:
    """Return the value of the session cookie: it gives access, and the token cannot be computed from it."""
    return hmac.new(token.encode(), b"posterity session", hashlib.sha256).hexdigest()
