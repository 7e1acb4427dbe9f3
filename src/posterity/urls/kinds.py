"""Kinds of pages by their URLs: lists of posts, service pages, traps, and the day in a URL."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from urllib.parse import parse_qsl, unquote, urlsplit

from posterity.lexicon import any_of, url_words, words_for

# A tag or category has a name after it; a page of a list has a number, and a post may lie in a folder "archives".
_FOLDERS = re.compile(
    rf"/(?:{any_of(url_words('listing.term', 'listing.term_abroad'))})(?:/|\.html?$|$)"
    rf"|/(?:{any_of(url_words('listing.list', 'listing.list_more'))})"
    r"(?:/(?!0\d\d)\d{1,4}(?:[/_-]\d{1,2}){0,2})?/?(?:index)?(?:\.html?)?$"
    r"|/(?:page|index)[-_]?\d{1,3}(?:\.html?|/)?$",
    re.IGNORECASE,
)
_FRONT = re.compile(r"/?(?:index\.(?:html?|php))?$")
_MONTH = re.compile(
    r"/(?:19|20)\d{2}(?:/\d{1,2}){0,2}(?:/index\.html?|/)?$|/(?:19|20)\d{2}_\d\d(?:_\d\d_archive)?\.html?$"
)
_QUERY = re.compile(rf"(?:^|&)(?:{any_of(url_words('listing.parameter', 'listing.parameter_more'))})=", re.IGNORECASE)


def is_listing(url: str) -> bool:
    """Tell whether the URL is that of a list of posts: a front page, a tag, an author, a month, a further page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    path = unquote(parts.path)
    is_front = _FRONT.match(path) is not None and not parts.query
    return bool(is_front or _FOLDERS.search(path) or _MONTH.search(path) or _QUERY.search(parts.query))


# A single digit is a day only if it is all that stands in its folder: /2007/01/1st-prize and /2011/06/3-ideas are not.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<between>[/_-]?)(?P<month>0?[1-9]|1[0-2])(?P=between)"
    r"(?P<day>(?:0[1-9]|[12]\d|3[01])(?!\d)|[1-9](?![^/]))"
)


def day_in_url(url: str) -> tuple[datetime, str] | None:
    """Return the day in the URL, and how it is spelled; None when there is none."""
    for match in _DAY.finditer(url):
        if not match["between"] and len(match.group()) != len("20210312"):
            continue
        try:
            return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC), match.group()
        except ValueError:  # the 31st of a short month
            continue
    return None


_NAME = re.compile(rf"/(?:pages?/|p/)?(?:{any_of(words_for('url.service_page'))})(?:\.\w{{3,5}})?/?", re.IGNORECASE)


def is_service_page(url: str) -> bool:
    """Tell whether the URL is that of a service page (about, contact, imprint) at the root of its host."""
    try:
        return _NAME.fullmatch(unquote(urlsplit(url).path)) is not None
    except ValueError:
        return False


# Each shows a page again that has a URL of its own: reply forms, share links, print views, sessions.
_COPY_PARAMETERS = frozenset(url_words("copy.parameter"))
# An ending of letters is a file's, and only these are pages.
_FILE = re.compile(r"\.([a-z]{1,5}\d?)$", re.IGNORECASE)
_PAGE_ENDINGS = frozenset(url_words("file.page"))
_NEVER = re.compile(
    r"/wp-(?:admin|login|json|content|includes)\b|/xmlrpc\.php|/cgi-bin/|/feeds?/?$|/trackback/?$|/amp/?$|/print/?$|/embed/?$|/search(?:/|$)|/cart/?$|"
    r"/(?:log|sign)-?(?:in|out|up)/?$|comment-page-\d+",
    re.IGNORECASE,
)
_KEPT_QUESTION = re.compile("%3f", re.IGNORECASE)
_MAX_LENGTH = 1000
_MAX_DEPTH = 16


def is_trap(url: str) -> bool:
    """Tell whether the URL is a copy, no page, or a step into an endless space."""
    if len(url) > _MAX_LENGTH:
        return True
    # Mirrors keep the question mark in file names.
    parts = urlsplit(_KEPT_QUESTION.sub("?", url))
    ending = _FILE.search(parts.path)
    if (ending and ending.group(1).lower() not in _PAGE_ENDINGS) or _NEVER.search(parts.path):
        return True
    if parts.query and _COPY_PARAMETERS & {key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)}:
        return True
    folders = [folder for folder in parts.path.split("/") if folder]
    # Relative links on a page that answers everywhere: /a/b/a/b/a/b/...
    return len(folders) > _MAX_DEPTH or any(count > 3 for count in Counter(folders).values())
