"""A bad value in a feed, a sitemap or a page affects only its own entry.

A small blog with bad values in external fields is read by the whole pipeline: feeds, sitemaps, learning, records.
"""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.blog.records import stored_records
from posterity.blog.stored import stored_profile
from posterity.discover.sitemap import read_sitemap
from posterity.model import Page, Post

HOST = "https://blog.example"
THEN = datetime(2024, 5, 6, tzinfo=UTC)
SLUGS = ("tides", "bread", "lamps", "ropes", "radios", "kites")
WORDS = "harbour winter morning kettle window ladder garden letter engine basket".split()

BAD_URLS = st.sampled_from(
    ["http://[::1", "http://blog.example:99999999/x", "http://blog.example:port/", "http://", "//", "http:///x", "%%%",
     "\\\\x", "javascript:void(0)", "data:,x", "http://xn--/", "http://a..b/", "ht!tp://x", "http://user:pa@ss@[host]/",
     "mailto:", "?", "#", "http://blog.example/\x7f", "http://ex\u00adample.\u3002com/", "x" * 5000, "", " ", "\ud7ff", "http://1e400:80/"]
)  # fmt: skip
BAD_DATES = st.sampled_from(
    ["Mon, 01 Jan 0001 00:00:00 +0000", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "99999-01-01",
     "2024-02-31", "2024-13-45T99:99:99Z", "Thu, 32 Foo 20024 25:61:61 +9999", "1e309", "-1", "0", "tomorrow", "",
     "\u0662\u0660\u0662\u0664", "2024-05-06T00:00:00+99:99", "١٤٤٥/١٠/٢٧", "NaN", "9" * 400]
)  # fmt: skip
BAD_NUMBERS = st.sampled_from(["-1", "1e9", "NaN", "", "9" * 400, "٣", "0x10", "many", "1.5", "²"])
BAD_TEXTS = st.one_of(
    st.sampled_from(["", "\u202e\u0000", "]]>", "<b>", "&#0;&#xD800;&bogus;", "a" * 3000, "\ufeff", "\x0b"]),
    st.text(max_size=30),
)


def text_of(slug: str) -> str:
    return " ".join(f"{word}{place}{slug}" for place in range(4) for word in WORDS) + "."


def markup(value: str) -> str:
    return escape("".join(char for char in value if char >= " " or char in "\n\t"), {'"': "&quot;"})


@st.composite
def odd_pages(draw: st.DrawFn) -> list[Page]:
    """A blog of six good posts, with bad values beside the good ones in every field."""

    def url() -> str:
        return markup(draw(BAD_URLS))

    def date() -> str:
        return markup(draw(BAD_DATES))

    def number() -> str:
        return markup(draw(BAD_NUMBERS))

    def text() -> str:
        return markup(draw(BAD_TEXTS))

    bad_entries = "".join(
        f"<item><title>{text()}</title><link>{url()}</link><guid>{url()}</guid><pubDate>{date()}</pubDate>"
        f"<dc:creator>{text()}</dc:creator><slash:comments>{number()}</slash:comments><comments>{url()}</comments>"
        f'<wfw:commentRss>{url()}</wfw:commentRss><enclosure url="{url()}" length="{number()}" type="{text()}"/>'
        f"<category>{text()}</category><description>{text()}</description></item>"
        for _ in range(2)
    )
    good_entries = "".join(
        f"<item><title>On {slug}</title><link>{HOST}/{slug}/</link><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate>"
        f"<content:encoded>{escape(f'<p>{text_of(slug)}</p>')}</content:encoded></item>"
        for slug in SLUGS
    )
    feed = (
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:content="http://purl.org/rss/1.0/modules/content/">'
        f"<channel><title>{text()}</title><link>{HOST}/</link><language>{text()}</language>{bad_entries}{good_entries}"
        "</channel></rss>"
    )
    locations = "".join(f"<url><loc>{HOST}/{slug}/</loc><lastmod>{date()}</lastmod></url>" for slug in SLUGS)
    sitemap = f"<urlset>{locations}<url><loc>{url()}</loc><priority>{number()}</priority></url></urlset>"
    links = "".join(f'<a href="/{slug}/">On {slug}</a> ' for slug in SLUGS)
    declared = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    bodies = {"/": f'<html><head>{declared}</head><body>{links}<a href="{url()}">x</a></body></html>'}
    for slug in SLUGS:
        head = (
            f'<link rel="canonical" href="{url()}"><meta property="og:url" content="{url()}">'
            f'<meta name="author" content="{text()}">'
            f'<meta property="article:published_time" content="{date()}"><link rel="next" href="{url()}">'
            f'<script type="application/ld+json">{{"@type":"BlogPosting","datePublished":"{date()}",'
            f'"image":"{url()}"}}</script>'
        )
        media = f'<img src="{url()}" srcset="{url()} {number()}w, {url()} 2x" width="{number()}">'
        media += f'<iframe src="{url()}"></iframe>'
        table = f'<table><tr><td colspan="{number()}" rowspan="{number()}">x</td></tr></table>'
        table += f'<ol start="{number()}"><li>y</li></ol>'
        article = f'<p>{text_of(slug)}</p>{media}{table}<a href="{url()}">{text()}</a>'
        times = f'<time datetime="{date()}">{date()}</time>'
        bodies[f"/{slug}/"] = (
            f'<html lang="{text()}"><head><title>On {slug}</title>{head}</head><body><article><h1>On {slug}</h1>{times}'
            f"<div class=entry>{article}</div></article></body></html>"
        )
    pages = [("/feed.xml", "application/rss+xml", feed), ("/sitemap.xml", "application/xml", sitemap)]
    pages += [(path, "text/html", body) for path, body in bodies.items()]
    return [
        Page(
            url=HOST + path, requested_url=HOST + path, status=200, content_type=kind,
            body=body.encode("utf-8", "replace"), fetched_at=THEN,
        )
        for path, kind, body in pages
    ]  # fmt: skip


def stored(pages: list[Page]) -> StoredPages:
    responses = [
        StoredResponse(
            url=page.url, status=page.status, content_type=page.content_type, fetched_at=THEN, where=(str(place), 0, 0)
        )
        for place, page in enumerate(pages)
    ]
    return StoredPages(responses, lambda response: pages[int(response.where[0])])  # type: ignore[index]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(odd_pages())
def test_bad_values_cost_only_what_they_belong_to(pages: list[Page]) -> None:
    responses = stored(pages)
    profile = stored_profile(responses, f"{HOST}/")
    records = [each for each in stored_records(responses, profile, "b1", frozenset()) if isinstance(each, Post)]
    found = {urlsplit(post.url).path: post for post in records}
    for slug in SLUGS:
        assert f"morning2{slug}" in found[f"/{slug}/"].text
        published = found[f"/{slug}/"].published
        assert published is None or published.tzinfo is not None


@settings(max_examples=40, deadline=None)
@given(st.lists(BAD_URLS, max_size=5), st.lists(BAD_DATES, max_size=5))
def test_sitemap_keeps_its_good_urls(urls: list[str], dates: list[str]) -> None:
    bad = "".join(f"<url><loc>{markup(url)}</loc></url>" for url in urls)
    bad += "".join(f"<url><loc>{HOST}/x</loc><lastmod>{markup(date)}</lastmod></url>" for date in dates)
    sitemap = read_sitemap(f"<urlset>{bad}<url><loc>{HOST}/tides/</loc></url></urlset>".encode("utf-8", "replace"))
    assert sitemap is not None
    assert f"{HOST}/tides/" in sitemap.pages
