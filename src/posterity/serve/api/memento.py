"""Memento (RFC 7089): every stored page by its original URL and the time of capture."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import partial
from typing import Annotated
from urllib.parse import quote

from anyio import to_thread
from fastapi import APIRouter, Header, Path, Request
from starlette.responses import RedirectResponse, Response

from posterity.archive import Capture
from posterity.archive.captures import LINK_FORMAT, STAMP, memento_datetime, memento_path, nearest, timemap
from posterity.dom.source import is_binary
from posterity.model import Page
from posterity.serve.api.responses import base_url, responses_of
from posterity.serve.middleware import FILE_POLICY
from posterity.serve.problems import Problem
from posterity.serve.replay.frame import frame
from posterity.serve.services import ServicesDep

router = APIRouter(tags=["memento"])
_FONTS = ("application/font-woff", "application/font-woff2", "application/x-font-woff", "application/x-font-ttf",
          "application/x-font-opentype", "application/vnd.ms-fontobject", "application/font-sfnt")  # fmt: skip
# Only for OpenAPI: `_archived_url` reads the URL from the raw request, including its query.
UrlPath = Annotated[str, Path(max_length=8000)]


@router.get("/timemap/link/{url:path}", responses=responses_of(None, media=LINK_FORMAT, s404="Nothing is stored."))
def time_map(request: Request, services: ServicesDep, url: UrlPath) -> Response:  # noqa: ARG001
    """Return the TimeMap of a URL: every capture of it."""
    archived_url = _archived_url(request, "/timemap/link/")
    return Response(timemap(archived_url, _captures(services, archived_url), base_url(request)), media_type=LINK_FORMAT)


@router.get(
    "/timegate/{url:path}",
    status_code=302,
    responses=responses_of(None, status=302, s400="Accept-Datetime is not a date.", s404="Nothing is stored."),
)
def time_gate(
    request: Request,
    services: ServicesDep,
    url: UrlPath,  # noqa: ARG001
    accept_datetime: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Lead to the capture nearest to Accept-Datetime, or to the latest."""
    archived_url = _archived_url(request, "/timegate/")
    found = _captures(services, archived_url)
    try:
        chosen = nearest(found, accept_datetime)
    except (ValueError, TypeError, OverflowError) as problem:
        raise Problem(400, f"{accept_datetime!r} is not an HTTP date.") from problem
    assert chosen is not None
    headers = {"Vary": "accept-datetime", "Link": _links(request, archived_url, found)}
    return RedirectResponse(base_url(request) + memento_path(chosen), 302, headers)


@router.get("/memento/{stamp}/{url:path}", responses=responses_of(None, media="text/html", s404="Nothing is stored."))
async def memento(request: Request, services: ServicesDep, stamp: str, url: UrlPath) -> Response:  # noqa: ARG001
    """Show a capture: a page cleaned and in a sandbox, anything else as it came."""
    page, headers = await to_thread.run_sync(_captured, request, services, stamp)
    if "html" not in page.content_type or is_binary(page.body):
        kind = page.content_type.partition(";")[0].strip().lower()
        safe = kind if re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind, re.ASCII) else "application/octet-stream"
        if safe.startswith("font/") or safe in _FONTS:
            headers["Access-Control-Allow-Origin"] = "null"  # the origin of sandboxed frames; fonts need CORS
        return Response(page.body, 200, {**headers, "Content-Security-Policy": FILE_POLICY}, safe)
    async with services.frame_slots.take():
        shown = partial(frame, services.framer, page, archive=services.settings.archive, headers=headers)
        return await to_thread.run_sync(shown)


def _captured(request: Request, services: ServicesDep, stamp: str) -> tuple[Page, dict[str, str]]:
    """Return the capture nearest to the timestamp, and its Memento headers."""
    archived_url = _archived_url(request, f"/memento/{stamp}/")
    try:
        wanted = datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError as problem:
        raise Problem(404, f"{stamp!r} is not the time of a capture.") from problem
    found = _captures(services, archived_url)
    chosen = min(found, key=lambda capture: abs(datetime.fromisoformat(capture.fetched_at) - wanted))
    page = services.archive.read_page(f"{chosen.file}#{chosen.offset}")
    return page, {"Memento-Datetime": memento_datetime(chosen), "Link": _links(request, archived_url, found)}


def _archived_url(request: Request, prefix: str) -> str:
    """Return the archived URL at the end of the request's URL, with its query."""
    path = request.scope.get("raw_path", b"").decode("ascii", "replace").partition("?")[0]
    path = path if path.startswith(prefix) else request.url.path
    query = f"?{request.url.query}" if request.url.query else ""
    # Proxies and browsers collapse the two slashes of a URL inside a path.
    return re.sub(r"^(https?):/+", r"\1://", path.removeprefix(prefix)) + query


def _captures(services: ServicesDep, url: str) -> list[Capture]:
    found = [capture for capture in services.archive.captures(url) if capture.kind in ("response", "revisit")]
    if not found:
        raise Problem(404, f"Nothing is stored from {url}.")
    return found


def _links(request: Request, url: str, found: list[Capture]) -> str:
    base = base_url(request)
    first, last = found[0], found[-1]
    links = [
        f'<{_ascii(url)}>; rel="original"',
        f'<{base}/timegate/{_ascii(url)}>; rel="timegate"',
        f'<{base}/timemap/link/{_ascii(url)}>; rel="timemap"; type="{LINK_FORMAT}"',
        f'<{base}{_ascii(memento_path(first))}>; rel="first memento"; datetime="{memento_datetime(first)}"',
        f'<{base}{_ascii(memento_path(last))}>; rel="last memento"; datetime="{memento_datetime(last)}"',
    ]
    return ", ".join(links)


def _ascii(url: str) -> str:
    return quote(url, safe="/?&=%:;+,@!$'()*~[]-._#")
