"""Memento (RFC 7089): the captures of an address as a TimeMap, and the one nearest to a moment."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.archive.captures import Capture

LINK_FORMAT = "application/link-format"
STAMP = "%Y%m%d%H%M%S"  # of a moment in the path of a memento


def memento_datetime(capture: Capture) -> str:
    """Return the value of the Memento-Datetime header."""
    return format_datetime(_moment(capture).replace(microsecond=0), usegmt=True)


def memento_path(capture: Capture) -> str:
    """Return the path under which a capture is replayed: fourteen digits and the address."""
    return f"/memento/{_moment(capture):{STAMP}}/{capture.url}"


def timemap(url: str, captures: Sequence[Capture], base: str) -> str:
    """Return the TimeMap in link format (RFC 7089, section 5); `base` is the server's own address."""
    lines = [
        f'<{url}>;rel="original"',
        f'<{base}/timemap/link/{url}>;rel="self";type="{LINK_FORMAT}"',
        f'<{base}/timegate/{url}>;rel="timegate"',
    ]
    last = len(captures) - 1
    for index, capture in enumerate(captures):
        role = " ".join([*(["first"] if index == 0 else []), *(["last"] if index == last else []), "memento"])
        lines.append(f'<{base}{memento_path(capture)}>;rel="{role}";datetime="{memento_datetime(capture)}"')
    return ",\n".join(lines) + "\n"


def nearest(captures: Sequence[Capture], accept_datetime: str | None) -> Capture | None:
    """Return the capture nearest to an Accept-Datetime header, or the latest; a bad header raises ValueError."""
    if not captures:
        return None
    if accept_datetime is None:
        return captures[-1]
    wanted = parsedate_to_datetime(accept_datetime)
    wanted = wanted if wanted.tzinfo else wanted.replace(tzinfo=UTC)
    return min(captures, key=lambda capture: abs(_moment(capture) - wanted))


def _moment(capture: Capture) -> datetime:
    return datetime.fromisoformat(capture.fetched_at)
