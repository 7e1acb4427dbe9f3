"""The canonical form of a URL: two spellings of one place become equal."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from w3lib.url import canonicalize_url

# Parameters that record where a reader came from, not what is shown.
_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|_ga|yclid)(?:=|$)", re.IGNORECASE
)
# Session ids: the same page for every visitor. Short names are also used for stories: there the value must be a token.
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid)(?:=|$)"
    r"|(?:sid|s|session|session_?id|sess)=(?=[^&]*\d)[\w,-]{16,}$",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*", re.IGNORECASE)
# What a server sends for a folder, and mirrors name in their links. A program that is asked for something is not always
# what its folder shows: /index.php?id=12 may lie beside an index.html.
_INDEX = re.compile(r"/index\.(?:html?|php)$", re.IGNORECASE)
_INDEX_PAGE = re.compile(r"/index\.html?$", re.IGNORECASE)
# A base that ends in a slash and a path that begins with one give two, and servers take them for one. Archives keep the
# URL of a page in their own: /web/2010/http://blog.example/.
_SLASHES = re.compile(r"(?<!:)/{2,}")
# Blogs rendered by scripts have their pages there (#!/post/12, #/about); any other fragment is a place on the page.
_ROUTE = re.compile(r"[!/]")
# Most URLs are canonical already: no port, escape, query or fragment, no name that begins with a dot, nothing in
# capitals but in the path.
_NAME = r"(?!(?i:index\.))[\w~-][\w.~-]*+"
_CANONICAL = re.compile(rf"https?://[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}})*+/(?:{_NAME}/)*+(?:{_NAME})?", re.ASCII)
_QUERY_PATH = "/:@!$'()*+,;=~&%-._"
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


@lru_cache(maxsize=65536)  # a crawl meets the same links on every page
def canonical_url(url: str, base: str = "") -> str:
    """Return the canonical form of a URL, made absolute against `base`; one that cannot be read stays.

    Lower-case scheme and host, no default port, no index.html, no fragment but a script's route, no tracking
    parameters, dots and doubled slashes resolved, escapes in one spelling, query parameters in order. The trailing
    slash stays: it can make a difference.
    """
    if _CANONICAL.fullmatch(url):
        return url
    url = "".join(url.split()) if "\n" in url or "\t" in url else url.strip()
    url = url.replace("\\", "/")  # as browsers do
    try:
        absolute = urljoin(base, url) if base else url
        if not absolute:
            return ""  # a page without a URL
        parts = urlsplit(absolute)
        host = parts.netloc.lower().removesuffix(_DEFAULT_PORT.get(parts.scheme.lower(), ":"))
        path = _SLASHES.sub("/", _without_dots(_PATH_SESSION.sub("", parts.path)))
        query = "&".join(item for item in parts.query.split("&") if item and not _is_about_visitor(item))
        path = (_INDEX_PAGE if query else _INDEX).sub("/", path) or ("/" if host else "")
        route = parts.fragment if _ROUTE.match(parts.fragment) else ""
        is_path = query.startswith("/")  # index.php?/archives/12-title.html: a path, not parameters
        full = urlunsplit((parts.scheme.lower(), host, path, "" if is_path else query, "" if is_path else route))
        canonical = str(canonicalize_url(full, keep_fragments=bool(route)))
        return f"{canonical}?{quote(unquote(query), safe=_QUERY_PATH)}" if is_path else canonical
    except ValueError:
        return url


def _is_about_visitor(parameter: str) -> bool:
    """Tell whether a parameter says who asks or where a reader came from, not what is shown."""
    return _TRACKING.match(parameter) is not None or _SESSION.match(parameter) is not None


def place_key(url: str) -> str:
    """Return what two URLs of one place share: no scheme, no www, no trailing slash, no index.php."""
    place = canonical_url(url).partition("://")[2].removeprefix("www.").rstrip("/")
    return place.replace("/index.php?", "/?", 1)


def lies_in(url: str, places: Container[str]) -> bool:
    """Tell whether the URL lies below one of these places (`place_key`): an attachment of a post, its comments."""
    folder = place_key(url)
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in places:
            return True
    return False


def is_http_url(url: str) -> bool:
    """Tell whether the URL has a scheme we can fetch and a host."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError for a port that cannot be one
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


_HOST_LETTERS = re.compile(r"[\w.-]+")


def is_bare_host(name: str) -> bool:
    """Tell whether this is a host name, with or without port and path, that lacks only the scheme: blog.example/a/."""
    host, _, port = re.split(r"[/?#]", name, maxsplit=1)[0].partition(":")
    if not _HOST_LETTERS.fullmatch(host) or (port and not port.isdecimal()):
        return False
    return host == "localhost" or bool(port) or ("." in host.strip(".") and not host.startswith("."))


def with_scheme(url: str) -> str:
    """Return what a person means by a URL typed without its scheme.

    Loopback and bare names get http, since nobody has certificates there; everything else https.
    """
    url = url.strip()
    if "://" in url:
        return url
    url = url.removeprefix("//")
    host = re.split(r"[/:?#]", url, maxsplit=1)[0]
    local = "." not in host or host.startswith("127.") or host.endswith((".localhost", ".test"))
    return ("http://" if local else "https://") + url


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/".join(kept)


# So many redirects in a row make a habit.
_HABIT = 3


class SlashHabit:
    """Learns from where requests were redirected to; a single response without a slash ends the habit."""

    def __init__(self) -> None:
        self._redirected = 0
        self._broken = False

    def learn(self, requested: str, final: str) -> None:
        """A request for one URL ended at another, or at the same."""
        if not _is_bare(requested):
            return
        if final.partition("://")[2] == f"{requested.partition('://')[2]}/":
            self._redirected += 1
        else:
            self._broken = self._broken or final == requested

    def spelled(self, url: str) -> str:
        """Return the URL as the host serves it."""
        return f"{url}/" if self._redirected >= _HABIT and not self._broken and _is_bare(url) else url


def _is_bare(url: str) -> bool:
    """Tell whether the URL could have a slash at its end but has none."""
    parts = urlsplit(url)
    return not parts.query and not parts.path.endswith("/") and "." not in parts.path.rpartition("/")[2]
