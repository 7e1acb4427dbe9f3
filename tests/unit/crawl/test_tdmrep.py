"""Which pages a host reserves by /.well-known/tdmrep.json."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.crawl.tdmrep import reservations_in
from posterity.model import Page

URL = "https://blog.example/.well-known/tdmrep.json"
RULES = b"""[
    {"location": "/", "tdm-reservation": 0},
    {"location": "/poems/", "tdm-reservation": 1, "tdm-policy": "https://blog.example/policy.json"},
    {"location": "/poems/free/*", "tdm-reservation": 0},
    {"location": "*.pdf$", "tdm-reservation": "1"}
]"""


def answer(body: bytes, status: int = 200) -> Page:
    at = datetime(2021, 3, 12, tzinfo=UTC)
    return Page(url=URL, requested_url=URL, status=status, body=body, fetched_at=at)


@pytest.mark.parametrize(
    ("url", "reserved"),
    [
        ("https://blog.example/2021/a-post/", False),
        ("https://blog.example/poems/tides/", True),
        ("https://blog.example/poems/free/tides/", False),
        ("https://blog.example/a/b.pdf", True),
        ("https://blog.example/a/b.pdf?page=2", False),
        ("https://elsewhere.example/poems/tides/", False),
    ],
)
def test_longest_pattern_that_fits_decides(url: str, reserved: bool) -> None:
    assert reservations_in(answer(RULES)).reserve(url) == reserved


@pytest.mark.parametrize(
    ("body", "status"),
    [(RULES, 404), (b"<h1>Welcome</h1>", 200), (b"{}", 200), (b'["/", {"location": 5}, {}]', 200), (b"\xff", 200)],
)
def test_what_is_no_such_file_reserves_nothing(body: bytes, status: int) -> None:
    assert not reservations_in(answer(body, status)).reserve("https://blog.example/poems/tides/")
