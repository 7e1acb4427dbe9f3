"""Several processes for one server: the main process has jobs, demo and rate limits, the others only read the archive.

All listen on the same port, and the kernel distributes connections (SO_REUSEPORT). A reader process forwards what it
does not serve itself to the main process, over a Unix socket in a private folder. It uses HTTP/1.0, so that the end of
the connection is the end of the response, even of a stream. A reader exits when its standard input, a pipe from the
main process, is closed.

Every process limits its connections: their number, the number per IP address, the time for headers, and how slowly a
response may be read.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, ClassVar, Self

import msgspec
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from posterity.crawl.worker_process import without_interrupts
from posterity.model import from_json, to_json
from posterity.serve.metrics import Counts
from posterity.serve.problems import problem_response
from posterity.serve.settings import ServeSettings, VisitorLimits
from posterity.urls.kinds import is_this_machine

_VISITOR = "x-posterity-visitor"
# Paths that need only the archive; jobs, demos, rate limits and the counts of all blogs are in the main process.
_READ = ("/blogs/", "/posts/", "/api/v1/posts", "/api/v1/blogs/", "/feed.", "/static/", "/media/", "/memento/")
_READ_EXACTLY = frozenset({"/search", "/api/v1/search", "/oai"})
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length", "upgrade", _VISITOR})
_DROP_UNSENT = struct.pack("ii", 1, 0)
_READ_BYTES = 16 * 1024  # a client must read at least this much within the time limit for headers


class MainProcess(msgspec.Struct, frozen=True, kw_only=True):
    """The socket of the main process for forwarded requests, and the secret that authenticates readers."""

    path: str
    secret: str


class ReaderJob(msgspec.Struct, frozen=True, kw_only=True):
    """The first line on the standard input of a reader process."""

    settings: ServeSettings
    main: MainProcess


class ReaderProcesses:
    """Context manager that runs the reader processes from the main process, and stops them on exit."""

    def __init__(self, settings: ServeSettings, port: int, count: Callable[[Counts], None]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="posterity-serve-")  # only this user can enter it
        self.main = MainProcess(path=str(Path(self._folder.name) / "main.sock"), secret=secrets.token_hex())
        self._settings = msgspec.structs.replace(settings, port=port)
        self._count = count
        self._ended = threading.Event()
        self._inputs: dict[int, IO[bytes]] = {}
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.main.path)
        self.listener.listen(2048)
        numbers = range(settings.processes - 1)
        self._threads = [threading.Thread(target=self._follow, args=(number,)) for number in numbers]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for stream in tuple(self._inputs.values()):
            stream.close()
        for thread in self._threads:
            thread.join()
        self.listener.close()
        self._folder.cleanup()

    def _follow(self, number: int) -> None:
        """Run one reader until the server ends; if it dies, log a warning and restart it."""
        while not self._ended.is_set():
            with without_interrupts():
                process = subprocess.Popen(
                    [sys.executable, "-m", "posterity.serve.app"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(BrokenPipeError):
                # Only the main process starts updates.
                settings = msgspec.structs.replace(self._settings, updates=False)
                process.stdin.write(to_json(ReaderJob(settings=settings, main=self.main)) + b"\n")
                process.stdin.flush()
            self._inputs[number] = process.stdin
            if self._ended.is_set():
                process.stdin.close()
            for line in process.stdout:
                self._count(from_json(line, Counts))
            code = process.wait()
            if not self._ended.is_set():
                logging.getLogger("posterity.serve").warning(
                    "a process of the server ended with code %d; it is started again", code
                )
                self._ended.wait(1.0)


class Forwarding:
    """Middleware of a reader that forwards what it does not serve itself to the main process."""

    def __init__(self, app: ASGIApp, main: MainProcess) -> None:
        self._app = app
        self._main = main

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond, or forward the request and its response."""
        path = scope.get("path", "")
        is_read_here = path.startswith(_READ) or path in _READ_EXACTLY
        if scope["type"] != "http" or (scope["method"] == "GET" and is_read_here):
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
            reader, writer = await asyncio.open_unix_connection(self._main.path, limit=64 * 1024)
        except ClientDisconnect:
            return
        except OSError:
            busy = "The server is starting or ending. Try again in a moment."
            await problem_response(Request(scope), 503, busy, {"Retry-After": "2"})(scope, receive, send)
            return
        try:
            query = b"?" + scope["query_string"] if scope["query_string"] else b""
            address = scope["client"][0] if scope["client"] else ""
            # Names and values were parsed from HTTP, so they contain no line breaks.
            lines = [b"%s %s%s HTTP/1.0" % (scope["method"].encode(), scope["raw_path"], query)]
            lines += [b"%s: %s" % pair for pair in scope["headers"] if pair[0].decode("latin-1") not in _HOP_BY_HOP]
            lines += [f"{_VISITOR}: {self._main.secret} {address}".encode(), b"content-length: %d" % len(body)]
            writer.write(b"\r\n".join([*lines, b"", b""]) + body)
            copying = asyncio.ensure_future(_copy_response(reader, send))
            leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
            _, waiting = await asyncio.wait((copying, leaving), return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            if copying.done():
                copying.result()
        finally:
            writer.close()


class ForwardedFor:
    """Middleware of the main process that sets the original client address of forwarded requests."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app = app
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the visitor's IP address."""
        if scope["type"] == "http" and (given := Headers(scope=scope).get(_VISITOR)) is not None:
            secret, _, address = given.partition(" ")
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != _VISITOR.encode()]
            if hmac.compare_digest(secret.encode(), self._secret.encode()):
                scope["client"] = (address, 0)
        await self._app(scope, receive, send)


