"""The posts of a front page: titles, dates, links and texts, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.extract import blogbuster

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.extract.method import Context
    from posterity.model import Post


def index_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return every post on the page with what it shows of it."""
    return blogbuster.posts(document, msgspec.structs.replace(context, options={"rules": "blogs"}))
