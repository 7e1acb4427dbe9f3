"""What the titles of a site's pages begin or end with: the site's name, which is no part of any post's title."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from posterity.dom import Document

_MIN_PAGES = 3
# A name is set off from the title; "The tides" and "The bread" only happen to begin alike.
_MARK = re.compile(r"\s*[:|»«›‹·•/–—~-]+\s+|\s+[:|»«›‹·•/–—~-]+\s*")
_MOST = 0.8  # of the pages: a lost page and the home page have titles of their own


def title_without_site_name(title: str, site: tuple[Document, ...]) -> str:
    """Return the title without what the <title> of most pages begins or ends with, as long as something is left."""
    before, after = _name_around(site)
    return title.removeprefix(before).removesuffix(after).strip() or title


@lru_cache(maxsize=2)  # the same tuple comes with every page of a site
def _name_around(site: tuple[Document, ...]) -> tuple[str, str]:
    titles = {one_line(tree.plain(0)) for document in site if (tree := document.first("head > title")) is not None}
    if len(titles) < _MIN_PAGES:
        return "", ""
    before = Counter(title[: mark.end()] for title in titles for mark in _MARK.finditer(title))
    after = Counter(title[mark.start() :] for title in titles for mark in _MARK.finditer(title))
    return _longest(before, len(titles)), _longest(after, len(titles))


def _longest(ends: Counter[str], titles: int) -> str:
    shared = (end for end, count in ends.items() if count >= _MOST * titles)
    return max(shared, key=len, default="")
