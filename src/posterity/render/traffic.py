"""The network traffic of one visit: pending requests, and the responses for the archive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, Self

from playwright.async_api import Error, Page, Request, Response

from posterity.config import RenderSettings
from posterity.lexicon import widget_names
from posterity.render.gate import VERDICT_HEADER
from posterity.render.rendered import Received

# Resources that the pages of a blog share are stored once.
_SHARED = frozenset({"script", "stylesheet", "font", "image", "manifest"})
_NOT_KEPT = frozenset({"media", "websocket", "eventsource", "texttrack", "ping"})
# Resources without which a page does not work.
_ESSENTIAL = frozenset({"document", "script", "xhr", "fetch"})
# A request that is open for this long is assumed to be a push channel, not a part of the page.
_CHANNEL_S = 4.0
# Headers that do not apply to the decoded body that the browser returns.
_UNTRUE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class Traffic:
    """A context manager that records the traffic of a page; `kept` are shared URLs that are already stored."""

    def __init__(self, page: Page, kept: set[str]) -> None:
        self._kept = kept
        self._under_way: dict[Request, float] = {}
        self._responses: list[tuple[Response, datetime]] = []
        self._failed_urls: list[str] = []
        self.bytes = self.status = self.requests = 0
        self._page = page
        self._listeners: dict[Any, Any] = {
            "request": self._on_request,
            "requestfinished": self._on_end,
            "requestfailed": self._on_failure,
            "response": self._on_response,
        }

    def __enter__(self) -> Self:
        for event, listener in self._listeners.items():
            self._page.on(event, listener)
        return self

    def __exit__(self, *_: object) -> None:
        for event, listener in self._listeners.items():
            self._page.remove_listener(event, listener)

    @property
    def under_way(self) -> int:
        """The number of pending requests."""
        since = time.monotonic() - _CHANNEL_S
        return sum(begun > since for begun in self._under_way.values())

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The URLs of essential resources without a response: failed or still pending."""
        waiting = [request.url for request in self._under_way if request.resource_type in _ESSENTIAL]
        return (*self._failed_urls, *waiting)

    async def received(self, max_bytes: int) -> tuple[Received, ...]:
        """Return the responses that are not stored yet, in order; call it before the page is closed."""
        wanted = [(response, at) for response, at in self._responses if self._is_wanted(response)]
        found = await asyncio.gather(*(_read_response(response, at) for response, at in wanted))
        kept: list[Received] = []
        for one in found:
            max_bytes -= len(one.body) if one else 0
            if one is not None and max_bytes >= 0:
                kept.append(one)
                self._kept |= {one.url} if one.kind in _SHARED else set()
        return tuple(kept)

    def _is_wanted(self, response: Response) -> bool:
        kind = response.request.resource_type
        return (
            response.url.startswith("http")
            and kind not in _NOT_KEPT
            and not (kind in _SHARED and response.url in self._kept)
        )

    def _on_request(self, request: Request) -> None:
        if request.resource_type not in _NOT_KEPT:
            self.requests += 1
            self._under_way[request] = time.monotonic()

    def _on_end(self, request: Request) -> None:
        self._under_way.pop(request, None)

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        if request.resource_type in _ESSENTIAL:
            self._failed_urls.append(request.url)

    def _on_response(self, response: Response) -> None:
        if VERDICT_HEADER in response.headers:
            self._failed_urls.append(response.url)
            return
        self._responses.append((response, datetime.now(UTC)))
        if response.request.is_navigation_request() and response.frame == self._page.main_frame:
            self.status = response.status
        length = response.headers.get("content-length", "")
        self.bytes += int(length) if length.isdecimal() else 0


async def _read_response(response: Response, at: datetime) -> Received | None:
    request = response.request
    body = b""
    if not 300 <= response.status < 400:
        try:
            body = await response.body()
        except Error:
            return None  # the page navigated before the browser had read the body
    return Received(
        method=request.method,
        url=response.url,
        kind=request.resource_type,
        status=response.status,
        request_headers=tuple(request.headers.items()),
        request_body=_request_bytes(request),
        headers=tuple(
            (f"X-Archive-Orig-{name}" if name in _UNTRUE else name, one)
            for name, value in response.headers.items()
            for one in value.split("\n")
        ),
        reason=response.status_text,
        body=body,
        at=at,
    )


def _request_bytes(request: Request) -> bytes:
    with suppress(Error, UnicodeDecodeError):
        return request.post_data_buffer or b""
    return b""


def page_script(name: str) -> str:
    """Return a script of the folder `scripts`, which runs in the page."""
    return files("posterity.render").joinpath("scripts", f"{name}.js").read_text("utf-8")


PENDING = page_script("pending")


_UNCHANGED = page_script("unchanged")
_STILL_EMPTY = ", ".join(f"{place}:empty" for place in widget_names("waits_for"))
_STEP_S = 0.02


class Quiet:
    """Waits until a page is idle, and then evaluates the `features` (JavaScript conditions)."""

    def __init__(self, page: Page, traffic: Traffic, settings: RenderSettings, features: Sequence[str]) -> None:
        self._page, self._traffic = page, traffic
        self._script = _UNCHANGED.replace("SIGNS", f"[{', '.join(f'!!({feature})' for feature in features)}]")
        self.seen = [False] * len(features)
        self._quiet_s, self._empty_s, self._most_s = settings.quiet_s, settings.empty_s, settings.settle_timeout_s

    @property
    def requests(self) -> int:
        """The number of requests of the page so far."""
        return self._traffic.requests

    async def wait(self) -> None:
        """Return when the page is idle, or after the time limit."""
        end = time.monotonic() + self._most_s
        while (left := end - time.monotonic()) > 0:
            with suppress(Error):  # the page navigated; wait for the new one
                waits = [self._quiet_s * 1000, self._empty_s * 1000, left * 1000, _STILL_EMPTY]
                self.seen = await self._page.evaluate(self._script, waits)
            if not self._traffic.under_way:
                return
            while self._traffic.under_way and time.monotonic() < end:
                await asyncio.sleep(_STEP_S)
