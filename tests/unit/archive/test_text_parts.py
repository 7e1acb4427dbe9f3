"""Small pure functions: sortable dates, word diffs, content codings, texts on pages, TimeMaps."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.archive.captures import Capture, memento_datetime, nearest, timemap
from posterity.archive.database import date_key
from posterity.archive.history import word_diff
from posterity.archive.takedowns import probes, shows
from posterity.archive.warc_reader import decoded_body

moments = st.datetimes(timezones=st.timezones() | st.just(UTC)).filter(lambda moment: 1 < moment.year < 9999)


@given(moments, moments)
def test_date_keys_sort_like_dates(left: datetime, right: datetime) -> None:
    assert (date_key(left) < date_key(right)) == (left.astimezone(UTC) < right.astimezone(UTC))


def test_a_date_key_is_utc_and_an_absent_date_sorts_last() -> None:
    assert date_key(datetime(2021, 1, 1, 3, tzinfo=timezone(timedelta(hours=5)))) == "2020-12-31T22:00:00.000000Z"
    assert date_key(datetime.max.replace(tzinfo=timezone(-timedelta(hours=9)))) < date_key(None)


def test_a_word_diff_names_what_went_and_what_came() -> None:
    pieces = [(piece.kind, piece.text) for piece in word_diff("high water at noon", "low water at one o'clock")]
    assert pieces == [("out", "high"), ("in", "low"), ("same", " water at "), ("out", "noon"), ("in", "one o'clock")]


@given(st.text(), st.text())
def test_both_texts_can_be_read_off_a_word_diff(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "in") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "out") == new


def test_codings_come_off_in_reverse_order() -> None:
    assert decoded_body(gzip.compress(zlib.compress(b"words")), "deflate, gzip") == b"words"


def test_deflate_without_a_header_is_read() -> None:
    assert decoded_body(zlib.compress(b"words")[2:-4], "deflate") == b"words"


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "zstd", "", "gzip, br", "odd"]))
def test_no_body_and_no_coding_is_an_error(body: bytes, coding: str) -> None:
    assert isinstance(decoded_body(body, coding), bytes)


TEXT = "The lighthouse keeper keeps a zebra in the cellar, and nobody in the village knows about it."


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{TEXT}</p>",
        f"<p>{TEXT.replace('keeper', '<b>kee</b>per')}</p>",
        f"<description>&lt;p&gt;{TEXT}&lt;/p&gt;</description>",
        f"<![CDATA[<p>{TEXT.upper()}</p>]]>",
        '{"text": "' + TEXT.replace(" ", "\\u0020") + '"}',
    ],
)
def test_a_text_is_recognised_on_pages_in_feeds_and_in_json(page: str) -> None:
    assert shows(page.encode(), probes(TEXT))


def test_a_page_that_only_links_to_a_post_does_not_show_it() -> None:
    assert not shows(b'<a href="/keeper">The lighthouse keeper keeps a zebra</a>', probes(TEXT))
    assert probes("Short.") == []


def capture(day: int) -> Capture:
    return Capture(
        record_id=f"<{day}>",
        kind="response",
        url="https://x.example/",
        fetched_at=f"2021-03-{day:02}T12:00:00.000000Z",
        digest="d",
        file="f",
        offset=0,
        length=1,
    )


def test_a_timemap_lists_the_captures_as_rfc_7089_says() -> None:
    text = timemap("https://x.example/", [capture(1), capture(2)], "http://127.0.0.1:8000")
    assert text.splitlines()[0] == '<https://x.example/>;rel="original",'
    assert text.splitlines()[-1] == (
        "<http://127.0.0.1:8000/memento/20210302120000/https://x.example/>"
        ';rel="last memento";datetime="Tue, 02 Mar 2021 12:00:00 GMT"'
    )
    assert 'rel="first memento"' in text
    assert memento_datetime(capture(1)) == "Mon, 01 Mar 2021 12:00:00 GMT"


def test_the_nearest_capture_is_chosen() -> None:
    some = [capture(1), capture(5), capture(9)]
    assert nearest(some, "Thu, 04 Mar 2021 00:00:00 GMT") == some[1]
    assert nearest(some, None) == some[2]
    assert nearest([], None) is None
    with pytest.raises(ValueError, match="date"):
        nearest(some, "yesterday")
