"""The entrance of a blog drawn by scripts: the data that stand in for its feed, and what any feed promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse
from posterity.fetch.rendering import RenderMiddleware
from posterity.fetch.rendering_records import stored_data
from posterity.render.page_feed import page_feed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.fetch.find_feed import BlogEntrance


def drawn_entrance(crawler: Crawler, entrance: BlogEntrance) -> BlogEntrance:
    """Return the entrance, with the data that its home page fetched as its feed when it has no other.

    Pages of a feed are measured by what it promises of them.
    """
    browser = crawler.get_downloader_middleware(RenderMiddleware)
    if browser is None:
        return entrance
    home, feed = entrance.home, entrance.feed
    if feed is None and browser.draws:
        data = browser.data or stored_data(crawler.spider)
        feed = page_feed(data, parse(home.body, home.url, home.content_type))
    if feed is not None:
        browser.expect(feed)
    return msgspec.structs.replace(entrance, feed=feed)
