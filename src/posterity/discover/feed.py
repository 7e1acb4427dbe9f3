"""Feeds: parses RSS and Atom (with feedparser) and JSON Feed, and finds a feed's next page and the feeds of a page.

A feed that is malformed but readable keeps its entries, with the error in `problem`. An unreadable one raises
`BrokenFeed` with the parser's message.
"""

from __future__ import annotations

import codecs
import re
from calendar import timegm
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta, timezone
from functools import lru_cache
from html import escape
from io import BytesIO
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import msgspec

from posterity.dom import Document, parse, text_of
from posterity.dom.media import absolute
from posterity.errors import BrokenFeed
from posterity.model import Feed, FeedEntry, Page
from posterity.text.dates.formats import usable_moment
from posterity.text.normal_form import names_nobody, one_line
from posterity.urls import is_http_url, lies_in, place_key
from posterity.urls.kinds import site_host, without_doubled_scheme

_MAX_COUNT_DIGITS = 9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # `fromtimestamp` fails on Windows for earlier moments


def looks_like_json_feed(body: bytes) -> bool:
    """Return whether the bytes look like a JSON Feed: an object with the format's URL or `items` near the start."""
    start = body[:2048].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and re.search(rb"jsonfeed\.org\\?/version|\"items\"\s*:", body[:65536]) is not None


def read_json_feed(body: bytes, url: str) -> Feed:
    """Return the feed, or raise `BrokenFeed` with the position of the syntax error."""
    try:
        data = msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BrokenFeed(f"The JSON feed at {url} cannot be read: {problem}.", problem=str(problem)) from problem
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        raise BrokenFeed(f"The JSON feed at {url} cannot be read: it has no list of items.", problem="no items")
    home = _text(data.get("home_page_url"))
    url = url or _text(data.get("feed_url")) or ""
    return Feed(
        url=url,
        format="json",
        title=_text(data.get("title")),
        home=join_url(url, home),
        language=_text(data.get("language")),
        authors=_names(data),
        next_url=join_url(url, _text(data.get("next_url"))),
        entries=_without_build_times([_json_entry(item, url) for item in items if isinstance(item, dict)]),
    )


def _json_entry(item: dict[str, Any], url: str) -> FeedEntry:
    link = _text(item.get("url")) or _text(item.get("external_url")) or _text(item.get("id"))
    plain = _text(item.get("content_text"))
    value = item.get("content_html")
    return FeedEntry(
        link=join_url(url, link),
        guid=_text(item.get("id")),
        title=_text(item.get("title")),
        authors=_names(item),
        published=_json_moment(item.get("date_published")),
        updated=_json_moment(item.get("date_modified")),
        content=(value if isinstance(value, str) else None) or (f"<p>{escape(plain)}</p>" if plain else None),
        summary=_text(item.get("summary")),
        tags=tuple(tag for tag in _list(item.get("tags")) if isinstance(tag, str)),
        language=_text(item.get("language")),
    )


def _names(thing: dict[str, Any]) -> tuple[str, ...]:
    people = _list(thing.get("authors")) or [thing.get("author")]
    names = (_text(person.get("name")) for person in people if isinstance(person, dict))
    return tuple(name for name in names if name and not names_nobody(name))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _json_moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return usable_moment(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _text(value: object) -> str | None:
    return one_line(str(value)) or None if isinstance(value, str | int) else None


_XML_FEED = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF)\b", re.IGNORECASE)
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "0.0.0.0", "")  # noqa: S104 - generators run with a local setting leave these in the feed


# Markup at the start of an HTML page; <rdf:RDF> after it is metadata of the page, as written by Movable Type.
_HTML_PAGE = re.compile(rb"<(?:html|head|body|title|meta|script|!doctype html)\b", re.IGNORECASE)


def looks_like_feed(body: bytes) -> bool:
    """Return whether the bytes look like a feed, even after a server's error messages."""
    found = _XML_FEED.search(body[:4096])
    if found is not None:
        return _HTML_PAGE.search(body, 0, found.start()) is None
    return looks_like_json_feed(body)


def feed_on(page: Page | None) -> Feed | None:
    """Return the feed on a page, or None if there is no page, no feed, or one that cannot be read."""
    if page is None or not looks_like_feed(page.body):
        return None
    try:
        return read_feed(page.body, page.url, page.content_type)
    except BrokenFeed:
        return None


