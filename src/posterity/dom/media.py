"""URLs of links, images, media and embeds (players, frames and widgets of other sites).

URLs are made absolute; a lazily loaded image has its real source in another attribute than `src`. An embed is a URL
with a kind, a provider and a title; the lexicon's `embeds.toml` maps URLs to providers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from posterity.dom.tree import Tree
from posterity.lexicon import EmbedProvider, any_of, embed_providers, ignored_embeds

# Attributes with the source of an image that scripts load when it is scrolled into view.
_LATE_SOURCES = (
    "data-src data-lazy-src data-original data-orig-file data-large-file data-srcset data-lazy-srcset srcset src"
).split()
# Names such as "pixel.gif" and "lazy-placeholder-2.png", but not "pixel-art.png".
_PLACEHOLDER = re.compile(
    r"(?:blank|placeholder|spacer|transparent|lazy|1x1|pixel)"
    r"(?:[-_.\dx]|placeholder|pixel|image|img|gif|load(?:er|ing)?|min|grey|gray|white|transparent|blank){0,12}"
    r"\.(?:gif|png|svg)$",
    re.IGNORECASE,
)
_RENDERED = (".gif", ".png", ".svg")  # formats of placeholders; most images are photographs
# HTML, 2.3.1: a URL may contain commas; one at its end starts the next candidate.
_CANDIDATE = re.compile(r"([^\s,]\S*+)(?:(?<=,)|([^,]*+))")
_DESCRIPTOR = re.compile(r"\s+(\d{1,6}(?:\.\d{1,6})?)[wx]")
_NO_LINK = ("javascript:", "data:", "mailto:", "tel:", "#", "about:")
# Most URLs are absolute or relative to the root; `urljoin` would take ten times as long for them.
_IN_FULL = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w./~%+,:@=-]*)?(?:\?[\w./~%+,:@=&-]+)?(?:#[\w.-]+)?", re.ASCII)
_FROM_ROOT = re.compile(r"(?:/[\w~%+,:@=-][\w.~%+,:@=-]*+)++/?", re.ASCII)
_SITE = re.compile(r"https?://[\w.-]+(?::\d+)?(?=[/?#]|\Z)", re.ASCII)
# Links of copies from which the host was removed: http:///2012/a.html, //2012/a.html. Hosts of blogs have a dot.
_NO_HOST = re.compile(r"^(?:https?:///+(?=[\w-]+[/.])|//(?!localhost\b)(?=[\w-]+(?:[/?#]|$)))", re.IGNORECASE)
_LINK = frozenset({"a"})
_ROUTE = ("#!", "#/")  # a route of a blog rendered by scripts, not a fragment of this page


@lru_cache(maxsize=8192)  # text, HTML, Markdown and the list of links need the same URLs
def absolute(base_url: str, url: str | None) -> str | None:
    """Return the absolute URL, or None if it cannot be fetched over HTTP."""
    url = (url or "").strip()
    if _IN_FULL.fullmatch(url):
        return url
    site = _SITE.match(base_url)
    if site and _FROM_ROOT.fullmatch(url):
        return site.group() + url
    if not url or (url.lower().startswith(_NO_LINK) and not url.startswith(_ROUTE)):
        return None
    try:
        full = urljoin(base_url, _NO_HOST.sub("/", url) if site and "." in site.group() else url)
    except ValueError:
        return None
    return full if full.startswith(("http://", "https://")) else None


# Schemes of mail, telephone, chat, maps and files; none of them runs code.
_OTHER_LINK = re.compile(
    r"(?:mailto:[^\s<>\"']+@|(?:ftps?|sftp|ircs?|git|gopher|gemini|nntp|rtsp|ssh)://|"
    r"(?:tel|sms|sips?|xmpp|matrix|skype|geo|news|magnet|urn|doi|ed2k|feed|webcal|bitcoin|acct|spotify|steam):)"
    r"[^\s<>\"']+",
    re.IGNORECASE,
)


def link_target(base_url: str, href: str | None) -> str | None:
    """Return the target of a link: an absolute URL or a harmless URI such as mailto: and tel:, or None."""
    url = absolute(base_url, href)
    if url is None and href and _OTHER_LINK.fullmatch(href.strip()):
        return href.strip()
    return url


def image_source(attrs: Mapping[str, str | None]) -> str | None:
    """Return the URL of the image itself, not of its placeholder, or None."""
    src = attrs.get("src")
    if src and not any(map(attrs.get, _LATE_SOURCES[:5])) and not _is_placeholder(src):
        return src
    for name in _LATE_SOURCES:
        value = attrs.get(name)
        if not value or (name == "src" and _is_placeholder(value)):
            continue
        return _largest(value) if "srcset" in name else value
    return None


def _is_placeholder(src: str) -> bool:
    if src[:5].lower() == "data:":
        return True
    # The suffix is checked first, because the regex search is slow and few URLs have it.
    return src[-5:].rstrip().lower().endswith(_RENDERED) and _PLACEHOLDER.search(src) is not None


def media_source(tree: Tree, node: int) -> str | None:
    """Return the URL of the media that an <img>, <source>, <audio> or <video> shows, or None.

    An image that scripts load lazily has its real source in a <picture> around it or a <noscript> after it.
    """
    source = image_source(tree.attrs[node])
    if source or tree.tag[node] != "img":
        return source
    if tree.tag[parent := max(0, tree.parent[node])] == "picture":
        others = (image_source(tree.attrs[each]) for each in tree.children(parent) if tree.tag[each] == "source")
        if source := next(filter(None, others), None):
            return source
    after, stop = tree.end[node], tree.end[max(0, tree.parent[node])]
    while after < stop and tree.text[after].isspace():
        after += 1
    if after >= stop or tree.tag[after] != "noscript":
        return None
    inside = (image_source(tree.attrs[inner]) for inner in range(after, tree.end[after]) if tree.tag[inner] == "img")
    return next(filter(None, inside), None)


# Images embedded in the page. Smaller ones are placeholders until the real image has loaded.
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=%\s]+", re.IGNORECASE)
_MIN_DATA_CHARS, _MAX_DATA_CHARS = 4_000, 2_000_000


def image_url(tree: Tree, node: int, base_url: str) -> str | None:
    """Return the absolute URL of an image, a `data:` URL if it is embedded in the page, or None."""
    if source := media_source(tree, node):
        return absolute(base_url, source)
    data = (tree.attrs[node].get("src") or "").strip() if tree.tag[node] == "img" else ""
    is_picture = _MIN_DATA_CHARS <= len(data) <= _MAX_DATA_CHARS and _DATA_IMAGE.fullmatch(data)
    return "".join(data.split()) if is_picture else None


def _largest(srcset: str) -> str:
    return max(srcset_candidates(srcset), default=(1.0, srcset))[1]


def srcset_candidates(srcset: str) -> list[tuple[float, str]]:
    """Return width or density (1.0 if missing) and URL of every image in a `srcset`."""
    found = []
    for url, rest in _CANDIDATE.findall(srcset):
        size = _DESCRIPTOR.match(rest)
        found.append((float(size[1]) if size else 1.0, url.rstrip(",")))
    return found


def links_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[str, ...]:
    """Return the absolute URLs that the subtree links to, each once, in document order."""
    hrefs = (absolute(base_url, tree.attrs[link].get("href")) for link in elements_of(tree, _LINK, node, skip))
    return tuple(dict.fromkeys(url for url in hrefs if url))


def elements_of(tree: Tree, tags: frozenset[str], node: int = 0, skip: frozenset[int] = frozenset()) -> list[int]:
    """Return the elements with these tags in the subtree, in document order, without the subtrees of `skip`."""
    tag_of, found = tree.tag, []
    start, stop = node, tree.end[node]
    for left_out in sorted(skip):
        if start <= left_out < stop:
            found += [index for index in range(start, left_out) if tag_of[index] in tags]
            start = tree.end[left_out]
    return found + [index for index in range(start, stop) if tag_of[index] in tags]


# An unclosed comment extends to the end, as in CSS; searching for missing ends would be quadratic.
COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
CSS_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'();]+))""", re.IGNORECASE)
CSS_URL = re.compile(r"""\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"'()]+))\s*\)""", re.IGNORECASE)
# The whole statement; its fourth group is the media query.
IMPORT_STATEMENT = re.compile(CSS_IMPORT.pattern + r"\s*\)?([^;{}]*);?", re.IGNORECASE)


