"""WriteFreely and write.as: the posts of a collection.

Follows the source of writefreely/writefreely (collections.go, fetchCollectionPosts; posts.go) and the API of write.as
(developers.write.as/docs/api): `/api/collections/ALIAS/posts?page=N`, ten posts per page, wrapped in `data` with `url`,
`total_posts` and `posts`, each with `slug`, `title`, `created`, `updated`. A post's URL is the collection's plus the
slug. Pinned posts, which are pages such as "About", are not listed. A single-user server does not show the alias of
its blog; there the sitemap (sitemap.go) is read.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ListedPost, ListedPosts, Steps, post_of, walk_sitemaps
from posterity.dom import Document

_ALIAS = re.compile(r"/api/collections/([0-9A-Za-z-]+)(?:/|$)")
_PREFIX = "@~$!-+"  # writefreely's routes.go allows them before an alias
name = "writefreely"


def detect(home: Document) -> bool:
    """Return whether the page declares WriteFreely as its generator or is on write.as."""
    host = values.host_of(home.url)
    named = values.generator_of(home)
    return "writefreely" in named or "write.as" in named or host == "write.as" or values.is_below(host, "writeas.com")


def listing(home: Document) -> Steps:
    """Walk the pages of the collection; read the sitemap if the API lists nothing."""
    found = ListedPosts()
    alias = _alias(home)
    server = "https://write.as/" if values.is_below(values.host_of(home.url), "writeas.com") else home.url
    for page in range(1, MAX_PAGES + 1 if alias else 1):
        url = values.url_of(server, f"/api/collections/{quote(alias)}/posts?page={page}")
        if url is None:
            break
        response = values.member(values.json_of((yield url)), "data")
        if response is None:
            found.failed.append(url)
            break
        found.total = values.count_of(values.member(response, "total_posts"))
        folder = values.url_of(home.url, values.member(response, "url")) or home.url
        posts = (_post(item, f"{folder.rstrip('/')}/") for item in values.items_of(values.member(response, "posts")))
        if not found.add(posts) or found.is_complete:
            break
    if found.items:
        return found.listing()
    folder = f"{re.split(r'[?#]', home.url, maxsplit=1)[0].rstrip('/')}/"
    sitemap = values.url_of(folder, "./sitemap.xml")
    return (yield from walk_sitemaps([sitemap], lambda url, *_: url.rstrip("/") + "/" != folder))


def _alias(home: Document) -> str:
    """The collection's name: from its forms and scripts, the subdomain, or the first part of the path."""
    mentioned = [*home.attributes("form[action]", "action"), *home.attributes("a[href]", "href"), home.raw_text]
    match = next(filter(None, map(_ALIAS.search, mentioned)), None)
    if match:
        return match.group(1)
    host = values.host_of(home.url)
    if values.is_below(host, "writeas.com"):
        return host.partition(".")[0]
    return values.path_of(home.url).strip("/").partition("/")[0].lstrip(_PREFIX)


def _post(item: values.JsonObject | None, folder: str) -> ListedPost | None:
    slug = values.text_of(values.member(item, "slug"))
    url = values.url_of(folder, values.member(item, "url")) or (slug and values.url_of(folder, f"./{quote(slug)}"))
    return post_of(item, url, published="created", updated="updated")
