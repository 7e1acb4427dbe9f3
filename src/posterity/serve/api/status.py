"""Health checks of the server, and its metrics for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from posterity.config import __version__
from posterity.serve.api.responses import described
from posterity.serve.metrics import TEXT_FORMAT
from posterity.serve.services import Parts

router = APIRouter(tags=["status"])


@router.get("/health", responses=described(None))
def health(parts: Parts) -> Response:
    """Tell whether the archive can be read."""
    blogs = len(parts.archive.blogs())
    return JSONResponse({"status": "ok", "version": __version__, "blogs": blogs}, headers={"Cache-Control": "no-store"})


@router.get("/metrics", responses=described(None, media="text/plain"))
def metrics(parts: Parts) -> Response:
    """Return what the server did since it started, for Prometheus."""
    return PlainTextResponse(parts.metrics.text(parts.blogs.all(), parts.jobs.all()), media_type=TEXT_FORMAT)
