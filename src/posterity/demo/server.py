"""The bundled blog as a site in memory, and an HTTP server on loopback for it that supports conditional requests.

`build` is pure: the same options give the same bytes. Tests and `posterity demo` harvest the site like a blog on the
web. Pages and feeds are rendered from templates.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import cache, partial
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import ceil
from sys import exc_info
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from jinja2 import Environment, FunctionLoader, StrictUndefined

from posterity.demo.blog import DEFAULTS, DemoBlog, Entry, SiteOptions, Theme, blog_of, comment_html
from posterity.demo.posts import DemoComment, DemoImage, package_data, rendered_article


@dataclass(frozen=True, slots=True)
class TrueComment:
    """The ground truth of a comment; `id` and `parent` are as in the page's anchors `comment-<id>`."""

    id: str
    parent: str | None
    author: str
    author_url: str | None
    published: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TruePost:
    """The ground truth of a post.

    `author` is None if neither the page nor the feed has it. `text` is the article without title, byline, share bar
    and comments. The `src` of an image is a path, like `path`. Comments are in reading order.
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
    """Return the ground truth of the posts, newest first."""
    return tuple(_true_post(entry, blog) for entry in blog.entries)


def _true_post(entry: Entry, blog: DemoBlog) -> TruePost:
    options = blog.options
    author_known = options.authors_on_page or (options.authors_in_feed and entry in blog.feed_shown)
    waiting = list(reversed(entry.threads))
    found = []
    while waiting:
        thread = waiting.pop()
        comment = thread.comment
        parent = None if comment.parent is None else str(comment.parent)
        who = (comment.author, comment.author_url)
        found.append(TrueComment(str(comment.id), parent, *who, comment.published, comment.text.strip()))
        waiting.extend(reversed(thread.replies))
    return TruePost(
        path=entry.path,
        url=entry.url,
        title=entry.post.title,
        author=entry.post.author if author_known else None,
        published=entry.post.published,
        language=entry.post.language,
        tags=entry.post.tags,
        text=entry.text,
        comments=tuple(found),
        images=entry.images,
        theme=entry.theme,
    )


MONTHS = "January February March April May June July August September October November December".split()


def day_month_year(moment: datetime) -> str:
    """Return a date like `12 March 2021`."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def month_day_year(moment: datetime) -> str:
    """Return a date like `March 12, 2021`."""
    return f"{MONTHS[moment.month - 1]} {moment.day}, {moment.year}"


def dotted_date(moment: datetime) -> str:
    """Return a date like `12.03.2021`."""
    return f"{moment:%d.%m.%Y}"


def fill_template(template: str, **values: object) -> str:
    """Render a template; values are escaped unless the template marks them as safe."""
    return _environment().get_template(template).render(**values)


def template_source(name: str) -> str:
    """Return the content of a file in the templates folder."""
    return package_data().joinpath("templates", *name.split("/")).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(template_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "comment_html": comment_html, "day_month_year": day_month_year, "dotted": dotted_date,
        "month_day_year": month_day_year, "rfc822": format_datetime,
    }  # fmt: skip
    return environment


@dataclass(frozen=True, slots=True)
class Resource:
    """One response of the blog."""

    content_type: str
    body: bytes
    modified: datetime
    status: int = 200


HTML = "text/html; charset=utf-8"
POSTS_A_PAGE = 6
THEMES: tuple[Theme, ...] = ("harbour", "attic")


def page_resources(blog: DemoBlog) -> dict[str, Resource]:
    """Return all resources of the blog except feeds and images."""
    resources = dict(_single_pages(blog))
    for title, entries, path_of in _listings(blog):
        resources |= _listing_pages(blog, title, entries, path_of)
    for year in blog.years:
        entries = [entry for entry in blog.entries if entry.post.published.year == year]
        path = blog.urls.year(year)
        resources[path] = _page(blog, "year.html", path, year=year, entries=entries)
    for entry in blog.entries:
        text = fill_template(f"{entry.theme}/post.html", blog=blog, at=blog.urls, path=entry.path, entry=entry)
        resources[entry.path] = _html(text, entry.post.modified)
    at = blog.urls
    for theme in THEMES:
        sheet = template_source(f"{theme}/style.css").encode()
        resources[at.stylesheet(theme)] = Resource("text/css; charset=utf-8", sheet, _oldest(blog))
    robots = "User-agent: *\nAllow: /\n"
    if blog.options.sitemap:
        robots += f"\nSitemap: {at.absolute(at.sitemap)}\n"
        sitemap = fill_template("sitemap.xml", blog=blog, at=at)
        resources[at.sitemap] = Resource("application/xml; charset=utf-8", sitemap.encode(), blog.modified)
    # robots.txt belongs to the host, even if the blog is in a folder.
    resources["/robots.txt"] = Resource("text/plain; charset=utf-8", robots.encode(), blog.modified)
    return resources


