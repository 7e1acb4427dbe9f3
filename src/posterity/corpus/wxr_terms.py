"""The authors, tags and categories of posts, each with the short name by which WordPress knows it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.carried import as_read
from posterity.corpus.file_names import file_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Post

_NOT_IN_LOGIN = re.compile(r"[^a-z0-9_.-]+")


class Terms(msgspec.Struct, frozen=True):
    """Names and their short names, in the order in which they first come."""

    logins: dict[str, str]
    categories: dict[str, str]
    tags: dict[str, str]


def terms_of(posts: Iterable[Post]) -> Terms:
    """Return what the posts name; of several authors WordPress knows the first."""
    terms = Terms({}, {}, {})
    taken: dict[str, set[str]] = {"logins": set(), "categories": set(), "tags": set()}
    for post in posts:
        for field, names in (("logins", post.authors[:1]), ("categories", post.categories), ("tags", post.tags)):
            known: dict[str, str] = getattr(terms, field)
            for name in map(as_read, names):
                if name not in known:
                    slug = _login(name) if field == "logins" else file_name(name)
                    known[name] = _free(slug or field.rstrip("s"), taken[field])
    return terms


def _login(name: str) -> str:
    """WordPress takes plain letters only."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_LOGIN.sub("-", plain).strip("-")[:50]


def _free(wanted: str, taken: set[str]) -> str:
    free, number = wanted, 1
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    taken.add(free)
    return free
