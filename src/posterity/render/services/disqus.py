"""Disqus: the page in its frame contains the first comments of the thread as JSON.

A longer thread is incomplete there; then the page is rendered and its buttons are clicked.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import urlencode

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document, parse
from posterity.dom.document import declared_url
from posterity.render.services.dialogue import Batch, ServiceRequest, comment_of

# Hugo writes the URL in three pieces: '//' + "name" + '.disqus.com/embed.js'.
_FORUM = re.compile(
    r"""//(?:['"]\s*\+\s*['"])?([\w-]+)(?:['"]\s*\+\s*['"])?\.disqus\.com/embed\.js"""
    r"""|disqus_shortname\s*[=:]\s*['"]([\w-]+)"""
)
_IDENTIFIER = re.compile(r"""(?:disqus_identifier|page\.identifier)\s*=\s*(['"])((?:(?!\1).)*)\1""")
_URL = re.compile(r"""(?:disqus_url|page\.url)\s*=\s*(['"])((?:(?!\1).)*)\1""")


class _Author(msgspec.Struct, frozen=True, rename="camel"):
    name: str | None = None
    profile_url: str | None = None
    url: str | None = None


class _Post(msgspec.Struct, rename="camel"):
    id: str | int
    parent: str | int | None = None
    author: _Author = _Author()
    created_at: str | None = None
    message: str = ""
    is_deleted: bool = False


class _Cursor(msgspec.Struct, frozen=True, rename="camel"):
    has_next: bool = False


class _Response(msgspec.Struct):
    posts: list[_Post]


class _Embedded(msgspec.Struct):
    response: _Response
    cursor: _Cursor = _Cursor()


name = "disqus"


def first_request(document: Document, settings: RenderSettings) -> ServiceRequest | None:
    """Return the request for the page in the frame of Disqus."""
    if not document.count("#disqus_thread"):
        return None
    scripts = "\n".join(
        [*document.attributes("script[src]", "src"), *(tree.plain(0) for tree in document.all("script:not([src])"))]
    )
    if (forum := _FORUM.search(scripts)) is None:
        return None
    identifier, url = _IDENTIFIER.search(scripts), _URL.search(scripts)
    query = {
        "base": "default",
        "f": forum.group(1) or forum.group(2),
        "t_i": identifier.group(2) if identifier else "",
        "t_u": url.group(2) if url else declared_url(document) or document.url,
    }
    parameters = urlencode({name: value for name, value in query.items() if value})
    return ServiceRequest(f"{settings.disqus_url}/embed/comments/?{parameters}")


def read(body: bytes, request: ServiceRequest) -> Batch | None:
    """Return the comments, or None if there are more."""
    data = parse(body).first("script#disqus-threadData")
    if data is None:
        return None
    found = msgspec.json.decode(data.plain(0), type=_Embedded)
    if found.cursor.has_next:
        return None
    return Batch(
        comments=tuple(
            comment_of(
                post.id,
                parent=post.parent,
                author=post.author.name,
                author_url=post.author.profile_url or post.author.url,
                published=datetime.fromisoformat(post.created_at).replace(tzinfo=UTC) if post.created_at else None,
                html=post.message,
                base_url=request.url,
            )
            for post in found.response.posts
            if not post.is_deleted
        )
    )
