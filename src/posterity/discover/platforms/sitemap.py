"""Sitemaps of platforms that list their posts nowhere else: sitemaps.org, "XML tag definitions"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import unescape

import msgspec

from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps
from posterity.discover.platforms.values import moment_of, url_of

# A sitemap that ends in the middle still names the posts before; hence no XML parser. <image:loc> is no <loc>.
_ELEMENT = re.compile(
    r"<(url|sitemap|loc|lastmod|priority)(?=[\s>])[^<>]*+>\s*+(?:<!\[CDATA\[([^\]]*+)\]\]>|([^<]*+))", re.IGNORECASE
)


class SitemapEntry(msgspec.Struct, kw_only=True):
    """One <url>, or one <sitemap> of an index, as it is written."""

    is_sitemap: bool
    source: str = ""  # the URL of the sitemap
    loc: str = ""
    lastmod: str = ""
    priority: str = ""


def read_sitemap(body: bytes | None, url: str = "") -> list[SitemapEntry]:
    """Return the entries of a sitemap or of an index of sitemaps; none when it is something else."""
    entries: list[SitemapEntry] = []
    for match in _ELEMENT.finditer((body or b"").decode("utf-8", "replace")):
        name, value = match.group(1).lower(), unescape(match.group(2) or match.group(3) or "").strip()
        if name in ("url", "sitemap"):
            entries.append(SitemapEntry(is_sitemap=name == "sitemap", source=url))
        elif entries and not getattr(entries[-1], name):
            setattr(entries[-1], name, value)
    return [entry for entry in entries if entry.loc]


def walk_sitemaps(
    urls: Iterable[str | None],
    is_post: Callable[[str, SitemapEntry], bool],
    is_wanted: Callable[[str], bool] = lambda _: True,
) -> Steps:
    """List the posts in these sitemaps and in those that they name, as far as `is_wanted` of their URLs."""
    found = ListedPosts()
    queue = [url for url in urls if url]
    known = set(queue)
    for asked, sitemap in enumerate(queue):  # the queue grows meanwhile
        if asked >= MAX_PAGES:
            break
        body = yield sitemap
        entries = read_sitemap(body, sitemap)
        if not entries:
            found.failed.append(sitemap)
        posts: list[ListedPost | None] = []
        for entry in entries:
            url = url_of(sitemap, entry.loc)
            if url is None:
                continue
            if not entry.is_sitemap and is_post(url, entry):
                posts.append(ListedPost(url=url, updated=moment_of(entry.lastmod)))
            elif entry.is_sitemap and url not in known and is_wanted(url):
                known.add(url)
                queue.append(url)
        found.add(posts)
    return found.listing()
