"""The profile of a blog whose pages are on disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

import msgspec

from posterity.archive import Archive, Capture
from posterity.archive.captures import captures_of_blog, captures_of_file
from posterity.archive.warc_reader import record_at
from posterity.blog.entrance import Entrance, find_entrance
from posterity.blog.lists import older_entries, sitemap_urls
from posterity.blog.page_source import StoredPages, StoredResponse, run_at_once
from posterity.blog.profile import BlogProfile, learn_profile, with_sections
from posterity.config import LearnSettings, RenderSettings
from posterity.dom import Document
from posterity.errors import ArchiveError
from posterity.model import Comment, Feed, Page, WarcPointer
from posterity.render.page_feed import page_feed
from posterity.render.services import dialogue, thread_on


def stored_profile(
    pages: StoredPages, home_url: str, *, feed_url: str | None = None, settings: LearnSettings = LearnSettings()
) -> BlogProfile:
    """Return the profile of stored pages; raise `NoBlog` if they have no posts."""
    return run_at_once(_profile(pages, home_url, feed_url, settings))


async def _profile(pages: StoredPages, home_url: str, feed_url: str | None, settings: LearnSettings) -> BlogProfile:
    entrance = await find_entrance(pages, home_url, feed_url=feed_url)
    if not any(any(entry.link and pages.response(entry.link) for entry in feed.entries) for feed in entrance.feeds):
        home = pages.document(entrance.home) if entrance.home is not None else None
        data = data_feed(pages, home)
        entrance = msgspec.structs.replace(entrance, feeds=(data, *entrance.feeds) if data else entrance.feeds)
    entrance = await _with_older_entries(pages, entrance)
    urls = await sitemap_urls(pages, entrance.home_url, entrance.home, lambda *_: None)
    profile = await learn_profile(pages, entrance, urls, settings=settings)
    return await with_sections(pages, profile, entrance.home)


async def _with_older_entries(pages: StoredPages, entrance: Entrance) -> Entrance:
    feeds = []
    for feed in entrance.feeds:
        older = [entry async for page in older_entries(pages, feed) for entry in page.entries]
        feeds.append(msgspec.structs.replace(feed, entries=(*feed.entries, *older)))
    return msgspec.structs.replace(entrance, feeds=tuple(feeds))


_MAX_RESPONSES = 400


def data_feed(pages: StoredPages, home: Document | None) -> Feed | None:
    """Return a feed of the posts that the home page fetched as data, or None."""
    if home is None:
        return None
    responses = [response for response in pages.responses() if "json" in response.content_type][:_MAX_RESPONSES]

    read = ((response.url, pages.read(response)) for response in responses)
    bodies = ((url, page.body) for url, page in read if page is not None)
    return page_feed(bodies, home) if responses else None


def service_comments(document: Document, find: Callable[[str], Page | None]) -> tuple[Comment, ...] | None:
    """Return the comments of the page's comment service from its stored responses; None if there are none."""
    thread = thread_on(document, RenderSettings())
    if thread is None:
        return None
    exchange = dialogue(thread)
    try:
        ask = next(exchange)
        while True:
            page = find(ask.url)
            ask = exchange.send(page.body if page is not None else None)
    except StopIteration as end:
        comments: tuple[Comment, ...] | None = end.value
        return comments


_STORED_OK = 200


def archived_pages(archive: Archive, blog_id: str, files: frozenset[str]) -> StoredPages:
    """Return the stored pages of a blog; `files` are the WARC files that its records refer to.

    If a blog was harvested by another URL, such as its feed's, its pages are stored under that URL.
    """
    with archive.database.reading() as connection:
        found = {capture.record_id: capture for capture in captures_of_blog(connection, blog_id)}
        known = {capture.file for capture in found.values()}
        for file in sorted(files - known):
            found |= {capture.record_id: capture for capture in captures_of_file(connection, file)}
    not_rendered = _not_rendered(found.values())
    responses = (_response(archive, capture) for capture in found.values() if capture.record_id not in not_rendered)

    def read(response: StoredResponse) -> Page:
        assert isinstance(response.where, WarcPointer)
        page = archive.read_page(response.where)
        return page if page.status else msgspec.structs.replace(page, status=_STORED_OK)

    return StoredPages((response for response in responses if response is not None), read)


def _not_rendered(captures: Iterable[Capture]) -> set[str]:
    """Return the ids of responses that a browser has rendered: an empty shell that is returned again is not news."""
    by_url: dict[str, list[Capture]] = defaultdict(list)
    for capture in captures:
        by_url[capture.url].append(capture)
    found: set[str] = set()
    for same in by_url.values():
        rendered_at = max((one.fetched_at for one in same if _is_rendered(one)), default="")
        rendered = {one.digest for one in same if one.kind != "conversion" and one.fetched_at <= rendered_at}
        found |= {one.record_id for one in same if one.digest in rendered}
    return found


def _is_rendered(capture: Capture) -> bool:
    return capture.kind == "conversion" and "html" in (capture.mime or "")


def _response(archive: Archive, capture: Capture) -> StoredResponse | None:
    rendered = _is_rendered(capture)
    if capture.kind not in ("response", "revisit") and not rendered:
        return None
    return StoredResponse(
        url=capture.url,
        status=_STORED_OK if rendered else capture.status,
        content_type=capture.mime or "",
        fetched_at=datetime.fromisoformat(capture.fetched_at),
        where=WarcPointer(capture.file, capture.offset, capture.record_id),
        location=_location(archive, capture),
    )


def _location(archive: Archive, capture: Capture) -> str | None:
    """Return the target of a redirect, which is in its record but not in the index."""
    if not 300 <= capture.status < 400 or capture.status == 304:
        return None
    try:
        return record_at(archive.folder.warc_path(capture.file), capture.offset).http_header("location") or None
    except ArchiveError:
        return None
