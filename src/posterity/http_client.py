"""The HTTP client for single pages: `extract URL`, `learn`, `discover`, and URLs from visitors of the server.

Crawls use Scrapy (`crawl`). This client starts fast, follows redirects, and has one deadline for a whole fetch
(robots.txt, redirects, connection, headers and body), so that a server that sends one byte per second cannot block it.
The size of the body is limited, before and after decompression. Cookies are not stored.

With `public_only`, nothing on this machine or in a private network is requested. A host is resolved once, its IP
address is checked, and the connection uses this address, which protects against DNS rebinding. Every redirect is
checked again, and no proxy is used.
"""

from __future__ import annotations

import base64
import http.client
import io
import logging
import os
import re
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from protego import Protego
from protego._utils import _quote_path

from posterity.config import CONTACT_VARIABLE, CrawlSettings, user_agent
from posterity.errors import PageTooLarge, RefusedByRobots, Unreachable, UnreadablePage, UsageError
from posterity.model import Page
from posterity.model.page import page_type
from posterity.urls.kinds import ESCAPED_QUESTION, is_public_address, without_login

MAX_ROBOTS_BYTES = 512 * 1024  # RFC 9309, 2.5: at least 500 kibibytes must be read
_REDIRECTS = 5
_PORTS = {"http": 80, "https": 443}
_SAFE = "/?&=%:;+,@!$'()*~[]-._"
_SETTINGS = CrawlSettings()
_NO_HEADERS: Mapping[str, str] = {}
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})
_log = logging.getLogger(__name__)
# As lenient as Protego: "user-agent", "user agent" or "useragent", with or without a colon.
_AGENT_LINE = re.compile(r"user(?:-|\s*)agent(?:\s*:|\s)(.*)", re.IGNORECASE)
_RULE_LINE = re.compile(r"\s*(?:dis)?allow", re.IGNORECASE)
_LETTERS = 3  # length of the prefixes by which the parts of URL patterns are indexed
_NO_AGENT = "nobody\x7f"  # matches no user agent


def robots_rules(status: int, body: bytes, agent: str) -> Protego | None:
    """Return the rules of a robots.txt for this agent (RFC 9309), or None if nothing is allowed.

    A missing robots.txt (4xx) allows everything; a server error (5xx) allows nothing.
    """
    if status >= 500:
        return None
    text = "" if status >= 400 else body[:MAX_ROBOTS_BYTES].decode("utf-8", "replace")
    rules = IndexedRules.parse(_rules_for(agent.lower(), text))
    rules.has_escaped_question = ESCAPED_QUESTION.search(text) is not None
    return rules


def sitemaps_in(rules: Protego, url: str) -> list[str]:
    """Return the URLs of the sitemaps in a robots.txt, resolved against its host's `url`: some are relative."""
    return [urljoin(url, each) for each in rules.sitemaps]


class IndexedRules(Protego):
    """The rules of a robots.txt, with the URL patterns of a group in an index.

    Protego tries one pattern after the other: with 25,000 patterns, a URL took 45 ms.
    """

    has_escaped_question = True
    _index: _PatternIndex | None = None
    _indexed: object = None  # the group that `_index` was built from

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Return whether the agent may request the URL: the longest matching pattern decides."""
        group = self._get_matching_rule_set(user_agent)
        if group is None or ("/robots.txt" in url and urlsplit(url).path == "/robots.txt"):
            return True
        if self._index is None or self._indexed is not group:
            self._indexed = group
            self._index = _PatternIndex([rule.value._pattern for rule in group._rules])  # noqa: SLF001
        if not self.has_escaped_question:  # RFC 9309, 2.2.2: "Disallow: /*?" is not about files whose names contain it
            path, mark, query = url.partition("?")
            url = f"{ESCAPED_QUESTION.sub('%00', path)}{mark}{query}"
        first = self._index.first_match(_quote_path(url))
        return first is None or group._rules[first].field == "allow"  # noqa: SLF001


class _TrieNode:
    """A trie node: the literal parts that may follow a position in a URL after a `*`, or the end of a pattern."""

    __slots__ = ("ends", "following", "rank")

    def __init__(self) -> None:
        self.following: dict[str, dict[str, _TrieNode]] = {}  # by first letters, then by the whole part
        self.ends: dict[str, int] = {}  # URL suffixes of patterns that end with $, and the patterns' ranks
        self.rank: int | None = None  # rank of the first pattern that ends here


class _PatternIndex:
    """A trie of robots.txt patterns by their literal parts: a common prefix is compared once."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._prefixes: dict[str, _TrieNode] = {}  # URL prefixes, up to the first * of a pattern
        self._exact: dict[str, int] = {}
        for rank, pattern in enumerate(patterns):
            literal = pattern.removesuffix("$")
            start, *parts = literal.split("*")
            if not parts and literal != pattern:
                self._exact.setdefault(start, rank)
                continue
            last = parts.pop() if literal != pattern else None
            node = self._prefixes.setdefault(start, _TrieNode())
            for part in filter(None, parts):
                node = node.following.setdefault(part[:_LETTERS], {}).setdefault(part, _TrieNode())
            if last is not None:
                node.ends.setdefault(last, rank)
            elif node.rank is None:
                node.rank = rank
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})

    def first_match(self, path: str) -> int | None:
        """Return the rank of the first pattern that matches the path."""
        found = [self._exact[path]] if path in self._exact else []
        starts = ((path[:length], length) for length in self._lengths if length <= len(path))
        left = [(self._prefixes[start], at) for start, at in starts if start in self._prefixes]
        letters = {path[at : at + size] for size in range(1, _LETTERS + 1) for at in range(len(path))}
        while left:
            node, position = left.pop()
            if node.rank is not None:
                found.append(node.rank)
            found += [rank for end, rank in node.ends.items() if path.endswith(end, position)]
            # The leftmost match of a part leaves the most room for the parts after it.
            for first in node.following.keys() & letters:
                for part, following in node.following[first].items():
                    if (at := path.find(part, position)) >= 0:
                        left.append((following, at + len(part)))
        return min(found, default=None)


