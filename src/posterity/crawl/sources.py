"""From a blog's address to its home page and feed: the address itself, what the page declares, the usual places."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from zlib import error as zlib_error

import msgspec
from lxml.etree import LxmlError
from scrapy.utils.sitemap import Sitemap

from posterity.classify import page_kind
from posterity.crawl.downloading import fetch_found_page, fetch_page
from posterity.crawl.rendering import RenderMiddleware, stored_data
from posterity.crawl.robots import RobotsMiddleware
from posterity.discover.feed import declared_feeds, looks_like_feed, next_feed_page, read_feed, usual_feeds
from posterity.discover.links import page_links, sibling_sections, translated_posts
from posterity.discover.wordpress import PAGE_SIZE, posts_url, read_posts
from posterity.dom import parse
from posterity.errors import BrokenFeed, EmptyFeed, NoBlog, NoFeed, PosterityError, Unreachable, UnreadablePage
from posterity.model.page import NO_FEED
from posterity.render.page_feed import page_feed
from posterity.urls import canonical_url, post_pattern
from posterity.urls.kinds import is_trap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator, Sequence

    from scrapy.crawler import Crawler

    from posterity.crawl.crawl_stats import CrawlStats
    from posterity.crawl.profile import CrawlProfile
    from posterity.model import Feed, Page


_MAX_DECLARED = 5
_MAX_POOR = 3


class BlogEntrance(msgspec.Struct, frozen=True):
    """Where a blog begins: its home page, and its feed or what is wrong with it."""

    home: "Page"
    feed: "Feed | None" = None
    problem: "PosterityError | None" = None


async def find_entrance(crawler: Crawler, url: str) -> BlogEntrance:
    """Return the home page and the feed of the blog at this address, or raise when the address is no page at all."""
    page = await fetch_page(crawler, url)
    if page.status >= 400:
        return await _entrance_by_feed_alone(crawler, page, url)
    if looks_like_feed(page.body):
        feed = _with_entries(read_feed(page.body, page.url, page.content_type))
        home = await fetch_found_page(crawler, feed.home) if feed.home else page
        return BlogEntrance(home, feed)
    if "html" not in page.content_type.lower() and b"<html" not in page.body[:2000].lower():
        kind = page.content_type or "unknown"
        raise NoBlog(
            f"{page.url} is not a web page (its type is {kind}). Give the address of the blog's home page or feed."
        )
    try:
        return BlogEntrance(page, await _find_feed(crawler, page))
    except NoBlog as problem:
        return BlogEntrance(page, None, problem)


async def _entrance_by_feed_alone(crawler: Crawler, page: Page, url: str) -> BlogEntrance:
    """A home page that is gone does not mean that the blog is: its feed may still answer."""
    wait = "Try again later" if page.status >= 500 or page.status == 429 else "Check the address"
    gone = Unreachable(f"{url} answers with status {page.status}. {wait}.", status=page.status)
    if page.status not in (404, 410, 403):
        raise gone
    for place in usual_feeds(page.url)[:4]:
        try:
            return BlogEntrance(page, await _feed_at(crawler, place))
        except PosterityError:
            continue
    raise gone


async def _find_feed(crawler: Crawler, home: Page) -> Feed:
    """Try what the page declares, then the usual places; a feed without texts is kept only if no other has them."""
    declared = declared_feeds(parse(home.body, home.url, home.content_type))
    problems: list[PosterityError] = []
    poor: list[Feed] = []
    for url in [*declared[:_MAX_DECLARED], *usual_feeds(home.url)]:
        if poor and (len(poor) >= _MAX_POOR or url not in declared):
            break
        try:
            feed = await _feed_at(crawler, url)
        except PosterityError as problem:
            problems += [problem] if url in declared else []
            continue
        if _texts(feed) * 2 >= len(feed.entries):
            return feed
        poor.append(feed)
    if poor:
        return max(poor, key=_texts)
    # The first word about what was wrong with a declared feed is the most telling.
    raise next((problem for problem in problems if isinstance(problem, NoBlog)), None) or NoFeed(
        f"{home.url} offers no feed that can be read, and its links do not look like a blog's posts either. "
        "Is it a blog? If its feed is somewhere else, give the feed's address instead."
    )


def _texts(feed: Feed) -> int:
    return sum(entry.content is not None for entry in feed.entries)


async def _feed_at(crawler: Crawler, url: str) -> Feed:
    page = await fetch_found_page(crawler, url)
    if not looks_like_feed(page.body):
        raise BrokenFeed(f"{url} is not a feed, although the page says so.", problem="not a feed")
    return _with_entries(read_feed(page.body, page.url, page.content_type))


def _with_entries(feed: Feed) -> Feed:
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url} has no entries yet. Try again when the blog has posts.")
    return feed


def rendered_entrance(crawler: Crawler, entrance: BlogEntrance) -> BlogEntrance:
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


_MAX_PAGES = 500


async def further_entries(
    crawler: Crawler, feed: Feed | None, crawl_stats: CrawlStats, *, known: int
) -> AsyncIterator[str]:
    """Yield the addresses of older entries until a page of the feed brings none that is new.

    Not asked when a sitemap named more addresses (`known`) than the feed: it has them all, for fewer requests.
    """
    if feed is None or known > len(feed.entries):
        return
    seen = len(feed.entries)
    for number in range(1, _MAX_PAGES):
        url = next_feed_page(feed, number, seen)
        page = await _read_feed_page(crawler, url) if url else None
        if page is None:
            return
        links = [canonical_url(entry.link) for entry in page.entries if entry.link]
        fresh = [link for link in links if not crawl_stats.knows(link)]
        if not fresh:
            return
        for link in fresh:
            crawl_stats.add_listed(link, "paged feed", waiting=True)
            yield link
        seen += len(page.entries)
        feed = page if page.next_url or not feed.next_url else feed


async def _read_feed_page(crawler: Crawler, url: str) -> Feed | None:
    try:
        page = await fetch_found_page(crawler, url)
        return read_feed(page.body, page.url, page.content_type) if looks_like_feed(page.body) else None
    except PosterityError:
        return None


async def listed_posts(
    crawler: Crawler, profile: CrawlProfile, entrance: BlogEntrance, addresses: Collection[str], crawl_stats: CrawlStats
) -> AsyncIterator[str]:
    """Yield the addresses that the blog lists itself; `addresses` are those of its sitemap."""
    for url in _in_sitemap(profile, addresses, crawl_stats):
        yield url
    listed = 0
    async for url in _in_interface(crawler, entrance.home):
        if profile.scope.includes(url):
            crawl_stats.add_listed(url, "wordpress", waiting=True)
            listed += 1
            yield url
    async for url in further_entries(crawler, entrance.feed, crawl_stats, known=max(listed, len(addresses))):
        yield url


def _in_sitemap(profile: CrawlProfile, addresses: Collection[str], crawl_stats: CrawlStats) -> Iterator[str]:
    for url in addresses:
        if profile.scope.includes(url):
            if profile.pattern.fits(url) and not is_trap(url):
                crawl_stats.add_listed(url, "sitemap", waiting=True)
            yield url


async def _in_interface(crawler: Crawler, home: Page) -> AsyncIterator[str]:
    """The posts that WordPress's REST interface lists; nothing where it is closed."""
    document = parse(home.body, home.url, home.content_type)
    for number in range(1, _MAX_PAGES):
        url = posts_url(document, number)
        if url is None:
            return
        try:
            answer = await fetch_found_page(crawler, url)
        except PosterityError:  # a number beyond the last page is an error too
            return
        posts = read_posts(answer.body)
        for post in posts:
            yield canonical_url(post.link)
        if len(posts) < PAGE_SIZE:
            return