def _html(text: str, modified: datetime, status: int = 200) -> Resource:
    return Resource(HTML, text.encode(), modified, status)


def _page(blog: DemoBlog, template: str, path: str, status: int = 200, **values: object) -> Resource:
    text = fill_template(f"{blog.options.theme}/{template}", blog=blog, at=blog.urls, path=path, **values)
    return _html(text, blog.modified, status)


def _listings(blog: DemoBlog) -> Iterator[tuple[str, Sequence[Entry], Callable[[int], str]]]:
    yield "", blog.entries, blog.urls.front
    for tag, _ in blog.tags:
        tagged = [entry for entry in blog.entries if tag in entry.post.tags]
        yield f"Filed under {tag}", tagged, partial(blog.urls.tag, tag)
    for author in blog.masthead.authors if blog.options.authors_on_page else ():
        written = [entry for entry in blog.entries if entry.post.author == author.name]
        if written:
            yield f"Posts by {author.name}", written, partial(blog.urls.author, author.slug)


def _listing_pages(
    blog: DemoBlog, title: str, entries: Sequence[Entry], path_of: Callable[[int], str]
) -> dict[str, Resource]:
    last = ceil(len(entries) / POSTS_A_PAGE)
    return {
        path_of(page): _page(
            blog, "listing.html", path_of(page), title=title, page=page,
            entries=entries[(page - 1) * POSTS_A_PAGE : page * POSTS_A_PAGE],
            newer=path_of(page - 1) if page > 1 else None, older=path_of(page + 1) if page < last else None,
        )
        for page in range(1, last + 1)
    }  # fmt: skip


def _single_pages(blog: DemoBlog) -> Iterator[tuple[str, Resource]]:
    at = blog.urls
    about = rendered_article(package_data().joinpath("about.md").read_text("utf-8"), str)
    yield at.about, _page(blog, "page.html", at.about, title="About", content=about.html)
    sorry = "<p>The tide has been over this page. Nothing is left here.</p>"
    yield at.missing, _page(blog, "page.html", at.missing, status=404, title="Not found", content=sorry)
    if blog.options.prefix:
        # If the blog is in a folder, the host has its own front page, which is not part of the blog.
        yield "/", _html(fill_template("host.html", blog=blog, at=at), blog.modified)


CONTENT_TYPES = {
    "rss": "application/rss+xml; charset=utf-8",
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
}


def feed_resources(blog: DemoBlog) -> dict[str, Resource]:
    """Return the feeds of posts and of comments; empty for a blog without feeds."""
    if blog.options.feed == "none":
        return {}
    return {blog.urls.feed: _posts_feed(blog)} | dict(_comment_feeds(blog))


