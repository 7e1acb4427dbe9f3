"""WordPress: the REST API of the blog.

Follows developer.wordpress.org/rest-api: "Discovery" (link rel="https://api.w.org/", `?rest_route=` without pretty
permalinks), "Pagination" (at most 100 posts per page, an error beyond the last) and "Posts" (`link`, `date_gmt`,
`modified_gmt`, `title.rendered`), "Linking and Embedding" (`_embed`: authors and terms of the posts, which some hosts
refuse). The total is only in the header X-WP-Total, which is not available here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product, repeat
from urllib.parse import urlencode

import msgspec

from posterity.discover.platforms import values
from posterity.discover.platforms.listing import MAX_PAGES, ChangeList, ListedPost, ListedPosts, Listing, Steps, post_of
from posterity.dom import Document

_PAGE_SIZE = 100
_SMALLEST_CAP = 10  # hosts lower the page size, but not below WordPress's default
_MAX_MISSES = 1  # pages in a row; a post that breaks the API makes its page fail
_BEYOND_LAST = "rest_post_invalid_page_number"
_PLAIN = {"_fields": "link,date_gmt,modified_gmt,title"}
_EMBEDDING = {"_fields": f"{_PLAIN['_fields']},_links.author,_links.wp:term", "_embed": "author,wp:term"}
_USUAL_ROOTS = ("./wp-json/", "./?rest_route=/")
name = "wordpress"


def detect(home: Document) -> bool:
    """Return whether the page declares the API, names WordPress as its generator, or loads its files."""
    declared = _declared_root(home)
    if declared:
        return values.host_of(declared) != "public-api.wordpress.com"
    generator = values.generator_of(home)
    if values.is_below(values.host_of(home.url), "wordpress.com") or "wordpress.com" in generator:
        return False
    return "wordpress" in generator or home.has(
        "link[href*='/wp-content/'], script[src*='/wp-includes/'], script[src*='/wp-content/']"
    )


def listing(home: Document) -> Steps:
    """Walk the pages of the API; if it is not declared, both of its usual URLs are tried."""
    result = Listing()
    roots = _roots(home)
    for root, fields in (*zip(roots, repeat(_EMBEDDING)), *zip(roots[:1], repeat(_PLAIN))):
        result = yield from _walk(root, fields)
        if result.posts:
            break
    return result


def _walk(root: str, fields: Mapping[str, str]) -> Steps:
    found = ListedPosts()
    full, misses = 0, 0
    for page in range(1, MAX_PAGES + 1):
        url = _list_url(root, fields, page=page)
        body = values.json_of((yield url))
        items = values.items_of(body)
        if items:
            full, misses = full or len(items), 0
            if not found.add(_post(item, root) for item in items) or len(items) < max(full, _SMALLEST_CAP):
                break
        elif body == [] or values.member(body, "code") == _BEYOND_LAST or 0 < full < _PAGE_SIZE:
            break
        else:  # after a full page, a failure may mean the end or a broken page
            found.failed.append(url)
            misses += 1
            if page == 1 or misses > _MAX_MISSES:
                break
    return found.listing()


def change_lists(home_url: str) -> list[ChangeList]:
    """Return the lists by last change at the usual places of the interface."""
    roots = [values.url_of(home_url, place) for place in _USUAL_ROOTS]
    return [
        ChangeList(
            first_page=_list_url(root, fields, page=1),
            url=_list_url(root, _PLAIN, orderby="modified"),
            read=partial(_changed_posts, root=root),
        )
        for fields, root in product((_EMBEDDING, _PLAIN), roots)
        if root
    ]


def _changed_posts(body: bytes, root: str) -> list[ListedPost]:
    posts = (_post(item, root) for item in values.items_of(values.json_of(body)))
    return [post for post in posts if post is not None]


def _list_url(root: str, fields: Mapping[str, str], **options: object) -> str:
    query = urlencode({"per_page": _PAGE_SIZE, **options, **fields})
    return f"{root}wp/v2/posts{'&' if '?' in root else '?'}{query}"


def _post(item: values.JsonObject | None, root: str) -> ListedPost | None:
    url = values.url_of(root, values.member(item, "link"))
    post = post_of(item, url, title="title.rendered", published="date_gmt", updated="modified_gmt")
    terms = values.member(item, "_embedded", "wp:term")
    tags = [tag for group in terms if isinstance(group, list) for tag in group] if isinstance(terms, list) else []
    authors = values.names_of(values.member(item, "_embedded", "author"))
    return msgspec.structs.replace(post, authors=authors, tags=values.names_of(tags)) if post is not None else None


def _declared_root(home: Document) -> str | None:
    return values.url_of(home.base_url, home.declared("link[rel='https://api.w.org/'][href]", "href"))


def _roots(home: Document) -> list[str]:
    declared = _declared_root(home)
    usual = (values.url_of(home.url, place) for place in _USUAL_ROOTS)
    return [declared] if declared else [root for root in usual if root]
