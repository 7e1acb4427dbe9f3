"""What a browser had fetched for a blog that needs one: the data in place of its feed, the comments of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.config import RenderSettings
from posterity.render.page_feed import page_feed
from posterity.render.services import dialogue, thread_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.blog.page_source import StoredPages
    from posterity.dom import Document
    from posterity.model import Comment, Feed, Page

_MAX_RESPONSES = 400


def data_feed(pages: StoredPages, home: Document | None) -> Feed | None:
    """Return the posts that the home page fetched as data, or None."""
    if home is None:
        return None
    responses = [response for response in pages.responses() if "json" in response.content_type][:_MAX_RESPONSES]

    def bodies() -> Iterator[tuple[str, bytes]]:
        for response in responses:
            page = pages.read(response)
            if page is not None:
                yield response.url, page.body

    return page_feed(bodies(), home) if responses else None


def service_comments(document: Document, find: Callable[[str], Page | None]) -> tuple[Comment, ...] | None:
    """Return the comments of the page's comment service, out of its stored responses; None when there are none."""
    thread = thread_on(document, RenderSettings())
    if thread is None:
        return None
    talk = dialogue(thread)
    try:
        ask = next(talk)
        while True:
            page = find(ask.url)
            ask = talk.send(page.body if page is not None else None)
    except StopIteration as end:
        comments: tuple[Comment, ...] | None = end.value
        return comments
