"""The bundled blog on a real socket: an HTTP server on loopback that knows conditional requests.

Tests and `posterity demo` harvest it exactly as they would harvest a blog on the web.
"""

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from sys import exc_info
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from posterity.demo.blog import DEFAULTS
from posterity.demo.pages import Resource
from posterity.demo.site import DemoSite, SiteOptions, build


class Request(NamedTuple):
    """A request to the server."""

    method: str
    path: str
    status: int


@dataclass
class Serving:
    """A blog being served; put another site in to let the blog change under its readers."""

    base_url: str
    site: DemoSite
    requests: list[Request] = field(default_factory=list)


@contextmanager
def serving(
    site_of: Callable[[str], DemoSite] | SiteOptions = DEFAULTS, host: str = "127.0.0.1", port: int = 0
) -> Iterator[Serving]:
    """Serve a blog until the block ends; the site is built once the port, and so its URL, is known."""
    with _Server((host, port), _Handler) as server:
        base_url = f"http://{host}:{server.server_port}"
        server.serving = Serving(base_url, _site(site_of, base_url))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server.serving
        finally:
            server.shutdown()
            thread.join()
            server.hang_up()


def _site(site_of: Callable[[str], DemoSite] | SiteOptions, base_url: str) -> DemoSite:
    return build(replace(site_of, base_url=base_url)) if isinstance(site_of, SiteOptions) else site_of(base_url)


class _Server(ThreadingHTTPServer):
    serving: Serving
    # Answering threads are joined at the end, so that no socket outlives the block.
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)

    def server_bind(self) -> None:
        # HTTPServer asks the name service for the host's full name, which may take seconds and is never used.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that clients keep alive, so that their threads end too."""
        for connection in tuple(self._open):
            with suppress(OSError):  # Closed by the client in the same moment.
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        # A client that goes away in the middle is the web's normal weather.
        if not isinstance(exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "SaltAlmanac"
    sys_version = ""
    # Headers and body leave in one packet; otherwise each response waits for a delayed acknowledgement.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, *_: object) -> None:
        """Say nothing: requests are kept in `Serving.requests`."""

    def _answer(self, with_body: bool) -> None:
        site = self.server.serving.site
        target = _known_target(self.path, site)
        if target is None and _with_slash(self.path) in site:
            self._send(HTTPStatus.MOVED_PERMANENTLY, {"Location": _with_slash(self.path), "Content-Length": "0"})
            return
        resource = site.missing if target is None else site[target]
        validators = _validators(resource) if resource.status == HTTPStatus.OK else {}
        if validators and self._is_fresh(resource, validators["ETag"]):
            self._send(HTTPStatus.NOT_MODIFIED, validators)
            return
        headers = {"Content-Type": resource.content_type, "Content-Length": str(len(resource.body))}
        self._send(resource.status, headers | validators, resource.body if with_body else b"")

    def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        # Noted before the client can see the response, so that a test never looks too early.
        self.server.serving.requests.append(Request(self.command, self.path, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _is_fresh(self, resource: Resource, etag: str) -> bool:
        if wanted := self.headers["If-None-Match"]:
            return wanted.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in wanted.split(",")]
        try:
            since = parsedate_to_datetime(self.headers["If-Modified-Since"] or "")
        except ValueError:
            return False
        return resource.modified <= (since if since.tzinfo else since.replace(tzinfo=UTC))


def _validators(resource: Resource) -> dict[str, str]:
    return {
        "ETag": f'"{sha256(resource.body).hexdigest()[:20]}"',
        "Last-Modified": format_datetime(resource.modified.astimezone(UTC), usegmt=True),
    }


def _known_target(target: str, site: DemoSite) -> str | None:
    if target in site:
        return target
    address = urlsplit(target)
    query = dict(parse_qsl(address.query))
    # A program does not mind the order of its parameters.
    return next((path for path in site if query and _same(path, address.path, query)), None)


def _same(path: str, wanted_path: str, wanted_query: dict[str, str]) -> bool:
    address = urlsplit(path)
    return address.path == wanted_path and dict(parse_qsl(address.query)) == wanted_query


def _with_slash(target: str) -> str:
    return f"{target}/"
