"""The feed of a generated blog: RSS, Atom or JSON Feed, with full posts, summaries or only titles."""

from __future__ import annotations

import json
from email.utils import format_datetime
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from tests.skins.blog import SkinBlog, SkinPost
    from tests.skins.skin import Extent, FeedFormat

# The feed lists the newest posts; the rules must also work on the others.
LISTED = 9
_ATOM = "{http://www.w3.org/2005/Atom}"
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
_CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"


def feed_of(blog: SkinBlog, feed: FeedFormat, extent: Extent) -> bytes:
    """Return the feed of the newest posts."""
    listed = blog.posts[:LISTED]
    if feed == "json":
        return _json(blog, listed, extent)
    return _atom(blog, listed, extent) if feed == "atom" else _rss(blog, listed, extent)


def _rss(blog: SkinBlog, listed: tuple[SkinPost, ...], extent: Extent) -> bytes:
    root = ET.Element("rss", version="2.0")
    channel = ET.SubElement(root, "channel")
    _add(channel, title=blog.name, link=f"{blog.url}/", language=blog.language)
    for post in listed:
        item = ET.SubElement(channel, "item")
        _add(item, title=post.title, link=post.url, guid=post.url, pubDate=format_datetime(post.moment))
        _add(item, **{_CREATOR: post.author, "description": post.excerpt if extent != "titles" else None})
        _add(item, **{_CONTENT: post.html if extent == "full" else None})
        for tag in post.tags:
            _add(item, category=tag)
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True))


def _atom(blog: SkinBlog, listed: tuple[SkinPost, ...], extent: Extent) -> bytes:
    root = ET.Element(f"{_ATOM}feed")
    _add(root, **{f"{_ATOM}title": blog.name, f"{_ATOM}id": f"{blog.url}/"})
    for post in listed:
        entry = ET.SubElement(root, f"{_ATOM}entry")
        ET.SubElement(entry, f"{_ATOM}link", rel="alternate", href=post.url)
        moment = post.moment.isoformat()
        _add(entry, **{f"{_ATOM}title": post.title or "", f"{_ATOM}id": post.url, f"{_ATOM}published": moment})
        _add(ET.SubElement(entry, f"{_ATOM}author"), **{f"{_ATOM}name": post.author})
        for tag in post.tags:
            ET.SubElement(entry, f"{_ATOM}category", term=tag)
        if extent == "full":
            ET.SubElement(entry, f"{_ATOM}content", type="html").text = post.html
        elif extent == "summary":
            ET.SubElement(entry, f"{_ATOM}summary").text = post.excerpt
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True))


def _json(blog: SkinBlog, listed: tuple[SkinPost, ...], extent: Extent) -> bytes:
    items = [
        {"id": post.url, "url": post.url, "date_published": post.moment.isoformat(), "tags": post.tags}
        | {"authors": [{"name": post.author}]}
        | ({"title": post.title} if post.title else {})
        | {"full": {"content_html": post.html}, "summary": {"summary": post.excerpt}, "titles": {}}[extent]
        for post in listed
    ]
    version = "https://jsonfeed.org/version/1.1"
    return json.dumps({"version": version, "title": blog.name, "home_page_url": blog.url, "items": items}).encode()


def _add(parent: ET.Element, **children: str | None) -> None:
    for tag, text in children.items():
        if text is not None:
            ET.SubElement(parent, tag).text = text
