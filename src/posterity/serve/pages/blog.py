"""A blog's page: its timeline, authors, tags, completeness, rules, images and exports."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from markupsafe import Markup, escape
from starlette.responses import FileResponse, Response

from posterity.archive import Archive, Filters, overview
from posterity.export.formats import all_formats
from posterity.export.media_paths import image_type_of
from posterity.learning.formats import FORMATS as RULE_FORMATS
from posterity.model import Blog
from posterity.serve.api.responses import cursor_of, place_of, with_etag
from posterity.serve.health import health_of
from posterity.serve.middleware import FILE_POLICY
from posterity.serve.problems import Problem
from posterity.serve.services import ServicesDep
from posterity.serve.templating import page
from posterity.text.normal_form import count_of

_WIDTH, _UP, _DOWN, _LABEL = 960, 120, 48, 22
_LABEL_ROOM = 72  # the width of a year in a phone's large digits, with space after it
_MAX_BARS = 180  # bars narrower than four pixels cannot be distinguished
_MIN_PEAK = 3  # a chart of single posts looks like a bar code


class _Bar(msgspec.Struct, frozen=True):
    label: str
    posts: int
    comments: int


def timeline(months: Sequence[overview.Month]) -> Markup:
    """Return the chart as SVG; empty if no post has a date."""
    if not months:
        return Markup("")
    bars = _bars(months)
    most_posts = max(bar.posts for bar in bars) or 1
    most_comments = max(bar.comments for bar in bars)
    down = _DOWN if most_comments else 0
    step = _WIDTH / len(bars)
    wide = max(1.0, min(step * 0.78, 40))
    parts = []
    for place, bar in enumerate(bars):
        x = place * step + (step - wide) / 2
        up = bar.posts / most_posts * _UP
        below = bar.comments / most_comments * _DOWN if most_comments else 0
        note = f"{bar.label}: {count_of(bar.posts, 'post')}, {count_of(bar.comments, 'comment')}"
        parts.append(
            f"<g><title>{escape(note)}</title>"
            f'<rect class="space" x="{place * step:.1f}" y="0" width="{step:.1f}" height="{_UP + down}"/>'
            f'<rect class="posts" x="{x:.1f}" y="{_UP - up:.1f}" width="{wide:.1f}" height="{up:.1f}"/>'
            f'<rect class="comments" x="{x:.1f}" y="{_UP + 1}" width="{wide:.1f}" height="{below:.1f}"/></g>'
        )
    parts += _labels(bars, step, _UP + down)
    total = sum(bar.posts for bar in bars)
    summary = f"Posts over time: {total} from {bars[0].label} to {bars[-1].label}, at most {most_posts} at once."
    return Markup(  # noqa: S704 - numbers, and labels that are escaped
        f'<svg class="timeline" viewBox="0 0 {_WIDTH} {_UP + down + _LABEL}" role="img" aria-label="{escape(summary)}">'
        f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{_UP + 0.5}" y2="{_UP + 0.5}"/>{"".join(parts)}</svg>'
    )


def _bars(months: Sequence[overview.Month]) -> list[_Bar]:
    """Return bars of months, quarters or years: the finest with a visible peak and few enough bars."""
    start, end = (int(one.month[:4]) * 12 + int(one.month[5:7]) - 1 for one in (months[0], months[-1]))
    names = [f"{number // 12:04d}-{number % 12 + 1:02d}" for number in range(start, end + 1)]
    for label in _LABELS:
        counts: dict[str, list[int]] = {label(name): [0, 0] for name in names}
        for month in months:
            counts[label(month.month)][0] += month.posts
            counts[label(month.month)][1] += month.comments
        if len(counts) <= _MAX_BARS and max(posts for posts, _ in counts.values()) >= _MIN_PEAK:
            break
    return [_Bar(name, posts, comments) for name, (posts, comments) in counts.items()]


# The label of a month such as 2024-11 in a chart of months, quarters or years.
_LABELS: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    lambda name: f"{name[:4]} Q{(int(name[5:7]) + 2) // 3}",
    lambda name: name[:4],
)


def _labels(bars: Sequence[_Bar], step: float, bottom: int) -> list[str]:
    """Return the labels of years, each below its first bar, without those that would overlap."""
    firsts: dict[str, int] = {}
    for place, bar in enumerate(bars):
        firsts.setdefault(bar.label[:4], place)
    inset, anchor = (step / 2, "middle") if len(firsts) == len(bars) else (0, "start")
    labels, free_from = [], 0.0
    for year, place in firsts.items():
        x = place * step + inset
        if x >= free_from:
            labels.append(f'<text x="{x:.1f}" y="{bottom + 6}" text-anchor="{anchor}">{escape(year)}</text>')
            free_from = x + _LABEL_ROOM
    return labels


router = APIRouter(include_in_schema=False)
_PICTURES, _POSTS = 60, 40
# Types that a browser displays without running scripts; all others are downloaded.
_SHOWN_TYPES = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml", "image/bmp", "image/x-icon"}
    # Played in posts, which application/octet-stream with nosniff would prevent.
    | {"video/mp4", "video/webm", "video/ogg", "audio/mpeg", "audio/mp4", "audio/ogg", "audio/webm", "audio/wav"}
    | {"audio/flac", "audio/x-wav", "audio/aac"}
)


@router.get("/blogs/{name}")
def blog(
    request: Request, services: ServicesDep, name: str, cursor: Annotated[str | None, Query(max_length=400)] = None
) -> Response:
    """Show everything about one blog, and its posts a page at a time."""
    archive = services.archive
    with archive.database.snapshot():
        found = archive.blog(name)
        lines, place = overview.newest_posts(archive, Filters(blog_id=found.id), _POSTS, place_of(cursor))
        count, activity = overview.blog_count(archive, found.id), overview.activity_of(archive, found.id)
        report = archive.report(found.id)
        counted: dict[str, Any] = {
            "comments": activity.comments, "health": health_of(archive, found, report, count.posts),
            "chart": timeline(activity.months), "labels": overview.labels_of(archive, found.id),
            "rules": archive.rules(found.id), "pictures": overview.pictures_of(archive, found.id, 12),
            "gone": overview.gone_count(archive, found.id),
        }  # fmt: skip
    return page(
        request,
        "blog.html",
        blog=found,
        count=count,
        **counted,
        report=report,
        lines=lines,
        next=cursor_of(place),
        cursor=cursor,
        formats=list(all_formats()),
        every=_number_and_unit(found.schedule.hours or 24),
        rule_formats=list(RULE_FORMATS),
    )


def _number_and_unit(hours: int) -> tuple[int, int]:
    """Split hours into a number and a unit in hours, such as 48 into two days of 24."""
    unit = next(unit for unit in (168, 24, 1) if hours % unit == 0)
    return hours // unit, unit


@router.get("/blogs/{name}/pictures")
def pictures(
    request: Request, services: ServicesDep, name: str, start: Annotated[int, Query(ge=0, le=10**6)] = 0
) -> Response:
    """Show the wall of a blog's pictures."""
    found = services.archive.blog(name)
    some = overview.pictures_of(services.archive, found.id, _PICTURES, start)
    return page(request, "pictures.html", blog=found, pictures=some, start=start, shown=_PICTURES)


