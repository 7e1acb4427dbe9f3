"""What a page asks of archives and miners: noarchive, noai, noimageai, and the reservation of text and data mining.

Said in the X-Robots-Tag header or <meta name="robots">, and by the TDM Reservation Protocol (W3C community group) in
the header tdm-reservation, a <meta> of that name or a file of the host (`tdmrep`). `nosnippet` and `noindex` speak to
search engines, not to us.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = ("noarchive", "noai", "noimageai")
_OURS = ("robots", "posterity")
_RESERVATION = "tdm-reservation"
_META = re.compile(rb"<meta\b[^>]{0,500}>", re.IGNORECASE)
_NAME = re.compile(rb"""\bname\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_CONTENT = re.compile(rb"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_HEAD_BYTES = 200_000


def optouts(
    headers: Sequence[tuple[str, str]], metas: Sequence[tuple[str, str]], *, is_reserved: bool = False
) -> tuple[str, ...]:
    """Return what is asked, each word once, from HTTP headers and the pairs of name and content of <meta> elements.

    `is_reserved`: the host says of the page that its mining is reserved, which the page itself may contradict.
    """
    said = [value for name, value in headers if name.lower() == "x-robots-tag"]
    said += [content for name, content in metas if name.lower() in _OURS]
    words = {word for value in said for word in _directives(value)}
    found = [word for word in _WORDS if word in words]
    own = [value.strip() for name, value in [*headers, *metas] if name.lower() == _RESERVATION]
    if "1" in own or (is_reserved and not own):
        found.append(_RESERVATION)
    return tuple(found)


def metas_in(body: bytes) -> list[tuple[str, str]]:
    """Return name and content of the <meta> elements in the bytes of a page, which nobody has parsed yet."""
    found = []
    for meta in _META.findall(body[:_HEAD_BYTES]):
        name, content = _NAME.search(meta), _CONTENT.search(meta)
        if name and content:
            found.append((name[1].decode("ascii"), next(filter(None, content.groups()), b"").decode("latin-1")))
    return found


def _directives(value: str) -> set[str]:
    """The words of one header; those for another robot by name (`otherbot: noarchive`) are not for us."""
    robot, colon, rest = value.partition(":")
    if colon and robot.strip().lower() not in _OURS:
        return set()
    return {word.strip().lower() for word in (rest if colon else value).split(",")}
