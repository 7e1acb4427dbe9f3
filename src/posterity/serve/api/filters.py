"""What lists and searches can be narrowed to, spelled once for all of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Query

from posterity.archive import Filters
from posterity.serve.problems import Problem
from posterity.serve.services import Parts

# What an index of a database takes without complaint; nobody's name is longer.
Word = Annotated[str | None, Query(max_length=200)]
Day = Annotated[str | None, Query(description="A day or moment, as 2024-01-31 or 2024-01-31T10:00:00Z.", max_length=40)]
Limit = Annotated[int, Query(ge=1, le=200)]


def filters_of(
    parts: Parts,
    blog: Annotated[str | None, Query(description="Id, address or host of a blog.", max_length=2000)] = None,
    author: Word = None,
    tag: Word = None,
    language: Annotated[str | None, Query(max_length=40)] = None,
    since: Day = None,
    until: Day = None,
) -> Filters:
    """Return the filters that a request names."""
    return Filters(
        blog_id=parts.archive.blog(blog).id if blog else None,
        author=author or None,
        tag=tag or None,
        language=language or None,
        since=moment_of(since),
        until=moment_of(until),
    )


def moment_of(text: str | None) -> datetime | None:
    """Return the moment that a text names, in UTC unless it says otherwise."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as problem:
        raise Problem(422, f"{text!r} is no date. Write it as 2024-01-31.") from problem
    return found if found.tzinfo else found.replace(tzinfo=UTC)


Narrowed = Annotated[Filters, Depends(filters_of)]
