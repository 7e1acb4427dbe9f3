"""Limits of connections: how many, how many of one visitor, and how long headers may take.

uvicorn has no deadline for headers, and refuses connections beyond its limit with a log line each. Here a connection
that sends its headers too slowly is ended, and when there are too many, the one that has been silent for longest makes
way.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from posterity.urls.kinds import is_this_machine

if TYPE_CHECKING:
    from posterity.serve.settings import VisitorLimits


class LimitedProtocol(H11Protocol):
    """A connection within the limits; `limited_protocol` makes the class for a server."""

    header_s: ClassVar[float]
    most: ClassVar[int]
    most_of_one: ClassVar[int]
    open_connections: ClassVar[dict[LimitedProtocol, str]]  # the oldest first, with the address of the visitor
    visitors: ClassVar[Counter[str]]
    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or end it or an older one."""
        super().connection_made(transport)
        visitor = self.client[0] if self.client else ""
        # A reverse proxy on this machine, or a reader process without an address, connects for all its visitors.
        if visitor and self.visitors[visitor] >= self.most_of_one and not is_this_machine(visitor):
            transport.abort()
            return
        if len(self.open_connections) >= self.most and not self._make_room():
            transport.abort()
            return
        self.open_connections[self] = visitor
        self.visitors[visitor] += 1
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        self.forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came; the time for headers begins with their first byte, and again with the next request."""
        if self._header_timer is None and not self.is_busy:
            self._wait_for_headers()
        super().data_received(data)
        if self.is_busy:
            self._stop_waiting()

    @property
    def is_busy(self) -> bool:
        """Tell whether a request is being responded to."""
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_headers(self) -> None:
        self._header_timer = self.loop.call_later(self.header_s, self._end_if_silent)

    def _stop_waiting(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _end_if_silent(self) -> None:
        self._header_timer = None
        if not self.is_busy:
            self.transport.abort()

    def _make_room(self) -> bool:
        idle = next((one for one in self.open_connections if not one.is_busy), None)
        if idle is None:
            return False
        idle.transport.abort()
        idle.forget()
        return True

    def forget(self) -> None:
        """Count the connection no more; the event loop reports its end later."""
        visitor = self.open_connections.pop(self, None)
        if visitor is not None:
            self.visitors[visitor] -= 1
            if not self.visitors[visitor]:
                del self.visitors[visitor]


class FewLines(logging.Filter):
    """Lets a log line that is the same for every request pass once a minute."""

    def __init__(self, interval_s: float = 60.0) -> None:
        super().__init__()
        self._interval_s = interval_s
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether the line is written."""
        if record.levelno >= logging.ERROR:
            return True
        now = time.monotonic()
        if now - self._last.get(record.msg, -self._interval_s) < self._interval_s:
            return False
        self._last[record.msg] = now
        return True


def limited_protocol(limits: VisitorLimits, processes: int = 1) -> type[LimitedProtocol]:
    """Return the protocol of one of the processes of a server, which share the connections."""
    connections = max(4, limits.connections // processes)

    class ServerProtocol(LimitedProtocol):
        header_s = limits.request_s
        most = connections
        most_of_one = max(1, connections // 4)
        open_connections: ClassVar[dict[LimitedProtocol, str]] = {}
        visitors: ClassVar[Counter[str]] = Counter()

    return ServerProtocol