def read_feed(body: bytes, url: str, content_type: str = "") -> Feed:
    """Return the feed in these bytes, or raise `BrokenFeed`; if `url` is empty, the URL that it declares is used."""
    if looks_like_json_feed(body):
        return read_json_feed(body, url)
    first, *others = feed_pieces(_in_utf_8(body.strip(), url, content_type))
    parsed = _parse_feed(first, url)
    problem = str(parsed.bozo_exception) if parsed.bozo and not _harmless(parsed.bozo_exception) else None
    if not parsed.entries and (problem or not parsed.get("version")):
        raise _broken(problem or "it is neither RSS, Atom nor JSON Feed", url)
    channel = parsed.feed
    url = url or _own_url(channel)
    entries = [_entry(entry, url) for entry in parsed.entries]
    entries += [_entry(entry, url) for piece in others for entry in _parse_feed(piece, url).entries]
    return Feed(
        url=url,
        format=parsed.get("version") or "unknown",
        title=_line(channel.get("title")),
        home=join_url(url, channel.get("link")),
        language=channel.get("language") or None,
        authors=_authors(channel),
        license=channel.get("license") or channel.get("rights") or None,
        next_url=join_url(url, _link(channel.get("links", ()), ("prev-archive", "next"))),
        entries=_with_own_links(_without_build_times(_without_short_contents(_without_sites_text(entries))), url),
        problem=problem,
    )


# As many entries with the same second were dated by a build of the site; equal days without a time may be real.
_BUILT = 3


def _without_build_times(entries: Sequence[FeedEntry]) -> tuple[FeedEntry, ...]:
    """Remove dates shared by several entries, which are when a site generator built them."""
    counts = Counter(when for entry in entries for when in {entry.published, entry.updated} if when)
    often = {when: count for when, count in counts.items() if count >= _BUILT}
    built = {when for when, count in often.items() if when.time() != time.min or count * 2 > len(entries)}
    kept = []
    for entry in entries:
        published, updated = (None if when in built else when for when in (entry.published, entry.updated))
        kept.append(msgspec.structs.replace(entry, published=published, updated=updated) if built else entry)
    return tuple(kept)


def _without_sites_text(entries: list[FeedEntry]) -> list[FeedEntry]:
    """Drop a content and summary that most entries have, such as the description of the site."""
    counts = Counter((entry.content, entry.summary) for entry in entries)
    often = {texts for texts, count in counts.items() if count >= _BUILT and 2 * count > len(entries)}
    bare = msgspec.structs.replace
    return [
        bare(entry, content=None, summary=None) if (entry.content, entry.summary) in often else entry
        for entry in entries
    ]


def _without_short_contents(entries: list[FeedEntry]) -> tuple[FeedEntry, ...]:
    """Drop the contents of all entries if most are shorter than the summaries.

    In feeds of Sphinx blogs, the content is title and tags, and the summary is the beginning of the text.
    """
    short = sum(len(entry.content or "") < len(entry.summary or "") for entry in entries if entry.content)
    if 2 * short <= len(entries):
        return tuple(entries)
    return tuple(msgspec.structs.replace(entry, content=None) for entry in entries)


def _parse_feed(body: bytes, url: str) -> Any:
    """Return the result of feedparser for a feed in UTF-8, or raise `BrokenFeed` for one that would take too long."""
    import feedparser

    what = ""
    if len(set(_PREFIX.findall(body))) > _MAX_PREFIXES:
        what = f"it declares more than {_MAX_PREFIXES} namespaces"
    elif _MANY_ATTRIBUTES.search(body):
        what = f"an element has more than {_MAX_ATTRIBUTES} attributes"
    elif _LONG_BASE.search(body):
        what = f"an xml:base has more than {_MAX_BASE:,} characters"
    if what:
        raise _broken(what, url)
    headers = {"content-location": url, "content-type": "application/xml; charset=utf-8"}
    # A stream, because feedparser fetches bytes that look like a URL.
    stream = BytesIO(_with_few_tags(_with_one_author(_without_long_entities(body))))
    try:
        return feedparser.parse(stream, response_headers=headers, sanitize_html=False)
    except ValueError as problem:  # impossible characters in URLs
        raise _broken(str(problem), url) from problem


def _broken(what: str, url: str) -> BrokenFeed:
    return BrokenFeed(f"The feed{f' at {url}' if url else ''} cannot be read: {what}.", problem=what)


