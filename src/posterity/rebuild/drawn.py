"""Stored parts of a blog that needed a browser: the data in place of its feed, and the comments that a service told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.config import RenderSettings
from posterity.render.page_feed import page_feed
from posterity.render.services import dialogue, thread_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.dom import Document
    from posterity.model import Comment, Feed
    from posterity.rebuild.evidence import Lookup
    from posterity.rebuild.shelf import Shelf

_MAX_ANSWERS = 400


def data_feed(shelf: Shelf, home: Document | None) -> Feed | None:
    """Return the posts that the home page fetched as data, or None."""
    if home is None:
        return None
    leaves = [leaf for leaf in shelf.leaves() if "json" in leaf.content_type][:_MAX_ANSWERS]

    def answers() -> Iterator[tuple[str, bytes]]:
        for leaf in leaves:
            page = shelf.read(leaf)
            if page is not None:
                yield leaf.url, page.body

    return page_feed(answers(), home) if leaves else None


def is_there(feed: Feed | None, shelf: Shelf) -> bool:
    """Tell whether a page of the feed is on the shelf."""
    return feed is not None and any(entry.link and shelf.leaf(entry.link) for entry in feed.entries)


def told_comments(document: Document, find: Lookup) -> tuple[Comment, ...] | None:
    """Return the comments that a service has told of the page, out of its stored answers; None when it has not."""
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
