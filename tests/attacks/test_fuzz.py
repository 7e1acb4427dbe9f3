"""Any bytes give a value or a `PosterityError`, never another exception.

    POSTERITY_FUZZ_EXAMPLES=100000 pytest tests/attacks/test_fuzz.py     for a longer run

Examples are valid inputs with pieces removed, repeated, replaced or inserted, and random bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posterity import extract
from posterity.archive.warc_reader import decoded_body, members
from posterity.discover.feed import read_feed
from posterity.discover.sitemap import read_sitemap
from posterity.errors import PosterityError
from posterity.http_client import robots_rules
from posterity.importer.records.wxr import records_in_wxr
from posterity.model import Post, RuleSet, from_json

_EXAMPLES = int(os.environ.get("POSTERITY_FUZZ_EXAMPLES", "60"))
_URL = "https://blog.example/2024/01/post/"

_PAGE = b"""<!doctype html><html lang=en><head><meta charset=utf-8><title>A post</title>
<script type="application/ld+json">{"@type": "BlogPosting", "datePublished": "2024-01-01T00:00:00Z"}</script></head>
<body><article class="post"><h1>A post</h1><time datetime="2024-01-01">1 January</time><p>Some words to read here.</p>
<table><tr><td colspan=2>cell</table><math><mi>x</mi></math><img srcset="a.png 1x, b.png 2x"></article>
<ol class="comments"><li id="c1"><cite>Ann</cite><p>Well said.</p></li></ol></body></html>"""
_FEED = b"""<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Blog</title>
<link>https://blog.example/</link><item><title>A</title><link>https://blog.example/a</link>
<pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate><description><![CDATA[<p>Words</p>]]></description></item></channel>
</rss>"""
_JSON_FEED = (
    b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 1, "url": "/a", "authors": [{"name": "A"}]}]}'
)
_SITEMAP = (
    b"<?xml version='1.0'?><urlset><url><loc>https://blog.example/a</loc><lastmod>2024-01-01</lastmod></url></urlset>"
)
_ROBOTS = b"User-agent: *\nDisallow: /a*$\nCrawl-delay: 1\nSitemap: https://blog.example/sitemap.xml\n"
_WARC = (
    b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
    b"WARC-Target-URI: https://blog.example/\r\nContent-Length: 45\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhi\r\n\r\n"
)
_WXR = b"""<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Blog</title><link>https://blog.example</link>
<wp:wxr_version>1.2</wp:wxr_version><item><title>A</title><link>https://blog.example/a</link>
<content:encoded><![CDATA[Words]]></content:encoded><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>
<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>Hi</wp:comment_content></wp:comment></item></channel></rss>"""
_RULES = b'{"fields": {"text": [{"rule": "div.entry", "confidence": 0.9}]}, "version": 1, "evidence": []}'
_RECORD = b'{"id": "p1", "url": "https://blog.example/a", "text": "Words", "published": "2024-01-01T00:00:00Z"}'

_MARKUP = (b"<", b">", b"</", b"<!--", b"]]>", b"&#0;", b"&amp;", b"<b>" * 40, b'"', b"{", b"[" * 50, b"\r\n\r\n")
_ODD = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"-1",
    b"9" * 30,
    b"1e999",
    b"null",
    b"%zz",
    b"http://[::1",
    b"\xe2\x80\xae",
)
_PIECES = st.sampled_from(_MARKUP + _ODD)


@st.composite
def _broken(draw: st.DrawFn, seed: bytes) -> bytes:
    """A valid input with a few changes."""
    found = seed
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(found)))
        stop = draw(st.integers(start, min(len(found), start + 40)))
        new = draw(st.one_of(_PIECES, st.binary(max_size=12), st.just(found[start:stop] * 2)))
        found = found[:start] + new + found[stop:]
    return found


def _read_members(body: bytes) -> None:
    for member in members(BytesIO(body)):
        decoded_body(member.content or b"", "gzip")


_TARGETS: dict[str, tuple[bytes, Callable[[bytes], object]]] = {
    "page": (_PAGE, lambda body: extract(body, url=_URL)),
    "feed": (_FEED, lambda body: read_feed(body, _URL)),
    "JSON feed": (_JSON_FEED, lambda body: read_feed(body, _URL)),
    "sitemap": (_SITEMAP, read_sitemap),
    "robots": (_ROBOTS, lambda body: robots_rules(200, body, "Posterity")),
    "WARC": (_WARC, _read_members),
    "WXR": (_WXR, lambda body: list(records_in_wxr(BytesIO(body), "blog.xml"))),
    "rule file": (_RULES, lambda body: from_json(body, RuleSet)),
    "JSON body": (_RECORD, lambda body: from_json(body, Post)),
}


@pytest.mark.parametrize("target", _TARGETS)
def test_any_bytes_are_read_or_refused(target: str) -> None:
    seed, read = _TARGETS[target]

    @settings(max_examples=_EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.one_of(_broken(seed), st.binary(max_size=200)))
    def fuzz(body: bytes) -> None:
        with suppress(PosterityError):
            read(body)

    fuzz()
