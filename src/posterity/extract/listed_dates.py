"""Dates that a blog's lists tell: for posts whose own pages do not say when they were published."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from posterity.extract.method import Context
from posterity.extract.page import extract_posts
from posterity.model import Provenance
from posterity.urls import place_key
from posterity.urls.listing import is_listing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.dom import Document
    from posterity.model import Post, RuleSet

_CONFIDENCE = 0.8  # a list may show when a post was changed
# A list is visited for its dates alone while it may tell three of them, and until five have told none.
_POSTS_PER_LIST, _PATIENCE = 3, 5
_INDEX_FILE = re.compile(r"/index\.\w+$")


class ListedDates:
    """Reads lists of posts, if the blog's rules name no date, and then dates posts."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._is_needed = not any("date" in fields for fields in (rules.fields, *(a.fields for a in rules.layouts)))
        self._told: dict[str, tuple[datetime, Post, str]] = {}
        self._undated: set[str] = set()
        self._visits = self._in_vain = 0

    def __bool__(self) -> bool:
        return bool(self._told)

    def read(self, document: Document) -> None:
        """Remember the dates of the posts that the page lists; of two for one post the earlier."""
        if not self._is_needed:
            return
        missing = len(self._undated)
        for listed in extract_posts(document, context=Context(rules=self._rules, index=True)):
            if listed.published is not None:
                key = place_key(listed.url)
                told = (listed.published, listed, document.url)
                self._told[key] = min(self._told.get(key, told), told, key=itemgetter(0))
                self._undated.discard(key)
        self._in_vain = 0 if len(self._undated) < missing else self._in_vain + 1

    def saw(self, post: Post) -> None:
        """Remember a post that has no date yet."""
        if self.lacks(post):
            self._undated.add(place_key(post.url))

    def lacks(self, post: Post) -> bool:
        """Tell whether the post has no date, and no list that was read gives it one."""
        return self._is_needed and post.published is None and place_key(post.url) not in self._told

    def worth_a_visit(self, waiting: Iterable[str]) -> str | None:
        """Return the address that probably lists most of the undated posts: the folder they lie in, else any list."""
        if len(self._undated) < _POSTS_PER_LIST * (self._visits + 1) or self._in_vain >= _PATIENCE:
            return None
        below = Counter(key.rpartition("/")[0] for key in self._undated)
        lists = [url for url in waiting if is_listing(url) or _folder(url) in below]
        self._visits += 1
        return max(lists, key=lambda url: below[_folder(url)], default=None)

    def dated(self, post: Post) -> Post | None:
        """Return the post with the date that a list gives it; None when it has one, or no list does."""
        told = self._told.get(place_key(post.url))
        if post.published is not None or told is None:
            return None
        published, listed, where = told
        provenance = Provenance(method="index", rule=f"listed on {where}", confidence=_CONFIDENCE)
        return msgspec.structs.replace(
            post,
            published=published,
            published_precision=listed.published_precision,
            provenance={**post.provenance, "published": provenance},
        )


def _folder(url: str) -> str:
    return _INDEX_FILE.sub("", place_key(url))
