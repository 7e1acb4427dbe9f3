"""The ledger of requests: what was asked for, and how long the host was left alone before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.archive.overview import requests_to

if TYPE_CHECKING:
    from pathlib import Path

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def test_every_answer_is_there_with_the_time_since_the_hosts_last(tmp_path: Path) -> None:
    asked = [("http://a.example/", 0.0), ("http://b.example/", 0.5), ("http://a.example/x", 1.25)]
    with open_archive(tmp_path / "archive", create=True) as archive:
        with archive.warc_writer("b1") as writer:
            for url, seconds in asked:
                moment = BEGUN + timedelta(seconds=seconds)
                writer.write_exchange(url=url, status=404, response_headers=(), body=b"no", fetched_at=moment)
        crawl_stats = list(requests_to(archive, "b1"))
    assert [(request.url, request.status, request.waited_s) for request in crawl_stats] == [
        ("http://a.example/", 404, None),
        ("http://b.example/", 404, None),
        ("http://a.example/x", 404, 1.25),
    ]


def test_answers_that_are_synced_later_are_in_it_then(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive, archive.warc_writer("b1") as writer:
        writer.syncs_each = False
        for number in range(3):
            url = f"http://a.example/{number}"
            writer.write_exchange(url=url, status=200, response_headers=(), body=b"yes", fetched_at=BEGUN)
        before = list(requests_to(archive, "b1"))
        writer.sync()
        after = list(requests_to(archive, "b1"))
    assert (len(before), len(after)) == (0, 3)
