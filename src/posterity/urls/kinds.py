"""URLs: the canonical form, which is equal for equivalent URLs, the ids made of it, and kinds of URLs.

Kinds are: part of a blog or not, lists of posts, service pages, traps, dated URLs, private addresses. Before fetching
an untrusted URL, check the IP address that the connection uses, not the host name: a name can resolve to any address,
and to a different one at the next lookup (DNS rebinding).
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections import Counter
from collections.abc import Container
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urljoin, urlsplit, urlunsplit

import msgspec
from w3lib.url import canonicalize_url

from posterity.lexicon import any_of, language_codes, url_words, words_for

# Parameters that record where the visitor came from and do not change the page.
_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|_ga|yclid)(?:=|$)", re.IGNORECASE
)
# Session ids, which do not change the page. Short names also identify stories, so their value must look like a token.
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid)(?:=|$)"
    r"|(?:sid|s|session|session_?id|sess)=(?=[^&]*\d)[\w,-]{16,}$",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*", re.IGNORECASE)
# The index page of a folder, as named in links of mirrors. With a query, index.php is kept, because it may be another
# page than the index of its folder: /index.php?id=12 may be beside an index.html.
_INDEX = re.compile(r"/index\.(?:html?|php)$", re.IGNORECASE)
_INDEX_PAGE = re.compile(r"/index\.html?$", re.IGNORECASE)
# Doubled slashes come from joining a base that ends in a slash and a path that begins with one; servers treat them as
# one. A URL inside a path keeps its "://": /web/2010/http://blog.example/.
_SLASHES = re.compile(r"(?<!:)/{2,}")
# Fragments that scripts use as routes (#!/post/12, #/about); others are a position on the page, or open a dialog on it.
_ROUTE = re.compile(rf"[!/](?!(?:{any_of(url_words('copy.dialog'))})(?:/|$))")
# Fast path, because most URLs are canonical already: no port, escape, query or fragment, no segment that begins with a
# dot, capitals only in the path.
_STEP = r"(?!(?i:index\.))[\w~-][\w.~-]*+"
_CANONICAL = re.compile(rf"https?://[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}})*+/(?:{_STEP}/)*+(?:{_STEP})?", re.ASCII)
_BARE_NAME = re.compile(r"[a-z][\w.-]*", re.IGNORECASE | re.ASCII)
_QUERY_PATH = "/:@!$'()*+,;=~&%-._"
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


# A generator added a scheme to a configured host that already had one: https://https://blog.example/.
_DOUBLED_SCHEME = re.compile(r"^https?:/+(?=https?:/+)", re.IGNORECASE)


def without_doubled_scheme(url: str) -> str:
    """Return the URL without a doubled scheme."""
    return _DOUBLED_SCHEME.sub("", url)


@lru_cache(maxsize=65536)  # the same links occur on every page of a blog
def canonical_url(url: str, base: str = "") -> str:
    """Return the canonical form of a URL, made absolute against `base`; an unparsable URL is returned as given.

    Lower-case scheme and host, no default port, no index.html, no fragment except a script's route, no tracking
    parameters, dot segments and doubled slashes resolved, escapes normalised, query parameters sorted. The trailing
    slash is kept, because it can make a difference.
    """
    if _CANONICAL.fullmatch(url):
        return url
    url = "".join(url.split()) if "\n" in url or "\t" in url else url.strip()
    url = without_doubled_scheme(url.replace("\\", "/"))  # backslashes as browsers do
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
        # index.php?/archives/12-title.html, wiki.pl?PageName: a path or a name, not parameters
        is_path = query.startswith("/") or _BARE_NAME.fullmatch(query) is not None
        full = urlunsplit((parts.scheme.lower(), host, path, "" if is_path else query, "" if is_path else route))
        canonical = str(canonicalize_url(full, keep_fragments=bool(route)))
        return f"{canonical}?{quote(unquote(query), safe=_QUERY_PATH)}" if is_path else canonical
    except ValueError:
        return url


def _is_about_visitor(parameter: str) -> bool:
    """Return whether a parameter identifies the visitor or where they came from, not the content."""
    return _TRACKING.match(parameter) is not None or _SESSION.match(parameter) is not None


@lru_cache(maxsize=65536)
def place_key(url: str) -> str:
    """Return the URL key: the canonical URL without scheme, www., trailing slash and an index.php before a query."""
    place = canonical_url(url).partition("://")[2].removeprefix("www.").rstrip("/")
    return place.replace("/index.php?", "/?", 1)


def site_host(url: str) -> str:
    """Return the host and port of a URL, without www.; "" for an invalid URL."""
    try:
        return urlsplit(url).netloc.lower().removeprefix("www.")
    except ValueError:  # http://[::1
        return ""


def lies_in(url: str, places: Container[str]) -> bool:
    """Return whether the URL is below one of these URL keys, such as an attachment of a post or its comments."""
    folder = place_key(url)
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in places:
            return True
    return False


def is_http_url(url: str) -> bool:
    """Return whether the URL is http or https and has a host."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError for an invalid port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