async def _copy_response(reader: asyncio.StreamReader, send: Send) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head[:-4].split(b"\r\n")
    pairs = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
    headers = [pair for pair in pairs if pair[0] not in (b"connection", b"date", b"server-timing")]
    await send({"type": "http.response.start", "status": int(first.split()[1]), "headers": headers})
    while chunk := await reader.read(64 * 1024):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class LimitedProtocol(H11Protocol):
    """A connection with limits; `limited_protocol` creates the subclass for a server."""

    header_s: ClassVar[float]
    max_connections: ClassVar[int]
    max_per_visitor: ClassVar[int]
    open_connections: ClassVar[dict[LimitedProtocol, str]]  # oldest first, with the visitor's IP address
    visitors: ClassVar[Counter[str]]
    _header_timer: asyncio.TimerHandle | None = None
    _reading_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection; at the limit, close the oldest idle connection, or else this one."""
        super().connection_made(transport)
        visitor = self.client[0] if self.client else ""
        # A reverse proxy on this machine, or a reader process (without an address), connects for many visitors.
        if visitor and self.visitors[visitor] >= self.max_per_visitor and not is_this_machine(visitor):
            transport.abort()
            return
        if len(self.open_connections) >= self.max_connections and not self._make_room():
            transport.abort()
            return
        self.open_connections[self] = visitor
        self.visitors[visitor] += 1
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers and remove the connection."""
        self._stop_waiting()
        self._stop_watching()
        self.forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received data; the time limit for headers starts with the first byte of each request."""
        if self._header_timer is None and not self.is_busy:
            self._wait_for_headers()
        super().data_received(data)
        if self.is_busy:
            self._stop_waiting()

    def pause_writing(self) -> None:
        """Pause until the client has read, and watch its speed: a slow client keeps the response in memory."""
        super().pause_writing()
        if self.client:  # a reader process has no address, and watches its own client
            self._watch_reading()

    def resume_writing(self) -> None:
        """Resume sending."""
        self._stop_watching()
        super().resume_writing()

    def _watch_reading(self) -> None:
        waiting_bytes = self.transport.get_write_buffer_size()
        self._reading_timer = self.loop.call_later(self.header_s, self._end_if_unread, waiting_bytes)

    def _stop_watching(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None

    def _end_if_unread(self, waiting_bytes: int) -> None:
        if waiting_bytes - self.transport.get_write_buffer_size() < _READ_BYTES:
            # Otherwise the kernel would keep megabytes of the response in its send buffer.
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROP_UNSENT)
            self.transport.abort()
        else:
            self._watch_reading()

    @property
    def is_busy(self) -> bool:
        """Return whether a request is being processed."""
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
        if (idle := next((one for one in self.open_connections if not one.is_busy), None)) is None:
            return False
        idle.transport.abort()
        idle.forget()
        return True

    def forget(self) -> None:
        """Remove the connection from the counts, before the event loop calls `connection_lost`."""
        if (visitor := self.open_connections.pop(self, None)) is not None:
            self.visitors[visitor] -= 1
            if not self.visitors[visitor]:
                del self.visitors[visitor]


class RateLimitFilter(logging.Filter):
    """Log filter that passes each message below ERROR at most once per interval."""

    def __init__(self, interval_s: float = 60.0) -> None:
        super().__init__()
        self._interval_s = interval_s
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is logged."""
        if record.levelno >= logging.ERROR:
            return True
        now = time.monotonic()
        if now - self._last.get(record.msg, -self._interval_s) < self._interval_s:
            return False
        self._last[record.msg] = now
        return True


def limited_protocol(limits: VisitorLimits, processes: int = 1) -> type[LimitedProtocol]:
    """Return the protocol class for one of a server's processes, with its share of the connections."""
    connections = max(4, limits.connections // processes)

    class ServerProtocol(LimitedProtocol):
        header_s = limits.request_s
        max_connections = connections
        max_per_visitor = max(1, connections // 4)
        open_connections: ClassVar[dict[LimitedProtocol, str]] = {}
        visitors: ClassVar[Counter[str]] = Counter()

    return ServerProtocol
