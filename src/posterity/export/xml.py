"""Text and attributes as XML 1.0 can hold them: control characters of broken pages are left out."""

from __future__ import annotations

import re
from urllib.parse import quote
from xml.sax.saxutils import escape

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# White space in attributes is folded by readers unless it is written as a reference.
_QUOTED = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_KEPT_RETURN = {"\r": "&#13;"}  # readers turn a bare one into a line feed


def fit(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _NOT_IN_XML.sub("", text)


def written(text: str) -> str:
    """Return the text as content of an element."""
    return escape(fit(text), _KEPT_RETURN)


def attributes(**values: str | None) -> str:
    """Return attributes with a space before each; absent and empty ones are left out.

    A name with a colon is written with two underscores: `xml__id`. A name that is a word of Python ends in one.
    """
    return "".join(
        f' {name.strip("_").replace("__", ":")}="{escape(fit(value), _QUOTED)}"'
        for name, value in values.items()
        if value
    )


def element(name: str, content: str | None, **values: str | None) -> str:
    """Return an element with text in it; an absent text gives an empty element."""
    about = attributes(**values)
    return f"<{name}{about}>{written(content)}</{name}>" if content else f"<{name}{about}/>"


def cdata(text: str) -> str:
    """Return the text as CDATA, as WordPress writes it; the end mark inside is split over two."""
    return "<![CDATA[" + fit(text).replace("]]>", "]]]]><![CDATA[>") + "]]>"


_WEB = re.compile(r"(https?://[A-Za-z0-9.-]+(?::\d{1,5})?)([/?][^#]*)?(#.*)?", re.DOTALL)
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "%/:?@!$&'()*+,;=~-._"


def web_address(url: str) -> str | None:
    """Return a URL of the web as RFC 3986 has it, or None when it is none."""
    match = _WEB.fullmatch(url.strip())
    if match is None:
        return None
    host, path, fragment = match[1], match[2] or "", (match[3] or "")[1:]
    return host + _encode(path) + (f"#{_encode(fragment)}" if fragment else "")


def any_address(url: str) -> str:
    """Return any URL with nothing in it that RFC 3986 does not allow."""
    return web_address(url) or _encode(url.strip())


def _encode(text: str) -> str:
    return quote(_BARE_PERCENT.sub("%25", text), safe=_SAFE, errors="replace")