_MANY_HOSTS = 3  # other hosts that entries link to; a blog and its former hosts are fewer
# feedparser needs about 20 kB for a one-line entry, so very long feeds are parsed in pieces.
_ENTRIES_AT_ONCE = 500
_MAX_TAGS = 500  # per entry
_TAG = re.compile(rb"<(/?)(?:((?:\w{1,20}:)?(?:category|subject|keywords))|item|entry)\b")
_MAX_PREFIXES = 200  # feedparser searches all of them for each element
_MAX_ATTRIBUTES = 200  # feedparser took 28 s for 50,000 on one element
_MANY_ATTRIBUTES = re.compile(
    rb"<[\w:.-]{1,100}+(?>\s++[\w:.-]{1,100}+\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+'|[^\s\"'<>=]++)){%d}"
    % (_MAX_ATTRIBUTES + 1)
)
_MAX_BASE = 4_000  # characters; every relative link is joined with it
_LONG_BASE = re.compile(rb"\bxml:base\s{0,20}=\s{0,20}(?:\"[^\"]{%d}|'[^']{%d}|[^\s\"'>]{%d})" % ((_MAX_BASE + 1,) * 3))
_PREFIX = re.compile(rb"\bxmlns:([\w.-]{1,100})")
_XML_ENCODING = re.compile(r"(<\?xml[^>]{0,100}?)\s+encoding\s*=\s*[\"'][\w-]+[\"']")
_ELEMENT, _SHORT_ENTITY = re.compile(rb"<\w"), re.compile(rb"\s+\w{1,20}\s+\"[^\"%<>]{0,10}\"\s*")
_LONG_FRAME = 20_000  # bytes around the entries that are repeated in every piece
# Podcasts have the name of the show in every entry, beside the author's.
_SHOW = re.compile(rb"(</?itunes:)author\b")
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}>")
_ROOT = re.compile(rb"<(?:\w{1,20}:)?(?:rss|feed|RDF)\b[^>]{0,4000}>", re.IGNORECASE)
_ENTRY_BEGIN, _ENTRY_END = re.compile(rb"<(?:item|entry)[\s>]"), re.compile(rb"</(?:item|entry)\s*>")


def feed_pieces(body: bytes) -> list[bytes]:
    """Return the feed as it is, or, if it is very long, as several feeds with some of its entries each."""
    begin = _ENTRY_BEGIN.search(body)
    ends = [match.end() for match in _ENTRY_END.finditer(body)] if begin else []
    if begin is None or len(ends) <= _ENTRIES_AT_ONCE:
        return [body]
    head, tail = body[: begin.start()], body[ends[-1] :]
    cuts = [begin.start(), *ends[_ENTRIES_AT_ONCE - 1 : -1 : _ENTRIES_AT_ONCE], ends[-1]]
    frames = [(head, tail), *[_frame(head, tail)] * (len(cuts) - 2)]
    pieces = zip(frames, pairwise(cuts), strict=True)
    return [before + body[start:stop] + after for (before, after), (start, stop) in pieces]


def _frame(head: bytes, tail: bytes) -> tuple[bytes, bytes]:
    """The bytes before and after the entries of a piece; reduced to the root and channel elements if long."""
    if len(head) + len(tail) <= _LONG_FRAME:
        return head, tail
    declared, root = _DECLARED.match(head), _ROOT.search(head)
    begin = root[0] if root else b"<rss version='2.0'>"
    channel = b"</channel>" if b"rss" in begin.lower() else b""
    name = re.split(rb"[\s>]", begin[1:], maxsplit=1)[0]
    before = (declared[0] if declared else b"") + begin + channel.replace(b"/", b"")
    return before, b"%b</%b>" % (channel, name)


def _in_utf_8(body: bytes, url: str, content_type: str) -> bytes:
    """The feed in UTF-8, decoded as by feedparser, because the bytes are searched for entries and limits."""
    from feedparser.encodings import convert_to_utf8

    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # may be cut in the middle of a character
        return _XML_ENCODING.sub(r"\1", body.decode("utf-16", "replace"), count=1).encode("utf-8", "replace")
    try:
        converted: bytes = convert_to_utf8({"content-type": content_type or "application/xml"}, body, {})
    except ValueError as problem:  # impossible characters in names of encodings
        raise _broken(str(problem), url) from problem
    return converted