@router.get("/media/{file:path}")
def medium(services: ServicesDep, file: str) -> Response:
    """Return a stored file; what a browser could run is only downloaded."""
    if (kind := overview.media_type(services.archive, file)) is None:
        raise Problem(404, "There is no such file in the archive.")
    path = services.archive.media_path(file)
    if not path.is_file():
        raise Problem(404, "This file is missing from the archive.")
    headers = {"Content-Security-Policy": FILE_POLICY, "Cache-Control": "public, max-age=31536000, immutable"}
    if kind in _SHOWN_TYPES:
        return FileResponse(path, media_type=kind, headers=headers)
    return FileResponse(path, media_type="application/octet-stream", headers=headers, filename=path.name)


_SVG = "image/svg+xml"
# Types only used for icons (WHATWG MIME Sniffing, 6.1).
_BEGINNINGS = ((b"\x00\x00\x01\x00", "image/x-icon"), (b"BM", "image/bmp"))


@router.get("/blogs/{name}/icon")
def icon(request: Request, services: ServicesDep, name: str) -> Response:
    """Return a picture for an <img>, where even an SVG runs nothing; opened by itself, it is in a sandbox."""
    blog = services.archive.blog(name)
    body, kind = own_icon(services.archive, blog) or (letter(blog), _SVG)
    return with_etag(request, body, kind, {"Content-Security-Policy": FILE_POLICY, "Cache-Control": "max-age=3600"})


def own_icon(archive: Archive, blog: Blog) -> tuple[bytes, str] | None:
    """Return the blog's own icon and its type, or None if there is none that a browser can display."""
    if blog.icon is None or blog.icon.file is None:
        return None
    path = archive.media_path(blog.icon.file)
    if not path.is_file():
        return None
    body = path.read_bytes()
    kind = image_type_of(body) or next((kind for start, kind in _BEGINNINGS if body.startswith(start)), None)
    if kind is None and blog.icon.mime == _SVG and b"<svg" in body:
        kind = _SVG
    return (body, kind) if kind else None


def letter(blog: Blog) -> bytes:
    """Return an SVG icon with the first letter of the blog's name."""
    name = blog.title or blog.url.partition("://")[2]
    first = next((char for char in name if char.isalnum()), "•").upper()
    hue = int(sha256(blog.id.encode()).hexdigest()[:6], 16) % 360
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="7" fill="hsl({hue} 35% 42%)"/><text x="16" y="22.5" text-anchor="middle" '
        f'font-family="Georgia,serif" font-size="19" fill="#fff">{html.escape(first)}</text></svg>'
    ).encode()
