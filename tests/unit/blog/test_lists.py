"""Lists of a blog's posts other than its feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.blog.lists import NamedUrls, links_of, listed_urls, older_entries, sitemap_urls
from posterity.blog.page_source import run_at_once
from posterity.blog.profile import BlogProfile
from posterity.discover.feed import read_feed
from posterity.model import FeedEntry, FieldRule, Rule, RuleSet
from posterity.urls import Scope
from posterity.urls.post_pattern import post_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.blog.conftest import MakePage, StorePages

    from posterity.blog.page_source import StoredPages

# feedparser warns about a future change for every feed without update dates.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")

HOST = "https://salt.example"
HOME = f"{HOST}/"


def urlset(*names: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{HOST}/{name}/</loc></url>' for name in names)}</urlset>"


def index(*names: str) -> str:
    items = "".join(f"<sitemap><loc>{HOST}/{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex>{items}</sitemapindex>"


def feed(*names: str) -> str:
    items = "".join(f"<item><title>{name}</title><link>{HOST}/{name}/</link></item>" for name in names)
    return f"<rss version='2.0'><channel><title>Salt</title>{items}</channel></rss>"


def _unexpected(text: str, may_help: bool) -> None:
    pytest.fail(f"{text} ({may_help})")


def listed(pages: StoredPages, note: Callable[[str, bool], None] = _unexpected) -> list[str]:
    """The paths in the sitemaps; a note is a failure unless the test expects it."""
    return [url.removeprefix(HOST) for url in run_at_once(sitemap_urls(pages, HOME, pages.find(HOME), note))]


def test_sitemaps_of_an_index_are_read_but_for_those_of_tags_and_pictures(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page(f"{HOST}/sitemap.xml", index("post-1.xml", "category-1.xml", "image-1.xml", "sitemap.xml")),
            page(f"{HOST}/post-1.xml", urlset("tides", "bread")),
            page(f"{HOST}/category-1.xml", urlset("category/sea")),
        ]
    )
    assert listed(pages) == ["/tides/", "/bread/"]


def test_feed_in_the_index_of_a_sitemap_lists_its_entries(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page(f"{HOST}/sitemap.xml", index("rss.xml", "galleries/rss.xml", "post-1.xml")),
            page(f"{HOST}/rss.xml", feed("tides", "boats")),
            page(f"{HOST}/galleries/rss.xml", feed()),
            page(f"{HOST}/post-1.xml", urlset("tides", "bread")),
        ]
    )
    assert listed(pages) == ["/tides/", "/boats/", "/bread/"]


def test_part_of_a_sitemap_that_cannot_be_read_is_noted_and_costs_only_itself(
    page: MakePage, stored: StorePages
) -> None:
    notes: dict[str, bool] = {}
    pages = stored(
        [
            page(f"{HOST}/sitemap.xml", index("lost.xml", "broken.xml", "post-1.xml")),
            page(f"{HOST}/broken.xml", "<h1>Not found"),
            page(f"{HOST}/post-1.xml", urlset("tides")),
        ]
    )
    assert listed(pages, notes.__setitem__) == ["/tides/"]
    part = f"the part {HOST}/{{}} of its sitemap could not be read".format
    assert notes == {part("lost.xml"): True, part("broken.xml"): True}


def test_index_of_more_sitemaps_than_are_read_loses_only_the_last_and_says_so(
    page: MakePage, stored: StorePages
) -> None:
    names = [f"post-{n}.xml" for n in range(250)]
    pages = [page(f"{HOST}/{name}", urlset(name.removesuffix(".xml"))) for name in names]
    notes: list[str] = []
    found = listed(stored([page(f"{HOST}/sitemap.xml", index(*names)), *pages]), lambda text, _: notes.append(text))
    assert found == [f"/post-{n}/" for n in range(199)]
    assert notes == [f"51 parts of its sitemaps, such as {HOST}/post-199.xml, were skipped: too many"]


def test_parts_that_the_sitemap_of_a_copy_names_are_read_beside_it(page: MakePage, stored: StorePages) -> None:
    original = index("post-1.xml").replace(HOST, "https://original.example")
    pages = stored([page(f"{HOST}/sitemap.xml", original), page(f"{HOST}/post-1.xml", urlset("tides"))])
    assert listed(pages) == ["/tides/"]


def test_sitemap_is_looked_for_where_the_front_page_was_requested_before_it_redirected_to_a_language(
    page: MakePage, stored: StorePages
) -> None:
    home = msgspec.structs.replace(page(f"{HOST}/log/en/", "<h1>Salt</h1>"), requested_url=f"{HOST}/log/")
    pages = [
        page(f"{HOST}/log/en/sitemap.xml", urlset("log/en/tides")),
        page(f"{HOST}/log/sitemap.xml", urlset("log/en/tides", "log/tr/gelgit")),
    ]
    found = run_at_once(sitemap_urls(stored(pages), home.url, home, _unexpected))
    assert list(found) == [f"{HOST}/log/en/tides/", f"{HOST}/log/tr/gelgit/"]


def test_sitemap_of_wordpress_is_looked_for_where_wordpress_has_it(page: MakePage, stored: StorePages) -> None:
    sitemap = page(f"{HOST}/wp-sitemap.xml", urlset("tides"))
    assert listed(stored([sitemap, page(HOME, "<p>Salt")])) == []
    assert listed(stored([sitemap, page(HOME, "<link href=/wp-content/x.css>")])) == ["/tides/"]


def test_page_instead_of_a_sitemap_lists_nothing(page: MakePage, stored: StorePages) -> None:
    assert listed(stored([page(f"{HOST}/sitemap.xml", "<h1>Not found")])) == []


def test_older_pages_of_a_feed_are_read_until_nothing_new_comes(page: MakePage, stored: StorePages) -> None:
    first = page(f"{HOST}/feed/", feed("e", "d"), kind="application/rss+xml")
    pages = stored(
        [
            first,
            page(f"{HOST}/feed/?paged=2", feed("d", "c"), kind="application/rss+xml"),
            page(f"{HOST}/feed/?paged=3", feed("b", "a"), kind="application/rss+xml"),
            page(f"{HOST}/feed/?paged=4", feed("b", "a"), kind="application/rss+xml"),
            page(f"{HOST}/feed/?paged=5", feed("never"), kind="application/rss+xml"),
        ]
    )

    async def links() -> list[str]:
        found = read_feed(first.body, first.url, first.content_type)
        return [link for older in [one async for one in older_entries(pages, found)] for link in links_of(older)]

    assert run_at_once(links()) == [f"{HOST}/{name}/" for name in ("d", "c", "b", "a")]


def _entry(*authors: str) -> FeedEntry:
    return FeedEntry(authors=authors, tags=("Sea",))


@pytest.mark.parametrize(
    ("in_feed", "authors"), [((), ()), (("Ada",), ("Ben",)), (("ADA",), ("Ben",)), (("A guest",), ())]
)
def test_authors_that_a_platform_lists_count_where_the_feed_names_the_same(
    in_feed: tuple[str, ...], authors: tuple[str, ...]
) -> None:
    named = NamedUrls()
    listed = {f"{HOME}tides/": _entry("Ada"), f"{HOME}bread/": _entry("Ben"), f"{HOME}about/": FeedEntry(title="About")}
    named.add_entries(listed, {"salt.example/tides": _entry(*in_feed)})
    assert named.listed_entry(f"{HOME}bread/") == _entry(*authors)
    assert named.listed_entry(f"{HOME}tides/") is None
    assert named.listed_entry(f"{HOME}about/") is None


@pytest.mark.parametrize(("ruled", "authors"), [(("tags",), ("Ada",)), (("authors", "tags"), None)])
def test_older_pages_of_a_feed_are_read_where_they_tell_more_than_the_pages(
    page: MakePage, stored: StorePages, ruled: tuple[str, ...], authors: tuple[str, ...] | None
) -> None:
    def signed(*names: str) -> str:
        rss = feed(*names).replace("<rss", "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'")
        for name, author in zip("abcd", ["Ada", "Ben"] * 2, strict=True):
            rss = rss.replace(f"<title>{name}</title>", f"<dc:creator>{author}</dc:creator><title>{name}</title>")
        return rss

    first, second = page(f"{HOME}feed/", signed("d", "c")), page(f"{HOME}feed/?paged=2", signed("b", "a"))
    newest = read_feed(first.body, first.url, first.content_type)
    rule = FieldRule(rule=Rule(kind="class", value="x"), confidence=0.9, pages=2, of_pages=2)
    profile = BlogProfile(
        home_url=HOME,
        rules=RuleSet(fields=dict.fromkeys(ruled, (rule,))),
        pattern=post_pattern(()),
        scope=Scope.of(HOME),
        feeds=(newest,),
        sitemap={f"{HOME}{name}/": True for name in "abcd"},
    )
    named = NamedUrls()

    async def urls() -> list[str]:
        return [url async for url in listed_urls(stored([first, second]), profile, named, None)]

    assert {*run_at_once(urls())} == {f"{HOME}{name}/" for name in "abcd"}
    entry = named.listed_entry(f"{HOME}a/")
    assert (entry and entry.authors) == authors


def test_doubtful_entry_of_a_feed_is_no_listed_post_although_a_sitemap_names_it() -> None:
    named, url = NamedUrls(), f"{HOME}uses/"
    named.add_listed(url, "feed", expected=False)
    named.add_sitemap({url: True}, post_pattern([f"{HOME}tides/"]), Scope.of(HOME))
    assert (named.is_expected(url), named.is_listed_post(url)) == (True, False)
    named.add_listed(url, "platform")
    assert named.is_listed_post(url)