_LOGIN = re.compile(r"^(\s*[a-z][a-z0-9+.-]*://)[^/?#]*@", re.IGNORECASE)


def without_login(url: str) -> str:
    """Return the URL without a user name and password before its host, for messages and records."""
    return _LOGIN.sub(r"\1", url)


_HOST_LETTERS = re.compile(r"[\w.-]+")


def is_bare_host(name: str) -> bool:
    """Return whether only the scheme is missing: a host name, with or without port and path (blog.example/a/)."""
    host, _, port = re.split(r"[/?#]", name, maxsplit=1)[0].partition(":")
    if not _HOST_LETTERS.fullmatch(host) or (port and not port.isdecimal()):
        return False
    return host == "localhost" or bool(port) or ("." in host.strip(".") and not host.startswith("."))


def with_scheme(url: str) -> str:
    """Return the URL with a scheme, adding one if it is missing.

    Loopback and names without a dot get http, because they rarely have certificates; everything else gets https.
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


# This many redirects, or equal pages, show how a host treats all of its URLs.
_MIN_EXAMPLES = 3


class TrailingSlashes:
    """Learns whether a host redirects to URLs with a trailing slash; a single response without one disproves it."""

    def __init__(self) -> None:
        self._redirected = 0
        self._broken = False

    def learn(self, requested: str, final: str) -> None:
        """Record that a request for one URL ended at another, or at the same."""
        if not _is_bare(requested):
            return
        if final.partition("://")[2] == f"{requested.partition('://')[2]}/":
            self._redirected += 1
        else:
            self._broken = self._broken or final == requested

    def as_served(self, url: str) -> str:
        """Return the URL, with a trailing slash if the host adds one."""
        return f"{url}/" if self._redirected >= _MIN_EXAMPLES and not self._broken and _is_bare(url) else url


class IgnoredCase:
    """Learns whether a host ignores the case of paths: URLs that differ only in case have the same page."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[str, int]] = {}
        self._votes = 0

    def learn(self, url: str, body: bytes) -> None:
        """Record the page at a URL."""
        known, page = self._pages.setdefault(place_key(url).lower(), (url, hash(body)))
        if place_key(known) != place_key(url):
            self._votes += 1 if page == hash(body) else -1

    def first_spelling(self, url: str) -> str | None:
        """Return the known URL that differs from this one only in case; None if case matters or there is none."""
        if self._votes < _MIN_EXAMPLES:
            return None
        known, _ = self._pages.get(place_key(url).lower(), (url, 0))
        return known if place_key(known) != place_key(url) else None


def _is_bare(url: str) -> bool:
    """Return whether the URL could have a trailing slash but has none."""
    parts = urlsplit(url)
    return not parts.query and not parts.path.endswith("/") and "." not in parts.path.rpartition("/")[2]


