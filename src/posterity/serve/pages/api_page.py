"""The interface for programs, described for people from its own OpenAPI: no script, nothing from elsewhere."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from posterity.serve.call_examples import calls_of
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/api")
def interface(request: Request) -> Response:
    """Show every call with an example."""
    return page(request, "api.html", calls=calls_of(request.app.openapi()))
