"""The search page, with facets as filters; without a query, the newest posts that match the filters."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from posterity.archive.overview import PostLine, newest_posts
from posterity.archive.search import COUNTED_HITS, ArchiveHit, Facets, Filters
from posterity.errors import UsageError
from posterity.serve.api.responses import Narrowed, cursor_of, moment_of, place_of, with_blog_id
from posterity.serve.services import ServicesDep
from posterity.serve.templating import page

router = APIRouter(include_in_schema=False)
_SHOWN = 20
_NAMES = ("q", "blog", "author", "tag", "language", "year", "since", "until")
_FACETS = (("blogs", "blog"), ("languages", "language"), ("years", "year"), ("authors", "author"), ("tags", "tag"))


@router.get("/search")
async def search(
    request: Request,
    services: ServicesDep,
    filters: Narrowed,
    q: Annotated[str, Query(max_length=500)] = "",
    year: Annotated[str | None, Query(max_length=4)] = None,
    start: Annotated[int, Query(ge=0, le=10_000)] = 0,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
) -> Response:
    """Show what has the words, best first, and how it divides; without words, the newest posts of a tag or author."""
    if year and year.isdigit() and 1 <= int(year) < 9999:
        filters = msgspec.structs.replace(
            filters, since=moment_of(f"{int(year):04d}-01-01"), until=moment_of(f"{int(year) + 1:04d}-01-01")
        )
    return await services.search(lambda: _found_page(request, services, filters, q, start, cursor))


def _found_page(
    request: Request, services: ServicesDep, filters: Filters, q: str, start: int, cursor: str | None
) -> Response:
    filters = with_blog_id(services.archive, filters)
    chosen = {name: value for name, value in request.query_params.items() if name in _NAMES and value}
    problem, facets, meant, place = None, None, None, None
    hits: list[ArchiveHit] = []
    lines: list[PostLine] = []
    try:
        if q.strip():
            hits, facets, meant = services.found(q, filters, _SHOWN, start)
        elif chosen:
            lines, place = newest_posts(services.archive, filters, _SHOWN, place_of(cursor))
    except UsageError as refused:
        problem = str(refused)
    shown = {filters.blog_id, *(hit.blog for hit in hits), *(line.blog for line in lines)}
    shown.update(dict(facets.blogs if facets else ()))
    blogs = {blog.id: blog for blog in services.archive.blogs(name for name in shown if name)}
    return page(
        request,
        "search.html",
        q=q,
        hits=hits,
        problem=problem,
        meant=(meant, _link({**chosen, "q": meant})) if meant else None,
        facets=facets,
        is_bounded=facets is not None and facets.hits == COUNTED_HITS,
        groups=_groups(facets, chosen, {key: blog.title or blog.url for key, blog in blogs.items()}),
        chosen=[(name, value, _link({**chosen, name: ""})) for name, value in chosen.items() if name != "q"],
        blogs=blogs,
        lines=lines,
        older=_link({**chosen, "cursor": cursor_of(place) or ""}) if place else None,
        start=start,
        shown=_SHOWN,
        more=_link({**chosen, "start": str(start + _SHOWN)}) if len(hits) == _SHOWN else None,
        less=_link({**chosen, "start": str(max(0, start - _SHOWN))}) if start else None,
    )


def _groups(
    facets: Facets | None, chosen: dict[str, str], titles: dict[str, str]
) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """Return the facets that can still narrow the search: the name, number of hits and URL of every value."""
    if facets is None:
        return []
    found = []
    for group, name in _FACETS:
        values = getattr(facets, group)
        if name not in chosen and len(values) > 1:
            rows = [
                (titles.get(value, value) if name == "blog" else value, count, _link({**chosen, name: value}))
                for value, count in values
            ]
            found.append((name, rows))
    return found


def _link(values: dict[str, str]) -> str:
    return "/search?" + urlencode({name: value for name, value in values.items() if value})
