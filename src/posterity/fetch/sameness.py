"""Whether a page that was asked for again still says the same, for a reader: menus, counters and adverts may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.archive.sameness import is_same_content
from posterity.dom import parse
from posterity.errors import UnreadablePage
from posterity.extract import Context, extract_posts

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.fetch.conditional import Answer
    from posterity.fetch.revisit import Visit
    from posterity.model import FeedEntry, Page, Post, RuleSet


def says_the_same(visit: Visit, answer: Answer, document: Document, rules: RuleSet) -> bool:
    """Tell whether the post on the page is the one that it held before.

    Both pages are read by the rules of today: rules that were learned anew, or a newer version of this program, give
    another text of the same page, and that is no edit.
    """
    # A page that is the same to the byte is the same post, unless the feed has a new date of change for it.
    if not answer.is_modified and visit.why != "edited":
        return True
    if answer.previous is None:
        return False
    before = _post_on(_parsed(answer.previous), answer.previous, visit.post.entry, rules)
    now = _post_on(document, answer.page, visit.entry, rules)
    return before is not None and now is not None and is_same_content(before, now)


def _post_on(document: Document | None, page: Page, entry: FeedEntry | None, rules: RuleSet) -> Post | None:
    if document is None:
        return None
    context = Context(rules=rules, entry=entry, fetched_at=page.fetched_at)
    found = extract_posts(document, context=context)
    return found[0] if found else None


def _parsed(page: Page) -> Document | None:
    try:
        return parse(page.body, page.url, page.content_type)
    except UnreadablePage:
        return None
