"""URLs inside a page: links made absolute, and the real source of an image that loads late."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urljoin

from posterity.dom.tree import Tree

# Attributes in which scripts keep the picture until it is scrolled into view.
_LATE_SOURCES = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-orig-file",
    "data-large-file",
    "data-srcset",
    "data-lazy-srcset",
    "srcset",
    "src",
)
_PLACEHOLDER = re.compile(
    r"(?:blank|placeholder|spacer|transparent|lazy|1x1|pixel)[^/]*\.(?:gif|png|svg)$", re.IGNORECASE
)
_RENDERED = (".gif", ".png", ".svg")  # formats of placeholders; most pictures are photographs
_CANDIDATE = re.compile(r"(\S+)(?:\s+([\d.]+)[wx])?\s*(?:,|$)")
_NO_LINK = ("javascript:", "data:", "mailto:", "tel:", "#", "about:")
# Most URLs are one of these: in full, or from the site's root. Joining by all rules would take ten times as long.
_IN_FULL = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w./~%+,:@=-]*)?(?:\?[\w./~%+,:@=&-]+)?(?:#[\w.-]+)?", re.ASCII)
_FROM_ROOT = re.compile(r"(?:/[\w~%+,:@=-][\w.~%+,:@=-]*+)++/?", re.ASCII)
_SITE = re.compile(r"https?://[\w.-]+(?::\d+)?(?=[/?#]|\Z)", re.ASCII)
_LINK = frozenset({"a"})
_ROUTE = ("#!", "#/")  # a page of a blog rendered by scripts, and not a place on this one


@lru_cache(maxsize=8192)  # text, HTML, Markdown and the list of links all ask for the same URLs
def absolute(base_url: str, url: str | None) -> str | None:
    """Return the URL in full, or None when it leads nowhere that can be fetched."""
    url = (url or "").strip()
    if _IN_FULL.fullmatch(url):
        return url
    if _FROM_ROOT.fullmatch(url) and (site := _SITE.match(base_url)):
        return site.group() + url
    if not url or (url.lower().startswith(_NO_LINK) and not url.startswith(_ROUTE)):
        return None
    try:
        full = urljoin(base_url, url)
    except ValueError:
        return None
    return full if full.startswith(("http://", "https://")) else None


def image_source(attrs: Mapping[str, str | None]) -> str | None:
    """Return the URL of the picture itself, not of the grey box that stands in for it, or None."""
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
    # Most URLs do not end like a placeholder; the pattern tries every place in them.
    return src[-5:].rstrip().lower().endswith(_RENDERED) and _PLACEHOLDER.search(src) is not None


def media_source(tree: Tree, node: int) -> str | None:
    """Return the URL of what an <img>, <source>, <audio> or <video> shows.

    A script that loads pictures late leaves the real one in a <noscript> behind the stand-in.
    """
    source = image_source(tree.attrs[node])
    if source or tree.tag[node] != "img":
        return source
    after, stop = tree.end[node], tree.end[max(0, tree.parent[node])]
    while after < stop and tree.text[after].isspace():
        after += 1
    if after >= stop or tree.tag[after] != "noscript":
        return None
    inside = (image_source(tree.attrs[inner]) for inner in range(after, tree.end[after]) if tree.tag[inner] == "img")
    return next(filter(None, inside), None)


def _largest(srcset: str) -> str:
    candidates = [(float(size or 1), url) for url, size in _CANDIDATE.findall(srcset)]
    return max(candidates)[1] if candidates else srcset


def links_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[str, ...]:
    """Return the URLs that the subtree links to, each once, in order."""
    hrefs = (absolute(base_url, tree.attrs[link].get("href")) for link in elements_of(tree, _LINK, node, skip))
    return tuple(dict.fromkeys(url for url in hrefs if url))


def elements_of(tree: Tree, tags: frozenset[str], node: int = 0, skip: frozenset[int] = frozenset()) -> list[int]:
    """Return the elements with these tags in the subtree, in order, `skip` and all below it left out."""
    tag_of, found = tree.tag, []
    start, stop = node, tree.end[node]
    for left_out in sorted(skip):
        if start <= left_out < stop:
            found += [index for index in range(start, left_out) if tag_of[index] in tags]
            start = tree.end[left_out]
    return found + [index for index in range(start, stop) if tag_of[index] in tags]


COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CSS_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'();]+))""", re.IGNORECASE)
CSS_URL = re.compile(r"""\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"'()]+))\s*\)""", re.IGNORECASE)
# The whole statement: its fourth group is the medium that the import is for.
IMPORT_STATEMENT = re.compile(CSS_IMPORT.pattern + r"\s*\)?([^;{}]*);?", re.IGNORECASE)
