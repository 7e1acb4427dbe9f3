"""Decides whether a page must be rendered in a browser: it is an empty shell, or lacks the text in its feed.

`is_shell` runs on every page, so it does not parse a tree but only removes scripts and tags from the bytes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from posterity.discover.feed import entry_text
from posterity.dom import Document, parse, text_of
from posterity.dom.media import absolute
from posterity.model import FeedEntry
from posterity.text.normal_form import words
from posterity.urls import place_key

_UNSEEN = re.compile(rb"<(script|style|noscript|template|head|svg)\b|<!--", re.IGNORECASE)
_ENDS = {
    name: re.compile(rb"</%s\s*>" % name, re.IGNORECASE)
    for name in (b"script", b"style", b"noscript", b"template", b"head", b"svg")
} | {b"": re.compile(b"-->")}
_CONTENT = re.compile(
    rb"<(?:p|h[1-6]|article|li|img|video|audio|table|blockquote|pre|frame|object|embed|dd)\b", re.IGNORECASE
)
_LINK = re.compile(rb"<a\b", re.IGNORECASE)
_REDIRECT = re.compile(
    rb"http-equiv\s*=\s*[\"']?refresh|\blocation(?:\.href)?\s*=[^=]|location\.replace\(", re.IGNORECASE
)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_RUN = re.compile(rb">([^<]+)")
_TAG = re.compile(rb"<[^>]*(?:>|\Z)")
# Room for "Loading, please wait", a name and a footer.
_MAX_SHELL_TEXT = 200
_MAX_SHELL_CONTENT, _MAX_SHELL_LINKS = 1, 2
_MAX_REDIRECT_BYTES = 1500
# A page with a smaller share of the feed's words has other content, or none yet.
_MIN_SHARE = 0.4
_MIN_LISTED = 25
_ALMOST_ALL = 0.9
# Menus and a footer of a page whose post is still to be loaded; less than half of the words of the rendered page.
_MAX_FRAME_TEXT = 1000
_MOST = 0.6
_HREF = re.compile(rb"<a\b[^>]{0,500}?\bhref\s*=\s*[\"']?([^\"'\s>]{1,500})", re.IGNORECASE)


def is_shell(html: bytes) -> bool:
    """Return whether the page is almost empty before its scripts run."""
    if not _SCRIPT.search(html):
        return False
    body = _without_unseen(html)
    if len(_CONTENT.findall(body)) > _MAX_SHELL_CONTENT or len(_LINK.findall(body)) > _MAX_SHELL_LINKS:
        return False
    if len(html) <= _MAX_REDIRECT_BYTES and _REDIRECT.search(html):
        return False
    return len(b" ".join(_TAG.sub(b" ", body).split())) < _MAX_SHELL_TEXT


def is_frame(html: bytes) -> bool:
    """Return whether the page has at most menus and a footer, and scripts that may insert a post."""
    if not has_scripts(html):
        return False
    length = 0
    for run in _RUN.finditer(_without_unseen(html)):
        length += len(run[1].strip())
        if length >= _MAX_FRAME_TEXT:
            return False
    return True


@lru_cache(maxsize=1)  # several checks run on the same page in turn
def _without_unseen(html: bytes) -> bytes:
    """The page without elements that are not rendered; those without an end tag are kept."""
    parts: list[bytes] = []
    place = 0
    endless: set[bytes] = set()  # missing end tags are searched for only once, to keep the time linear
    while begin := _UNSEEN.search(html, place):
        name = (begin[1] or b"").lower()
        end = None if name in endless else _ENDS[name].search(html, begin.end())
        if end is None:
            endless.add(name)
            parts.append(html[place : begin.end()])
            place = begin.end()
            continue
        parts.append(html[place : begin.start()])
        place = end.end()
    return b" ".join([*parts, html[place:]])


def has_scripts(html: bytes) -> bool:
    """Return whether the page has scripts, which may add content."""
    return _SCRIPT.search(html) is not None


def link_targets(html: bytes, url: str) -> frozenset[str]:
    """Return the place keys of the page and of its links on the same host."""
    hrefs = (href.decode("utf-8", "replace") for href in _HREF.findall(_without_unseen(html)))
    found = (absolute(url, href) for href in hrefs)
    host = urlsplit(url).netloc
    return frozenset(place_key(target) for target in (url, *found) if target and urlsplit(target).netloc == host)


def lacks_own_links(html: bytes, url: str, menu: frozenset[str]) -> bool:
    """Return whether all links of the page are in the site's menu."""
    return link_targets(html, url) <= menu | {place_key(url)}


def lacks_listed_text(document: Document, entry: FeedEntry) -> bool:
    """Return whether most of the feed's text is missing on a page with scripts, which could load it.

    If the feed has hardly any text, its title is searched for instead.
    """
    if not document.has("script"):
        return False
    listed = set(words(entry_text(entry)))
    if len(listed) < _MIN_LISTED:
        listed = set(words(entry.title or ""))
        titles = (element.plain(0) for element in document.all("title"))
        shown = set(words(" ".join((*titles, text_of(document.tree)))))
    else:
        shown = set(words(document.tree.plain(0)))
    return len(listed & shown) < _MIN_SHARE * len(listed)


def adds_little_text(rendered: Document, html: bytes, share: float = _ALMOST_ALL) -> bool:
    """Return whether the unrendered page has at least this share of the words of the rendered one."""
    after = set(words(text_of(rendered.tree)))
    before = set(words(text_of(parse(html).tree)))
    return len(after & before) >= share * len(after)


def is_filled_by_scripts(rendered: bytes, html: bytes) -> bool:
    """Return whether a large part of the rendered page's words is missing in the unrendered one."""
    return not adds_little_text(parse(rendered), html, _MOST)