_FRAME_SOURCES = ("src", "data-src", "data-lazy-src", "data-original", "data-litespeed-src", "data-url")
_MAX_TITLE = 200
# A facade shows an image until it is clicked; its attributes contain the id or URL of the video.
_FACADE_IDS = "videoid video-id data-videoid data-video-id data-youtube-id data-id data-embed data-youtube".split()
_FACADE_URLS = ("data-src", "data-url", "data-video-url", "data-embed-url", "src", "params")
_FRAME_IN_DATA = re.compile(r"""<iframe\b[^<>]*?\ssrc=["']([^"']+)""", re.IGNORECASE)  # Squarespace
_YOUTUBE_ID = re.compile(r"[\w-]{11}")
_NUMBER = re.compile(r"\d{5,12}")
_FACADE = re.compile(r"(?:^|[\s_-])(?:lite-)?(youtube|yt|lyte|vimeo)(?:[\s_-]|$)", re.IGNORECASE)
# Parameters of Flash players with the video or audio file.
_FLASH_FILE = re.compile(
    r"(?:^|[&?{,;])\s*['\"]?(?:file|url|video(?:_?url)?|mp3|flv|src|soundFile|movie|clip)['\"]?\s*[=:]\s*['\"]?([^&'\"},]+)",
    re.IGNORECASE,
)
_MEDIA_FILE = re.compile(
    r"\.(?:mp3|ogg|oga|m4a|opus|wav|flac|mp4|m4v|webm|ogv|mov|flv|avi|wmv)(?:$|[?#])", re.IGNORECASE
)
_AUDIO_FILE = re.compile(r"\.(?:mp3|ogg|oga|m4a|opus|wav|flac)(?:$|[?#])", re.IGNORECASE)
# Quotations that a script turns into a card; their text is part of the article and is kept.
_CARDS = re.compile(
    r"(?:^|\s)(?:twitter-(?:tweet|video)|instagram-media|mastodon-embed|bluesky-embed|tiktok-embed|reddit-(?:card|embed-bq)|"
    r"fb-(?:post|video))(?:\s|$)"
)


