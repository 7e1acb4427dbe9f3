"""Comments of a thread that goes on over several pages, put together: each once, in the order of the thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.comment_feed import by_number
from posterity.dom import parse
from posterity.errors import UnreadablePage
from posterity.extract.comments import comments_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.model import Comment, Page, RuleSet


def comments_over(
    shown: tuple[Comment, ...], further_pages: Iterable[Page | None], rules: RuleSet
) -> tuple[Comment, ...]:
    """Return the comments of a post's page and of its thread's further pages, as far as these could be had."""
    comments = {
        comment.id: comment for page in further_pages if page is not None for comment in _comments_of(page, rules)
    }
    if not comments:
        return shown
    comments |= {comment.id: comment for comment in shown}
    return tuple(sorted(comments.values(), key=by_number))


def _comments_of(page: Page, rules: RuleSet) -> tuple[Comment, ...]:
    try:
        document = parse(page.body, page.url, page.content_type)
    except UnreadablePage:
        return ()
    return comments_on(document.tree, document.base_url, rules.languages, page.fetched_at)
