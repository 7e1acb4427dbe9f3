"""Opt-outs from archiving and mining in a page, its headers and its host."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.blog.optouts import Reservations, metas_in, optouts, page_optouts, reservations_in, reservations_url
from posterity.model import Page

URL = "https://blog.example/.well-known/tdmrep.json"
POEM = "https://blog.example/poems/tides/"
RULES = b"""[
    {"location": "/", "tdm-reservation": 0},
    {"location": "/poems/", "tdm-reservation": 1, "tdm-policy": "https://blog.example/policy.json"},
    {"location": "/poems/free/*", "tdm-reservation": 0},
    {"location": "*.pdf$", "tdm-reservation": "1"}
]"""


def response(
    body: bytes, status: int = 200, *, url: str = URL, kind: str = "", headers: tuple[tuple[str, str], ...] = ()
) -> Page:
    at = datetime(2021, 3, 12, tzinfo=UTC)
    return Page(url=url, requested_url=url, status=status, content_type=kind, body=body, fetched_at=at, headers=headers)


@pytest.mark.parametrize(
    ("url", "reserved"),
    [
        ("https://blog.example/2021/a-post/", False),
        (POEM, True),
        ("https://blog.example/poems/free/tides/", False),
        ("https://blog.example/a/b.pdf", True),
        ("https://blog.example/a/b.pdf?page=2", False),
        ("https://elsewhere.example/poems/tides/", False),
        ("https://[broken/poems/", False),
    ],
)
def test_longest_pattern_that_fits_decides(url: str, reserved: bool) -> None:
    assert reservations_in(response(RULES)).reserve(url) == reserved


@pytest.mark.parametrize(
    ("body", "status"),
    [(RULES, 404), (b"<h1>Welcome</h1>", 200), (b"{}", 200), (b'["/", {"location": 5}, {}]', 200), (b"\xff", 200)],
)
def test_what_is_no_such_file_reserves_nothing(body: bytes, status: int) -> None:
    assert not reservations_in(response(body, status)).reserve(POEM)


def test_reservations_lie_at_the_root_of_the_host() -> None:
    assert reservations_url("https://blog.example/ada/2021/") == URL


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


def test_page_header_and_host_are_asked_together_and_each_word_comes_once() -> None:
    meta = b"<meta name=robots content='noarchive, noai'>"
    page = response(meta, url=POEM, kind="text/html", headers=(("x-robots-tag", "noarchive"),))
    assert page_optouts(page, reservations_in(response(RULES))) == ("noarchive", "noai", "tdm-reservation")
    assert page_optouts(page, Reservations()) == ("noarchive", "noai")


@pytest.mark.parametrize(
    ("body", "headers"),
    [(b"", (("tdm-reservation", "0"),)), (b"<meta name=tdm-reservation content=0>", ())],
    ids=["header", "meta"],
)
def test_page_overrides_its_host(body: bytes, headers: tuple[tuple[str, str], ...]) -> None:
    page = response(body, url=POEM, kind="text/html", headers=headers)
    assert page_optouts(page, reservations_in(response(RULES))) == ()


@pytest.mark.parametrize(("kind", "asked"), [("text/html; charset=utf-8", 1), ("", 1), ("text/plain", 0)])
def test_only_html_has_meta_elements(kind: str, asked: int) -> None:
    page = response(b"<meta name=robots content=noarchive>", url=POEM, kind=kind)
    assert len(page_optouts(page, Reservations())) == asked
