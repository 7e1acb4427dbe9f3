"""A blog's page: its timeline, who writes about what, how complete it is, its rules, its pictures, its exports."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from posterity.archive import Filters
from posterity.archive.listing import newest_posts
from posterity.archive.overview import (
    blog_count,
    comment_count,
    gone_count,
    labels_of,
    media_type,
    months_of,
    pictures_of,
)
from posterity.corpus.formats import FORMATS
from posterity.learn.formats import FORMATS as RULE_FORMATS
from posterity.serve.api.answers import cursor_of, place_of
from posterity.serve.charts import timeline
from posterity.serve.headers import FILE_POLICY
from posterity.serve.health import health_of
from posterity.serve.problems import Problem
from posterity.serve.services import Parts
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
_PICTURES, _POSTS = 60, 40
# What a browser shows by itself and cannot be made to run; everything else is downloaded.
_SHOWN_TYPES = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml", "image/bmp", "image/x-icon"}
)


@router.get("/blogs/{name}")
def blog(
    request: Request, parts: Parts, name: str, cursor: Annotated[str | None, Query(max_length=400)] = None
) -> Response:
    """Show everything about one blog, and its posts a page at a time."""
    archive = parts.archive
    found = archive.blog(name)
    lines, place = newest_posts(archive, Filters(blog_id=found.id), _POSTS, place_of(cursor))
    count = blog_count(archive, found.id)
    report = archive.report(found.id)
    return page(
        request,
        "blog.html",
        blog=found,
        count=count,
        comments=comment_count(archive, found.id),
        health=health_of(archive, found, report, count.posts),
        chart=timeline(months_of(archive, found.id)),
        labels=labels_of(archive, found.id),
        report=report,
        rules=archive.rules(found.id),
        pictures=pictures_of(archive, found.id, 12),
        gone=gone_count(archive, found.id),
        lines=lines,
        next=cursor_of(place),
        cursor=cursor,
        formats=list(FORMATS),
        every=_number_and_unit(found.schedule.hours or 24),
        rule_formats=list(RULE_FORMATS),
    )


def _number_and_unit(hours: int) -> tuple[int, int]:
    """Hours as people say them: 48 are two times 24."""
    unit = next(unit for unit in (168, 24, 1) if hours % unit == 0)
    return hours // unit, unit


@router.get("/blogs/{name}/pictures")
def pictures(request: Request, parts: Parts, name: str, start: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    """Show the wall of a blog's pictures."""
    found = parts.archive.blog(name)
    some = pictures_of(parts.archive, found.id, _PICTURES, start)
    return page(request, "pictures.html", blog=found, pictures=some, start=start, shown=_PICTURES)


@router.get("/media/{file:path}")
def medium(parts: Parts, file: str) -> Response:
    """Return a stored file; what a browser could run is only downloaded."""
    kind = media_type(parts.archive, file)
    if kind is None:
        raise Problem(404, "There is no such file in the archive.")
    path = parts.archive.media_path(file)
    if not path.is_file():
        raise Problem(404, "This file is missing from the archive.")
    headers = {"Content-Security-Policy": FILE_POLICY, "Cache-Control": "public, max-age=31536000, immutable"}
    shown = kind in _SHOWN_TYPES
    return FileResponse(
        path,
        media_type=kind if shown else "application/octet-stream",
        headers=headers,
        filename=None if shown else path.name,
    )
