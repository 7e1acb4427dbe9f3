"""Which links of a blog without a feed lead to posts: the largest group of addresses of one shape."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from posterity.urls.day import day_in_address
from posterity.urls.listing import is_listing
from posterity.urls.service_page import is_service_page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from posterity.urls import Scope

_OTHER_FOLDER = re.compile(
    r"/(?:search|about|contact|imprint|impressum|privacy|login|wiki|docs?)(?:/|$)", re.IGNORECASE
)
_MIN_GROUP = 2


def likely_posts_of(scope: Scope, urls: Collection[str]) -> list[str]:
    """Return the likely posts of a blog; where its folder has none, those elsewhere on its host.

    A list of posts may stand in a folder of its own.
    """
    return likely_posts(filter(scope.includes, urls)) or likely_posts(filter(scope.is_on_host, urls))


def likely_posts(urls: Iterable[str]) -> list[str]:
    """Return the addresses of the group that most probably are posts, in their order; none when nothing stands out."""
    candidates = [url for url in dict.fromkeys(urls) if _may_be_post(url)]
    for shape in (_shape, _rough_shape):
        groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for url in candidates:
            groups[shape(_path(url), urlsplit(url).query)].append(url)
        best = _without_numbers(max(groups.values(), key=_weight, default=[]))
        if len(best) >= _MIN_GROUP:
            return best
    return []


def _may_be_post(url: str) -> bool:
    is_other = is_listing(url.replace("#", "")) or is_service_page(url) or _OTHER_FOLDER.search(_path(url))
    return not is_other


def _path(url: str) -> str:
    """The path, with a script's route."""
    parts = urlsplit(url)
    return unquote(parts.path + (f"#{parts.fragment}" if parts.fragment else ""))


def _without_numbers(urls: list[str]) -> list[str]:
    """Where posts have names, /2/ is a page of a list."""
    named = [url for url in urls if not urlsplit(url).path.rstrip("/").rpartition("/")[2].isdecimal()]
    return named if 2 * len(named) > len(urls) else urls


def _weight(urls: list[str]) -> float:
    """Many addresses, with dates in them or names of several words."""
    dated = sum(day_in_address(url) is not None or bool(re.search(r"/(?:19|20)\d{2}/", url)) for url in urls)
    wordy = sum(len(re.findall(r"[^\W\d_]{2,}", unquote(url.rstrip("/").rpartition("/")[2]))) >= 2 for url in urls)
    numbered = sum(bool(re.search(r"[?&]p=\d+$", url)) for url in urls)
    return dated * 2.0 + wordy + numbered * 2.0 + len(urls) * 0.1


def _shape(path: str, query: str) -> tuple[str, ...]:
    """The folders but the last word for word, digits made equal: siblings have the same shape."""
    folders = path.strip("/").split("/")
    kept = [re.sub(r"\d+", "0", folder) for folder in folders[:-1]]
    return (*kept, str(len(folders)), re.sub(r"\d+", "0", query))


def _rough_shape(path: str, query: str) -> tuple[str, ...]:
    """The first folder and how deep it goes, for posts that have a folder each."""
    folders = path.strip("/").split("/")
    return (*folders[:-1][:1], str(len(folders)), re.sub(r"\d+", "0", query))
