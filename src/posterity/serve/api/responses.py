"""Responses of the REST interface: JSON with an ETag, paginated lists, and their OpenAPI descriptions."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response

from posterity.archive import Archive, ArchiveHit, Capture, Filters, History
from posterity.archive.overview import Position, PostLine
from posterity.archive.search import Facets
from posterity.export.blogbuster_xml import blogbuster_xml
from posterity.model import HarvestReport, Post, RuleSet, to_json
from posterity.serve.health import BlogLine
from posterity.serve.jobs import JobStatus
from posterity.serve.problems import PROBLEM_TYPE, Problem
from posterity.serve.rule_correction import Proposal


def base_url(request: Request) -> str:
    """Return the URL of this server as the client requested it, without a trailing slash."""
    return f"{request.url.scheme}://{request.url.netloc}"


def with_etag(
    request: Request, body: bytes, media_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with the body and an ETag, or 304 if the client already has this body."""
    tag = f'"{hashlib.sha256(media_type.encode() + body).hexdigest()[:32]}"'
    more = {**(headers or {}), "ETag": tag}
    if has_tag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=more)
    return Response(body, 200, more, media_type)


def has_tag(header: str, tag: str) -> bool:
    """Return whether If-None-Match contains this ETag, by the weak comparison of RFC 9110."""
    return header.strip() == "*" or tag in {one.strip().removeprefix("W/") for one in header.split(",")}


class BlogList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a list of blogs."""

    items: list[BlogLine]
    next: str | None = None


class PostList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a list of posts; `next` is the cursor of the next page."""

    items: list[PostLine]
    next: str | None = None


class HitList(msgspec.Struct, frozen=True, kw_only=True):
    """Search hits, best first, with facets; without hits, `did_you_mean` may suggest another query."""

    items: list[ArchiveHit]
    facets: Facets
    next: int | None = None
    did_you_mean: str | None = None


