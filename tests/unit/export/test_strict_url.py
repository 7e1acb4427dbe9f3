"""URLs for strict parsers, and image types detected from bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.export.media_paths import image_extension, image_type
from posterity.export.xml import strict_url, strict_web_url

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("url", "strict"),
    [
        ("https://x.example/a b?c=[d]#e#f", "https://x.example/a%20b?c=%5Bd%5D#e%23f"),
        ("http://x.example:80/100%", "http://x.example:80/100%25"),
        ("http://x.example/%E6%BD%AE", "http://x.example/%E6%BD%AE"),
        ("http://x.example/潮", "http://x.example/%E6%BD%AE"),
        ("mailto:ann@x.example", None),
        ("http://", None),
        ("http://a b/", None),
    ],
)
def test_address_of_the_web(url: str, strict: str | None) -> None:
    assert strict_web_url(url) == strict


@given(st.text())
def test_any_text_becomes_an_address_without_what_is_not_allowed(text: str) -> None:
    address = strict_url(text)
    assert address.isascii()
    assert not set(address) & set(' <>"{}|\\^`[]')
    urlsplit(address)


@pytest.mark.parametrize(
    ("content", "mime"),
    [
        (b"\xff\xd8\xff\xe0JFIF", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"GIF89a", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x1cftypavif....", "image/avif"),
        (b"<!doctype html>", None),
        (b"", None),
    ],
)
def test_type_of_a_picture(tmp_path: Path, content: bytes, mime: str | None) -> None:
    (tmp_path / "x").write_bytes(content)
    assert image_type(tmp_path / "x") == mime
    if mime is not None:
        assert image_extension(mime).startswith(".")


def test_no_file_is_no_picture(tmp_path: Path) -> None:
    assert image_type(tmp_path / "nothing") is None
