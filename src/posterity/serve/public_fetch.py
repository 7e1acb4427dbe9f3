"""One page from an address that a visitor named, fetched so that it cannot be used against this server's network.

The host is looked up once, what it resolves to is checked, and the connection goes to that very address: a name that
answers differently the next time (DNS rebinding) gains nothing. Redirects are followed by hand and checked again.
robots.txt is obeyed, size and time are bounded, no proxy and no cookie is used.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
import zlib
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from protego import Protego

from posterity.config import user_agent
from posterity.crawl.http import connection_problem
from posterity.errors import PageTooLarge, RefusedByRobots, Unreachable, UsageError
from posterity.model import Page
from posterity.urls.public_address import is_public_address

if TYPE_CHECKING:
    from posterity.serve.settings import ServeSettings

_REDIRECTS = 5
_CHUNK = 64 * 1024
_MAX_ROBOTS_BYTES = 512 * 1024  # RFC 9309, 2.5: at least 500 kibibytes must be read
_ANY_HEADER = zlib.MAX_WBITS + 32  # zlib's or gzip's, whichever stands there
_SAFE = "/?&=%:;+,@!$'()*~[]-._"


class PublicFetcher:
    """Fetches for one visitor until the time is up."""

    def __init__(self, settings: ServeSettings, time_s: float | None = None) -> None:
        self._allowed = frozenset(host.lower() for host in settings.allowed_hosts)
        self._user_agent = user_agent(settings.contact)
        self._max_bytes = settings.limits.body_bytes
        self._deadline = time.monotonic() + (time_s or settings.limits.fetch_s)
        self._robots: dict[str, Protego] = {}

    def page(self, url: str) -> Page:
        """Return the answer at this address, or raise why there is none."""
        target = url
        for _ in range(_REDIRECTS + 1):
            self._check_robots(target)
            answer = self._asked(target, self._max_bytes)
            if answer.location is None:
                return Page(
                    url=target,
                    requested_url=url,
                    status=answer.status,
                    content_type=answer.content_type,
                    body=answer.body,
                    fetched_at=datetime.now(UTC),
                )
            target = urljoin(target, answer.location)
        raise Unreachable(f"{url} redirects more than {_REDIRECTS} times.")

    def _check_robots(self, url: str) -> None:
        parts = urlsplit(url)
        host = f"{parts.scheme}://{parts.netloc}"
        if host not in self._robots:
            self._robots[host] = self._rules(f"{host}/robots.txt")
        if not self._robots[host].can_fetch(url, self._user_agent):
            raise RefusedByRobots(f"{host}/robots.txt forbids {url}.")

    def _rules(self, url: str) -> Protego:
        for _ in range(_REDIRECTS + 1):
            try:
                answer = self._asked(url, _MAX_ROBOTS_BYTES, cut=True)
            except Unreachable as problem:
                if 400 <= problem.status < 500:
                    return Protego.parse("")
                raise
            if answer.location is None:
                return Protego.parse(answer.body.decode("utf-8", "replace"))
            url = urljoin(url, answer.location)
        return Protego.parse("")  # RFC 9309, 2.3.1.2: after five redirects it may be taken as not there

    def _asked(self, url: str, max_bytes: int, *, cut: bool = False) -> _PublicResponse:
        connection, path, host = self._connection(url)
        try:
            with closing(connection):
                headers = {"Host": host, "User-Agent": self._user_agent, "Accept": "text/html,*/*;q=0.8"}
                connection.request("GET", path, headers={**headers, "Accept-Encoding": "gzip"})
                response = connection.getresponse()
                body = self._body(response, url, max_bytes, cut=cut)
        except (OSError, http.client.HTTPException) as problem:
            raise Unreachable(connection_problem(problem, host)) from problem
        if response.status >= 400:
            raise Unreachable(f"{url} answers {response.status} {response.reason}.", response.status)
        moved = response.getheader("Location") if 300 <= response.status < 400 else None
        decoded = plain_body(body, response.getheader("Content-Encoding") or "", max_bytes)
        if len(decoded) > max_bytes and not cut:
            raise PageTooLarge(f"{url} has more than {max_bytes:,} bytes.")
        return _PublicResponse(response.status, response.getheader("Content-Type") or "", decoded[:max_bytes], moved)

    def _body(self, response: http.client.HTTPResponse, url: str, max_bytes: int, *, cut: bool) -> bytes:
        parts: list[bytes] = []
        size = 0
        while chunk := response.read1(_CHUNK):
            parts.append(chunk)
            size += len(chunk)
            if size > max_bytes:
                if cut:
                    break
                raise PageTooLarge(f"{url} has more than {max_bytes:,} bytes.")
            self._left_s(url)
        return b"".join(parts)

    def _connection(self, url: str) -> tuple[http.client.HTTPConnection, str, str]:
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError as problem:
            raise UsageError(f"{url} is not an address that could be fetched.") from problem
        if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
            raise UsageError(f"{url} cannot be fetched. Give an address that begins with http:// or https://.")
        address = self._checked_address(host, port or (443 if parts.scheme == "https" else 80))
        path = quote(parts.path or "/", _SAFE) + (f"?{quote(parts.query, _SAFE)}" if parts.query else "")
        timeout = self._left_s(url)
        name = host.encode("idna").decode() if not host.isascii() else host
        written = f"[{name}]" if ":" in name else name
        netloc = f"{written}:{port}" if port else written
        if parts.scheme == "https":
            return _PinnedTls(address, name, timeout), path, netloc
        return _Pinned(address, name, timeout), path, netloc

    def _checked_address(self, host: str, port: int) -> tuple[str, int]:
        """Look the host up once and return the first address that may be asked."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as problem:
            raise Unreachable(
                f"The host {host} does not exist, or there is no network. Check the address."
            ) from problem
        free = "*" in self._allowed or host in self._allowed
        for _, _, _, _, (address, number, *_) in found:
            if free or is_public_address(str(address)):
                return str(address), int(number)
        raise Unreachable(f"{host} is not on the public web, and this server fetches nothing else.")

    def _left_s(self, url: str) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Unreachable(f"{url} takes too long to answer.")
        return left


def plain_body(body: bytes, coding: str, max_bytes: int) -> bytes:
    """Return the body without its compression, unfolded no further than one byte beyond the limit."""
    if coding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(_ANY_HEADER).decompress(body, max_bytes + 1)
    except zlib.error:
        return body


class _PublicResponse:
    def __init__(self, status: int, content_type: str, body: bytes, location: str | None) -> None:
        self.status, self.content_type, self.body, self.location = status, content_type, body, location


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, whatever the name says by now."""

    def __init__(self, address: tuple[str, int], name: str, timeout: float) -> None:
        super().__init__(name, address[1], timeout=timeout)
        self._address = address

    def connect(self) -> None:
        self.sock = socket.create_connection(self._address, self.timeout)


class _PinnedTls(_Pinned):
    """The same with TLS; the certificate must be the name's."""

    def connect(self) -> None:
        super().connect()
        self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
