"""Addresses in a form that strict readers take: pages link to addresses with spaces, brackets and two fragments."""

from __future__ import annotations

import re
from urllib.parse import quote

_WEB = re.compile(r"(https?://[A-Za-z0-9.-]+(?::\d{1,5})?)([/?][^#]*)?(#.*)?", re.DOTALL)
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "%/:?@!$&'()*+,;=~-._"


def web_address(url: str) -> str | None:
    """Return an address of the web as RFC 3986 has it, or None when it is none."""
    match = _WEB.fullmatch(url.strip())
    if match is None:
        return None
    host, path, fragment = match[1], match[2] or "", (match[3] or "")[1:]
    return host + _encoded(path) + (f"#{_encoded(fragment)}" if fragment else "")


def any_address(url: str) -> str:
    """Return any address with nothing in it that RFC 3986 does not allow."""
    return web_address(url) or _encoded(url.strip())


def _encoded(text: str) -> str:
    return quote(_BARE_PERCENT.sub("%25", text), safe=_SAFE, errors="replace")
