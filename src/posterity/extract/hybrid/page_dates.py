"""The dates in a text of a page: read in the page's own language, and where that finds none, in the common ones.

Pages that name no language, or the wrong one, still write their months in it. Patterns for many languages at once are
costly to make, so those of the common ones are made once for all pages.
"""

from __future__ import annotations

import re
from functools import lru_cache

from posterity.text.dates import FoundDate, read_dates

_COMMON = ("en", "de", "fr", "es", "it", "pt", "nl", "ru")
# A text without any of these names no day with its year. The digit is much quicker to rule a text out by.
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d|\d\d?[./-]\d\d?[./-]\d\d|年|년|\d\d? [A-Za-z]{3,9}\.? '?\d\d\b")
_SHORTEST = 6  # 1.5.21


def may_date(text: str) -> bool:
    """Tell whether a text may name a day with its year, without reading it."""
    return len(text) >= _SHORTEST and _DIGIT.search(text) is not None and _YEAR.search(text) is not None


@lru_cache(maxsize=4096)  # sidebars and footers say the same on every page of a blog
def dates_in(text: str, language: str) -> tuple[FoundDate, ...]:
    """Return the dates in a text of a page in this language; an empty one is unknown."""
    return (read_dates(text, languages=(language,)) if language else ()) or read_dates(text, languages=_COMMON)
