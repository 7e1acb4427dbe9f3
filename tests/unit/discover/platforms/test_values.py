"""External values have the expected type or are None."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.discover.platforms.values import count_of, host_of, moment_of, moment_of_epoch, text_of_html, url_of


@pytest.mark.parametrize(
    "value",
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+02:00", "9999-12-31T23:00:00-05:00", "0000-00-00T00:00:00", "x", 5],
)
def test_a_date_that_is_none_or_overflows_is_none(value: object) -> None:
    assert moment_of(value) is None


def test_dates_are_in_utc() -> None:
    expected = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    for text in ("2024-01-02T03:04:05", "2024-01-02T04:04:05+01:00", "2024-01-02 03:04:05 GMT", "2024-01-02T03:04:05Z"):
        assert moment_of(text) == expected
    assert moment_of_epoch(1704164645000, 1000) == moment_of_epoch("1704164645") == expected


@pytest.mark.parametrize("value", [0, -1, 10**14, 10**300, "1e9", None])
def test_an_epoch_that_is_none_or_out_of_range_is_none(value: object) -> None:
    assert moment_of_epoch(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "http://[::1/a",
        "http://[not-an-address]/",
        "http://a.example:65536/",
        "http://a.example:x/",
        "http:///a",
        "http://a..example/",
        f"http://{'a' * 64}.example/",
        "ftp://a.example/",
        "mailto:a@b.example",
        "",
        None,
        7,
    ],
)
def test_a_url_that_nobody_can_request_is_none(value: object) -> None:
    assert url_of("https://blog.example/", value) is None


def test_urls_are_absolute() -> None:
    assert url_of("https://blog.example/a/", "../b") == "https://blog.example/b"
    assert url_of("https://blog.example/", "http://[::1]:8080/b") == "http://[::1]:8080/b"
    assert host_of("https://BLOG.example:443/") == "blog.example"


@pytest.mark.parametrize(
    ("value", "count"), [("12", 12), (12, 12), (True, None), ("²", None), ("9" * 5000, None), (-1, None)]
)
def test_counts_are_numbers_or_digits(value: object, count: int | None) -> None:
    assert count_of(value) == count


def test_titles_lose_their_markup() -> None:
    assert text_of_html("A <i>b</i> &amp;\n c") == "A b & c"
    assert text_of_html("") is None