class Embed(NamedTuple):
    """External content in an article; `tag` is "video" or "audio" for a file that browsers play."""

    url: str
    kind: str
    provider: str | None = None
    title: str | None = None
    poster: str | None = None
    tag: str = ""

    @property
    def label(self) -> str:
        """The text of a link to the embed: its title, else its provider and kind, its file name or its host."""
        if self.title:
            return self.title
        shown = "" if self.kind == "embed" else self.kind
        if self.provider:
            return f"{self.provider} {shown}".strip()
        if self.tag or (not self.provider and self.kind in ("audio", "video")):
            return urlsplit(self.url).path.rpartition("/")[2] or self.tag
        return f"{urlsplit(self.url).hostname or ''} {shown}".strip()


def embed_at(tree: Tree, node: int, base_url: str) -> Embed | None:
    """Return the embed of an <iframe>, <object>, <embed>, <video>, <audio> or <script>, or None."""
    tag, attrs = tree.tag[node], tree.attrs[node]
    title = _title(attrs.get("title") or attrs.get("aria-label"))
    if tag in ("video", "audio"):
        return _player(tree, node, base_url, title)
    if tag in ("object", "embed"):
        url = _flash_url(tree, node, base_url)
    else:
        sources = (absolute(base_url, attrs.get(name)) for name in _FRAME_SOURCES)
        url = next(filter(None, sources), None)
    if tag == "script" and (not url or "gist.github.com/" not in url):
        return None
    return embed_of_url(url, title) if url else None


def card_at(tree: Tree, node: int, base_url: str) -> Embed | None:
    """Return the embed that a script makes of this quotation, such as a tweet or toot, or None."""
    if not _CARDS.search(tree.attrs[node].get("class") or ""):
        return None
    attrs = tree.attrs[node]
    given = [attrs.get(name) for name in ("data-instgrm-permalink", "cite", "data-href", "data-embed-url")]
    links = [tree.attrs[inner].get("href") for inner in range(node, tree.end[node]) if tree.tag[inner] == "a"]
    for url in filter(None, (absolute(base_url, each) for each in [*given, *reversed(links)])):
        embed = embed_of_url(url, None)
        if embed and embed.provider:
            return embed
    return None


