"""How the interface answers: values as JSON with an ETag, lists in pages, and what OpenAPI says of them."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.archive.listing import PostLine
from posterity.archive.search import Facets
from posterity.model import to_json
from posterity.serve.etags import tagged
from posterity.serve.health import BlogLine
from posterity.serve.jobs import JobStatus
from posterity.serve.problems import PROBLEM_TYPE, Problem
from posterity.serve.teaching import Proposal

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from posterity.archive.listing import Place

from posterity.archive import Capture, History, Hit
from posterity.model import HarvestReport, Post, RuleSet


class BlogList(msgspec.Struct, frozen=True, kw_only=True):
    """Blogs, a page of them."""

    items: list[BlogLine]
    next: str | None = None


class PostList(msgspec.Struct, frozen=True, kw_only=True):
    """Posts, a page of them; `next` is the cursor of the next page."""

    items: list[PostLine]
    next: str | None = None


class HitList(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found, best first, and how it divides."""

    items: list[Hit]
    facets: Facets
    next: int | None = None


class JobList(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs, the latest first."""

    items: list[JobStatus]


class CaptureList(msgspec.Struct, frozen=True, kw_only=True):
    """Every stored answer from an address, oldest first."""

    items: list[Capture]


class ExtractedPosts(msgspec.Struct, frozen=True, kw_only=True):
    """The posts on a page."""

    posts: list[Post]


_TYPES = (BlogList, PostList, HitList, JobList, CaptureList, ExtractedPosts, History, HarvestReport, Proposal, RuleSet)
_REFERENCE = "#/components/schemas/{name}"
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object"}},
    },
}


def answer(request: Request, value: object) -> Response:
    """Return a value as JSON, or that it is the one the client has."""
    return tagged(request, to_json(value))


def described(kind: type | None, *, status: int = 200, media: str = "application/json", **more: str) -> dict[Any, Any]:
    """Return what OpenAPI says of an answer of this kind; `more` are other statuses and when they come."""
    plain = {"type": "object" if "json" in media else "string"}
    schema = {"$ref": _REFERENCE.format(name=kind.__name__)} if kind else plain
    found: dict[Any, Any] = {status: {"description": "It.", "content": {media: {"schema": schema}}}}
    for code, meaning in {"422": "The request makes no sense.", **_numbers(more)}.items():
        empty = code == "304"
        content = {} if empty else {"content": {PROBLEM_TYPE: {"schema": {"$ref": _REFERENCE.format(name="Problem")}}}}
        found[int(code)] = {"description": meaning, **content}
    return found


def _numbers(more: dict[str, str]) -> dict[str, str]:
    return {name.removeprefix("s"): meaning for name, meaning in more.items()}


def add_schemas(app: FastAPI) -> None:
    """Put the values of the model into the app's OpenAPI description."""
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


def cursor_of(place: Place | None) -> str | None:
    """Return a place in a list as a word for addresses."""
    return None if place is None else base64.urlsafe_b64encode(to_json(place)).decode().rstrip("=")


def place_of(cursor: str | None) -> Place | None:
    """Return the place that a cursor stands for, or a `Problem` for what is none."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded, b"-_", validate=True), type=tuple[str, str])
    except (binascii.Error, ValueError, msgspec.DecodeError) as problem:
        raise Problem(422, "The cursor is none of this server's. Begin without one.") from problem
