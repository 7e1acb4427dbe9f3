"""The parts of situations: requests, responses, the site that maps one to the other, posts, and the truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from html import escape
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tests.zoo.words import language, writer

# Replaced in bodies and headers by the server's scheme, host and port.
ORIGIN = "@ORIGIN@"
# The same without the scheme: //host:port.
HOST = "@HOST@"
NEWEST = datetime(2024, 5, 20, 9, 30, tzinfo=UTC)
_SUMMARY = 160  # characters


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request, and how often it was made before."""

    path: str
    query: Mapping[str, str]
    target: str
    # Earlier requests for the same target: some servers fail only once.
    earlier: int


@dataclass(frozen=True, kw_only=True)
class Response:
    """The server's response: `reset` closes the connection without one, `delay_s` delays it.

    `missing` bytes are announced but never sent.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    reset: bool = False
    missing: int = 0
    # Sent as a gzip file, not as a content encoding.
    compressed: bool = False


Handler: TypeAlias = Callable[[Request], Response]


def html(body: str, status: int = 200, encoding: str = "utf-8", **headers: str) -> Response:
    """Return a page; keywords such as `Link="..."` add headers."""
    kind = {"Content-Type": f"text/html; charset={encoding}"}
    return Response(body=body.encode(encoding, "xmlcharrefreplace"), status=status, headers=kind | headers)


def xml(body: str | bytes, kind: str = "application/xml") -> Response:
    """Return a feed or a sitemap."""
    return Response(body=body if isinstance(body, bytes) else body.encode(), headers={"Content-Type": kind})


def text(body: str) -> Response:
    """Return plain text: robots.txt, a sitemap of lines."""
    return Response(body=body.encode(), headers={"Content-Type": "text/plain; charset=utf-8"})


def redirect(location: str, status: int = 301) -> Response:
    """Return a redirect."""
    return Response(status=status, headers={"Location": location, "Content-Type": "text/html"})


def not_found(request: Request) -> Response:
    """Return the usual response for a missing path."""
    return html(f"<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>{request.path}</body>", 404)


@dataclass(kw_only=True)
class Site:
    """A site: responses by path or by path with query; `fallback` makes all others."""

    pages: dict[str, Response | Handler] = field(default_factory=dict)
    fallback: Handler = not_found
    # The start of the harvest.
    start: str = "/"

    def respond(self, target: str, earlier: int = 0) -> Response:
        """Return the response for the target of a request line.

        The path with its query is looked up first, with parameters in any order, then the path alone, as static servers
        ignore queries. A query without `=` must match exactly, as in engines that read it as a path.
        """
        parts = urlsplit(target)
        path, query = unquote(parts.path), dict(parse_qsl(parts.query, keep_blank_values=True))
        found = (
            self.pages.get(unquote(target)) or self._by_parameters(path, query) or self.pages.get(path) or self.fallback
        )
        if isinstance(found, Response):
            return found
        return found(Request(path=path, query=query, target=target, earlier=earlier))

    def _by_parameters(self, path: str, query: Mapping[str, str]) -> Response | Handler | None:
        for spelled, page in self.pages.items():
            before, mark, after = spelled.partition("?")
            if mark and "=" in after and before == path and dict(parse_qsl(after)) == query:
                return page
        return None


@dataclass(frozen=True, kw_only=True)
class Truth:
    """The result of a perfect harvest: exactly one record for each of `posts`."""

    posts: Sequence[str]
    # Other paths of a post; a record under one of them counts as this post.
    aliases: Mapping[str, str] = field(default_factory=dict)
    # Records that are neither right nor wrong.
    optional: Sequence[str] = ()
    # Strings that the text (or title) of a record must contain, by path of the post.
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # Strings that no record's text may contain: a sentence of a paywall or of a "not found" page.
    forbidden_texts: Sequence[str] = ()
    # Posts for subscribers only, which are stored with `access: restricted`.
    restricted: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Post:
    """A post, independent of its page."""

    path: str
    number: int
    slug: str
    title: str
    date: datetime
    author: str
    tags: Sequence[str]
    paragraphs: Sequence[str]

    @property
    def html(self) -> str:
        """The article as HTML."""
        return "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in self.paragraphs)

    @property
    def summary(self) -> str:
        """The beginning of the text, for listings."""
        return f"{self.paragraphs[0][:_SUMMARY]} …"

    @property
    def href(self) -> str:
        """The path as written in a link."""
        return quote(self.path, safe="/?=&;:@%#~!$'()*+,")

    @property
    def fragment(self) -> str:
        """Words from the middle of the text, unique to this post."""
        return self.paragraphs[len(self.paragraphs) // 2][:60].rstrip()


def write_posts(
    seed: str,
    count: int = 12,
    path: str = "/{date:%Y/%m}/{slug}/",
    *,
    newest: datetime = NEWEST,
    days: int = 9,
    code: str = "en",
    paragraphs: int = 4,
    first: int = 1,
) -> list[Post]:
    """Return posts, newest first; `path` may use {date}, {slug}, {number}, counted from `first` for the oldest."""
    hand = writer(seed, code)
    names = language(code).names.split("|")
    tags = [slug_of(tag) or f"tag{place}" for place, tag in enumerate(language(code).tags.split("|"))]
    posts, slugs = list[Post](), set[str]()
    for place in range(count):
        date = newest - timedelta(days=days * place, hours=place % 7)
        title, number = hand.title(), first + count - 1 - place
        slug = slug_of(title)
        if slug in slugs or not slug:
            slug = f"{slug}-{number}".strip("-")
        slugs.add(slug)
        posts.append(
            Post(
                path=path.format(date=date, slug=slug, number=number),
                number=number,
                slug=slug,
                title=title,
                date=date,
                author=hand.one_of(names),
                tags=(hand.one_of(tags),),
                paragraphs=[hand.paragraph() for _ in range(hand.number(max(1, paragraphs - 1), paragraphs + 2))],
            )
        )
    return posts


def move(posts: Sequence[Post], path: str) -> list[Post]:
    """Return the same posts under other paths."""
    return [replace(post, path=path.format(date=post.date, slug=post.slug, number=post.number)) for post in posts]


def paths(posts: Sequence[Post]) -> list[str]:
    """Return the paths of posts."""
    return [post.path for post in posts]


def truth_of(posts: Sequence[Post], aliases: Mapping[str, str] | None = None) -> Truth:
    """Return the truth of a blog of these posts, each with words from the middle of its text."""
    texts = {post.path: [post.fragment] for post in posts}
    return Truth(posts=paths(posts), texts=texts, aliases=aliases or {})


def slug_of(title: str) -> str:
    """Return the title as in permalinks."""
    return "-".join(re.findall(r"\w+", title.lower()))
