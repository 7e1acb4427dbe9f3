"""What a page asks of archives and miners."""

from __future__ import annotations

import pytest

from posterity.crawl.capture import metas_in, optouts


@pytest.mark.parametrize(
    ("header", "value", "asked"),
    [
        ("X-Robots-Tag", "noarchive", ("noarchive",)),
        ("x-robots-tag", "noindex, NoAI , noimageai", ("noai", "noimageai")),
        ("X-Robots-Tag", "otherbot: noarchive", ()),
        ("X-Robots-Tag", "posterity: noarchive", ("noarchive",)),
        ("X-Robots-Tag", "noindex, nosnippet", ()),
        ("TDM-Reservation", "1", ("tdm-reservation",)),
        ("tdm-reservation", "0", ()),
    ],
)
def test_headers(header: str, value: str, asked: tuple[str, ...]) -> None:
    assert optouts([(header, value)], []) == asked


@pytest.mark.parametrize(
    ("html", "asked"),
    [
        (b'<meta name="robots" content="noarchive,noai">', ("noarchive", "noai")),
        (b"<META CONTENT='noarchive' NAME='ROBOTS'/>", ("noarchive",)),
        (b"<meta name=robots content=noai>", ("noai",)),
        (b'<meta name="tdm-reservation" content="1">', ("tdm-reservation",)),
        (b'<meta name="description" content="noarchive">', ()),
        (b'<meta name="robots"><meta charset="utf-8">', ()),
        (b"\xff\xfe<meta name=robots content=\xff>", ()),
    ],
)
def test_elements_of_the_page(html: bytes, asked: tuple[str, ...]) -> None:
    assert optouts([], metas_in(html)) == asked
