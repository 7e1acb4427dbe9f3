"""What WordPress's importer tells posts, comments and attachments apart by: numbers, times and titles."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Media, Post


class Numbers:
    """Counts posts and comments, which WordPress knows by number, in the order in which they are written."""

    def __init__(self) -> None:
        self._posts = self._comments = self._same_time = 0
        self._last_time: datetime | None = None

    def post(self) -> int:
        """The number of the next post or attachment."""
        self._posts += 1
        return self._posts

    def comments(self, count: int) -> range:
        """The numbers of the next comments."""
        first = self._comments + 1
        self._comments += count
        return range(first, first + count)

    def told_apart(self, post: Post) -> Post:
        """The post, a second later for each one before it of the same time.

        WordPress's importer takes posts of one time and title for the same, and one without a title for any of that
        time (`post_exists`). Where only the day is known, all of a day have the same time.
        """
        self._same_time = self._same_time + 1 if post.published == self._last_time else 0
        self._last_time = post.published
        if post.published is None or not self._same_time:
            return post
        try:
            return msgspec.structs.replace(post, published=post.published + timedelta(seconds=self._same_time))
        except OverflowError:  # the last day that datetime knows
            return post


def attachment_titles(media: Iterable[Media]) -> list[str]:
    """Return the names of the files, no two the same: of attachments with one title WordPress takes the first."""
    seen: Counter[str] = Counter()
    titles = []
    for medium in media:
        name = unquote(urlsplit(medium.url).path).rsplit("/", 1)[-1] or medium.url
        seen[name] += 1
        titles.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return titles