# A blog has two or three languages or columns, or a folder for every category; more are probably something else.
_MOST = 8


async def with_sections(
    crawler: Crawler, profile: CrawlProfile, home: Page, addresses: Collection[str]
) -> CrawlProfile:
    """Return the lesson with scope and pattern widened to the sections of the blog, if it has any."""
    links = page_links(parse(home.body, home.url, home.content_type))
    candidates = sibling_sections(_own_folder(profile), profile.scope, profile.pattern, links, [*addresses, *links])
    posts = [canonical_url(page.url) for page, _ in profile.evidence.pages]
    taught = [parse(page.body, page.url, page.content_type) for page, _ in profile.evidence.pages]
    translated = translated_posts(taught, profile.scope, profile.pattern).values()
    parts = [*candidates.items(), *((post_pattern(urls).prefix, urls) for urls in translated)]
    for folder, urls in parts[:_MOST]:
        if await _is_post(crawler, profile, urls):
            posts += urls
            profile = msgspec.structs.replace(
                profile, scope=profile.scope.with_folder(folder), pattern=post_pattern(posts)
            )
    return profile


def _own_folder(profile: CrawlProfile) -> str:
    """The folder of the blog; without a feed the one in which a sample of posts was found, the fullest of several."""
    return profile.pattern.prefix if profile.evidence.feed.format == NO_FEED else profile.scope.folders[0]


