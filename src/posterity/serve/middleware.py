"""Middleware: checks before every request, and security headers on every response; token and rate for some routes.

Three checks in front of every request:

    host      a server on loopback accepts only loopback names, so that a web site cannot reach it by DNS rebinding
    origin    what changes something must not come from another site's page (CSRF): browsers send where a request
              comes from in Sec-Fetch-Site, Origin or Referer, and programs send none of them
    body      read whole, within a limit of size and time, before anything else is done for the request: half a body
              holds no thread and no place for costly requests

The headers allow only our scripts, no framing by other sites and no guessing of types. Archived and pasted pages get a
policy of their own (`FRAME_POLICY`): a sandbox without an origin, so that nothing in them could reach this server even
if something ran.
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
from posterity.serve.services import Parts, services_of
from posterity.serve.settings import ServeSettings, is_writer

_HELD_BODIES = 12  # of the largest size, in memory at the same time
# A request that is too large is read this much further: a client that is still sending would see a reset, no reason.
_DRAINED_BODIES = 8
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class _BodyRefused(Exception):  # noqa: N818 - it is a response, and no error of ours
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """The three checks."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app = app
        self._max_bytes, self._time_s = settings.limits.body_bytes, settings.limits.request_s
        self._held = 0  # bytes of the bodies of all requests under way
        self._names = settings.names or (("localhost", "127.0.0.1", "[::1]") if settings.is_loopback else ())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or respond with the reason why not."""
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
        """Read the body whole and give the application a `receive` that returns it.

        Each body is limited in size and time, and all of them together in size.
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
            """Return the body, then what the client does next."""
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
                break  # a client that sends this much reads no response either
        if size > self._max_bytes:
            raise _BodyRefused(413, f"The request is larger than the limit of {self._max_bytes:,} bytes.")
        if size > sum(map(len, chunks)):
            raise _BodyRefused(503, "Many large requests are being read right now. Try again in a moment.")

    def _release(self, chunks: list[bytes]) -> None:
        self._held -= sum(map(len, chunks))
        chunks.clear()


def is_cross_site(headers: Headers) -> bool:
    """Return whether a browser sent this for a page of another site.

    Scripts cannot set these headers in a browser; a program that sends none of them sends no cookies of a visitor.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin", headers.get("referer"))
    return origin is not None and _host_in(origin) != headers.get("host")


def _host_in(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:  # http://[::1
        return ""


def writer(request: Request) -> None:
    """Let only those through who may write."""
    settings = services_of(request).settings
    if is_writer(request, settings):
        return
    if settings.token is None:
        raise Problem(403, "This server is read-only.")
    raise Problem(
        401, "This needs the server's token: send Authorization: Bearer TOKEN.", {"WWW-Authenticate": "Bearer"}
    )


async def costly(request: Request, parts: Parts) -> AsyncIterator[None]:
    """Let a visitor through as often as the limit allows, and few at the same time: the others only want to read."""
    visitor = request.client.host if request.client else ""
    wait_s = parts.rate.wait_s(visitor)
    if wait_s:
        raise Problem(429, "Too many requests. Try again in a moment.", {"Retry-After": str(int(wait_s) + 1)})
    async with parts.costly_slots.take():
        yield


async def framing(parts: Parts) -> AsyncIterator[None]:
    """Let as many through as there are workers for frames: who waits for one takes no thread of readers."""
    async with parts.frame_slots.take():
        yield


Writer = Annotated[None, Depends(writer)]
# `function`: a slot is free again before the response is sent, however slowly that is read.
Costly = Annotated[None, Depends(costly, scope="function")]
Framing = Annotated[None, Depends(framing, scope="function")]


def _name(host: str) -> str:
    """The host without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# `style-src 'unsafe-inline'`: the styles of the archived page itself; they can load nothing.
FRAME_POLICY = (
    "sandbox{more}; default-src 'none'; img-src 'self' data:; media-src 'self'; font-src 'self' data:; "
    "style-src 'unsafe-inline'{script}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def frame_policy(nonce: str | None = None) -> str:
    """Return the policy of a page that is not ours; with a nonce, our own script in it may run."""
    if nonce is None:
        return FRAME_POLICY.format(more="", script="")
    return FRAME_POLICY.format(more=" allow-scripts", script=f"; script-src 'nonce-{nonce}'")


class SecurityHeaders:
    """Adds the headers to every response, counts it, and responds when the application failed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        started = False
        # RFC 9110, 9.3.2: HEAD is GET without the content. Routes know GET alone.
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
        except Exception as problem:  # a bug of ours must be a problem for the visitor too, with all headers
            if started:
                raise
            await bug_response(Request(scope), problem)(scope, receive, send_with_headers)