class Scope(msgspec.Struct, frozen=True):
    """The URLs of a blog: `hosts` without "www.", and the folders that contain all of them."""

    hosts: tuple[str, ...]
    folders: tuple[str, ...] = ("/",)

    @classmethod
    def of(cls, home_url: str) -> Scope:
        """Return the scope of the blog with this home page: its host, and the folder of the page."""
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
        """Return whether the URL is on a host of the blog, in its folders or not."""
        return Scope(self.hosts).includes(url)

    def includes(self, url: str) -> bool:
        """Return whether the URL is part of the blog; the scheme and "www." make no difference."""
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


# RFC 6052: the last 32 bits are an IPv4 address.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_this_machine(host: str) -> bool:
    """Return whether the host name or literal address is that of the loopback interface."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_public_address(address: str) -> bool:
    """Return whether the literal IP address is public; False if it is not an address."""
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


# Tags and categories are followed by a name, pages of a list by a number; a folder "archives" may contain posts.
_FOLDERS = re.compile(
    rf"/(?:{any_of(url_words('listing.term', 'listing.term_abroad'))})(?:/|\.html?$|$)"
    rf"|/(?:(?:{any_of(url_words('listing.list', 'listing.list_more'))})"
    r"(?:/(?!0\d\d)\d{1,4}(?:[/_-]\d{1,2}){0,2})?"
    # /archives/2024/ is a year, /archives/37/ a post.
    rf"|(?:{any_of(url_words('listing.archive'))})(?:/(?:19|20)\d\d(?:[/_-]\d{{1,2}}){{0,2}})?)"
    r"/?(?:index)?(?:\.html?)?$"
    # In the folder of a day, /2004/05/03/page_23.html is a post; in that of a month, /2004/05/cat_in_a_hat.html is.
    r"|(?<!/\d\d/\d\d)/(?:page|index)[-_]?\d{1,3}(?:\.html?|/)?$"
    rf"|/(?:{any_of(url_words('listing.term', 'listing.list'))}):[^/]+/?$"  # Grav: /blog/tag:sea, /blog/page:2
    r"|/(?:archive\d|blog-(?:date|category)|entrylist|theme)-\d+(?:-\d+)*\.html$"  # FC2, Ameba
    r"|(?<!/\d\d)/(?:tag|cat|category)_[^/]+\.html?$|/all[-_](?:posts|articles|entries|tags|categories)(?:\.html?|/)?$",
    re.IGNORECASE,
)
_FRONT = re.compile(
    rf"/?(?:(?:{'|'.join(language_codes())})(?:[-_][a-z]{{2,4}})?(?:/|$))?(?:index\.(?:html?|php))?$", re.IGNORECASE
)
# Usual URLs of the list of posts, without words that may also be a title ("/thoughts/").
_POSTS = re.compile(
    rf"^/(?:(?:{'|'.join(language_codes())})/)?(?:blog|posts?|news)(?:/(?:blog|posts|all))?(?:\.html?|/)?$",
    re.IGNORECASE,
)
_MONTH = re.compile(  # below a month or a day, a year is the slug of a post about that year
    r"(?<!/\d)(?<!/\d\d)/(?:19|20)\d{2}(?:/(?:\d{1,2}|(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))(?:/(?:[0-2]?\d|3[01]))?)?(?:/index\.html?|/)?$|/(?:19|20)\d{2}_\d\d(?:_\d\d_archive)?\.html?$"
    r"|/(?:blog|archives?|posts)/(?:19|20)\d{2}\.html?$"
)
_QUERY = re.compile(rf"(?:^|&)(?:{any_of(url_words('listing.parameter', 'listing.parameter_more'))})=", re.IGNORECASE)


def is_front(path: str) -> bool:
    """Return whether the path is that of the front page, of the blog or of one of its languages."""
    return _FRONT.match(path) is not None


def is_listing(url: str) -> bool:
    """Return whether the URL is that of a list of posts: a front page, a tag, an author, a month, a further page."""
    try:
        parts = urlsplit(ESCAPED_QUESTION.sub("?", url))
    except ValueError:
        return False
    path = unquote(parts.path)
    return bool(
        ((is_front(path) or _POSTS.search(path)) and not parts.query)
        or _FOLDERS.search(path)
        or _MONTH.search(path)
        or _QUERY.search(parts.query)
    )


# An optional language, then an optional folder of posts: /ar/x, /notes/x, /en/posts/x.
_LANGUAGE = rf"(?:{'|'.join(language_codes())})(?:[-_][a-z]{{2}})?"
_SECTION = re.compile(rf"/(?:{_LANGUAGE}/)?(?:(?:{any_of(url_words('section.posts'))})/)?", re.IGNORECASE)
_OF_LANGUAGE = re.compile(_LANGUAGE, re.IGNORECASE)


def is_in_section(url: str) -> bool:
    """Return whether the URL is in a folder with the name of a section of posts, or of a language."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return False
    match = _SECTION.match(path)
    return match is not None and 1 < match.end() < len(path)


