"""What a page is dressed in: the blog's icon, the stylesheets that the page names, and what these name in turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from posterity.dom.css_names import ADDRESS, COMMENT, IMPORT
from posterity.dom.links import absolute

if TYPE_CHECKING:
    from posterity.dom import Document

# What browsers take for a page's tab first, and what phones put on their screen only where there is nothing else.
_ICONS = ("link[rel~=icon][href]", "link[rel~=apple-touch-icon][href]", "link[rel~=apple-touch-icon-precomposed][href]")
_USUAL_ICON = "/favicon.ico"  # where browsers look when a page names none (HTML standard, 4.6.7.8)
_SIZE = re.compile(r"(\d+)x\d+", re.IGNORECASE)
_LARGEST_ICON = 192  # the size of an icon on a phone's screen; larger ones are pictures


def icon_address(document: Document) -> str:
    """Return where the icon of the page's blog is, or where it would be by custom."""
    for selector in _ICONS:
        found = [
            (_size(tree.attrs[0].get("sizes")), url)
            for tree in document.all(selector)
            if (url := absolute(document.base_url, tree.attrs[0].get("href")))
        ]
        if found:
            return max(found, key=lambda pair: pair[0])[1]
    return urljoin(document.url, _USUAL_ICON)


def stylesheets(document: Document) -> list[str]:
    """Return the addresses of the page's stylesheets, each once; those for other choices of the reader are left out."""
    linked = [
        absolute(document.base_url, tree.attrs[0].get("href"))
        for tree in document.all("link[rel~=stylesheet][href]")
        if "alternate" not in (tree.attrs[0].get("rel") or "").lower().split()
    ]
    written = [url for tree in document.all("style") for url in imports(tree.plain(0), document.base_url)]
    return list(dict.fromkeys(url for url in [*linked, *written] if url))


def imports(css: str, base_url: str) -> list[str]:
    """Return the stylesheets that a stylesheet imports."""
    return _addresses(IMPORT, css, base_url)


def fonts_and_pictures(css: str, base_url: str) -> list[str]:
    """Return what else a stylesheet names."""
    imported = set(imports(css, base_url))
    return [url for url in _addresses(ADDRESS, css, base_url) if url not in imported]


def _addresses(pattern: re.Pattern[str], css: str, base_url: str) -> list[str]:
    named = ("".join(found).partition("#")[0] for found in pattern.findall(COMMENT.sub("", css)))
    return list(dict.fromkeys(url for name in named if (url := absolute(base_url, name))))


def _size(sizes: str | None) -> int:
    """The largest size that the icon comes in; one that does not say, and a very large one, come last."""
    fitting = [size for found in _SIZE.findall(sizes or "") if (size := int(found)) <= _LARGEST_ICON]
    return max(fitting, default=0)
