"""The profile of a blog whose pages lie on a disk."""

from __future__ import annotations

import msgspec

from posterity.blog.entrance import Entrance, find_entrance
from posterity.blog.lists import older_entries
from posterity.blog.page_source import StoredPages, run_at_once
from posterity.blog.profile import BlogProfile, learn_profile
from posterity.blog.stored_widgets import data_feed
from posterity.config import LearnSettings
from posterity.model import Feed


def stored_profile(
    pages: StoredPages, home_url: str, *, feed_url: str | None = None, settings: LearnSettings = LearnSettings()
) -> BlogProfile:
    """Return the profile that stored pages give; raise `NoBlog` when they have no posts."""
    return run_at_once(_profile(pages, home_url, feed_url, settings))


async def _profile(pages: StoredPages, home_url: str, feed_url: str | None, settings: LearnSettings) -> BlogProfile:
    entrance = await find_entrance(pages, home_url, feed_url=feed_url)
    if not any(_has_pages(feed, pages) for feed in entrance.feeds):
        home = pages.document(entrance.home) if entrance.home is not None else None
        data = data_feed(pages, home)
        entrance = msgspec.structs.replace(entrance, feeds=(data, *entrance.feeds) if data else entrance.feeds)
    entrance = await _with_older_entries(pages, entrance)
    return await learn_profile(pages, entrance, settings=settings)


async def _with_older_entries(pages: StoredPages, entrance: Entrance) -> Entrance:
    feeds = []
    for feed in entrance.feeds:
        older = [entry async for page in older_entries(pages, feed) for entry in page.entries]
        feeds.append(msgspec.structs.replace(feed, entries=(*feed.entries, *older)))
    return msgspec.structs.replace(entrance, feeds=tuple(feeds))


def _has_pages(feed: Feed, pages: StoredPages) -> bool:
    return any(entry.link and pages.response(entry.link) for entry in feed.entries)
