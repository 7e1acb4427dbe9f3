"""The bundled blog as a site in memory, and an HTTP server on loopback for it that supports conditional requests.

`build` is pure: the same options give the same bytes. Tests and `posterity demo` harvest the site exactly as they
would harvest a blog on the web.
"""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from sys import exc_info
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from posterity.demo.blog import DEFAULTS, DemoBlog, Entry, SiteOptions, blog_of
from posterity.demo.pages import Resource, feed_resources, page_resources
from posterity.demo.posts import DemoImage, package_data


@dataclass(frozen=True, slots=True)
class TrueComment:
    """A comment as it stands under a post, `id` and `parent` as in the page's anchors `comment-<id>`."""

    id: str
    parent: str | None
    author: str
    author_url: str | None
    published: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TruePost:
    """A post as it stands on the blog.

    `author` is None where neither the page nor the feed has it. `text` is the article alone: no title, no byline, no
    share bar, no comments. The `src` of an image is a path, like `path`. Comments stand in reading order.
    """

    path: str
    url: str
    title: str
    author: str | None
    published: datetime
    language: str
    tags: tuple[str, ...]
    text: str
    comments: tuple[TrueComment, ...]
    images: tuple[DemoImage, ...]
    theme: str


def truth_of(blog: DemoBlog) -> tuple[TruePost, ...]:
    """Return the posts of the blog, newest first."""
    return tuple(_true_post(entry, blog) for entry in blog.entries)


def _true_post(entry: Entry, blog: DemoBlog) -> TruePost:
    options = blog.options
    author_known = options.authors_on_page or (options.authors_in_feed and entry in blog.feed_shown)
    return TruePost(
        path=entry.path,
        url=entry.url,
        title=entry.post.title,
        author=entry.post.author if author_known else None,
        published=entry.post.published,
        language=entry.post.language,
        tags=entry.post.tags,
        text=entry.text,
        comments=tuple(_true_comments(entry)),
        images=entry.images,
        theme=entry.theme,
    )


def _true_comments(entry: Entry) -> list[TrueComment]:
    waiting = list(reversed(entry.threads))
    found = []
    while waiting:
        thread = waiting.pop()
        comment = thread.comment
        parent = None if comment.parent is None else str(comment.parent)
        found.append(
            TrueComment(
                str(comment.id), parent, comment.author, comment.author_url, comment.published, comment.text.strip()
            )
        )
        waiting.extend(reversed(thread.replies))
    return found


__all__ = ["DemoSite", "Resource", "SiteOptions", "TrueComment", "TruePost", "build"]

IMAGE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}


@dataclass(frozen=True, eq=False)
class DemoSite(Mapping[str, Resource]):
    """The built blog: a read-only mapping from path, with query, to resource."""

    options: SiteOptions
    resources: Mapping[str, Resource]
    truth: tuple[TruePost, ...]
    missing: Resource

    def __getitem__(self, path: str) -> Resource:
        return self.resources[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.resources)

    def __len__(self) -> int:
        return len(self.resources)


def build(options: SiteOptions = DEFAULTS) -> DemoSite:
    """Return the blog as the options want it."""
    blog = blog_of(options)
    pages = page_resources(blog)
    resources = pages | feed_resources(blog) | _images(blog)
    resources["/favicon.ico"] = Resource(
        "image/png", package_data().joinpath("favicon.png").read_bytes(), _oldest(blog)
    )
    return DemoSite(options, MappingProxyType(resources), truth_of(blog), pages[blog.urls.missing])


def _images(blog: DemoBlog) -> dict[str, Resource]:
    sources = sorted(package_data().joinpath("images").iterdir(), key=lambda source: source.name)
    return {
        blog.urls.image(source.name): Resource(
            IMAGE_TYPES[source.name.rpartition(".")[2]], source.read_bytes(), _oldest(blog)
        )
        for source in sources
    }


def _oldest(blog: DemoBlog) -> datetime:
    """When the blog began, and whatever has not changed since."""
    return blog.entries[-1].post.published


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
    # Handler threads are joined at the end, so that no socket outlives the block.
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
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query))
    # A program does not mind the order of its parameters.
    return next((path for path in site if query and _same(path, parts.path, query)), None)


def _same(path: str, wanted_path: str, wanted_query: dict[str, str]) -> bool:
    parts = urlsplit(path)
    return parts.path == wanted_path and dict(parse_qsl(parts.query)) == wanted_query


def _with_slash(target: str) -> str:
    return f"{target}/"
