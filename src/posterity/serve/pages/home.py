"""The home page (blogs with their health, a form to add one, running jobs), and the pages of jobs, login and fleet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from posterity.archive.opening import is_postgres
from posterity.serve.problems import Problem
from posterity.serve.services import RawBody, ServicesDep
from posterity.serve.settings import COOKIE, is_token, session_of
from posterity.serve.templating import page
from posterity.text.search_words import name_order

if TYPE_CHECKING:
    from posterity.fleet.status import FleetStatus
    from posterity.serve.health import BlogLine

router = APIRouter(include_in_schema=False)
_SHOWN = 50
_FEW = 5  # with no more blogs than this, the list needs no search
_RECENT = 3  # finished jobs to show
# Orders other than the default, by latest update. By health, blogs with problems come first.
ORDERS: dict[str, Callable[[BlogLine], Any]] = {
    "name": lambda line: name_order(line.blog.title or line.blog.url),
    "posts": lambda line: -line.count.posts,
    "health": lambda line: (("poor", "fair", "unknown", "good").index(line.health.grade), line.health.coverage or 0.0),
}


@router.get("/")
def home(
    request: Request,
    services: ServicesDep,
    start: Annotated[int, Query(ge=0, le=10**6)] = 0,
    find: Annotated[str, Query(max_length=200)] = "",
    order: Annotated[str, Query(max_length=20)] = "update",
) -> Response:
    """Show the blogs, the latest updated first, or in another order, or those alone that have some letters."""
    everything = services.blogs.all()
    word = find.strip().lower()
    lines = [line for line in everything if word in f"{line.blog.title or ''} {line.blog.url}".lower()]
    if order in ORDERS:
        lines = sorted(lines, key=ORDERS[order])
    known = services.jobs.all()
    running = [job for job in known if not job.is_over]
    return page(
        request,
        "home.html",
        lines=lines[start : start + _SHOWN],
        total=len(everything),
        found=len(lines),
        posts=sum(line.count.posts for line in everything),
        find=find.strip(),
        order=order,
        orders=("update", *ORDERS),
        start=start,
        shown=_SHOWN,
        few=_FEW,
        jobs=[job.status() for job in running + [job for job in known if job.is_over][:_RECENT]],
        at_work=bool(running),
    )


@router.get("/jobs/{job_id}")
def job(request: Request, services: ServicesDep, job_id: str) -> Response:
    """Show one job as it goes."""
    return page(request, "job.html", job=services.jobs.get(job_id).status())


@router.get("/login")
def login(request: Request) -> Response:
    """Ask for the token."""
    return page(request, "login.html", wrong=False)


@router.post("/login")
def logged_in(request: Request, services: ServicesDep, body: RawBody) -> Response:
    """Keep the token in a cookie that no script can read and no other site can send."""
    given = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]
    if wait_s := services.rate.wait_s(f"login {request.client.host if request.client else ''}"):
        raise Problem(429, "Too many requests. Try again in a moment.", {"Retry-After": str(int(wait_s) + 1)})
    if not is_token(services.settings, given):
        return page(request, "login.html", status=401, wrong=True)
    response = RedirectResponse("/", 303)
    is_https = request.url.scheme == "https"
    session = session_of(given)
    response.set_cookie(COOKIE, session, max_age=30 * 86400, httponly=True, samesite="strict", secure=is_https)
    return response


@router.post("/logout")
def logged_out() -> Response:
    """Forget the token."""
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE)
    return response


@router.get("/fleet")
def fleet(request: Request, services: ServicesDep) -> Response:
    """Show the fleet of an archive on PostgreSQL; for any other archive, how to make one."""
    if services.settings.public:  # the page contains host names
        raise Problem(404, "Public servers do not show the fleet.")
    return page(request, "fleet.html", fleet=fleet_of(services.settings.archive))


def fleet_of(archive: str) -> FleetStatus | None:
    """Return the status of the archive's fleet; None for an archive without one."""
    if not is_postgres(archive):
        return None
    from posterity.fleet.status import known_status

    return known_status(archive)
