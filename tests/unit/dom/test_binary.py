"""Binary data instead of text."""

from __future__ import annotations

import gzip

import pytest

from posterity.config import ParseLimits
from posterity.dom import parse
from posterity.dom.source import is_binary
from posterity.errors import PageTooLarge


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.4 plain so far",
        b"\x1f\x8b\x08",
        bytes(range(256)) * 4,
        b"PK\x03\x04x",
    ],
)
def test_pictures_and_packages_are_binary(body: bytes) -> None:
    assert is_binary(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<p>tide",
        "<p>Flut".encode("utf-16"),
        "<p>Flut".encode("utf-16-le"),
        "潮が満ちる".encode("iso-2022-jp"),
        "прилив".encode("koi8-r"),
        "潮が満ちる".encode("shift_jis"),
        b"<p>one stray control \x01 in a long line of ordinary words",
        "\x01\x02 a str is text",
    ],
)
def test_text_in_any_encoding_is_not(body: bytes | str) -> None:
    assert not is_binary(body)


def test_compressed_page_is_read_although_no_header_says_that_it_is_compressed() -> None:
    page = gzip.compress("<p>Die Flut kam um halb fünf.".encode())
    assert not is_binary(page)
    assert parse(page, "http://blog.example/").all("p")[0].plain(0) == "Die Flut kam um halb fünf."


def test_compressed_picture_and_damaged_file_are_binary() -> None:
    assert is_binary(gzip.compress(b"\x89PNG\r\n\x1a\n"))
    assert is_binary(gzip.compress(b"<p>tide")[:8])


def test_compressed_page_is_read_up_to_the_limit() -> None:
    with pytest.raises(PageTooLarge):
        parse(gzip.compress(b"<p>" + b"tide " * 1_000_000), "http://blog.example/", limits=ParseLimits(max_bytes=9_000))
