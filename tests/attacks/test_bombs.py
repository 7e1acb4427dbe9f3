"""What unpacks to much more than it weighs costs a bounded amount of memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib

import pytest

from posterity.archive.warc_reader import MAX_DECODED_BYTES, decoded_body
from posterity.discover.sitemap import read_sitemap

_MEGABYTE = 1024 * 1024
# Measured in a process of its own: the peak of this one is that of all tests before.
_PEAK = """
import resource, sys
from posterity.discover.sitemap import read_sitemap
read_sitemap(b"<urlset></urlset>")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read_sitemap(sys.stdin.buffer.read())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def _packed(text: bytes, megabytes: int) -> bytes:
    pack = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    head = b"<?xml version='1.0'?><urlset>"
    block = text * (_MEGABYTE // len(text))
    return b"".join([pack.compress(head), *(pack.compress(block) for _ in range(megabytes)), pack.flush()])


@pytest.mark.parametrize("text", [b"<a/>", b"<url><a/>", b"<url></url>", b"<url><loc>x</loc></url>", b" "])
def test_memory_for_a_sitemap_does_not_follow_what_it_unpacks_to(text: bytes) -> None:
    bomb = _packed(text, 80)
    assert len(bomb) < 2 * _MEGABYTE
    done = subprocess.run([sys.executable, "-c", _PEAK], input=bomb, capture_output=True, check=True)
    assert int(done.stdout) < 250 * 1024  # kilobytes: the unpacked limit of 60 MB, twice, and some


def test_sitemap_gives_its_urls_in_order() -> None:
    urls = [f"https://blog.example/{number}" for number in range(3000)]
    entries = "".join(f"<url><loc> {url} </loc><x/><lastmod>2024-01-01</lastmod></url>" for url in urls)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    found = read_sitemap(gzip.compress(body))
    assert found is not None
    assert list(found.pages.items()) == [(url, "2024-01-01") for url in urls]


def test_body_that_is_packed_again_and_again_is_unpacked_within_the_limit() -> None:
    body = b" " * (4 * _MEGABYTE)
    for _ in range(3):
        body = gzip.compress(body)
    assert len(decoded_body(body, ", ".join(["gzip"] * 1000))) <= MAX_DECODED_BYTES
