"""Embeds of an article: players, frames and widgets of other sites, video and audio, and how their URLs are read.

An embed is a URL with a kind, a provider and a title. This module decides which elements are embeds; the lexicon's
`embeds.toml` maps URLs to providers.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from posterity.dom.metadata import absolute, image_source
from posterity.dom.tree import Tree
from posterity.lexicon import EmbedProvider, any_of, embed_providers, ignored_embeds

_FRAME_SOURCES = ("src", "data-src", "data-lazy-src", "data-original", "data-litespeed-src", "data-url")
_MAX_TITLE = 200
# A facade shows an image until it is clicked; its attributes contain the id or URL of the video.
_FACADE_IDS = "videoid video-id data-videoid data-video-id data-youtube-id data-id data-embed data-youtube".split()
_FACADE_URLS = ("data-src", "data-url", "data-video-url", "data-embed-url", "src", "params")
_FRAME_IN_DATA = re.compile(r"""<iframe\b[^>]*?\ssrc=["']([^"']+)""", re.IGNORECASE)  # Squarespace
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
