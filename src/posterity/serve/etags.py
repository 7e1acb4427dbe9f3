"""Answers that need not be sent again: an ETag for each, and 304 for whoever has it already."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request


def tagged(
    request: Request, body: bytes, media_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> Response:
    """Return the body, or only that it is the one that the client has."""
    tag = f'"{hashlib.sha256(media_type.encode() + body).hexdigest()[:32]}"'
    more = {**(headers or {}), "ETag": tag}
    if has_tag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=more)
    return Response(body, 200, more, media_type)


def has_tag(header: str, tag: str) -> bool:
    """Tell whether If-None-Match names this tag; comparison is weak, as RFC 9110 has it."""
    return header.strip() == "*" or tag in {one.strip().removeprefix("W/") for one in header.split(",")}