def facade_at(tree: Tree, node: int, base_url: str) -> Embed | None:
    """Return the video whose player a script puts in the place of this element, or None."""
    attrs, tag = tree.attrs[node], tree.tag[node]
    if frame := _FRAME_IN_DATA.search(attrs.get("data-html") or ""):
        url = absolute(base_url, frame[1])
        return embed_of_url(url, _title(attrs.get("title"))) if url else None
    named = _FACADE.search(f"{tag} {attrs.get('class') or ''}")
    if not named:
        return None
    title = _title(attrs.get("title") or attrs.get("playlabel") or attrs.get("data-title") or attrs.get("aria-label"))
    for name in _FACADE_URLS:
        if (value := attrs.get(name)) and (url := absolute(base_url, value)):
            embed = embed_of_url(url, title)
            if embed and embed.provider:
                return embed
    is_vimeo = named.group(1).lower() == "vimeo"
    for name in _FACADE_IDS:
        value = (attrs.get(name) or "").strip()
        if is_vimeo and _NUMBER.fullmatch(value):
            return embed_of_url(f"https://vimeo.com/{value}", title)
        if not is_vimeo and _YOUTUBE_ID.fullmatch(value):
            return embed_of_url(f"https://www.youtube.com/embed/{value}", title)
    return None


@lru_cache(maxsize=1024)
def embed_of_url(url: str, title: str | None) -> Embed | None:
    """Return the embed of a player's or frame's URL; None for buttons, counters and advertisements."""
    _, _, bare = url.partition("://")
    if _ignored_urls().match(bare):
        return None
    for pattern, provider in _providers():
        if found := pattern.match(bare):
            return _embed_of_provider(url, title, provider, found)
    kind = "embed"
    if _MEDIA_FILE.search(url):
        kind = "audio" if _AUDIO_FILE.search(url) else "video"
    elif urlsplit(url).path.lower().endswith(".pdf"):
        kind = "document"
    return Embed(url, kind, None, title)


def _embed_of_provider(url: str, title: str | None, provider: EmbedProvider, found: re.Match[str]) -> Embed:
    page = _fill_template(provider.page, found) or url
    if provider.source and (given := parse_qs(urlsplit(url).query).get(provider.source)):
        page = absolute(url, given[0]) or page
    name = provider.name or (urlsplit(url).hostname or "").removeprefix("www.")
    return Embed(page, provider.kind, name, title, _fill_template(provider.poster, found) or None)


def _fill_template(template: str, found: re.Match[str]) -> str:
    for number, value in enumerate(found.groups(), start=1):
        template = template.replace(f"{{{number}}}", value or "")
    return template


@cache
def _providers() -> tuple[tuple[re.Pattern[str], EmbedProvider], ...]:
    return tuple((re.compile(rf"(?:[\w-]+\.)*?(?:{each.match})"), each) for each in embed_providers())


@cache
def _ignored_urls() -> re.Pattern[str]:
    return re.compile(rf"(?:[\w-]+\.)*?(?:{any_of(ignored_embeds())})")


def _player(tree: Tree, node: int, base_url: str, title: str | None) -> Embed | None:
    tag, inside = tree.tag[node], range(node, tree.end[node])
    sources = (image_source(tree.attrs[each]) for each in inside if tree.tag[each] in (tag, "source"))
    url = next(filter(None, (absolute(base_url, source) for source in sources)), None)
    poster = absolute(base_url, tree.attrs[node].get("poster"))
    return Embed(url, tag, None, title, poster, tag) if url else None


def _flash_url(tree: Tree, node: int, base_url: str) -> str | None:
    """Return the URL of an <object> or <embed>: the file that a Flash player plays, else the player or document."""
    attrs = tree.attrs[node]
    variables = [attrs.get("flashvars")]
    sources = [attrs.get("src"), attrs.get("data")]
    for inner in range(node + 1, tree.end[node]):
        own, tag = tree.attrs[inner], tree.tag[inner]
        if tag == "param":
            name = (own.get("name") or "").lower()
            kept = variables if name == "flashvars" else sources if name in ("movie", "src", "data", "url") else []
            kept.append(own.get("value"))
        elif tag in ("embed", "iframe", "object", "source", "video"):
            variables.append(own.get("flashvars"))
            sources += [own.get("src"), own.get("data")]
    for value in filter(None, [*variables, *(source for source in sources if source and ".swf" in source)]):
        for found in _FLASH_FILE.findall(value):
            file = unquote(found)
            if (_MEDIA_FILE.search(file) or "://" in file) and (url := absolute(base_url, file)):
                return url
    return next(filter(None, (absolute(base_url, source) for source in sources)), None)


def _title(given: str | None) -> str | None:
    title = " ".join((given or "").split())[:_MAX_TITLE]
    # Default titles of players, which do not describe the video.
    is_usual = title.lower() in ("youtube video player", "embedded content", "iframe", "video player")
    return None if is_usual else title or None
