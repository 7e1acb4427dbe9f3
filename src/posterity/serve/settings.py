"""Settings of the server: the archive, who may write, and the limits for visitors.

Writing requires the token in the request, or the session cookie that a browser sends instead.
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
    """Limits on the requests of visitors."""

    # The largest page of the test blogs has 4 MB; a rule set has a few kilobytes.
    body_bytes: int = 8 * 1024 * 1024
    # One page with one method. The slowest method takes less than a second for a page of a megabyte.
    extract_s: float = 15.0
    fetch_s: float = 15.0
    # All fetches of the demo for one URL: the page, its feed, a few posts.
    demo_s: float = 40.0
    # Costly requests (demo, extract, jobs) per IP address and minute.
    costly_a_minute: int = 60
    # A third of the server's threads: readers never wait for visitors who try pages.
    costly_at_once: int = 4
    # Each search occupies a processor while it runs.
    searches_at_once: int = 3
    # A request whose headers or body take longer than this is aborted.
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
    # Hosts that may be fetched although they are not public; "*" allows all.
    allowed_hosts: tuple[str, ...] = ()
    # Host names accepted in the Host header; if empty, loopback names on a loopback server, else any.
    names: tuple[str, ...] = ()
    # The operator's e-mail address or URL, for owners of fetched sites and for OAI-PMH harvesters.
    contact: str = ""
    delay_s: float = 1.0
    reports: str = "evaluation"
    # Whether blogs are updated when they are due.
    updates: bool = False
    # Whether to start a worker and compile templates at the start, so that the first visitor does not wait.
    warm_up: bool = False
    # Number of processes; all but one only read the archive.
    processes: int = 1
    limits: VisitorLimits = VisitorLimits()

    @property
    def is_loopback(self) -> bool:
        """Return whether the server accepts connections only from this machine."""
        return is_this_machine(self.host)

    @property
    def fetches_private(self) -> bool:
        """Return whether every host may be fetched."""
        return "*" in self.allowed_hosts


def visitor_client(settings: ServeSettings, total_s: float | None = None) -> HttpClient:
    """Return a client for URLs given by a visitor; `total_s` limits the time of all its fetches together."""
    return HttpClient(
        user_agent(settings.contact),
        fetch_s=settings.limits.fetch_s,
        total_s=total_s,
        max_bytes=settings.limits.body_bytes,
        public_only=True,
        allowed_hosts=settings.allowed_hosts,
    )


def checked_settings(settings: ServeSettings) -> ServeSettings:
    """Return the settings; raise `UsageError` if anyone could write, or if the token is too short."""
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
    """Return whether this is the token; the comparison takes constant time, so timing reveals nothing."""
    return settings.token is not None and hmac.compare_digest(given.encode(), settings.token.encode())


def session_of(token: str) -> str:
    """Return the value of the session cookie, from which the token cannot be computed."""
    return hmac.new(token.encode(), b"posterity session", hashlib.sha256).hexdigest()
