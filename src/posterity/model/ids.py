"""Stable ids: the same address gives the same id on every machine and in every year.

Take-down lists and citations depend on them, so they are made of the address alone.
"""

from __future__ import annotations

import hashlib


def blog_id(home_url: str) -> str:
    """Return the id of the blog whose home page has this canonical address."""
    return "b" + _digest(home_url)


def post_id(canonical_url: str) -> str:
    """Return the id of the post with this canonical address."""
    return "p" + _digest(canonical_url)


def _digest(url: str) -> str:
    # http and https, with and without www. are one place; an id must survive the move from one to the other.
    place = url.split("://", 1)[-1].removeprefix("www.")
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]