def _without_long_entities(body: bytes) -> bytes:
    """Remove declarations of long entities, which may be referenced a million times; short ones are characters."""
    root = _ELEMENT.search(body)
    head = body[: root.start()] if root else body
    if b"<!ENTITY" not in head:
        return body
    *declarations, rest = head.split(b">")
    kept = bytearray()
    for declaration in declarations:
        before, begin, entity = declaration.partition(b"<!ENTITY")
        kept += before if begin and not _SHORT_ENTITY.fullmatch(entity) else declaration + b">"
    return bytes(kept) + rest + body[len(head) :]


def _with_few_tags(body: bytes) -> bytes:
    """Keep only the first tags of each entry: feedparser compares each tag with all others of its entry."""
    if len(_TAG.findall(body)) <= _MAX_TAGS:
        return body
    count = 0

    def kept(found: re.Match[bytes]) -> bytes:
        nonlocal count
        count = 0 if found[2] is None else count + 1
        return found[0] if count <= 2 * _MAX_TAGS else b"<" + found[1] + b"left-out"

    return _TAG.sub(kept, body)


def _with_one_author(body: bytes) -> bytes:
    """Rename the element with a podcast's name if entries name authors: feedparser takes both for authors."""
    return _SHOW.sub(rb"\1show", body) if b"<dc:creator" in body else body


def _harmless(exception: object) -> bool:
    """Whether only the declared encoding or type was wrong; feedparser then uses that of the bytes."""
    return type(exception).__name__ in ("CharacterEncodingOverride", "NonXMLContentType")


def _entry(entry: Any, url: str) -> FeedEntry:
    given = [item for item in entry.get("content", ()) if item.get("value")]
    contents = [item.value for item in given if "html" in item.get("type", "html")]
    content = max(contents or [item.value for item in given], key=len, default=None)
    summary = entry.get("summary") or None
    if content is None and summary and _is_whole(summary):
        content = summary
    return FeedEntry(
        link=_entry_link(entry, url),
        guid=entry.get("id"),
        title=_line(entry.get("title")),
        authors=_authors(entry),
        published=_moment(entry, "published") or _moment(entry, "updated"),
        updated=_moment(entry, "updated"),
        content=content,
        summary=summary,
        tags=tuple(dict.fromkeys(filter(None, map(_tag, entry.get("tags", ()))))),
        language=entry.get("language") or (entry.get("title_detail") or {}).get("language"),
        comments_url=entry.get("comments") or None,
        comment_feed=entry.get("wfw_commentrss") or _link(entry.get("links", ()), ("replies",), "xml"),
        comment_count=_count(entry.get("slash_comments") or entry.get("thr_total")),
    )


def _tag(tag: dict[str, Any]) -> str:
    """The label, which is human-readable (RFC 4287, 4.2.2); the term may be part of a URL."""
    return one_line(tag.get("label") or tag.get("term") or "")


def _is_whole(summary: str) -> bool:
    """Whether an RSS <description>, which may be a summary or the article, has several blocks like an article."""
    return len(re.findall(r"<(?:p|br|div|h\d|li|pre|img)\b", summary, re.IGNORECASE)) >= 2


def _entry_link(entry: Any, feed_url: str) -> str | None:
    """The post's URL: FeedBurner's original link, else the link, a guid that is a URL, or the source of Atom content.

    The URL of a podcast's recording, which is the `guid` if there are no pages, does not count.
    """
    # feedparser's `link` may come from a later <link> without a URL, such as a broken enclosure.
    link = entry.get("feedburner_origlink") or entry.get("link") or _link(entry.get("links", ()), ("alternate",))
    if not link and str(entry.get("id", "")).startswith(("http://", "https://")):
        link = entry["id"]
    if link and link == (_link(entry.get("links", ()), ("enclosure",)) or "").strip():
        link = None
    related = _link(entry.get("links", ()), ("related",))
    if related and _is_on_host(related, feed_url) and not _is_on_host(link or "", feed_url):
        link = related
    linked = join_url(feed_url, link)
    return linked or join_url(feed_url, next((one["src"] for one in entry.get("content", ()) if one.get("src")), None))


def _is_on_host(url: str, other: str) -> bool:
    return site_host(url) == site_host(other)


