"""Whether the pages of a blog tell the days on which their posts were published, asked where its feed tells them.

Some show the day of the last change alone, or none but those that a post is about. No rule is learned there, and what
was wrong of the posts that the feed names is not believed of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from posterity.model import Post

_MIN_PAGES = 3
_DAY_S = 86_400  # zones differ between a feed and its pages


def tell_other_days(posts: Iterable[tuple[Post, datetime | None]]) -> bool:
    """Tell whether most of the posts whose pages name a day name another than the one that is known of them."""
    told = [
        abs((post.published - known).total_seconds())
        for post, known in posts
        if known is not None and post.published is not None
    ]
    return len(told) >= _MIN_PAGES and 2 * sum(apart > _DAY_S for apart in told) > len(told)
