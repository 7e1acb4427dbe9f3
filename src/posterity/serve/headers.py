"""Security headers of every response: run only our scripts, no framing by other sites, no guessing of types.

Archived and pasted pages get a policy of their own (`FRAME_POLICY`): a sandbox without an origin, so that nothing in
them could reach this server even if something ran.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from posterity.serve.problems import bug_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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


class Headed:
    """Adds the headers to every response, counts it, and responds when the application failed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        started = False
        # RFC 9110, 9.3.2: HEAD is GET without the content. Routes know GET alone.
        is_head = scope["method"] == "HEAD"
        scope = {**scope, "method": "GET"} if is_head else scope

        async def send_headed(message: Message) -> None:
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
                _note(scope, message["status"], seconds)
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._app(scope, receive, send_headed)
        except Exception as problem:  # a bug of ours must be a problem for the visitor too, with all headers
            if started:
                raise
            await bug_response(Request(scope), problem)(scope, receive, send_headed)


def _note(scope: Scope, status: int, seconds: float) -> None:
    route = scope.get("route")
    services = getattr(scope["app"].state, "services", None) if "app" in scope else None
    if services is not None:
        services.metrics.note(scope["method"], getattr(route, "path", "none"), status, seconds)
