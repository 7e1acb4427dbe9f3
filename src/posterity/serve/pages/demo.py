"""The live demo: enter a URL or HTML, choose methods, and see their results outlined side by side."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from posterity.errors import InputError
from posterity.extraction import METHODS
from posterity.extraction.method import NEEDS
from posterity.learning.formats import FORMATS as RULE_FORMATS
from posterity.learning.formats import written_rules
from posterity.model import from_json, to_json
from posterity.serve.api.responses import FORMS, written_posts
from posterity.serve.demo import DemoRequest
from posterity.serve.extraction import CorrectionRequest, proposed
from posterity.serve.middleware import Costly, Framing
from posterity.serve.problems import Problem
from posterity.serve.replay.frame import frame
from posterity.serve.rule_correction import CorrectedField
from posterity.serve.services import RawBody, ServicesDep
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
# Methods for a first comparison: the default, the paper's method that needs no feed, and the classic.
_CHOSEN = ("hybrid", "mcst", "bte")


class DemoCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """A correction: this element of a demo's page is this field; `keep` adopts the corrected rules."""

    node: int
    field: CorrectedField
    keep: bool = False


@router.get("/demo")
def demo(request: Request) -> Response:
    """Show the empty demo."""
    chosen = [name for name in _CHOSEN if name in METHODS]
    return page(request, "demo.html", demo=None, methods=list(METHODS), needs=NEEDS, chosen=chosen, rule_formats=())


@router.post("/demo")
def try_page(services: ServicesDep, body: RawBody, _: Costly) -> Response:
    """Try a page, and return the URL of the result."""
    found = services.demos.create(from_json(body, DemoRequest))
    return JSONResponse({"id": found.id, "href": f"/demo/{found.id}"}, 201)


@router.get("/demo/{demo_id}")
def result(request: Request, services: ServicesDep, demo_id: str) -> Response:
    """Show what the methods found on the page."""
    found = services.demos.get(demo_id)
    return page(
        request,
        "demo.html",
        demo=found,
        methods=list(METHODS),
        needs=NEEDS,
        chosen=[one.method for one in found.results],
        rule_formats=list(RULE_FORMATS),
    )


@router.get("/demo/{demo_id}/page")
def outlined(
    services: ServicesDep, demo_id: str, _: Framing, method: Annotated[str, Query(max_length=40)], select: bool = False
) -> Response:
    """Return the page for a frame, with what one method found outlined."""
    found = services.demos.get(demo_id)
    return frame(
        services.framer, found.page, found.result_of(method).posts, found.rules, sheets=found.sheets, select=select
    )


@router.get("/demo/{demo_id}/records")
def records(
    services: ServicesDep,
    demo_id: str,
    method: Annotated[str, Query(max_length=40)],
    form: Annotated[str, Query(max_length=20)] = "json",
) -> Response:
    """Download what one method found."""
    if form not in FORMS:
        raise InputError(f"There is no form {form!r}. Choose one of: {', '.join(FORMS)}.")
    chosen = FORMS[form]
    text = written_posts(services.demos.get(demo_id).result_of(method).posts, chosen)
    name = f'attachment; filename="{method}.{chosen.ending}"'
    return Response(text, media_type=chosen.media_type, headers={"Content-Disposition": name})


@router.get("/demo/{demo_id}/rules")
def learned(services: ServicesDep, demo_id: str, form: Annotated[str, Query(max_length=20)] = "json") -> Response:
    """Download the rules that were learned, in our JSON or for other software."""
    found = services.demos.get(demo_id)
    if found.rules is None:
        raise Problem(404, "Nothing could be learned for this page.")
    return PlainTextResponse(written_rules(found.rules, form))


@router.post("/demo/{demo_id}/rules")
def correct_rule(services: ServicesDep, demo_id: str, body: RawBody, _: Costly) -> Response:
    """Try the rule for a selected element; with `keep`, the demo continues with the corrected rules."""
    found, correction = services.demos.get(demo_id), from_json(body, DemoCorrection)
    if found.rules is None:
        raise Problem(404, "Nothing was learned for this page that could be corrected.")
    own = found.page
    others = [msgspec.structs.replace(own, url=url, body=body) for url, body in found.site.items() if url != own.url]
    request = CorrectionRequest(
        page=found.page, node=correction.node, field=correction.field, rules=found.rules, others=tuple(others)
    )
    tested = proposed(services.extractor, request)
    if correction.keep:
        services.demos.replace_rules(found, tested.rules)
    return Response(to_json(tested), media_type="application/json")
