"""Further parts of a blog, beside its own folder or in another language: one whose first page is a post widens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.discover.links import page_links
from posterity.discover.sections import sibling_sections
from posterity.discover.translations import translated_posts
from posterity.dom import parse
from posterity.errors import PosterityError, UnreadablePage
from posterity.fetch.downloading import fetch_found_page
from posterity.identify import page_kind
from posterity.model.feed import NO_FEED
from posterity.urls import canonical_url, post_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scrapy.crawler import Crawler

    from posterity.fetch.lesson import Lesson
    from posterity.model import Page

# A blog has two or three languages or columns, or a folder for every category; more are probably something else.
_MOST = 8


async def with_sections(crawler: Crawler, lesson: Lesson, home: Page, addresses: Collection[str]) -> Lesson:
    """Return the lesson with scope and pattern widened to the sections of the blog, if it has any."""
    links = page_links(parse(home.body, home.url, home.content_type))
    candidates = sibling_sections(_own_folder(lesson), lesson.scope, lesson.pattern, links, [*addresses, *links])
    posts = [canonical_url(page.url) for page, _ in lesson.evidence.pages]
    taught = [parse(page.body, page.url, page.content_type) for page, _ in lesson.evidence.pages]
    translated = translated_posts(taught, lesson.scope, lesson.pattern).values()
    parts = [*candidates.items(), *((post_pattern(urls).prefix, urls) for urls in translated)]
    for folder, urls in parts[:_MOST]:
        if await _is_post(crawler, lesson, urls):
            posts += urls
            lesson = msgspec.structs.replace(
                lesson, scope=lesson.scope.with_folder(folder), pattern=post_pattern(posts)
            )
    return lesson


def _own_folder(lesson: Lesson) -> str:
    """The folder of the blog; without a feed the one in which a sample of posts was found, the fullest of several."""
    return lesson.pattern.prefix if lesson.evidence.feed.format == NO_FEED else lesson.scope.folders[0]


async def _is_post(crawler: Crawler, lesson: Lesson, urls: Sequence[str]) -> bool:
    """Tell whether the first page of a folder has all that a post has, dates among it if the blog's posts are dated."""
    try:
        page = await fetch_found_page(crawler, urls[0])
        document = parse(page.body, page.url, page.content_type)
    except (PosterityError, UnreadablePage):
        return False
    return page_kind(document, lesson.rules, post_pattern(urls)) == "post"
