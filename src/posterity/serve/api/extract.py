"""Extraction as a web service, as in BlogBuster: takes HTML or a URL, returns its posts as JSON, XML or text."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from posterity.errors import InputError
from posterity.extraction import METHODS
from posterity.model import RuleSet, from_json
from posterity.serve.api.responses import ExtractedPosts, form_of, responses_of, written_posts
from posterity.serve.extraction import ExtractRequest
from posterity.serve.middleware import Costly
from posterity.serve.services import RawBody, ServicesDep
from posterity.serve.settings import visitor_client

router = APIRouter(prefix="/api/v1", tags=["extract"])

_SCHEMA = {
    "type": "object", "properties": {
        "html": {"type": "string"}, "url": {"type": "string"}, "method": {"type": "string", "enum": list(METHODS)},
        "index": {"type": "boolean"}, "rules": {"$ref": "#/components/schemas/RuleSet"}},
}  # fmt: skip


class ExtractBody(msgspec.Struct, frozen=True, kw_only=True):
    """A page as HTML or by URL; `index` marks a front page with several posts."""

    html: str | None = None
    url: str = ""
    method: str | None = None
    index: bool = False
    rules: RuleSet | None = None


@router.post(
    "/extract",
    responses=responses_of(ExtractedPosts, s406="No type in Accept is supported.", s413="The page is too large.",
                        s429="Too many requests.", s503="The server is busy."),
    openapi_extra={"requestBody": {"required": True, "content": {
        "application/json": {"schema": _SCHEMA}, "text/html": {"schema": {"type": "string"}}}}},
)  # fmt: skip
def extract(
    request: Request,
    services: ServicesDep,
    _: Costly,
    body: RawBody,
    url: Annotated[str, Query(max_length=4000, description="The URL of an HTML body.")] = "",
    method: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """Extract the posts of a page. The body is HTML (text/html), or JSON with `html` or `url`."""
    form = form_of(request)
    content_type = request.headers.get("content-type", "")
    options = from_json(body, ExtractBody) if "json" in content_type else ExtractBody(url=url, method=method)
    if options.method is not None and options.method not in METHODS:
        raise InputError(f"There is no method {options.method!r}. Choose one of: {', '.join(METHODS)}.")
    result = services.extractor.extract(_request(services, options, body, content_type))
    return Response(written_posts(result.posts, form), media_type=form.media_type, headers={"Vary": "Accept"})


def _request(services: ServicesDep, options: ExtractBody, body: bytes, content_type: str) -> ExtractRequest:
    if "json" not in content_type:
        page, url, kind = body, options.url, content_type
    elif options.html is not None:
        page, url, kind = options.html.encode("utf-8", "replace"), options.url, "text/html; charset=utf-8"
    elif options.url:
        fetched = visitor_client(services.settings).fetch(options.url)
        page, url, kind = fetched.body, fetched.url, fetched.content_type
    else:
        raise InputError("There is nothing to extract. Send HTML, or JSON with `html` or `url`.")
    if not page.strip():
        raise InputError("The page is empty.")
    return ExtractRequest(
        body=page, url=url, content_type=kind, method=options.method, index=options.index, rules=options.rules
    )