def is_language(folder: str) -> bool:
    """Return whether a folder is named after a language: /ar/, /blog/pt-br/."""
    return _OF_LANGUAGE.fullmatch(folder.rstrip("/").rpartition("/")[2]) is not None


# A single digit is a day only if it is a whole segment, unlike in /2007/01/1st-prize and /2011/06/3-ideas.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<between>[/_.-]?)(?P<month>0?[1-9]|1[0-2])(?P=between)"
    r"(?P<day>(?:0[1-9]|[12]\d|3[01])(?!\d)|[1-9](?![^/]))"
)


def day_in_url(url: str) -> tuple[datetime, str] | None:
    """Return the day in the URL and its spelling; None if there is none."""
    for match in _DAY.finditer(url):
        if not match["between"] and len(match.group()) != len("20210312"):
            continue
        if match["between"] == "." and len(match.group()) != len("2021.03.12"):
            continue  # a version: 2021.3.1
        if match["between"] == "/" and match["day"][0] != "0" and url[match.end() : match.end() + 1] in ("-", "_"):
            continue  # the month's folder, then a title that begins with a number: /2011/10/20-years-later
        try:
            return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC), match.group()
        except ValueError:  # the 31st of a short month
            continue
    return None


_FOLDER = re.compile(r"/(?P<year>(?:19|20)\d\d)(?:[/-](?P<month>0?[1-9]|1[0-2]))?/(?=[^/?#])")


def month_in_url(url: str) -> tuple[datetime, Literal["month", "year"], str] | None:
    """Return the first day of the month or year in the URL's path, its precision and its spelling; None without one."""
    try:
        found = _FOLDER.search(urlsplit(url).path)
    except ValueError:
        return None
    if found is None:
        return None
    first = datetime(int(found["year"]), int(found["month"] or 1), 1, tzinfo=UTC)
    return first, "month" if found["month"] else "year", found.group()


# A language code may follow: /resume-en. Legal pages may also be in folders: /blog/impressum.
_NAME = re.compile(
    rf"(?:/(?:pages?/|p/)?(?:{any_of(words_for('url.service_page'))})|(?:/[^\W\d][^/]*){{0,2}}/(?:{any_of(words_for('url.legal_page'))}))"
    rf"(?:[-_](?:{'|'.join(language_codes())}))?(?:\.\w{{3,5}})?/?",
    re.IGNORECASE,
)


def is_service_page(url: str) -> bool:
    """Return whether the URL is that of a service page: about or contact at the root of its host, imprint anywhere."""
    try:
        return _NAME.fullmatch(unquote(urlsplit(url).path)) is not None
    except ValueError:
        return False


