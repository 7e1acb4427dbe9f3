"""New URLs in sitemaps, with as few requests as possible."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from posterity.crawl.downloading import ConditionalResponse
from posterity.crawl.update_sources import SitemapChanges, sitemap_changes
from posterity.errors import Unreachable
from posterity.model import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.crawl.downloading import ConditionalClient


HOST = "http://blog.example"
NOW = datetime(2026, 3, 12, tzinfo=UTC)


def sitemap(kind: str = "urlset", **lastmods: str) -> bytes:
    one = "url" if kind == "urlset" else "sitemap"
    entries = "".join(
        f"<{one}><loc>{HOST}/{name}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</{one}>"
        for name, date in lastmods.items()
    )
    return f'<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{kind}>'.encode()


class Blog:
    """A fake of the requests: the present and former response of each URL."""

    def __init__(self, now: Mapping[str, bytes], before: Mapping[str, bytes]) -> None:
        self.now, self.before = now, before
        self.asked: list[str] = []

    async def ask(self, url: str) -> ConditionalResponse:
        name = url.removeprefix(f"{HOST}/")
        self.asked.append(name)
        if name not in self.now:
            raise Unreachable("No answer.")
        previous = _page(url, self.before[name]) if name in self.before else None
        return ConditionalResponse(page=_page(url, self.now[name]), previous=previous)


def _page(url: str, body: bytes) -> Page:
    return Page(url=url, requested_url=url, status=200, body=body, fetched_at=NOW)


def changes(blog: Blog, *roots: str, feed_has_news: bool = False) -> SitemapChanges:
    urls = [f"{HOST}/{root}" for root in roots]
    return asyncio.run(sitemap_changes(cast("ConditionalClient", blog), urls, feed_has_news=feed_has_news))


def test_new_edited_and_vanished_addresses_are_told_apart() -> None:
    blog = Blog(
        {"sitemap": sitemap(a="2026-01-01", b="2026-02-02", d="2026-03-03")},
        {"sitemap": sitemap(a="2026-01-01", b="2026-01-01", c="2026-01-01")},
    )
    found = changes(blog, "sitemap")
    assert (found.new, found.edited, found.vanished) == ((f"{HOST}/d",), (f"{HOST}/b",), (f"{HOST}/c",))


def test_same_sitemap_is_no_news() -> None:
    blog = Blog({"sitemap": sitemap(a="2026")}, {"sitemap": sitemap(a="2026")})
    assert not changes(blog, "sitemap").are_news


def test_without_news_in_the_feed_one_sitemap_of_many_is_asked() -> None:
    files = {"one": sitemap(a=""), "two": sitemap(b="")}
    quiet, stirred = Blog(files, files), Blog(files, files)
    changes(quiet, "one", "two")
    changes(stirred, "one", "two", feed_has_news=True)
    assert (quiet.asked, stirred.asked) == (["one"], ["one", "two"])


def test_of_an_index_only_the_parts_with_another_date_are_asked() -> None:
    now = {"index": sitemap("sitemapindex", p1="2026-01-01", p2="2026-02-02"), "p2": sitemap(a="", b="")}
    blog = Blog(now, {"index": sitemap("sitemapindex", p1="2026-01-01", p2="2026-01-01"), "p2": sitemap(a="")})
    assert changes(blog, "index").new == (f"{HOST}/b",)
    assert blog.asked == ["index", "p2"]


def test_parts_without_dates_are_asked_when_the_feed_has_news() -> None:
    files = {"index": sitemap("sitemapindex", p1="", p2=""), "p1": sitemap(a=""), "p2": sitemap(b="")}
    quiet, stirred = Blog(files, files), Blog(files, files)
    changes(quiet, "index")
    changes(stirred, "index", feed_has_news=True)
    assert (quiet.asked, stirred.asked) == (["index"], ["index", "p1", "p2"])


def test_packed_sitemap_is_read() -> None:
    blog = Blog({"sitemap.gz": gzip.compress(sitemap(a="", b=""))}, {"sitemap.gz": gzip.compress(sitemap(a=""))})
    assert changes(blog, "sitemap.gz").new == (f"{HOST}/b",)


def test_sitemap_that_is_broken_empty_or_not_there_makes_nothing_vanish() -> None:
    before = {"sitemap": sitemap(a="", b="")}
    for body in (b"<html>Sorry</html>", b"", b"\x1f\x8bnonsense", sitemap()):
        assert not changes(Blog({"sitemap": body}, before), "sitemap").are_news
    assert not changes(Blog({}, before), "sitemap").are_news
