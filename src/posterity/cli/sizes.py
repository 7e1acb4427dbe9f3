"""Sizes and counts as people write them: 500MB, 2GB, or a number of bytes; 1 post, 1,200 posts."""

from __future__ import annotations

import re

import click

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def bytes_meant(text: str, or_else: str = "") -> int:
    """Return the number of bytes that a size means; `or_else` names what else could have been said."""
    match = _SIZE.fullmatch(text.strip())
    count = float(match[1]) * _UNITS[match[2].lower()] if match else 0
    if count < 1:
        raise click.BadParameter(f"{text!r} is no size. Say {or_else}500MB, 2GB, or a number of bytes.")
    return int(count)


def counted(number: int, thing: str) -> str:
    """Return a number of things: 1 post, 2 posts, 1,200 posts."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