def _posts_feed(blog: DemoBlog) -> Resource:
    feed_format = blog.options.feed_format
    if feed_format == "json":
        text = json.dumps(_json_feed(blog), ensure_ascii=False, indent=1)
    else:
        text = fill_template(f"{feed_format}.xml", blog=blog, at=blog.urls, newest=blog.entries[0].post.published)
    if blog.options.feed == "broken":
        # Two defects of real feeds: an unescaped ampersand, and a truncated response.
        text = text.replace("Almanac", "Almanac & Sons", 1)[: len(text) * 2 // 3]
    return Resource(CONTENT_TYPES[feed_format], text.encode(), blog.modified)


def _json_feed(blog: DemoBlog) -> dict[str, object]:
    at = blog.urls
    return {
        "version": "https://jsonfeed.org/version/1.1", "title": blog.masthead.title,
        "description": blog.masthead.tagline, "language": blog.masthead.language,
        "home_page_url": at.absolute(at.front()), "feed_url": at.absolute(at.feed),
        "items": [_json_item(blog, entry) for entry in blog.feed_shown],
    }  # fmt: skip


def _json_item(blog: DemoBlog, entry: Entry) -> dict[str, object]:
    item: dict[str, object] = {
        "id": entry.url, "url": entry.url, "title": entry.post.title,
        "date_published": entry.post.published.isoformat(), "language": entry.post.language,
        "tags": list(entry.post.tags),
    }  # fmt: skip
    if blog.options.authors_in_feed:
        item["authors"] = [{"name": entry.post.author}]
    match blog.options.feed:
        case "titles":
            # The format requires content; feeds with titles only have empty content.
            return item | {"content_text": ""}
        case "summary":
            return item | {"content_text": entry.excerpt}
        case _:
            return item | {"content_html": entry.feed_html, "summary": entry.excerpt}


def _comment_feeds(blog: DemoBlog) -> Iterator[tuple[str, Resource]]:
    at, title = blog.urls, blog.masthead.title
    if blog.comments:
        path = at.comments_feed
        yield path, _comments_feed(blog, f"Comments on {title}", at.front(), path, blog.comments)
    for entry in blog.entries:
        if entry.comments_path:
            pairs = [(entry, comment) for comment in reversed(entry.post.comments)]
            feed_title = f"Comments on: {entry.post.title}"
            yield entry.comments_path, _comments_feed(blog, feed_title, entry.path, entry.comments_path, pairs)


def _comments_feed(
    blog: DemoBlog, title: str, page: str, path: str, pairs: Sequence[tuple[Entry, DemoComment]]
) -> Resource:
    # JSON Feed does not support comments, so a blog with a JSON feed has them in RSS.
    feed_format = "atom" if blog.options.feed_format == "atom" else "rss"
    shown = pairs[: blog.options.comment_feed_entries]
    urls = {"page": blog.urls.absolute(page), "url": blog.urls.absolute(path)}
    text = fill_template(f"comments_{feed_format}.xml", blog=blog, title=title, pairs=shown, **urls)
    return Resource(CONTENT_TYPES[feed_format], text.encode(), pairs[0][1].published)


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
    """Build the blog with these options."""
    blog = blog_of(options)
    pages = page_resources(blog)
    found = {}
    for source in sorted(package_data().joinpath("images").iterdir(), key=lambda source: source.name):
        kind = IMAGE_TYPES[source.name.rpartition(".")[2]]
        found[blog.urls.image(source.name)] = Resource(kind, source.read_bytes(), _oldest(blog))
    resources = pages | feed_resources(blog) | found
    icon = package_data().joinpath("favicon.png").read_bytes()
    resources["/favicon.ico"] = Resource("image/png", icon, _oldest(blog))
    return DemoSite(options, MappingProxyType(resources), truth_of(blog), pages[blog.urls.missing])


def _oldest(blog: DemoBlog) -> datetime:
    """Return the time of the first post, which is the modification time of files that never change."""
    return blog.entries[-1].post.published


class Request(NamedTuple):
    """A request to the server."""

    method: str
    path: str
    status: int


@dataclass
class Serving:
    """A running server; assign another `site` to change the blog while it is served."""

    base_url: str
    site: DemoSite
    requests: list[Request] = field(default_factory=list)


@contextmanager
def serving(
    site_of: Callable[[str], DemoSite] | SiteOptions = DEFAULTS, host: str = "127.0.0.1", port: int = 0
) -> Iterator[Serving]:
    """Serve a blog until the block ends; the site is built when the port, and so its URL, is known."""
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
            server.close_connections()


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
        # HTTPServer would look up the host's full name, which may take seconds and is never used.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Close the connections that clients keep alive, so that their threads end."""
        for connection in tuple(self._open):
            with suppress(OSError):  # already closed by the client
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        # Clients may close a connection at any time.
        if not isinstance(exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "SaltAlmanac"
    sys_version = ""
    # Headers and body are sent in one packet; otherwise each response waits for a delayed acknowledgement.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._respond(with_body=True)

    def do_HEAD(self) -> None:
        self._respond(with_body=False)

    def log_message(self, *_: object) -> None:
        """Print nothing: requests are recorded in `Serving.requests`."""

    def _respond(self, with_body: bool) -> None:
        site = self.server.serving.site
        target = _known_target(self.path, site)
        if target is None and f"{self.path}/" in site:
            self._send(HTTPStatus.MOVED_PERMANENTLY, {"Location": f"{self.path}/", "Content-Length": "0"})
            return
        resource = site.missing if target is None else site[target]
        validators = _validators(resource) if resource.status == HTTPStatus.OK else {}
        if validators and self._is_fresh(resource, validators["ETag"]):
            self._send(HTTPStatus.NOT_MODIFIED, validators)
            return
        headers = {"Content-Type": resource.content_type, "Content-Length": str(len(resource.body))}
        self._send(resource.status, headers | validators, resource.body if with_body else b"")

    def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        # Recorded before the client receives the response, so that tests never check too early.
        self.server.serving.requests.append(Request(self.command, self.path, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _is_fresh(self, resource: Resource, etag: str) -> bool:
        if etags := self.headers["If-None-Match"]:
            return etags.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in etags.split(",")]
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
    # The order of query parameters does not matter.
    known = ((path, urlsplit(path)) for path in site if query)
    same = (path for path, own in known if own.path == parts.path and dict(parse_qsl(own.query)) == query)
    return next(same, None)
