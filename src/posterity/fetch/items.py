"""What goes through the pipeline: a page that is a post, then the record made of it. Each step gives a new value."""

from __future__ import annotations

import msgspec

from posterity.dom import Document
from posterity.model import FeedEntry, Page, Post


class PostItem(msgspec.Struct, frozen=True, kw_only=True):
    """A page on its way to the archive; `source` is who named its address first."""

    page: Page
    document: Document
    source: str
    entry: FeedEntry | None = None
    post: Post | None = None
