"""Posts over several pages, and several posts on one page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.blog.page_parts import anchored_posts, join_parts, links_to_anchors, part_number, part_urls
from posterity.blog.page_source import run_at_once
from posterity.dom import Document, parse
from posterity.errors import Unreachable
from posterity.extraction import extract_posts
from posterity.model import Feed, FeedEntry, Page, Post

HOST = "https://blog.example"
THEN = datetime(2024, 5, 6, tzinfo=UTC)
WORDS = "tide moon harbour rope anchor gull salt wind sail keel".split()


@pytest.mark.parametrize(
    ("post", "url", "number"),
    [
        ("/tides/", "/tides/2/", 2),
        ("/tides/", "/tides/page/3/", 3),
        ("/tides/", "/tides/?page=2", 2),
        ("/tides/", "/tides/part-2.html", 2),
        ("/tides.html", "/tides/2", 2),
        ("/tides.html", "/tides-2.html", 2),
        ("/show?id=7", "/show?id=7&page=2", 2),
        ("/tides/", "/tides/comment-page-2/", None),
        ("/tides/", "/tides/1/", None),
        ("/tides/", "/moon/2/", None),
        ("/tides/", "/tides/?replytocom=2", None),
        ("/tides/", "/tides/2019/", None),
        ("/tides", "/tides-and-moons", None),
    ],
)
def test_number_of_a_part_is_read_from_its_url(post: str, url: str, number: int | None) -> None:
    assert part_number(HOST + post, HOST + url) == number


def test_url_with_a_number_behind_the_name_of_the_post_may_be_another_post() -> None:
    links = '<a href="/tides-2/">Tides, again</a><a href="/tides/2/">2</a>'
    document = parse(links, f"{HOST}/tides/")
    assert list(part_urls(document, document.url).values()) == [f"{HOST}/tides/2/"]


def page_of(url: str, body: str) -> Page:
    return Page(
        url=url, requested_url=url, status=200, headers=(("Content-Type", "text/html"),), body=body.encode(),
        fetched_at=THEN,
    )  # fmt: skip


class Source:
    """Pages of one post, by URL."""

    def __init__(self, bodies: dict[str, str]) -> None:
        self.bodies = bodies

    async def page(self, url: str) -> Page:
        if url not in self.bodies:
            raise Unreachable(f"{url} returned status 404.", status=404)
        return page_of(url, self.bodies[url])

    def document(self, page: Page) -> Document:
        return parse(page.body, page.url)


def text_of_part(number: int) -> str:
    return "<p>" + " ".join(f"{word}{number}x{place}" for place in range(8) for word in WORDS) + ".</p>"


def post_page(number: int, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">next</a>' for link in links)
    return f"<html><body><article><h1>Tides</h1>{text_of_part(number)}</article>{anchors}</body></html>"


def read(page: Page, document: Document) -> Post | None:
    return next(iter(extract_posts(document)), None)


def join(source: Source, first: str) -> tuple[Post, list[str]]:
    document = parse(source.bodies[first], first)
    post = read(page_of(first, source.bodies[first]), document)
    assert post is not None
    return run_at_once(join_parts(source, document, post, read))  # type: ignore[arg-type]


def test_parts_are_joined_in_order_and_named() -> None:
    first, second, third = (f"{HOST}/tides/{part}" for part in ("", "2/", "3/"))
    source = Source({first: post_page(1, second), second: post_page(2, third), third: post_page(3, second)})
    post, urls = join(source, first)
    assert urls == [second, third]
    assert post.text.index("tide1x0") < post.text.index("tide2x0") < post.text.index("tide3x0")
    assert post.provenance["parts"].rule == f"{second} {third}"


@pytest.mark.parametrize(("title", "joined"), [("Tides", 1), ("Tides, again", 0)])
def test_next_page_with_a_number_behind_its_name_is_a_part_if_it_has_the_same_title(title: str, joined: int) -> None:
    first, second = f"{HOST}/tides.html", f"{HOST}/tides-2.html"
    link = '<a rel="next" href="/tides-2.html">next</a>'
    source = Source({first: post_page(1) + link, second: post_page(2).replace("Tides", title)})
    assert len(join(source, first)[1]) == joined


def test_page_that_repeats_the_first_is_no_part() -> None:
    first, second = f"{HOST}/tides/", f"{HOST}/tides/?page=2"
    source = Source({first: post_page(1, second), second: post_page(1, first)})
    post, urls = join(source, first)
    assert urls == []
    assert "parts" not in post.provenance


def test_missing_part_ends_the_post_and_loses_nothing() -> None:
    first, second, third = (f"{HOST}/tides/{part}" for part in ("", "2/", "3/"))
    source = Source({first: post_page(1, second, third), second: post_page(2)})
    post, urls = join(source, first)
    assert urls == [second]
    assert "wind2x0" in post.text


def test_feed_whose_links_share_pages_links_to_anchors() -> None:
    def feed(*links: str) -> tuple[Feed, ...]:
        return (Feed(url=f"{HOST}/feed", format="rss", entries=tuple(FeedEntry(link=HOST + link) for link in links)),)

    assert links_to_anchors(feed("/2003.html#a1", "/2003.html#a2", "/2004.html#a3", "/2004.html#a4"))
    assert not links_to_anchors(feed("/one#comments", "/two#comments"))
    assert not links_to_anchors(feed("/one", "/two"))


def test_posts_with_anchors_on_one_page_become_records_with_the_anchor_in_their_urls() -> None:
    days = "".join(
        f'<div class="day"><a name="a{number}"></a><h3>Day {number} at sea</h3><h4>0{number} May 2003</h4>'
        f"{text_of_part(number)}</div>"
        for number in range(1, 5)
    )
    url = f"{HOST}/2003.html"
    page = page_of(url, f"<html><body><h1>2003</h1>{days}</body></html>")
    posts = anchored_posts(page, parse(page.body, url), blog="b1", has_feed=True)
    assert [post.url for post in posts] == [f"{url}#a{number}" for number in range(1, 5)]
    assert len({post.id for post in posts}) == 4
    assert "wind3x0" in posts[2].text
    assert "wind2x0" not in posts[2].text


def test_sections_of_a_page_are_posts_only_if_in_the_feed_or_dated_or_on_a_page_called_blog() -> None:
    def sections(path: str, *, date: str, has_feed: bool = False, is_in_feed: bool = False) -> list[str]:
        parts = "".join(f'<h2 id="s{number}">Part {number}</h2>{date}{text_of_part(number)}' for number in range(1, 5))
        page = page_of(HOST + path, f"<html><body><main><h1>All of it</h1>{parts}</main></body></html>")
        document = parse(page.body, page.url)
        posts = anchored_posts(page, document, blog="b1", has_feed=has_feed, is_in_feed=is_in_feed)
        return [post.url.partition("#")[2] for post in posts]

    every = [f"s{number}" for number in range(1, 5)]
    assert sections("/", date="<p>03 May 2003</p>") == every
    assert sections("/weblog/", date="") == every
    assert sections("/product/", date="") == []
    assert sections("/product/", date="", has_feed=True) == []
    assert sections("/product/", date="", has_feed=True, is_in_feed=True) == every
