"""The format `jsonfeed`: JSON Feed 1.1 with all posts, and the comments of each post in `_comments`."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from posterity.export.selection import Source, rfc3339
from posterity.export.temporary import newest_first
from posterity.model import Comment, Post

VERSION = "https://jsonfeed.org/version/1.1"


def write_json_feed(source: Source, out: BinaryIO) -> None:
    """Write one feed, newest post first."""
    head: dict[str, Any] = {"version": VERSION, "title": source.title}
    if len(source.blogs) == 1:
        head["home_page_url"] = source.blogs[0].url
        if source.blogs[0].feed_url:
            head["feed_url"] = source.blogs[0].feed_url
    if source.language:
        head["language"] = source.language
    out.write(msgspec.json.encode(head)[:-1] + b',"items":[')
    separator = b"\n"
    for item in newest_first((post, msgspec.json.encode(_item(post)) + b"\n") for post in source.posts):
        out.write(separator + item.rstrip(b"\n"))
        separator = b",\n"
    out.write(b"\n]}\n")


def _item(post: Post) -> dict[str, Any]:
    item = {
        "id": post.url,
        "url": post.url,
        "title": post.title,
        "content_html": post.html,
        "content_text": post.text if post.text or not post.html else None,
        "summary": post.summary,
        "image": post.cover,
        "date_published": rfc3339(post.published) if post.published else None,
        "date_modified": rfc3339(post.modified) if post.modified else None,
        "authors": [{"name": name} for name in post.authors],
        "tags": [*post.categories, *post.tags],
        "language": post.language,
        "attachments": [
            {"url": medium.url, "mime_type": medium.mime} | ({"title": medium.alt} if medium.alt else {})
            for medium in post.media
            if medium.mime
        ],
        "_comments": [_comment(comment) for comment in post.comments],
        "_posterity": {"id": post.id, "blog": post.blog}
        | ({"subtitle": post.subtitle} if post.subtitle else {})
        | ({"series": post.series} if post.series else {}),
    }
    return {name: value for name, value in item.items() if value not in (None, [])}


def _comment(comment: Comment) -> dict[str, Any]:
    facts = {
        "id": comment.id,
        "in_reply_to": comment.parent,
        "author": {"name": comment.author, "url": comment.author_url} if comment.author or comment.author_url else None,
        "date_published": rfc3339(comment.published) if comment.published else None,
        "content_text": comment.text,
        "content_html": comment.html,
        "type": comment.type or None,
    }
    return {name: value for name, value in facts.items() if value is not None}