class JobList(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs, newest first."""

    items: list[JobStatus]


class CaptureList(msgspec.Struct, frozen=True, kw_only=True):
    """Every stored response from a URL, oldest first."""

    items: list[Capture]


class ExtractedPosts(msgspec.Struct, frozen=True, kw_only=True):
    """The posts on a page."""

    posts: list[Post]


_TYPES = (BlogList, PostList, HitList, JobList, CaptureList, ExtractedPosts, History, HarvestReport, Proposal, RuleSet)
_REFERENCE = "#/components/schemas/{name}"
_PROBLEM = {
    "type": "object", "required": ["type", "title", "status", "detail"], "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
        "detail": {"type": "string"}, "instance": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object"}}},
}  # fmt: skip


def json_response(request: Request, value: object) -> Response:
    """Return a value as JSON with an ETag, or 304 if the client already has it."""
    return with_etag(request, to_json(value))


def responses_of(
    kind: type | None, *, status: int = 200, media: str = "application/json", **more: str
) -> dict[Any, Any]:
    """Return the OpenAPI responses of a route; `more` maps other statuses, such as `s404`, to their descriptions."""
    plain = {"type": "object" if "json" in media else "string"}
    schema = {"$ref": _REFERENCE.format(name=kind.__name__)} if kind else plain
    found: dict[Any, Any] = {status: {"description": "The response.", "content": {media: {"schema": schema}}}}
    for name, meaning in {"s422": "The request is invalid.", **more}.items():
        code = name.removeprefix("s")
        empty = code == "304"
        content = {} if empty else {"content": {PROBLEM_TYPE: {"schema": {"$ref": _REFERENCE.format(name="Problem")}}}}
        found[int(code)] = {"description": meaning, **content}
    return found


def add_schemas(app: FastAPI) -> None:
    """Add the schemas of the msgspec types to the app's OpenAPI description."""
    plain = app.openapi

    def whole() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = plain()
            _, components = msgspec.json.schema_components((*_TYPES, Post), ref_template=_REFERENCE)
            schemas = found.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(components)
            schemas["Problem"] = _PROBLEM
            found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = whole  # type: ignore[method-assign]


def cursor_of(place: Position | None) -> str | None:
    """Encode a place in a list as a URL-safe cursor."""
    return None if place is None else base64.urlsafe_b64encode(to_json(place)).decode().rstrip("=")


def place_of(cursor: str | None) -> Position | None:
    """Decode a cursor; raise `Problem` if it is invalid."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded, b"-_", validate=True), type=tuple[str, str])
    except (binascii.Error, ValueError, msgspec.DecodeError) as problem:
        raise Problem(422, "The cursor was not issued by this server. Start without one.") from problem


# The longest key that the indexes of both databases accept.
Word = Annotated[str | None, Query(max_length=200)]
Day = Annotated[
    str | None, Query(description="A day or time, such as 2024-01-31 or 2024-01-31T10:00:00Z.", max_length=40)
]
Limit = Annotated[int, Query(ge=1, le=200)]


async def filters_of(
    blog: Annotated[str | None, Query(description="Id, URL or host of a blog.", max_length=2000)] = None,
    author: Word = None,
    tag: Word = None,
    language: Annotated[str | None, Query(max_length=40)] = None,
    since: Day = None,
    until: Day = None,
) -> Filters:
    """Return the filters of a request; `blog_id` still holds an id, URL or host (see `with_blog_id`)."""
    return Filters(
        blog_id=blog or None,
        author=author or None,
        tag=tag or None,
        language=language or None,
        since=moment_of(since),
        until=moment_of(until),
    )


def with_blog_id(archive: Archive, filters: Filters) -> Filters:
    """Return the filters with the blog's id resolved; call it in the thread that uses them."""
    return msgspec.structs.replace(filters, blog_id=archive.blog(filters.blog_id).id) if filters.blog_id else filters


def moment_of(text: str | None) -> datetime | None:
    """Parse an ISO 8601 date or time, in UTC unless it has a zone; raise `Problem` if it is invalid."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as problem:
        raise Problem(422, f"{text!r} is not a date. Write it as 2024-01-31.") from problem
    return found if found.tzinfo else found.replace(tzinfo=UTC)


Narrowed = Annotated[Filters, Depends(filters_of)]


class Form(msgspec.Struct, frozen=True):
    """An output format: its name, media type and file extension."""

    name: str
    media_type: str
    ending: str


FORMS = {
    "json": Form("json", "application/json", "json"),
    "xml": Form("xml", "application/xml", "xml"),
    "text": Form("text", "text/plain; charset=utf-8", "txt"),
    "markdown": Form("markdown", "text/markdown; charset=utf-8", "md"),
}
_BY_TYPE = {
    "application/json": "json", "text/json": "json", "*/*": "json", "application/*": "json", "application/xml": "xml",
    "text/xml": "xml", "text/plain": "text", "text/*": "text", "text/markdown": "markdown", "text/html": "json",
}  # fmt: skip


def form_of(request: Request) -> Form:
    """Return the supported format that Accept prefers; JSON without a preference."""
    accept = request.headers.get("accept", "*/*").strip() or "*/*"
    preferences = []
    for place, part in enumerate(accept.split(",")):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        preferences.append((-_number(quality), place, kind))
    for preference, _, kind in sorted(preferences):
        if preference < 0 and kind in _BY_TYPE:
            return FORMS[_BY_TYPE[kind]]
    raise Problem(406, "Only JSON, XML, text/plain and text/markdown are supported; Accept contains none of them.")


def written_posts(posts: Sequence[Post], form: Form) -> str:
    """Return the records in this format; texts are separated by `---` lines."""
    match form.name:
        case "xml":
            return blogbuster_xml(posts)
        case "text":
            return "\n\n---\n\n".join(post.text for post in posts) + "\n"
        case "markdown":
            return "\n\n---\n\n".join(post.markdown or post.text for post in posts) + "\n"
        case _:
            return msgspec.json.format(to_json({"posts": posts}), indent=2).decode()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
