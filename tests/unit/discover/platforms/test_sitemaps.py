"""Ghost, Hashnode and Medium: lists of posts as sitemaps and archive pages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.unit.discover.platforms.walk import sitemap, sitemap_index, urls, walk

from posterity.discover.platforms import ListedPost, ghost, hashnode, medium, platforms_of
from posterity.discover.sitemap import read_sitemap
from posterity.dom import parse

HOME = "https://blog.example/"


@pytest.mark.parametrize(
    ("url", "markup", "names"),
    [
        (HOME, "<meta name=generator content='Ghost 5.82'>", ["ghost"]),
        (HOME, "<script data-ghost='https://blog.example/'></script>", ["ghost"]),
        (HOME, "<meta name=generator content='Ghostwriter'>", []),
        ("https://name.hashnode.dev/", "", ["hashnode"]),
        (HOME, "<link rel=icon href='https://cdn.hashnode.com/res/x.png'>", ["hashnode"]),
        ("https://hashnode.dev/", "", []),
        ("https://medium.com/@name", "", ["medium"]),
        ("https://medium.com/publication", "", ["medium"]),
        ("https://name.medium.com/", "", ["medium"]),
        (HOME, "<meta property='al:android:package' content='com.medium.reader'>", ["medium"]),
        ("https://medium.com/", "", []),
    ],
)
def test_a_blog_is_recognised_by_its_host_or_its_page(url: str, markup: str, names: list[str]) -> None:
    assert [platform.name for platform in platforms_of(parse(markup, url))] == names


def test_entries_of_a_sitemap_are_read_past_images_entities_and_a_sudden_end() -> None:
    body = (
        b"<urlset><url><loc> https://a.example/?a=1&amp;b=2 </loc><image:image><image:loc>https://a.example/i.png"
        b"</image:loc></image:image><lastmod>2024-01-02</lastmod></url><url><loc><![CDATA[https://a.example/b]]></loc>"
        b"</url><url><loc>https://a.example/c</loc></url><url><lo"
    )
    found = read_sitemap(body)
    assert found is not None
    assert found.pages == {
        "https://a.example/?a=1&b=2": "2024-01-02",
        "https://a.example/b": None,
        "https://a.example/c": None,
    }


def test_ghost_lists_its_posts_in_one_sitemap() -> None:
    result, asked = walk(ghost, HOME, {f"{HOME}sitemap-posts.xml": sitemap(f"{HOME}a/", "http://[::1/", f"{HOME}b/")})
    assert asked == [f"{HOME}sitemap-posts.xml"]
    assert urls(result) == [f"{HOME}a/", f"{HOME}b/"]
    assert result.posts[0].updated == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def test_ghost_in_a_folder_is_asked_in_its_folder() -> None:
    pages = {f"{HOME}blog/sitemap-posts.xml": sitemap(f"{HOME}blog/a/")}
    result, _ = walk(ghost, f"{HOME}blog/page/2/", pages, "<script data-ghost='https://blog.example/blog'></script>")
    assert urls(result) == [f"{HOME}blog/a/"]


def test_a_full_sitemap_of_ghost_leads_to_those_that_the_index_names() -> None:
    full = sitemap(*(f"{HOME}{number}/" for number in range(50_000)))
    pages = {
        f"{HOME}sitemap-posts.xml": full,
        f"{HOME}sitemap.xml": sitemap_index(*(f"{HOME}sitemap-{name}.xml" for name in ("pages", "posts", "posts-2"))),
        f"{HOME}sitemap-posts-2.xml": sitemap(f"{HOME}last/"),
    }
    result, asked = walk(ghost, HOME, pages)
    assert len(result.posts) == 50_001
    assert f"{HOME}sitemap-pages.xml" not in asked


@pytest.mark.parametrize("home", [HOME, f"{HOME}blog/"])
def test_hashnode_lists_posts_beside_pages_and_tags(home: str) -> None:
    body = sitemap(f"{home}a", f"{home}b", extra="<priority>0.8</priority>")
    others = f"<url><loc>{home}about</loc><priority>1</priority></url><url><loc>{home}tag/x</loc></url>"
    others += f"<url><loc>{home}</loc><priority>1</priority><lastmod>2024-01-02</lastmod></url></urlset>"
    result, _ = walk(hashnode, home, {f"{home}sitemap.xml": body.replace(b"</urlset>", others.encode())})
    assert urls(result) == [f"{home}a", f"{home}b"]


def test_medium_on_its_own_host_names_its_posts_in_sitemaps() -> None:
    pages = {
        f"{HOME}sitemap/sitemap.xml": sitemap_index(
            f"{HOME}sitemap/users/users.xml", f"{HOME}sitemap/posts/2024/posts-2024-05-06.xml"
        ),
        f"{HOME}sitemap/posts/2024/posts-2024-05-06.xml": sitemap(f"{HOME}about", f"{HOME}a-story-0123456789ab"),
    }
    result, asked = walk(medium, HOME, pages)
    assert asked == list(pages)
    assert urls(result) == [f"{HOME}a-story-0123456789ab"]


FEED = b"""<rss version="2.0"><channel><title>N</title><item><title>A</title>
<link>https://medium.com/@name/a-0123456789ab?source=rss-1</link><pubDate>Tue, 02 Jan 2024 03:04:05 GMT</pubDate></item>
<item><title>B</title><link>https://medium.com/@name/b-0123456789ac</link><pubDate>Mon, 01 Jan 0001</pubDate></item>
</channel></rss>"""


def test_a_profile_on_medium_has_its_feed_alone() -> None:
    result, asked = walk(medium, "https://medium.com/@name", {"https://medium.com/feed/@name": FEED})
    assert asked == ["https://medium.com/feed/@name"]
    assert result.posts == (
        ListedPost(
            url="https://medium.com/@name/a-0123456789ab",
            title="A",
            published=datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC),
        ),
        ListedPost(url="https://medium.com/@name/b-0123456789ac", title="B"),
    )


def test_a_publication_on_medium_is_walked_by_its_archive() -> None:
    place = "https://medium.com/pub"
    pages = {
        f"{place}/archive": b"<a href='/pub/archive/2023'>2023</a><a href='/pub/about'>About</a>",
        f"{place}/archive/2023": b"<a href='/pub/archive/2023/05?x=1'>May</a><a href='/pub/archive/2023'>2023</a>",
        f"{place}/archive/2023/05": (
            b"<a href='/pub/a-0123456789ab?source=collection'><img></a><a href='/pub/a-0123456789ab'>A</a>"
            b"<a href='/other/b-0123456789ac'>B</a><a href='http://[::1/'>C</a>"
        ),
    }
    result, asked = walk(medium, place, pages)
    assert asked == ["https://medium.com/feed/pub", *pages]
    assert result.posts == (ListedPost(url=f"{place}/a-0123456789ab", title="A"),)
    assert result.failed_pages == ("https://medium.com/feed/pub",)
