"""Medium: sitemaps, archive pages and feeds.

Medium has no API to list posts (github.com/Medium/medium-api-docs, issues 49 and 118, which point to feeds). A blog on
its own host has `/sitemap/sitemap.xml`, an index whose `/sitemap/posts/...` files list its posts. On medium.com, where
the sitemap covers all of Medium, publications have `/NAME/archive` with links to `/archive/YYYY`, `/YYYY/MM` and
`/YYYY/MM/DD`, and every user and publication has a feed of the latest ten posts, `/feed/NAME`. A post's URL ends in
its id, eight to twelve hexadecimal digits. Sitemaps and archives are undocumented; their format is taken from public
clients (S1M0N38/medium-scraper, mcanones/The-Clap-Predictor).
"""

from __future__ import annotations

import re

from posterity.discover.feed import read_feed
from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps, walk_sitemaps
from posterity.dom import Document, parse
from posterity.errors import PosterityError

_POST_ID = re.compile(r"/(?:[^/]+-)?[0-9a-f]{8,12}/?$")
_ARCHIVE = re.compile(r"/archive/\d{4}(?:/\d\d){0,2}/?$")
_HOSTS = ("medium.com", "www.medium.com")
name = "medium"


def detect(home: Document) -> bool:
    """Return whether the host is Medium's, or the page declares Medium, its app or its CDN."""
    host = values.host_of(home.url)
    if host in _HOSTS:
        return bool(_name(home))
    return (
        values.is_below(host, "medium.com")
        or "medium" in values.generator_of(home).split()
        or home.has("meta[property='al:android:package'][content='com.medium.reader']")
        or values.loads_from(home, "cdn-client.medium.com")
    )


def listing(home: Document) -> Steps:
    """Read the sitemap of a blog with its own host; on medium.com, the archive of a publication and the feed."""
    if values.host_of(home.url) not in _HOSTS:
        index = values.url_of(home.url, "/sitemap/sitemap.xml")
        return (yield from walk_sitemaps([index], _is_post, lambda url: "/posts" in values.path_of(url)))
    found = ListedPosts()
    feed = values.url_of(home.url, f"/feed/{_name(home)}")
    if feed:
        body = yield feed
        if not found.add(_in_feed(body, feed)):
            found.failed.append(feed)
    if not _name(home).startswith("@"):
        yield from _walk_archive(home, found)
    return found.listing()


def _name(home: Document) -> str:
    """`@user` or the publication's name: the first part of the path on medium.com."""
    name = values.path_of(home.url).strip("/").partition("/")[0]
    return name if re.fullmatch(r"@?[\w.-]+", name, re.ASCII) else ""


def _is_post(url: str, _changed: str | None, _sitemap: str) -> bool:
    return _POST_ID.search(values.path_of(url)) is not None


def _in_feed(body: bytes | None, url: str) -> list[ListedPost]:
    try:
        entries = read_feed(body or b"", url).entries
    except (PosterityError, ValueError, OverflowError):
        return []
    links = ((values.url_of(url, entry.link), entry) for entry in entries)
    return [
        ListedPost(
            url=re.split(r"[?#]", link, maxsplit=1)[0],  # feeds add a source parameter
            title=entry.title,
            published=values.moment_of(entry.published and entry.published.isoformat()),
            updated=values.moment_of(entry.updated and entry.updated.isoformat()),
        )
        for link, entry in links
        if link
    ]


def _walk_archive(home: Document, found: ListedPosts) -> Steps:
    folder = f"/{_name(home)}/"
    first = values.url_of(home.url, f"{folder}archive")
    queue = [first] if first else []
    known = set(queue)
    for asked, place in enumerate(queue):  # grows in the loop
        if asked >= MAX_PAGES - 1:  # one request was for the feed
            break
        body = yield place
        links = _links(body, place, folder)
        if not links:
            found.failed.append(place)
        found.add([ListedPost(url=url, title=links[url]) for url in links if _POST_ID.search(values.path_of(url))])
        new = [url for url in links if _ARCHIVE.search(values.path_of(url)) and url not in known]
        known.update(new)
        queue += new
    return found.listing()


def _links(body: bytes | None, place: str, folder: str) -> dict[str, str | None]:
    """The linked URLs in the publication's folder, each with the text of the first link that has one."""
    found: dict[str, str | None] = {}
    try:
        page = parse(body or b"", place)
    except PosterityError:
        return found
    for link in page.all("a[href]"):
        url = re.split(r"[?#]", values.url_of(page.base_url, link.attrs[0].get("href")) or "", maxsplit=1)[0]
        if values.host_of(url) in _HOSTS and values.path_of(url).startswith(folder):
            found[url] = found.get(url) or values.text_of(link.plain(0))
    return found