def _rules_for(agent: str, text: str) -> str:
    """Return the robots.txt with each User-agent line reduced to this agent, `*` or nobody, without duplicate rules.

    Protego stores every rule of a group once per agent: 66 kB with 2,000 agents and 2,000 rules took 8 s, and 474 kB
    did not finish.
    """
    lines = text.splitlines()
    named = [_agent_names(line) for line in lines]
    in_ours = (name for names in named for name in names or () if name in agent)
    ours = (name for name in in_ours if re.search(rf"(?<![\w-]){re.escape(name)}", agent))
    best = max(ours, key=len, default="*")  # the most specific agent name, the first among equals
    kept: list[str] = []
    group: set[str] = set()
    for written, names in zip(lines, named, strict=True):
        line = written
        if names is not None:
            line = f"User-agent: {best if best in names else _NO_AGENT}" if names else written
            group = group if kept and kept[-1].startswith("User-agent: ") else set()
        if line not in group:
            kept.append(line)
        if names is not None or _RULE_LINE.match(line):
            group.add(line)
    return "\n".join(kept)


def _agent_names(line: str) -> tuple[str, ...] | None:
    """Return the agents on a User-agent line, with * both literal and removed; None for other lines."""
    match = _AGENT_LINE.fullmatch(line.partition("#")[0].strip())
    if match is None:
        return None
    name = match[1].strip().lower()
    return tuple(dict.fromkeys(one for one in (name, name if name == "*" else name.replace("*", "")) if one))


def connection_problem(problem: Exception, host: str) -> str:
    """Return the error message for a connection error of the standard library."""
    if isinstance(problem, socket.gaierror):
        return f"The host {host} does not exist, or there is no network. Check the URL."
    if isinstance(problem, ConnectionRefusedError):
        return f"{host} refused the connection. Check the URL and the port."
    if isinstance(problem, TimeoutError):
        return f"{host} does not respond in time. Try again later."
    if isinstance(problem, http.client.HTTPException | ConnectionError):
        return f"{host} closed the connection, or is not a web server ({type(problem).__name__}). Try again later."
    reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return f"{host} cannot be reached: {reason}. Check the URL and the network."


