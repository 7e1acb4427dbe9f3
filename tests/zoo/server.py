"""A real HTTP server on loopback for one site, with a log of requests."""

from __future__ import annotations

import gzip
import socket
import struct
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.zoo.blog import HOST, ORIGIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.zoo.blog import Site

_NO_BODY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


@dataclass
class Served:
    """A site that is being served: its URL, and the requests so far."""

    origin: str
    requests: list[str] = field(default_factory=list)

    @property
    def page_requests(self) -> list[str]:
        """Requests without those for robots.txt."""
        return [target for target in self.requests if target != "/robots.txt"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site: Site) -> None:
        super().__init__(("127.0.0.1", 0), _RequestHandler)
        self.site = site
        self.served = Served(f"http://127.0.0.1:{self.server_port}")
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def note(self, target: str) -> int:
        """Log a request, and return the number of earlier ones for this target."""
        with self._lock:
            self.served.requests.append(target)
            self._counts[target] += 1
            return self._counts[target] - 1


class _RequestHandler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        earlier = self.server.note(self.path)
        response = self.server.site.respond(self.path, earlier)
        if response.delay_s:
            time.sleep(response.delay_s)
        if response.reset:
            # A linger of zero makes close() send RST instead of FIN.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        origin = self.server.served.origin
        body = response.body.replace(ORIGIN.encode(), origin.encode())
        body = body.replace(HOST.encode(), origin.removeprefix("http:").encode())
        if response.compressed:
            body = gzip.compress(body, mtime=0)
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value.replace(ORIGIN, origin).encode("utf-8").decode("latin-1"))
        if response.status not in _NO_BODY:
            self.send_header("Content-Length", str(len(body) + response.missing))
            self.close_connection = self.close_connection or response.missing > 0
        self.end_headers()
        if self.command != "HEAD" and response.status not in _NO_BODY:
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named so by http.server
        """Write nothing: the log is in `Served`."""

    def handle(self) -> None:
        """Respond until the client disconnects; an early disconnect is no error."""
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            self.close_connection = True


@contextmanager
def serve(site: Site) -> Iterator[Served]:
    """Serve the site while the context lasts."""
    server = _Server(site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.served
    finally:
        server.shutdown()
        server.server_close()
