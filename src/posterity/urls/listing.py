"""Addresses of lists of posts: tags, categories, authors, months, further pages."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_FOLDERS = re.compile(
    r"/(?:tags?|categor(?:y|ies|ie|ia|ias)|kategorien?|topics?|labels?|authors?|page|archives?|search|attachment|feed|rss)"
    r"(?:/|\.html?$|$)",
    re.IGNORECASE,
)
_MONTH = re.compile(r"/(?:19|20)\d{2}(?:/\d{1,2}){0,2}(?:/index\.html?|/)?$|/(?:19|20)\d{2}_\d\d_\d\d_archive\.html$")
_QUERY = re.compile(r"(?:^|&)(?:tag|cat|paged?|m|author|s|q|label)=", re.IGNORECASE)


def is_listing(url: str) -> bool:
    """Tell whether the address itself says that posts are listed there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    path = unquote(parts.path)
    return bool(_FOLDERS.search(path) or _MONTH.search(path) or _QUERY.search(parts.query))
