"""The first page: every blog with its health, a field to add one, and what is being harvested right now."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from posterity.serve.guard import COOKIE, is_token, session_of
from posterity.serve.problems import Problem
from posterity.serve.services import Parts, RawBody
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
_SHOWN = 50
_RECENT = 3  # jobs that are over
_SESSION_S = 30 * 86400


@router.get("/")
def home(request: Request, parts: Parts, start: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    """Show the blogs, the latest updated first."""
    lines = parts.blogs.all()
    known = parts.jobs.all()
    running = [job for job in known if not job.is_over]
    return page(
        request,
        "home.html",
        lines=lines[start : start + _SHOWN],
        total=len(lines),
        posts=sum(line.count.posts for line in lines),
        start=start,
        shown=_SHOWN,
        jobs=[job.status() for job in running + [job for job in known if job.is_over][:_RECENT]],
        at_work=bool(running),
    )


@router.get("/jobs/{job_id}")
def job(request: Request, parts: Parts, job_id: str) -> Response:
    """Show one job as it goes."""
    return page(request, "job.html", job=parts.jobs.named(job_id).status())


@router.get("/login")
def login(request: Request) -> Response:
    """Ask for the token."""
    return page(request, "login.html", wrong=False)


@router.post("/login")
def logged_in(request: Request, parts: Parts, body: RawBody) -> Response:
    """Keep the token in a cookie that no script can read and no other site can send."""
    given = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]
    wait_s = parts.rate.wait_s(f"login {request.client.host if request.client else ''}")
    if wait_s:
        raise Problem(429, "That was a lot in a short time. Wait a moment.", {"Retry-After": str(int(wait_s) + 1)})
    if not is_token(parts.settings, given):
        return page(request, "login.html", status=401, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        COOKIE,
        session_of(given),
        max_age=_SESSION_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout")
def logged_out() -> Response:
    """Forget the token."""
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer
