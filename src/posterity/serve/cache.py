"""A response cache, valid as long as the archive does not change.

Concurrent requests for a page are computed once. Under load, a response may be up to `STALE_S` old, because a harvest
changes the archive every second, which would invalidate every page. A response older than `FRESH_S` is sent and
refreshed in the background (RFC 5861, stale-while-revalidate). Responses to requests with a cookie or a token are never
cached. Every page gets an ETag.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, NamedTuple

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from posterity.archive.overview import ChangeWatch
from posterity.serve.api.responses import has_tag
from posterity.serve.services import Services

FRESH_S, STALE_S = 2.0, 10.0
_MAX_REFRESHES = 2  # concurrent background refreshes; pages that are not cached have priority
_BUSY = 8  # concurrent requests that count as load: more than one browser sends
_MAX_AGE_S = 30.0  # pages show how long ago something was, in minutes
_MAX_BYTES = 64 * 1024 * 1024
_MAX_BODY = 2 * 1024 * 1024
# Paths whose responses depend only on the archive, and those that also show counts computed in the background.
_CACHED_PREFIXES = ("/blogs/", "/posts/", "/api/v1/posts", "/api/v1/blogs", "/feed.")
_CACHED_PATHS = frozenset({"/", "/search", "/api/v1/search"})
_WITH_COUNTS = frozenset({"/", "/api/v1/blogs"})


class _CachedResponse(NamedTuple):
    version: Hashable
    at: float
    route: Any
    headers: list[tuple[bytes, bytes]]
    body: bytes


class ResponseCache:
    """Middleware that caches responses; it runs inside the access checks and the security headers."""

    def __init__(self, app: ASGIApp, fresh_s: float = FRESH_S) -> None:
        self._app = app
        self._fresh_s = fresh_s
        self._cached: OrderedDict[Hashable, _CachedResponse] = OrderedDict()
        self._bytes = 0
        self._computed: dict[Hashable, asyncio.Future[_CachedResponse | None]] = {}
        self._under_way = 0
        self._refreshing: set[asyncio.Task[_CachedResponse | None]] = set()
        self._watch: ChangeWatch | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the cached response, or the application's, which is cached if allowed."""
        if scope["type"] == "lifespan":
            try:
                await self._app(scope, receive, send)
            finally:
                if self._watch is not None:
                    self._watch.close()
            return
        headers = Headers(scope=scope)
        if scope["type"] != "http" or not _is_cacheable(scope, headers):
            await self._app(scope, receive, send)
            if scope.get("method") != "GET":
                self._cached.clear()  # clients must see their own writes
                self._bytes = 0
            return
        self._under_way += 1
        try:
            cached = await self._response(scope, headers, receive, send)
        finally:
            self._under_way -= 1
        if cached is not None:
            scope["route"] = cached.route
            await _send_cached(cached, headers, send)

    async def _response(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> _CachedResponse | None:
        """Return the response, or None if it was already sent because it cannot be cached."""
        key = (scope["path"], scope["query_string"], headers.get("host"), headers.get("accept"), scope["scheme"])
        cached = self._cached.get(key)
        age_s = time.monotonic() - cached.at if cached is not None else STALE_S
        is_busy = self._under_way > _BUSY
        if cached is not None and is_busy and age_s < self._fresh_s:
            return cached
        services: Services = scope["app"].state.services
        if self._watch is None:
            self._watch = ChangeWatch(services.archive)
        # SQLite reads the version from shared memory, PostgreSQL needs a query.
        is_quick = services.archive.database.is_sqlite
        archive = self._watch.version() if is_quick else await to_thread.run_sync(self._watch.version)
        counts = (services.blogs.generation, services.jobs.version()) if scope["path"] in _WITH_COUNTS else ()
        version = (archive, counts)
        if cached is not None and cached.version == version and age_s < _MAX_AGE_S:
            self._cached.move_to_end(key)
            return cached
        if cached is not None and is_busy and age_s < STALE_S:
            self._refresh(key, version, scope)
            return cached
        return await self._fresh(key, version, scope, receive, send)

    def _refresh(self, key: Hashable, version: Hashable, scope: Scope) -> None:
        """Recompute a page in the background for the next visitor."""
        if len(self._refreshing) >= _MAX_REFRESHES or (key, version) in self._computed:
            return

        async def nothing(_: Message) -> None:
            pass

        async def gone() -> Message:
            return {"type": "http.disconnect"}

        task = asyncio.ensure_future(self._fresh(key, version, dict(scope), gone, nothing))
        self._refreshing.add(task)
        task.add_done_callback(self._on_refreshed)

    def _on_refreshed(self, task: asyncio.Task[_CachedResponse | None]) -> None:
        self._refreshing.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            logging.getLogger("posterity.serve").warning("a page could not be computed again", exc_info=problem)

    async def _fresh(
        self, key: Hashable, version: Hashable, scope: Scope, receive: Receive, send: Send
    ) -> _CachedResponse | None:
        """Return the recomputed response, or None if it was already sent because it cannot be cached."""
        same = (key, version)
        if same in self._computed:
            found = await asyncio.shield(self._computed[same])
            return await self._compute(version, scope, receive, send) if found is None else found
        self._computed[same] = asyncio.get_running_loop().create_future()
        found = None
        try:
            if (found := await self._compute(version, scope, receive, send)) is not None:
                old = self._cached.pop(key, None)
                self._bytes += len(found.body) - (len(old.body) if old else 0)
                self._cached[key] = found
                while self._bytes > _MAX_BYTES:
                    _, oldest = self._cached.popitem(last=False)
                    self._bytes -= len(oldest.body)
        finally:
            self._computed.pop(same).set_result(found)
        return found

    async def _compute(self, version: Hashable, scope: Scope, receive: Receive, send: Send) -> _CachedResponse | None:
        response = _Response(send)
        await self._app(scope, receive, response.send)
        if not response.is_cacheable:
            return None
        body = b"".join(response.chunks)
        headers = MutableHeaders(raw=response.headers)
        headers.setdefault("etag", f'"{hashlib.sha256(body).hexdigest()[:32]}"')
        return _CachedResponse(version, time.monotonic(), scope.get("route"), headers.raw, body)


class _Response:
    """Collects a response that may be cached; passes any other on to the client."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_cacheable = False
        self.headers: list[tuple[bytes, bytes]] = []
        self.chunks: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = Headers(raw=message["headers"])
            # Archived pages and pages with a nonce set their own policy.
            own = {"content-security-policy", "set-cookie"} & set(headers)
            small = int(headers.get("content-length", _MAX_BODY + 1)) <= _MAX_BODY
            self.is_cacheable = message["status"] == 200 and small and not own
            self.headers = list(message["headers"])
        if self.is_cacheable:
            self.chunks.append(message.get("body", b""))
        else:
            await self._send(message)


def _is_cacheable(scope: Scope, headers: Headers) -> bool:
    path = scope["path"]
    return (
        scope["method"] == "GET"
        and (path.startswith(_CACHED_PREFIXES) or path in _CACHED_PATHS)
        and not any(name in headers for name in ("cookie", "authorization", "range"))
    )


async def _send_cached(cached: _CachedResponse, headers: Headers, send: Send) -> None:
    found = Headers(raw=cached.headers)
    if has_tag(headers.get("if-none-match", ""), found["etag"]):
        unchanged = [(name, value) for name, value in cached.headers if not name.startswith(b"content-")]
        await send({"type": "http.response.start", "status": 304, "headers": unchanged})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": cached.headers})
    await send({"type": "http.response.body", "body": cached.body})
