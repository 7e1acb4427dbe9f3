"""Feeds and sitemaps of posts."""

from __future__ import annotations

import json
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING, Literal

from tests.zoo.blog import ORIGIN, Post

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Extent = Literal["full", "summary", "titles"]
_RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>%s</title><link>%s</link><description>Notes</description>
%s</channel></rss>"""


def rss(items: Iterable[str], *, title: str = "The Paper Kite", link: str = f"{ORIGIN}/", more: str = "") -> str:
    """Return an RSS feed of items from `rss_item`."""
    return _RSS % (escape(title), link, more + "\n".join(items))


def rss_item(post: Post, *, extent: Extent = "full", link: str | None = None, date: str | None = None) -> str:
    """Return the item of a post; `link` and `date` replace the true values, an empty date is left out."""
    link = escape(ORIGIN + post.href if link is None else link)
    date = format_datetime(post.date) if date is None else date
    parts = [
        f"<title>{escape(post.title)}</title><link>{link}</link><guid>{link}</guid>",
        f"<pubDate>{date}</pubDate>" if date else "",
        f"<dc:creator>{post.author}</dc:creator>",
        f"<description>{escape(post.summary)}</description>" if extent != "titles" else "",
        f"<content:encoded><![CDATA[{post.html}]]></content:encoded>" if extent == "full" else "",
    ]
    return f"<item>{''.join(parts)}</item>"


def rss_of(posts: Sequence[Post], *, extent: Extent = "full", more: str = "", title: str = "The Paper Kite") -> str:
    """Return a correct RSS feed of posts."""
    return rss((rss_item(post, extent=extent) for post in posts), more=more, title=title)


def atom_of(posts: Sequence[Post], *, more: str = "") -> str:
    """Return the Atom feed of posts; `more` adds links of RFC 5005."""
    entries = "\n".join(
        f'<entry><title>{escape(post.title)}</title><link rel="alternate" href="{ORIGIN}{escape(post.href)}"/>'
        f"<id>{ORIGIN}{escape(post.href)}</id><updated>{post.date.isoformat()}</updated>"
        f"<published>{post.date.isoformat()}</published><author><name>{post.author}</name></author>"
        f'<content type="html">{escape(post.html)}</content></entry>'
        for post in posts
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>The Paper Kite</title>'
        f"<id>{ORIGIN}/</id><updated>2024-05-20T09:30:00Z</updated>{more}{entries}</feed>"
    )


def json_feed_of(posts: Sequence[Post], next_url: str | None = None) -> str:
    """Return the JSON Feed of posts, with the URL of its next page."""
    items = [
        {
            "id": ORIGIN + post.href,
            "url": ORIGIN + post.href,
            "title": post.title,
            "content_html": post.html,
            "date_published": post.date.isoformat(),
        }
        for post in posts
    ]
    head = {"version": "https://jsonfeed.org/version/1.1", "title": "The Paper Kite", "home_page_url": f"{ORIGIN}/"}
    return json.dumps(head | ({"next_url": next_url} if next_url else {}) | {"items": items})


def sitemap_of(locations: Iterable[str]) -> str:
    """Return a sitemap of paths or URLs."""
    urls = "".join(f"<url><loc>{escape(absolute(each))}</loc></url>\n" for each in locations)
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def sitemap_index_of(locations: Iterable[str]) -> str:
    """Return a sitemap index."""
    maps = "".join(f"<sitemap><loc>{escape(absolute(each))}</loc></sitemap>\n" for each in locations)
    return (
        f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{maps}</sitemapindex>'
    )


def absolute(path: str) -> str:
    """Return the path as a URL of this site; a URL stays as it is."""
    return ORIGIN + path if path.startswith("/") else path