async def _is_post(crawler: Crawler, profile: CrawlProfile, urls: Sequence[str]) -> bool:
    """Tell whether the first page of a folder has all that a post has, dates among it if the blog's posts are dated."""
    try:
        page = await fetch_found_page(crawler, urls[0])
        document = parse(page.body, page.url, page.content_type)
    except (PosterityError, UnreadablePage):
        return False
    return page_kind(document, profile.rules, post_pattern(urls)) == "post"


_MAX_FILES = 200
# Parts of a sitemap that WordPress and its plugins make for other things than posts.
_NOT_POSTS = re.compile(
    r"categor|tag|author|user|attachment|image|video|product|page-sitemap|posts-page", re.IGNORECASE
)


async def sitemap_addresses(crawler: Crawler, home: Page) -> dict[str, str | None]:
    """Return the addresses that the blog's sitemaps name, with their last change; none when there is no sitemap."""
    robots = crawler.get_downloader_middleware(RobotsMiddleware)
    found = await _read_all(crawler, robots.sitemaps(home.url) if robots else [])
    for place in _usual_places(home) if not found else ():
        found = await _read_all(crawler, [urljoin(home.url, place)])
        if found:
            break
    return found


def _usual_places(home: Page) -> list[str]:
    """WordPress and its plugins have places of their own; asking everybody for them would be impolite."""
    places = ["/sitemap.xml"]
    return [*places, "/wp-sitemap.xml", "/sitemap_index.xml"] if b"/wp-content/" in home.body else places


async def _read_all(crawler: Crawler, urls: list[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    waiting, seen = list(urls), set(urls)
    while waiting and len(seen) < _MAX_FILES:
        sitemap = await _read_sitemap(crawler, waiting.pop(0))
        for entry in sitemap or ():
            url = (entry.get("loc") or "").strip()
            if not url or _is_bad(url):
                continue
            if sitemap is not None and sitemap.type == "sitemapindex":
                if url not in seen and not _NOT_POSTS.search(urlsplit(url).path):
                    seen.add(url)
                    waiting.append(url)
            else:
                found.setdefault(canonical_url(url), entry.get("lastmod"))
    return found


async def _read_sitemap(crawler: Crawler, url: str) -> Sitemap | None:
    """One file, unpacked; what is not a sitemap is none."""
    try:
        page = await fetch_found_page(crawler, url)
        body = gzip.decompress(page.body) if page.body[:2] == b"\x1f\x8b" else page.body
        if b"<urlset" not in body[:2000] and b"<sitemapindex" not in body[:2000]:
            return None
        return Sitemap(body)
    except (PosterityError, OSError, EOFError, zlib_error, LxmlError, ValueError):
        return None


def _is_bad(url: str) -> bool:
    try:
        return urlsplit(url).scheme not in ("http", "https")
    except ValueError:
        return True
