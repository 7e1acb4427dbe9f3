"""Blogs over REST: the list, single blogs, their reports, schedules and rules, and corrections of rules."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import PlainTextResponse, Response

from posterity.crawl.run import put_schedule
from posterity.errors import NotInArchive
from posterity.learning.formats import FORMATS, written_rules
from posterity.model import Blog, HarvestReport, RuleSet, Schedule, from_json, to_json
from posterity.serve.api.responses import BlogList, json_response, responses_of
from posterity.serve.extraction import CorrectionRequest, proposed
from posterity.serve.health import BlogLine
from posterity.serve.middleware import Costly, Writer
from posterity.serve.rule_correction import CorrectedField, Proposal, pages_to_try
from posterity.serve.services import RawBody, ServicesDep

router = APIRouter(prefix="/api/v1/blogs", tags=["blogs"])


@router.get("", responses=responses_of(BlogList, s304="Not modified."))
def blogs(
    request: Request,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """List the blogs in the archive, most recently updated first, with their counts and health."""
    lines = services.blogs.all()
    end = offset + limit
    return json_response(request, BlogList(items=lines[offset:end], next=str(end) if end < len(lines) else None))


@router.get("/{blog}", responses=responses_of(BlogLine, s404="There is no such blog."))
def blog(request: Request, services: ServicesDep, blog: str) -> Response:
    """Return a blog by its id or host name."""
    return json_response(request, services.blogs.one(blog))


@router.get("/{blog}/report", responses=responses_of(HarvestReport, s404="There is no such blog or report."))
def report(request: Request, services: ServicesDep, blog: str) -> Response:
    """Return the completeness report of the latest harvest: what each source listed, what is missing and why."""
    if (found := services.archive.report(services.archive.blog(blog).id)) is None:
        raise NotInArchive(f"No harvest of {blog!r} has ended yet.")
    return json_response(request, found)


@router.get("/{blog}/rules", responses=responses_of(RuleSet, s404="There is no such blog or rule set."))
def rules(
    request: Request,
    services: ServicesDep,
    blog: str,
    version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    format: Annotated[str, Query(max_length=20, description=f"One of {', '.join(FORMATS)}.")] = "json",  # noqa: A002
) -> Response:
    """Return the rules of a blog, the latest or a given version, as JSON or in the format of other software."""
    found = stored_rules(services, blog, version)
    return json_response(request, found) if format == "json" else PlainTextResponse(written_rules(found, format))


_SCHEDULE = {
    "oneOf": [
        {"type": "object", "required": ["mode"], "properties": {"mode": {"enum": ["adaptive", "paused"]}},
         "not": {"required": ["hours"]}},
        {"type": "object", "required": ["mode", "hours"], "properties": {
            "mode": {"enum": ["every"]}, "hours": {"type": "integer", "minimum": 1, "maximum": 8784}}},
    ]
}  # fmt: skip


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A correction: this element of a stored post's page is this field."""

    post: str
    node: int
    field: CorrectedField


@router.post(
    "/{blog}/rules/try",
    responses=responses_of(Proposal, s404="No such blog or post.", s429="Too many requests.", s503="Busy."),
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": {
        "type": "object", "required": ["post", "node", "field"], "properties": {
            "post": {"type": "string"}, "node": {"type": "integer"},
            "field": {"enum": ["text", "title", "authors", "published", "out"]}}}}}}},
)  # fmt: skip
def try_rule(services: ServicesDep, blog: str, body: RawBody, _: Costly) -> Response:
    """Try the rule for an element of a stored page on the blog's other pages, without saving it."""
    correction = from_json(body, Correction)
    pages = pages_to_try(services.archive, services.archive.blog(blog).id, first=correction.post)
    rules = stored_rules(services, blog, None)
    page, *others = pages
    request = CorrectionRequest(
        page=page, node=correction.node, field=correction.field, rules=rules, others=tuple(others)
    )
    return Response(to_json(proposed(services.extractor, request)), media_type="application/json")


@router.put(
    "/{blog}/rules",
    responses=responses_of(RuleSet, s401="No token is given.", s403="The server is read-only.", s404="No such blog."),
    openapi_extra={"requestBody": {"required": True, "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/RuleSet"}}}}},
)  # fmt: skip
def put_rules(services: ServicesDep, blog: str, body: RawBody, _: Writer) -> Response:
    """Save a rule set as the next version. Saving the current rules again changes nothing."""
    stored = services.archive.put_rules(services.archive.blog(blog).id, from_json(body, RuleSet))
    return Response(to_json(stored), media_type="application/json")


@router.put(
    "/{blog}/schedule",
    responses=responses_of(Blog, s401="The token is missing.", s403="The server is read-only.", s404="No such blog."),
    openapi_extra={"requestBody": {"required": True, "content": {
        "application/json": {"schema": _SCHEDULE}}}},
)  # fmt: skip
def schedule(services: ServicesDep, blog: str, body: RawBody, _: Writer) -> Response:
    """Set when a blog is updated: `adaptive`, `every` N hours, or `paused`."""
    planned = put_schedule(services.archive, blog, from_json(body, Schedule))
    services.blogs.refresh()
    return Response(to_json(planned), media_type="application/json")


def stored_rules(services: ServicesDep, blog: str, version: int | None) -> RuleSet:
    """Return the rules of a blog; raise `NotInArchive` if there are none."""
    if (found := services.archive.rules(services.archive.blog(blog).id, version)) is None:
        raise NotInArchive(f"There are no such rules for {blog!r}.")
    return found