class HttpClient:
    """Fetches single URLs, and caches the robots.txt of every host.

    `fetch_s` limits the time of one fetch, `total_s` the time of all fetches of this client. `allowed_hosts` may be
    requested even with `public_only`; "*" allows all hosts.
    """

    def __init__(
        self,
        agent: str,
        *,
        fetch_s: float = 60.0,
        total_s: float | None = None,
        max_bytes: int = _SETTINGS.max_page_bytes,
        public_only: bool = False,
        allowed_hosts: Iterable[str] = (),
    ) -> None:
        self.agent = agent
        self._fetch_s = fetch_s
        self._end = None if total_s is None else time.monotonic() + total_s
        self._max_bytes = max_bytes
        self._allowed = frozenset(host.lower() for host in allowed_hosts)
        self._public_only = public_only and "*" not in self._allowed
        self._robots: dict[str, Protego | None] = {}

    def fetch(self, url: str, *, robots: bool = True, public_only: bool = False) -> Page:
        """Fetch a URL; raise `Unreachable`, `PageTooLarge`, `RefusedByRobots` or `UsageError`.

        With `robots`, robots.txt is obeyed, including for redirects. Use `public_only` for untrusted URLs.
        """
        deadline = self._deadline()
        target, public_only = url, public_only or self._public_only
        for _ in range(_REDIRECTS + 1):
            if robots:
                self._check_robots(target, deadline, public_only=public_only)
            response = self._response(target, self._max_bytes, deadline, public_only=public_only)
            if response.status >= 300 and response.location is None:
                raise Unreachable(f"{target} returned {response.status} {response.reason}.", response.status)
            if response.location is None:
                if len(response.body) > self._max_bytes:
                    raise PageTooLarge(f"{url} has more than {self._max_bytes:,} bytes.")
                return Page(
                    url=target,
                    requested_url=url,
                    status=response.status,
                    content_type=page_type(response.content_type, response.body),
                    body=response.body,
                    fetched_at=datetime.now(UTC),
                )
            public_only = public_only or not is_private_host(_host(_checked_parts(target)))
            target = _redirect_target(target, response.location)
        raise Unreachable(f"{url} redirects more than {_REDIRECTS} times.")

    def check_robots(self, url: str) -> None:
        """Raise `RefusedByRobots` if robots.txt forbids the URL or cannot be read."""
        self._check_robots(url, self._deadline(), public_only=self._public_only)

    def _deadline(self) -> float:
        end = time.monotonic() + self._fetch_s
        return end if self._end is None else min(end, self._end)

    def _check_robots(self, url: str, deadline: float, *, public_only: bool) -> None:
        parts = _checked_parts(url)
        host = f"{parts.scheme}://{parts.netloc}"
        if host not in self._robots:
            self._robots[host] = self._read_robots(f"{host}/robots.txt", deadline, public_only=public_only)
        rules = self._robots[host]
        if rules is None:
            raise RefusedByRobots(
                f"{host}/robots.txt cannot be read (server error), and rules that cannot be read forbid everything. "
                "Try again later."
            )
        if not rules.can_fetch(url, self.agent):
            raise RefusedByRobots(f"{host}/robots.txt forbids {url}.")

    def _read_robots(self, url: str, deadline: float, *, public_only: bool) -> Protego | None:
        for _ in range(_REDIRECTS + 1):
            response = self._response(url, MAX_ROBOTS_BYTES, deadline, public_only=public_only)
            if response.location is None:
                return robots_rules(response.status, response.body, self.agent)
            public_only = public_only or not is_private_host(_host(_checked_parts(url)))
            url = _redirect_target(url, response.location)
        # RFC 9309, 2.3.1.2: after five redirects, robots.txt may be treated as unavailable.
        return robots_rules(404, b"", self.agent)

    def response(self, url: str, headers: Mapping[str, str]) -> RawResponse:
        """Request a URL with additional headers; redirects are not followed, and robots.txt is left to the caller."""
        response = self._response(url, self._max_bytes, self._deadline(), public_only=self._public_only, more=headers)
        if len(response.body) > self._max_bytes:
            raise PageTooLarge(f"{url} has more than {self._max_bytes:,} bytes.")
        return response

    def _response(
        self, url: str, max_bytes: int, deadline: float, *, public_only: bool, more: Mapping[str, str] = _NO_HEADERS
    ) -> RawResponse:
        """Return one response, with its body truncated to `max_bytes` + 1."""
        parts = _checked_parts(url)
        connection, target = self._connection(parts, deadline, public_only=public_only)
        headers = {"Host": _netloc(parts), "User-Agent": self.agent, "Accept": "text/html,*/*;q=0.8"}
        headers |= {"Accept-Encoding": "gzip", **more}
        try:
            connection.request("GET", target, headers={**headers, **connection.proxy_headers})
            response = connection.getresponse()
            body = _limited_body(response, max_bytes)
        except (OSError, http.client.HTTPException) as problem:
            raise Unreachable(connection_problem(problem, _netloc(parts))) from problem
        finally:
            connection.disconnect()
        _log.info("GET %s: %d, %d bytes", url, response.status, len(body))
        kept = tuple((name, value) for name, value in response.getheaders() if name.lower() not in _HOP_BY_HOP)
        unpacked = unpacked_body(body, response.getheader("Content-Encoding") or "", max_bytes)
        return RawResponse(
            response.status, response.reason, response.getheader("Content-Type") or "", unpacked,
            response.getheader("Location") if 300 <= response.status < 400 else None, body, tuple(headers.items()),
            kept,
        )  # fmt: skip

    def _connection(self, parts: SplitResult, deadline: float, *, public_only: bool) -> tuple[_Connection, str]:
        """Return the connection for a URL, and the target of the request line."""
        host, port = _host(parts), parts.port or _PORTS[parts.scheme]
        tls = parts.scheme == "https"
        path = quote(parts.path or "/", _SAFE) + (f"?{quote(parts.query, _SAFE)}" if parts.query else "")
        proxy = None if self._public_only or proxy_bypass(host) else getproxies().get(parts.scheme)
        if not proxy:
            return _Connection(self._addresses(host, port, public_only=public_only), host, deadline, tls=tls), path
        # The proxy resolves names, so only literal IP addresses and localhost can be checked here.
        if public_only and _is_literally_private(host):
            raise _not_public(host)
        via = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        connection = _Connection([(via.hostname or "", via.port or 80)], host, deadline, tls=tls)
        login = _proxy_headers(via)
        if tls:
            connection.set_tunnel(host, port, login)
            return connection, path
        connection.proxy_headers = login
        return connection, f"http://{_netloc(parts)}{path}"

    def _addresses(self, host: str, port: int, *, public_only: bool) -> list[tuple[str, int]]:
        """Resolve the host once and return the IP addresses that may be requested."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as problem:
            raise Unreachable(f"The host {host} does not exist, or there is no network. Check the URL.") from problem
        free = not public_only or host in self._allowed
        addresses = [(str(place[0]), port) for *_, place in found if free or is_public_address(str(place[0]))]
        if not addresses:
            raise _not_public(host)
        return addresses


def _not_public(host: str) -> Unreachable:
    return Unreachable(
        f"{host} is not on the public web, and links from public pages to it are not followed. To fetch it, use its "
        "URL directly."
    )


def _is_literally_private(host: str) -> bool:
    """Return whether a host is localhost or a private IP address, in any notation that the system accepts."""
    host = host.removesuffix(".")  # a fully qualified name
    return host == "localhost" or host.endswith(".localhost") or is_private_host(host, socket.AI_NUMERICHOST)


def is_private_host(host: str, flags: int = 0) -> bool:
    """Return whether a host is on this machine or in a private network; false if it cannot be resolved."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        return False
    return not all(is_public_address(str(place[0])) for *_, place in found)


