"""Sitemaps are read leniently."""

from __future__ import annotations

import gzip

import pytest

from posterity.discover.sitemap import Sitemap, read_sitemap

XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9"
PAGES = f"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>
<urlset xmlns="{XMLNS}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://blog.example/tides/ </loc><lastmod>2021-03-12</lastmod>
<image:image><image:loc>https://blog.example/tides.png</image:loc></image:image></url>
<url><loc>https://blog.example/bread/?utm_source=x&amp;p=1</loc></url>
<url><lastmod>2021-03-12</lastmod></url>
<url><loc>/relative/</loc></url>
<!-- <url><loc>https://blog.example/hidden/</loc></url> -->
</urlset>"""
READ = {"https://blog.example/tides/": "2021-03-12", "https://blog.example/bread/?p=1": None}


def test_pages_with_their_last_change() -> None:
    assert read_sitemap(PAGES.encode()) == Sitemap(pages=READ)


def test_paths_are_those_of_the_host_of_the_file() -> None:
    whole = {**READ, "https://blog.example/relative/": None}
    assert read_sitemap(PAGES.encode(), "https://blog.example/maps/posts.xml") == Sitemap(pages=whole)


def test_index_names_further_sitemaps() -> None:
    index = f"""<sitemapindex xmlns="{XMLNS}"><sitemap><loc>https://blog.example/posts-1.xml</loc>
    <lastmod>2021-03-12</lastmod></sitemap><sitemap><loc>https://blog.example/posts-2.xml.gz</loc></sitemap>
    </sitemapindex>"""
    assert read_sitemap(index.encode()) == Sitemap(
        sitemaps={"https://blog.example/posts-1.xml": "2021-03-12", "https://blog.example/posts-2.xml.gz": None}
    )


def test_packed_file_is_unpacked() -> None:
    assert read_sitemap(gzip.compress(PAGES.encode())) == Sitemap(pages=READ)


def test_all_members_of_a_packed_sitemap_are_read() -> None:
    half = len(PAGES) // 2
    packed = gzip.compress(PAGES[:half].encode()) + gzip.compress(b"") + gzip.compress(PAGES[half:].encode())
    assert read_sitemap(packed) == Sitemap(pages=READ)
    assert read_sitemap(packed + b"garbage") == Sitemap(pages=READ)


def test_lines_of_text() -> None:
    body = b"https://blog.example/tides/\r\n\r\nhttps://blog.example/bread/\n"
    assert read_sitemap(body) == Sitemap(
        pages={"https://blog.example/tides/": None, "https://blog.example/bread/": None}
    )


@pytest.mark.parametrize("prefix", ["sm:", "ns0:"])
def test_names_with_a_prefix(prefix: str) -> None:
    name = prefix.removesuffix(":")
    body = (
        f'<{prefix}urlset xmlns:{name}="{XMLNS}"><{prefix}url><{prefix}loc>https://blog.example/a/</{prefix}loc>'
        f"</{prefix}url></{prefix}urlset>"
    )
    assert read_sitemap(body.encode()) == Sitemap(pages={"https://blog.example/a/": None})


def test_broken_end_costs_what_follows_it() -> None:
    cut = PAGES.encode()[: PAGES.index("<url><loc>https://blog.example/bread/") + 12]
    assert read_sitemap(cut) == Sitemap(pages={"https://blog.example/tides/": "2021-03-12"})
    packed = gzip.compress(PAGES.encode())
    assert read_sitemap(packed[:-8]) == Sitemap(pages=READ)


def test_bad_entry_costs_that_entry() -> None:
    broken = PAGES.replace("/relative/", "https://blog.example/a & b/").replace("<urlset", "\n<urlset")
    found = read_sitemap(broken.encode())
    assert found is not None
    assert READ.items() <= found.pages.items()


def test_entities_of_the_file_are_not_expanded() -> None:
    body = f"""<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><urlset xmlns="{XMLNS}">
    <url><loc>https://blog.example/&a;</loc></url></urlset>"""
    found = read_sitemap(body.encode())
    assert found is not None
    assert all(url == "https://blog.example/" for url in found.pages)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>Not found</title>",
        b"<rss version='2.0'><channel></channel></rss>",
        b"User-agent: *\nDisallow: /",
        b"\x1f\x8b\x08broken",
        b"\x89PNG\r\n\x1a\n",
    ],
)
def test_what_is_no_sitemap_is_none(body: bytes) -> None:
    assert read_sitemap(body) is None


def test_url_without_scheme_is_not_a_path() -> None:
    body = f'<urlset xmlns="{XMLNS}"><url><loc>blog.example/tides/</loc></url></urlset>'.encode()
    expected = Sitemap(pages={"https://blog.example/tides/": None})
    assert read_sitemap(body, "https://blog.example/maps/posts.xml") == expected
