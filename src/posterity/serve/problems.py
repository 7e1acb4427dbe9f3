"""Errors as responses: problem details (RFC 9457) for programs, an HTML page for browsers."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from posterity import errors
from posterity.serve.templating import page

PROBLEM_TYPE = "application/problem+json"
# Path prefixes that always get problem details.
_FOR_PROGRAMS = ("/api/", "/oai", "/metrics", "/health", "/timemap", "/timegate")

# The HTTP status of each error class; the first match counts, so subclasses come first.
STATUSES: dict[type[errors.PosterityError], int] = {
    errors.NotInArchive: 404, errors.ArchiveError: 503, errors.UsageError: 422, errors.InputError: 422,
    errors.UnreadablePage: 422, errors.NoBlog: 422, errors.RefusedByRobots: 422, errors.Unreachable: 422,
    errors.PosterityError: 500,
}  # fmt: skip


class Problem(HTTPException):
    """A refused request, with a message that gives the reason and what to do."""


def problem_response(
    request: Request, status: int, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """Return the error as problem details or as an HTML page, depending on path and Accept."""
    title = HTTPStatus(status).phrase
    if request.url.path.startswith(_FOR_PROGRAMS) or "text/html" not in request.headers.get("accept", ""):
        body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        body["instance"] = request.url.path
        return JSONResponse(body | more, status, headers, PROBLEM_TYPE)
    return page(request, "problem.html", status=status, headers=headers, title=title, detail=detail)


def add_problem_pages(app: FastAPI) -> None:
    """Register handlers that turn every error of the app into a problem response."""

    @app.exception_handler(errors.PosterityError)
    def ours(request: Request, problem: errors.PosterityError) -> Response:
        status = next(number for kind, number in STATUSES.items() if isinstance(problem, kind))
        return problem_response(request, status, str(problem))

    @app.exception_handler(HTTPException)
    def refused(request: Request, problem: HTTPException) -> Response:
        return problem_response(request, problem.status_code, problem.detail, dict(problem.headers or {}))

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, problem: RequestValidationError) -> Response:
        found = [{"pointer": "/".join(map(str, one["loc"])), "detail": one["msg"]} for one in problem.errors()]
        detail = "; ".join(f"{one['pointer']}: {one['detail']}" for one in found)
        return problem_response(request, 422, detail, errors=found)


def bug_response(request: Request, problem: Exception) -> Response:
    """Return the response for an unexpected exception; the traceback goes only to the log."""
    logging.getLogger("posterity.serve").error("%s failed", request.url.path, exc_info=problem)
    return problem_response(request, 500, "Something went wrong in Posterity. Details are in the server's log.")
