"""Addresses of lists of posts: front pages, tags, categories, authors, months, further pages."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

# A tag or category has a name after it; a page of a list has a number, and a post may lie in a folder "archives".
_FOLDERS = re.compile(
    r"/(?:tags?|categor(?:y|ies|ie|ia|ias)|kategorien?|topics?|labels?|authors?)(?:/|\.html?$|$)"
    r"|/(?:page|pages|archives?|search|attachment|feed|rss)(?:/\d{1,4}(?:[/_-]\d{1,2}){0,2})?/?(?:index)?(?:\.html?)?$"
    r"|/(?:page|index)[-_]?\d{1,3}(?:\.html?|/)?$",
    re.IGNORECASE,
)
_FRONT = re.compile(r"/?(?:index\.(?:html?|php))?$")
_MONTH = re.compile(
    r"/(?:19|20)\d{2}(?:/\d{1,2}){0,2}(?:/index\.html?|/)?$|/(?:19|20)\d{2}_\d\d(?:_\d\d_archive)?\.html?$"
)
_QUERY = re.compile(r"(?:^|&)(?:tag|cat|paged?|m|author|s|q|label)=", re.IGNORECASE)


def is_listing(url: str) -> bool:
    """Tell whether the address itself says that posts are listed there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    path = unquote(parts.path)
    is_front = _FRONT.match(path) is not None and not parts.query
    return bool(is_front or _FOLDERS.search(path) or _MONTH.search(path) or _QUERY.search(parts.query))