class RawResponse(NamedTuple):
    """A response: decompressed body, body as received, and the headers of request and response."""

    status: int
    reason: str
    content_type: str
    body: bytes
    location: str | None
    sent_body: bytes
    request_headers: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]


class _Connection(http.client.HTTPConnection):
    """A connection for one request to a checked IP address, with a deadline."""

    def __init__(self, addresses: list[tuple[str, int]], host: str, deadline: float, *, tls: bool) -> None:
        super().__init__(host, addresses[0][1])
        self.proxy_headers: dict[str, str] = {}
        self._addresses, self._deadline, self._tls = addresses, deadline, tls
        self._socket: socket.socket | None = None

    def connect(self) -> None:
        self._socket = self._connected_socket()
        self.sock: Any = _DeadlineSocket(self._socket, self._deadline)
        if getattr(self, "_tunnel_host", None):
            self._tunnel()  # type: ignore[attr-defined]
        if self._tls:
            self._socket.settimeout(seconds_until(self._deadline))
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=self.host)
            self.sock = _DeadlineSocket(self._socket, self._deadline)

    def _connected_socket(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):  # IPv6 without a route: try the next address
                return socket.create_connection(address, seconds_until(self._deadline))
        return socket.create_connection(self._addresses[-1], seconds_until(self._deadline))

    def disconnect(self) -> None:
        """Close the connection and its socket; `HTTPConnection.close` leaves the socket open for the response."""
        self.close()
        if self._socket is not None:
            self._socket.close()


class _DeadlineSocket:
    """The part of a socket that `http.client` uses; each call times out at the deadline."""

    def __init__(self, connected: socket.socket, deadline: float) -> None:
        self._socket, self._deadline = connected, deadline

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(seconds_until(self._deadline))
        self._socket.sendall(data)

    def makefile(self, *_: object) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineReader(self._socket, self._deadline))

    def close(self) -> None:
        """Do nothing: the response may still be read. `disconnect` closes the socket."""


