"""Further parts of a blog beside its own folder: a page of each is fetched, and one that is a post widens the blog."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.links import page_links
from posterity.discover.sections import sibling_sections
from posterity.dom import parse
from posterity.errors import PosterityError, UnreadablePage
from posterity.fetch.downloading import fetch_found_page
from posterity.identify import page_kind
from posterity.urls import canonical_url, post_pattern

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler

    from posterity.fetch.lesson import Lesson
    from posterity.model import Page

# A blog has two or three languages or columns; a folder more is probably something else.
_MOST = 3


async def with_sections(crawler: Crawler, lesson: Lesson, home: Page, addresses: Collection[str]) -> Lesson:
    """Return the lesson with scope and pattern widened to the sections of the blog, if it has any."""
    links = page_links(parse(home.body, home.url, home.content_type))
    candidates = sibling_sections(lesson.scope, lesson.pattern, links, [*addresses, *links])
    for folder, urls in list(candidates.items())[:_MOST]:
        if await _is_post(crawler, lesson, folder, urls[0]):
            taught = [canonical_url(page.url) for page, _ in lesson.evidence.pages]
            lesson = msgspec.structs.replace(
                lesson, scope=lesson.scope.with_folder(folder), pattern=post_pattern([*taught, *urls])
            )
    return lesson


async def _is_post(crawler: Crawler, lesson: Lesson, folder: str, url: str) -> bool:
    """Tell whether the page has all that a post has: outside the blog's folder the address alone says nothing."""
    try:
        page = await fetch_found_page(crawler, url)
        document = parse(page.body, page.url, page.content_type)
    except (PosterityError, UnreadablePage):
        return False
    return page_kind(document, lesson.rules, msgspec.structs.replace(lesson.pattern, prefix=folder)) == "post"
