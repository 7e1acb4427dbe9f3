"""Kinds of URLs: part of a blog or not, lists of posts, service pages, traps, dated ones, private addresses.

Whoever fetches a URL that a stranger named must judge the IP address that the connection really goes to, not the host
name: a name can lead anywhere, and somewhere else at the next look-up (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from datetime import UTC, datetime
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from posterity.lexicon import any_of, language_codes, url_words, words_for


class Scope(msgspec.Struct, frozen=True):
    """The URLs of one blog: `hosts` without "www.", and the folders in one of which all of them lie."""

    hosts: tuple[str, ...]
    folders: tuple[str, ...] = ("/",)

    @classmethod
    def of(cls, home_url: str) -> Scope:
        """Return the scope of the blog with this home page: its host, and the folder the page lies in."""
        parts = urlsplit(home_url)
        folder = parts.path[: parts.path.rfind("/") + 1] or "/"
        return cls((_host(parts.netloc),), (folder,))

    def with_host(self, url: str) -> Scope:
        """Return this scope with the host of another URL of the same blog added."""
        host = _host(urlsplit(url).netloc)
        return self if host in self.hosts else Scope((*self.hosts, host), self.folders)

    def with_folder(self, folder: str) -> Scope:
        """Return this scope with another folder of the same blog added."""
        return self if folder.startswith(self.folders) else Scope(self.hosts, (*self.folders, folder))

    def is_on_host(self, url: str) -> bool:
        """Tell whether the URL is on a host of the blog, in its folders or not."""
        return Scope(self.hosts).includes(url)

    def includes(self, url: str) -> bool:
        """Tell whether the URL is part of the blog; http or https, www or not, are the same place."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or _host(parts.netloc) not in self.hosts:
            return False
        return (parts.path or "/").startswith(self.folders) or f"{parts.path}/" in self.folders


def _host(netloc: str) -> str:
    host = netloc.rpartition("@")[2].lower().removeprefix("www.")
    return host.removesuffix(":80").removesuffix(":443")


# RFC 6052 and RFC 3056: an IPv4 address hides in the last or in the second part of these.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_this_machine(host: str) -> bool:
    """Tell whether the host name or literal address is that of the loopback interface."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_public_address(address: str) -> bool:
    """Tell whether this literal address may be asked; what is no address at all may not."""
    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public_address(str(inner))
        if found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


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
# A language, and a folder of posts: /ar/x, /notes/x, /en/posts/x.
_SECTION = re.compile(
    rf"/(?:(?:{'|'.join(language_codes())})(?:[-_][a-z]{{2}})?/)?(?:(?:{any_of(url_words('section.posts'))})/)?",
    re.IGNORECASE,
)


def is_in_section(url: str) -> bool:
    """Tell whether the URL lies in a folder that by its name holds posts, or posts of one language."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return False
    match = _SECTION.match(path)
    return match is not None and 1 < match.end() < len(path)


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
