"""The icon of a blog: its own from the archive, else the first letter of its name on a colour of its own."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request

from posterity.export.media_paths import image_type_of
from posterity.serve.api.responses import with_etag
from posterity.serve.headers import FILE_POLICY
from posterity.serve.services import Parts

if TYPE_CHECKING:
    from starlette.responses import Response

    from posterity.archive import Archive
    from posterity.model import Blog

router = APIRouter(include_in_schema=False)
_HUES = 360
_SVG = "image/svg+xml"
# Types that are used for icons alone (WHATWG MIME Sniffing, 6.1).
_BEGINNINGS = ((b"\x00\x00\x01\x00", "image/x-icon"), (b"BM", "image/bmp"))


@router.get("/blogs/{name}/icon")
def icon(request: Request, parts: Parts, name: str) -> Response:
    """Return a picture for an <img>, where even an SVG runs nothing; opened by itself, it is in a sandbox."""
    blog = parts.archive.blog(name)
    body, kind = own_icon(parts.archive, blog) or (letter(blog), _SVG)
    headers = {"Content-Security-Policy": FILE_POLICY, "Cache-Control": "max-age=3600"}
    return with_etag(request, body, kind, headers)


def own_icon(archive: Archive, blog: Blog) -> tuple[bytes, str] | None:
    """Return the blog's own icon and its type, or None where there is none that a browser shows."""
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
    """Return the first letter of the blog's name as SVG."""
    name = blog.title or blog.url.partition("://")[2]
    first = next((char for char in name if char.isalnum()), "•").upper()
    hue = int(sha256(blog.id.encode()).hexdigest()[:6], 16) % _HUES
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="7" fill="hsl({hue} 35% 42%)"/><text x="16" y="22.5" text-anchor="middle" '
        f'font-family="Georgia,serif" font-size="19" fill="#fff">{escape(first)}</text></svg>'
    ).encode()