def _with_own_links(entries: Sequence[FeedEntry], url: str) -> tuple[FeedEntry, ...]:
    """Use `guid` as the URL of entries in a link blog, whose titles link to other sites."""
    hosts = {site_host(entry.link) for entry in entries if entry.link} - {site_host(url)}
    if len(hosts) < _MANY_HOSTS:
        return tuple(entries)
    return tuple(
        msgspec.structs.replace(entry, link=own)
        if not _is_on_host(entry.link or "", url) and (own := join_url(url, entry.guid)) and _is_on_host(own, url)
        else entry
        for entry in entries
    )


def join_url(feed_url: str, link: str | None) -> str | None:
    """Return the link as a URL that can be fetched, or None for one with an invalid host or port.

    A relative link that begins with the feed's host or "www." is a URL without scheme, from a generator's setting.
    """
    try:
        full = _reachable(urljoin(feed_url, without_doubled_scheme(link)), feed_url) if link else ""
        host = urlsplit(feed_url).netloc
    except ValueError:
        return None
    name = full.removeprefix(urljoin(feed_url, "."))
    if host and name.startswith((f"{host}/", "www.")):
        full = urljoin(feed_url, f"//{name}")
    return full if is_http_url(full) else None


def _reachable(link: str, feed_url: str) -> str:
    """Replace localhost by the feed's host: the generator's setting was forgotten."""
    parts, home = urlsplit(link), urlsplit(feed_url)
    is_local = parts.scheme in ("http", "https") and (parts.hostname or "") in _LOCAL_HOSTS
    if is_local and (home.hostname or "") not in _LOCAL_HOSTS:
        return parts._replace(scheme=home.scheme, netloc=home.netloc).geturl()
    return link


def _authors(thing: Any) -> tuple[str, ...]:
    """The names of the authors, also from "mail@host (Name)"; bare mail addresses are left out."""
    named = [author.get("name") or "" for author in thing.get("authors", ())] or [thing.get("author") or ""]
    # If the host name is long, feedparser takes its end and the bracket as part of the name.
    named = [name.partition("(")[2] if "(" in name and ")" not in name else name for name in named]
    names = (one_line(re.sub(r"^\S+@\S+\s*\((.+)\)$|^(.+?)\s*<\S+@\S+>$", r"\1\2", name)) for name in named)
    people = (name for name in names if name and not re.fullmatch(r"\S+@\S+\.\S+", name))
    return tuple(dict.fromkeys(name for name in people if not names_nobody(name)))


def _link(links: Iterable[Any], relations: tuple[str, ...], in_type: str = "") -> str | None:
    for relation in relations:
        for link in links:
            if link.get("rel") == relation and link.get("href") and in_type in (link.get("type") or in_type):
                return str(link["href"])
    return None


def _own_url(channel: Any) -> str:
    """The URL that the feed declares: Atom's `self` link, which RSS borrows."""
    url = _link(channel.get("links", ()), ("self",)) or ""
    return url if url.startswith(("http://", "https://")) else ""


_ZONE = re.compile(r":\d\d(?:\.\d+)?\s*(?P<sign>[+-])(?P<hours>[01]\d):?(?P<minutes>[0-5]\d)\s*$")


def _moment(entry: Any, key: str) -> datetime | None:
    """The moment of exactly this key, in the feed's zone, so that the day is the blog's.

    feedparser converts moments to UTC and returns the publication date for a missing update.
    """
    parsed, zone = dict.get(entry, f"{key}_parsed"), _ZONE.search(str(dict.get(entry, key) or ""))
    try:
        moment = usable_moment(_EPOCH + timedelta(seconds=timegm(parsed))) if parsed else None
    except (ValueError, OverflowError, OSError, TypeError):
        return None
    if moment is None or zone is None:
        return moment
    minutes = int(f"{zone['sign']}{int(zone['hours']) * 60 + int(zone['minutes'])}")
    return moment.astimezone(timezone(timedelta(minutes=minutes)))


def entry_text(entry: FeedEntry) -> str:
    """Return the text of the entry's content, or of its summary; empty when it has neither."""
    markup = entry.content or entry.summary
    return _text_of_markup(markup) if markup else ""


# A little more than the pages fetched for learning: a page is compared with its entry before rules are learned.
@lru_cache(maxsize=48)
def _text_of_markup(markup: str) -> str:
    document = parse(markup)
    return text_of((document.without(_OTHER_FIELDS) if _HAS_FIELDS.search(markup) else document).tree)


# Fields of Drupal that its feeds show around the text of each post: title, author, date, tags.
_HAS_FIELDS = re.compile("field-(?:-name-title|-type-created|-?type-(?:entity|taxonomy-term)-reference)")
_OTHER_FIELDS = (
    ".field--name-title, .field--type-created, .field--type-entity-reference, .field-type-taxonomy-term-reference"
)