class _DeadlineReader(io.RawIOBase):
    def __init__(self, connected: socket.socket, deadline: float) -> None:
        self._socket, self._deadline = connected, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(seconds_until(self._deadline))
        return self._socket.recv_into(buffer)


def seconds_until(deadline: float) -> float:
    """Return the seconds until the deadline, or raise `TimeoutError`."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def unpacked_body(body: bytes, coding: str, max_bytes: int) -> bytes:
    """Return the body decompressed, truncated to `max_bytes` + 1.

    A body that is not compressed, despite its Content-Encoding, is returned unchanged.
    """
    if coding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    for window in (zlib.MAX_WBITS + 32, -zlib.MAX_WBITS):  # zlib or gzip, then the raw deflate of some servers
        with suppress(zlib.error):
            return zlib.decompressobj(window).decompress(body, max_bytes + 1)
    return body


def _limited_body(response: http.client.HTTPResponse, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while size <= max_bytes and (chunk := response.read1(64 * 1024)):
        parts.append(chunk)
        size += len(chunk)
    return b"".join(parts)[: max_bytes + 1]


def _checked_parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in _PORTS and bool(_host(parts)) and parts.port != 0
    except ValueError as problem:  # invalid brackets, port or IDNA name
        raise UsageError(f"{without_login(url)} is not a URL that can be fetched.") from problem
    if (shown := without_login(url)) != url:
        raise UsageError(f"{shown} contains a user name or password. Remove it: logins are not supported.")
    if not usable:
        raise UsageError(f"{url} cannot be fetched. Use a URL that starts with http:// or https://.")
    return parts


def _redirect_target(url: str, location: str) -> str:
    try:
        target = urljoin(url, location)
        _checked_parts(target)
    except (UsageError, ValueError) as problem:
        raise Unreachable(f"{url} redirects to {location}, which cannot be fetched.") from problem
    return target


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if "%" in host and ":" not in host:  # a proxy might decode it to a host that was not checked
        raise ValueError(host)
    return host if host.isascii() else host.encode("idna").decode()


def _netloc(parts: SplitResult) -> str:
    host = _host(parts)
    bracketed = f"[{host}]" if ":" in host else host
    return f"{bracketed}:{parts.port}" if parts.port else bracketed


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    login = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"}


def default_client() -> HttpClient:
    """Return this process's client for URLs given by the user."""
    return _client(user_agent(os.environ.get(CONTACT_VARIABLE, "")))


@lru_cache(maxsize=4)
def _client(agent: str) -> HttpClient:
    return HttpClient(agent)


def url_of_host(name: str) -> str:
    """Return the URL of a name such as blog.example: https if the host responds to it, else http."""
    host = urlsplit(f"//{name}").netloc
    for scheme in ("https", "http"):
        try:
            # robots.txt is the only URL that may always be requested.
            default_client().fetch(f"{scheme}://{host}/robots.txt", robots=False)
        except Unreachable as problem:
            if not problem.status:
                continue
        except PageTooLarge:
            pass
        return f"{scheme}://{name}"
    raise Unreachable(f"{name} responds neither to https nor to http. Check the name, or use the whole URL.")


def fetch_page(url: str) -> Page:
    """Fetch a web page; raise `Unreachable`, `RefusedByRobots` or `UnreadablePage`."""
    page = default_client().fetch(url)
    kind = page.content_type.lower()
    if kind and not any(name in kind for name in ("html", "xml", "text/plain")):
        raise UnreadablePage(f"{url} is not a web page: its type is {page.content_type}.")
    return page


def paced(fetch: Callable[[str], Page], delay_s: float) -> Callable[[str], Page]:
    """Return `fetch` with a pause before every call but the first."""
    is_first = True

    def fetch_after_pause(url: str) -> Page:
        nonlocal is_first
        if not is_first and delay_s:
            time.sleep(delay_s)
        is_first = False
        return fetch(url)

    return fetch_after_pause


def fetch_feed(url: str) -> Page:
    """Fetch a feed; any content type is accepted."""
    return default_client().fetch(url)


def fetch_untrusted(url: str) -> Page:
    """Fetch a URL found on a blog or by a search service; private hosts are refused."""
    return default_client().fetch(url, public_only=True)


def fetch_api(url: str) -> Page:
    """Fetch from a service that the user has configured; robots.txt, which is for crawlers, is ignored."""
    return default_client().fetch(url, robots=False)
