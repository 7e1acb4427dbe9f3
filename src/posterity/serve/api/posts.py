"""Posts over REST: filtered lists, single records in several formats, their history and captures, and search."""

from __future__ import annotations

from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from posterity.archive import History
from posterity.archive.overview import Position, PostLine, newest_posts
from posterity.model import Post, to_json
from posterity.serve.api import responses
from posterity.serve.services import ServicesDep

router = APIRouter(prefix="/api/v1", tags=["posts"])


@router.get(
    "/posts", responses=responses.responses_of(responses.PostList, s304="Not modified.", s404="There is no such blog.")
)
async def posts(
    request: Request,
    services: ServicesDep,
    filters: responses.Narrowed,
    limit: responses.Limit = 50,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    gone: Annotated[bool, Query(description="Include posts that are no longer online.")] = True,
) -> Response:
    """List posts, newest first. `next` is the cursor of the next page, null at the end."""
    after = responses.place_of(cursor)

    def work() -> tuple[list[PostLine], Position | None]:
        with services.archive.database.snapshot():
            narrowed = responses.with_blog_id(services.archive, filters)
            return newest_posts(services.archive, narrowed, limit, after, gone=gone)

    # Blog and date filters use an index; the others may scan the table.
    is_search = filters.author or filters.tag or filters.language
    found, place = await (services.search(work) if is_search else to_thread.run_sync(work))
    return responses.json_response(request, responses.PostList(items=found, next=responses.cursor_of(place)))


@router.get(
    "/posts/{post}", responses=responses.responses_of(Post, s304="Not modified.", s404="There is no such post.")
)
def post(request: Request, services: ServicesDep, post: str) -> Response:
    """Return a record by its id, as JSON or, depending on Accept, application/xml, text/plain or text/markdown."""
    found = services.archive.post(post)
    form = responses.form_of(request)
    body = to_json(found) if form.name == "json" else responses.written_posts((found,), form).encode()
    return responses.with_etag(request, body, form.media_type, {"Vary": "Accept"})


@router.get("/posts/{post}/history", responses=responses.responses_of(History, s404="There is no such post."))
def history(request: Request, services: ServicesDep, post: str) -> Response:
    """Return every revision of a post, oldest first, and when it was deleted, came back or moved."""
    return responses.json_response(request, services.archive.history(post))


@router.get(
    "/posts/{post}/captures", responses=responses.responses_of(responses.CaptureList, s404="There is no such post.")
)
def captures(request: Request, services: ServicesDep, post: str) -> Response:
    """Return the positions in the WARC files of the responses from a post's URL."""
    found = services.archive.captures(services.archive.post(post).url)
    return responses.json_response(request, responses.CaptureList(items=found))


@router.get(
    "/search", responses=responses.responses_of(responses.HitList, s404="There is no such blog."), tags=["search"]
)
async def search(
    request: Request,
    services: ServicesDep,
    filters: responses.Narrowed,
    q: Annotated[str, Query(min_length=1, max_length=500)],
    limit: responses.Limit = 20,
    offset: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """Search posts and comments: words (all must match), "phrases", -excluded, one OR another, prefix*.

    Also author:NAME, tag:NAME, title:WORD, blog:HOST, lang:CODE, before:DATE and after:DATE.
    """
    hits, facets, meant = await services.search(
        lambda: services.found(q, responses.with_blog_id(services.archive, filters), limit, offset)
    )
    more = offset + limit if len(hits) == limit else None
    return responses.json_response(request, responses.HitList(items=hits, facets=facets, next=more, did_you_mean=meant))