def _count(value: object) -> int | None:
    text = str(value or "")
    return int(text) if text.isdecimal() and len(text) < _MAX_COUNT_DIGITS else None


def _line(value: str | None) -> str | None:
    """A title as plain text; feeds may have markup in it: `<i>Moby-Dick</i>`."""
    if not value:
        return None
    plain = parse(value).tree.plain(0) if "<" in value or "&" in value else value
    return one_line(plain) or None


_BLOGGER_PATH = "/feeds/posts/"


def next_feed_page(feed: Feed, page: int, seen: int) -> str | None:
    """Return the URL of the feed's next page, or None; `page` counts from 1, `seen` is the number of entries so far."""
    if feed.next_url:
        return feed.next_url
    parts = urlsplit(feed.url)
    query = dict(parse_qsl(parts.query))
    if _BLOGGER_PATH in parts.path:
        return _with_query(feed.url, {**query, "start-index": str(seen + 1), "max-results": "150"})
    if feed.format.startswith("rss") and (parts.path.rstrip("/").endswith("/feed") or "feed" in query):
        return _with_query(feed.url, {**query, "paged": str(page + 1)})
    return None


def _with_query(url: str, query: dict[str, str]) -> str:
    return urlunsplit(urlsplit(url)._replace(query=urlencode(query)))


_FEED_TYPES = (
    "application/rss+xml application/atom+xml application/feed+json application/rdf+xml "
    "application/json text/xml application/xml"
).split()
_FEED_PATH = re.compile(
    r"(?:/feed/?$|/rss/?$|/atom/?$|\.rss$|\.rdf$|\.atom$|feed\.(?:xml|json)$|^(?!.*sitemap).*\.xml$|/feeds/posts/)",
    re.IGNORECASE,
)
_FEED_QUERY = re.compile(
    r"[?&](?:feed|type|format|output|mode|action|do|xml|syndication)=(?:rss|atom|rdf|feed)", re.IGNORECASE
)
COMMENT_FEED = re.compile(r"comment|/replies", re.IGNORECASE)
# Most frequent first.
_USUAL_PLACES = "feed/ feed.xml rss.xml atom.xml index.rdf index.xml rss feeds/posts/default feed.json".split()


def declared_feeds(document: Document) -> list[str]:
    """Return the feeds that the page declares or links to, in order; comment feeds only if there are no others."""
    base = document.base_url
    declared = [
        (absolute(base, tree.attrs[0].get("href")), tree.attrs[0].get("title") or "")
        for tree in document.all("link[rel~=alternate][href], link[rel~=feed][href]")
        if (tree.attrs[0].get("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES
    ]
    linked = [
        (absolute(base, href), "")
        for href in document.attributes("a[href]", "href")
        if _FEED_PATH.search(re.split(r"[?#]", href, maxsplit=1)[0]) or _FEED_QUERY.search(href)
    ]
    ranked: dict[str, bool] = {}
    for url, title in declared + linked:
        if url and url not in ranked:
            ranked[url] = bool(COMMENT_FEED.search(urlsplit(url).path + title))
    # The only feed of a page may be named like a comment feed and still have posts.
    return [url for url, about_comments in ranked.items() if not about_comments] or list(ranked)


_COMMENTS_OF_POST = re.compile(r"/feeds/\d+/comments/", re.IGNORECASE)  # Blogger


def declared_comment_feed(document: Document) -> str | None:
    """Return the feed of this post's comments that its page declares, or None: one below the post, or Blogger's."""
    own = {place_key(document.url)}
    for tree in document.all("link[rel~=alternate][href]"):
        kind = (tree.attrs[0].get("type") or "").partition(";")[0].strip().lower()
        url = absolute(document.base_url, tree.attrs[0].get("href")) if kind in _FEED_TYPES else None
        if url and (lies_in(url, own) or _COMMENTS_OF_POST.search(url)):
            return url
    return None


def usual_feeds(home_url: str) -> list[str]:
    """Return the usual feed URLs to try if the page declares none: next to the page, then at the root."""
    folder = urljoin(home_url, ".")
    root = urljoin(home_url, "/")
    return list(dict.fromkeys(urljoin(place, name) for place in (folder, root) for name in _USUAL_PLACES))
