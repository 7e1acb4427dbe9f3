"""Middleware: checks of every request, security headers on every response; token and rate limits for some routes.

Three checks come before every request:

    host      a server on loopback accepts only loopback names, so that a web site cannot reach it by DNS rebinding
    origin    requests that change something must not come from pages of other sites (CSRF): browsers send the origin
              in Sec-Fetch-Site, Origin or Referer, programs send none of them
    body      read completely, within limits of size and time, before the request is processed: an incomplete body
              occupies no thread and no slot for costly requests

The headers allow only the server's own scripts, and forbid framing by other sites and MIME sniffing. Archived and
pasted pages get a stricter policy (`FRAME_POLICY`): a sandbox without an origin, so that scripts could not reach this
server even if they ran.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from posterity.serve.problems import Problem, bug_response, problem_response
from posterity.serve.services import ServicesDep, services_of
from posterity.serve.settings import ServeSettings, is_writer

_HELD_BODIES = 12  # bodies of maximum size that may be in memory at the same time
# An oversized body is read up to this multiple of the limit: a client still sending would see a reset, not the reason.
_DRAINED_BODIES = 8
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class _BodyRefused(Exception):  # noqa: N818 - becomes a response, not an error
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """Middleware with the three checks."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app = app
        self._max_bytes, self._time_s = settings.limits.body_bytes, settings.limits.request_s
        self._held = 0  # total bytes of the bodies of all current requests
        self._names = settings.names or (("localhost", "127.0.0.1", "[::1]") if settings.is_loopback else ())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or respond with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal: tuple[int, str] | None = None
        name = _name(headers.get("host", ""))
        if self._names and name not in self._names:
            refusal = 421, f"This server does not accept requests for the host {name!r}."
        elif scope["method"] not in _READING and is_cross_site(headers):
            refusal = 403, "Requests from pages of other sites cannot change anything here."
        if refusal is not None:
            await problem_response(Request(scope), *refusal)(scope, receive, send)
            return
        if scope["method"] in _READING and "transfer-encoding" not in headers and not headers.get("content-length"):
            await self._app(scope, receive, send)
            return
        try:
            async with self._read_body(receive) as whole:
                await self._app(scope, whole, send)
        except _BodyRefused as problem:
            close = {"Connection": "close"}
            await problem_response(Request(scope), problem.status, str(problem), close)(scope, receive, send)
        except ClientDisconnect:
            return

    @asynccontextmanager
    async def _read_body(self, receive: Receive) -> AsyncIterator[Receive]:
        """Read the whole body, and yield a `receive` that returns it.

        The size and time of a body are limited, and the total size of all current bodies.
        """
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self._time_s) as limit:
                await self._collect(receive, chunks)
        except BaseException as problem:
            self._release(chunks)
            if isinstance(problem, TimeoutError) and limit.expired():
                raise _BodyRefused(408, f"The body did not arrive within {self._time_s:g} seconds.") from None
            raise
        body: bytes | None = b"".join(chunks)

        async def received() -> Message:
            """Return the body, then the next messages of the client."""
            nonlocal body
            if body is None:
                return await receive()
            message, body = {"type": "http.request", "body": body, "more_body": False}, None
            return message

        try:
            yield received
        finally:
            self._release(chunks)

    async def _collect(self, receive: Receive, chunks: list[bytes]) -> None:
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            chunk = message.get("body", b"")
            size += len(chunk)
            more = message.get("more_body", False)
            if size <= self._max_bytes and self._held + len(chunk) <= _HELD_BODIES * self._max_bytes:
                chunks.append(chunk)
                self._held += len(chunk)
            elif size > _DRAINED_BODIES * self._max_bytes:
                break  # a client that sends this much does not read the response
        if size > self._max_bytes:
            raise _BodyRefused(413, f"The request is larger than the limit of {self._max_bytes:,} bytes.")
        if size > sum(map(len, chunks)):
            raise _BodyRefused(503, "Many large requests are being read right now. Try again in a moment.")

    def _release(self, chunks: list[bytes]) -> None:
        self._held -= sum(map(len, chunks))
        chunks.clear()


def is_cross_site(headers: Headers) -> bool:
    """Return whether a browser sent this request from a page of another site.

    Scripts in a browser cannot set these headers; programs that omit them do not send a visitor's cookies.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin", headers.get("referer"))
    return origin is not None and _host_in(origin) != headers.get("host")


def _host_in(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:  # http://[::1
        return ""


def writer(request: Request) -> None:
    """Raise `Problem` unless the request may write."""
    settings = services_of(request).settings
    if is_writer(request, settings):
        return
    if settings.token is None:
        raise Problem(403, "This server is read-only.")
    raise Problem(
        401, "This needs the server's token: send Authorization: Bearer TOKEN.", {"WWW-Authenticate": "Bearer"}
    )


async def costly(request: Request, services: ServicesDep) -> AsyncIterator[None]:
    """Limit the rate of a visitor's costly requests, and the number of concurrent ones: readers must not wait."""
    if wait_s := services.rate.wait_s(request.client.host if request.client else ""):
        raise Problem(429, "Too many requests. Try again in a moment.", {"Retry-After": str(int(wait_s) + 1)})
    async with services.costly_slots.take():
        yield


async def framing(services: ServicesDep) -> AsyncIterator[None]:
    """Limit concurrent requests to the number of workers for frames; waiting requests occupy no thread."""
    async with services.frame_slots.take():
        yield


Writer = Annotated[None, Depends(writer)]
# `function`: the slot is released before the response is sent, so that a slow client does not hold it.
Costly = Annotated[None, Depends(costly, scope="function")]
Framing = Annotated[None, Depends(framing, scope="function")]


def _name(host: str) -> str:
    """Return the host without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# `style-src 'unsafe-inline'` allows the styles of the archived page, which cannot load anything.
FRAME_POLICY = (
    "sandbox{more}; default-src 'none'; img-src 'self' data:; media-src 'self'; font-src 'self' data:; "
    "style-src 'unsafe-inline'{script}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def frame_policy(nonce: str | None = None) -> str:
    """Return the policy of a third-party page; with a nonce, the server's own script in it may run."""
    if nonce is None:
        return FRAME_POLICY.format(more="", script="")
    return FRAME_POLICY.format(more=" allow-scripts", script=f"; script-src 'nonce-{nonce}'")


class SecurityHeaders:
    """Adds the headers to every response, counts it, and responds if the application raises."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, with the headers added."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        started = False
        # RFC 9110, 9.3.2: HEAD is GET without the content. Routes only implement GET.
        is_head = scope["method"] == "HEAD"
        scope = {**scope, "method": "GET"} if is_head else scope

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                seconds = time.perf_counter() - began
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", PAGE_POLICY)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "no-referrer")
                headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
                headers.setdefault("Cache-Control", "no-cache")
                headers["Server-Timing"] = f"total;dur={seconds * 1000:.1f}"
                route = scope.get("route")
                services = getattr(scope["app"].state, "services", None) if "app" in scope else None
                if services is not None:
                    services.metrics.note(scope["method"], getattr(route, "path", "none"), message["status"], seconds)
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as problem:  # a bug must give a problem response with all headers
            if started:
                raise
            await bug_response(Request(scope), problem)(scope, receive, send_with_headers)