# Parameters of further URLs of the same page: reply forms, share links, print views, sessions.
_COPY_PARAMETERS = frozenset(url_words("copy.parameter"))
_MONTH_OF_WORDPRESS = re.compile(r"m=(?:19|20)\d\d")  # ?m=200706; for Blogger, ?m=1 is a page for telephones
# Alphabetic extensions are those of files, and only these files are pages.
_FILE = re.compile(r"\.([a-z]{1,5}\d?)$", re.IGNORECASE)
_PAGE_ENDINGS = frozenset(url_words("file.page"))
_NEVER = re.compile(
    r"/wp-(?:admin|login|json|content|includes|signup|register|trackback|comments-\w+)\b|/xmlrpc\.php|/feeds?/?$|/trackback/?$|/amp/?$|/print/?$|/embed/?$|/search(?:/|$)|/cart/?$|/cdn-cgi/|"
    r"/(?:log|sign)[-_]?(?:in|out|up)(?:\.\w{2,5})?/?$|comment-page-\d+|"
    # Scripts of blog software that show forms and lists: mt-comments.cgi?entry_id=12, mt-tb.cgi/12.
    r"/(?:\w{1,8}-)?(?:comments?|replies|reply|tb|trackback|search|login|register|send|mail|guest-?book|counter)[\w-]*\.(?:f?cgi|pl)\b",
    re.IGNORECASE,
)
# wget saves the post that a trackback URL redirects to under this name, and makes all links to the post point there.
_KEPT_POST = re.compile(r"/wp-trackback\.php%3fp=\d+\.html?$", re.IGNORECASE)
_PROGRAM = re.compile(r"/cgi-bin/", re.IGNORECASE)
# A comment on TypePad: /2007/08/tides.html?cid=6a00d834. Elsewhere, `cid` may be the id of a page.
_FILE_OF_POST, _COMMENT_ON_FILE = re.compile(r"\.html?$", re.IGNORECASE), re.compile(r"(?:^|&)(?:cid|no_prefetch)=")
ESCAPED_QUESTION = re.compile("%3f", re.IGNORECASE)  # mirrors keep the question mark in file names
_MAX_LENGTH = 1000
_MAX_DEPTH = 16


def is_trap(url: str) -> bool:
    """Return whether the URL is a copy of a page, not a page, or part of an endless URL space."""
    if len(url) > _MAX_LENGTH:
        return True
    parts = urlsplit(ESCAPED_QUESTION.sub("?", url))
    ending = _FILE.search(parts.path)
    if ending and ending.group(1).lower() not in _PAGE_ENDINGS:
        return True
    if _NEVER.search(parts.path) and not _KEPT_POST.search(url):
        return True
    if parts.query and _PROGRAM.search(parts.path):  # posts of blosxom have paths: blosxom.cgi/2005/03/tides
        return True
    query = parse_qsl(parts.query, keep_blank_values=True) if parts.query else ()
    if any(key.lower() in _COPY_PARAMETERS and not _MONTH_OF_WORDPRESS.match(f"{key}={value}") for key, value in query):
        return True
    if parts.query and _FILE_OF_POST.search(parts.path) and _COMMENT_ON_FILE.search(parts.query):
        return True
    folders = [folder for folder in parts.path.split("/") if folder]
    # Relative links on a page that is served at every path: /a/b/a/b/a/b/...
    return len(folders) > _MAX_DEPTH or any(count > 3 for count in Counter(folders).values())


def blog_id(home_url: str) -> str:
    """Return the id of the blog whose home page has this canonical URL."""
    return "b" + _digest(home_url)


def post_id(canonical_url: str) -> str:
    """Return the id of the post with this canonical URL."""
    return "p" + _digest(canonical_url)


def _digest(url: str) -> str:
    # The id must not change when a blog moves from http to https, or from www. to the bare host.
    key = url.split("://", 1)[-1].removeprefix("www.")
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
