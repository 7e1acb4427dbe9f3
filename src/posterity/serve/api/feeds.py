"""The latest posts of the archive or of one blog, as Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

from typing import Annotated, Any
from xml.sax.saxutils import escape, quoteattr

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from posterity.archive.overview import PostLine, posts_with, stamped_posts
from posterity.export.xml import without_invalid
from posterity.model import Post
from posterity.serve.api.responses import base_url, responses_of, with_etag
from posterity.serve.services import ServicesDep

router = APIRouter(tags=["feeds"])
ATOM, JSON_FEED = "application/atom+xml", "application/feed+json"
_ENTRIES = 30

Blog = Annotated[str | None, Query(description="Only of this blog: id, URL or host.", max_length=2000)]


@router.get("/feed.atom", responses=responses_of(None, media=ATOM, s304="Not modified.", s404="No such blog."))
def atom(request: Request, services: ServicesDep, blog: Blog = None) -> Response:
    """Return what came last into the archive as Atom."""
    base, found = base_url(request), _latest(services, blog)
    updated = found[0][0].stamp if found else "1970-01-01T00:00:00Z"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<id>{escape(base)}/feed.atom</id><title>{escape(_title(services, blog))}</title><updated>{updated}</updated>",
        f'<link rel="self" href={quoteattr(str(request.url))}/><link rel="alternate" href={quoteattr(base + "/")}/>',
        "<author><name>Posterity</name></author>",
        *(_entry(line, post, base) for line, post in found),
        "</feed>",
    ]
    return with_etag(request, without_invalid("\n".join(lines)).encode(), ATOM)


@router.get("/feed.json", responses=responses_of(None, media=JSON_FEED, s304="Not modified.", s404="No such blog."))
def json_feed(request: Request, services: ServicesDep, blog: Blog = None) -> Response:
    """Return what came last into the archive as JSON Feed."""
    base = base_url(request)
    items: list[dict[str, Any]] = [
        {
            "id": f"urn:posterity:{line.id}", "url": f"{base}/posts/{line.id}", "external_url": line.url,
            "title": line.title, "content_html": post.html or "", "content_text": post.text,
            "date_published": post.published, "date_modified": line.stamp,
            "authors": [{"name": name} for name in line.authors] or None, "tags": list(line.tags) or None,
            "language": line.language,
        }
        for line, post in _latest(services, blog)
    ]  # fmt: skip
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(services, blog),
        "home_page_url": f"{base}/",
        "feed_url": str(request.url),
        "items": [{name: value for name, value in item.items() if value is not None} for item in items],
    }
    return with_etag(request, msgspec.json.encode(feed), JSON_FEED)


def _latest(services: ServicesDep, blog: str | None) -> list[tuple[PostLine, Post]]:
    blog_id = services.archive.blog(blog).id if blog else None
    lines, _ = stamped_posts(services.archive, 2 * _ENTRIES, blog_id=blog_id, newest_first=True)
    alive = [line for line in lines if line.gone_at is None][:_ENTRIES]
    whole = posts_with(services.archive, [line.id for line in alive])
    return [(line, whole[line.id]) for line in alive if line.id in whole]


def _title(services: ServicesDep, blog: str | None) -> str:
    if blog is None:
        return "New in the archive"
    found = services.archive.blog(blog)
    return f"New in the archive: {found.title or found.url}"


def _entry(line: PostLine, post: Post, base: str) -> str:
    names = "".join(f"<author><name>{escape(name)}</name></author>" for name in line.authors)
    tags = "".join(f"<category term={quoteattr(tag)}/>" for tag in line.tags)
    published = f"<published>{post.published.isoformat()}</published>" if post.published else ""
    content = f'<content type="html">{escape(post.html or "")}</content>'
    return (
        f"<entry><id>urn:posterity:{line.id}</id><title>{escape(line.title or 'Untitled')}</title>"
        f"<updated>{line.stamp}</updated>{published}{names}{tags}"
        f'<link rel="alternate" href={quoteattr(base + "/posts/" + line.id)}/>'
        f'<link rel="via" href={quoteattr(line.url)}/>{content}</entry>'
    )
