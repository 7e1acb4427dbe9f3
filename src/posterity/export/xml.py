"""XML text, attributes and URLs; characters that XML 1.0 cannot contain are left out."""

from __future__ import annotations

import re
from urllib.parse import quote
from xml.sax.saxutils import escape

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Parsers turn literal white space in attributes into spaces.
_QUOTED = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def without_invalid(text: str) -> str:
    """Return the text without characters that XML cannot contain."""
    return _NOT_IN_XML.sub("", text)


def xml_text(text: str) -> str:
    """Return the text escaped for the content of an element."""
    # Parsers turn a literal carriage return into a line feed.
    return escape(without_invalid(text), {"\r": "&#13;"})


def attributes(**values: str | None) -> str:
    """Return attributes, each after a space; empty values are left out.

    Two underscores in a name stand for a colon (`xml__id`); a name that is a Python keyword ends in one (`class_`).
    """
    return "".join(
        f' {name.strip("_").replace("__", ":")}="{escape(without_invalid(value), _QUOTED)}"'
        for name, value in values.items()
        if value
    )


def element(name: str, content: str | None, **values: str | None) -> str:
    """Return an element with this text, or an empty element."""
    about = attributes(**values)
    return f"<{name}{about}>{xml_text(content)}</{name}>" if content else f"<{name}{about}/>"


def cdata(text: str) -> str:
    """Return the text as CDATA, like WordPress; `]]>` in the text is split over two sections."""
    return "<![CDATA[" + without_invalid(text).replace("]]>", "]]]]><![CDATA[>") + "]]>"


_WEB = re.compile(r"(https?://[A-Za-z0-9.-]+(?::\d{1,5})?)([/?][^#]*)?(#.*)?", re.DOTALL)
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def strict_web_url(url: str) -> str | None:
    """Return an http or https URL encoded by RFC 3986; None for anything else."""
    if (match := _WEB.fullmatch(url.strip())) is None:
        return None
    host, path, fragment = match[1], match[2] or "", (match[3] or "")[1:]
    return host + _encode(path) + (f"#{_encode(fragment)}" if fragment else "")


def strict_url(url: str) -> str:
    """Return any URL encoded by RFC 3986."""
    return strict_web_url(url) or _encode(url.strip())


def _encode(text: str) -> str:
    return quote(_BARE_PERCENT.sub("%25", text), safe="%/:?@!$&'()*+,;=~-._", errors="replace")
