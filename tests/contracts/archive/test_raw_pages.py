"""Raw pages are stored before processing and read back unchanged; unchanged pages become references."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from posterity.errors import ArchiveError, NotInArchive
from posterity.model import WarcPointer

if TYPE_CHECKING:
    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, 0, 123456, tzinfo=UTC)
URL = "https://salt.example/tides/?a=1"
HTML = [("Content-Type", "text/html; charset=utf-8")]


def test_a_page_comes_back_with_its_content_coding_taken_off(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        pointer = writer.write_exchange(
            url=URL,
            status=200,
            reason="OK",
            response_headers=[*HTML, ("Content-Encoding", "gzip")],
            body=gzip.compress("Größe".encode()),
            fetched_at=NOON,
        )
        page = archive.read_page(pointer)  # while the file is still open for writing
    assert (page.url, page.status, page.content_type) == (URL, 200, "text/html; charset=utf-8")
    assert page.body == "Größe".encode()
    assert page.fetched_at == NOON
    assert page.warc == pointer
    assert archive.read_page(str(pointer)) == page


@pytest.mark.parametrize(
    ("coding", "body", "expected"),
    [
        ("deflate", zlib.compress(b"words"), b"words"),
        ("gzip", gzip.compress(b"words " * 5000, mtime=0)[:-40], None),
        ("gzip", b"not gzip at all", b"not gzip at all"),
        ("unheard-of", b"words", b"words"),
    ],
)
def test_a_wrong_or_cut_coding_is_no_error(archive: Archive, coding: str, body: bytes, expected: bytes | None) -> None:
    with archive.warc_writer("b1") as writer:
        headers = [*HTML, ("Content-Encoding", coding)]
        pointer = writer.write_exchange(url=URL, status=200, response_headers=headers, body=body, fetched_at=NOON)
    found = archive.read_page(pointer).body
    assert found == expected if expected is not None else found.startswith(b"words words")


def test_an_unchanged_page_is_not_stored_twice(archive: Archive) -> None:
    body = b"<p>" + bytes(range(256)) * 400
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=body, fetched_at=NOON)
    with archive.warc_writer("b1") as writer:
        later = NOON + timedelta(days=1)
        again = writer.write_exchange(url=URL, status=200, response_headers=HTML, body=body, fetched_at=later)
        edited = writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"new", fetched_at=later)
    assert archive.read_page(again).body == body
    assert archive.read_page(again).fetched_at == later
    assert archive.read_page(edited).body == b"new"
    assert [capture.kind for capture in archive.captures(URL)] == ["response", "response", "revisit"] or [
        capture.kind for capture in archive.captures(URL)
    ] == ["response", "revisit", "response"]
    assert min(capture.length for capture in archive.captures(URL) if capture.kind == "revisit") < 1000


def test_a_page_that_was_not_modified_leads_to_the_one_that_was_stored(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"old", fetched_at=NOON)
        pointer = writer.write_exchange(
            url=URL, status=304, response_headers=[], body=b"", fetched_at=NOON + timedelta(days=1)
        )
    page = archive.read_page(pointer)
    assert (page.status, page.body) == (200, b"old")


def test_the_same_body_at_two_addresses_is_stored_at_both(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        for name in ("one", "two"):
            writer.write_exchange(
                url=f"https://x.example/{name}", status=200, response_headers=HTML, body=b"same", fetched_at=NOON
            )
    assert archive.captures("https://x.example/two")[0].kind == "response"


def test_the_latest_page_of_every_address_can_be_read_again(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        for days, (name, body) in enumerate([("b", b"old"), ("a", b"a"), ("b", b"new"), ("b", b"new")]):
            at = NOON + timedelta(days=days)
            writer.write_exchange(
                url=f"https://x.example/{name}", status=200, response_headers=HTML, body=body, fetched_at=at
            )
    assert [(page.url[-1], page.body) for page in archive.pages("b1")] == [("a", b"a"), ("b", b"new")]
    assert list(archive.pages("b2")) == []


def test_an_error_answer_is_kept_too(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        pointer = writer.write_exchange(
            url=URL, status=503, reason="Très occupé", response_headers=[], body=b"", fetched_at=NOON
        )
    assert archive.read_page(pointer).status == 503


@pytest.mark.parametrize("name", ["nonsense", "../../etc/passwd#0", "a.warc.gz#x"])
def test_a_pointer_that_is_none_is_an_error(archive: Archive, name: str) -> None:
    with pytest.raises(NotInArchive, match="is not a WARC record"):
        archive.read_page(name)


def test_a_pointer_to_nothing_is_an_error_that_says_what_to_do(archive: Archive) -> None:
    with pytest.raises(NotInArchive, match="backup"):
        archive.read_page(WarcPointer("gone.warc.gz", 0, ""))
    with archive.warc_writer("b1") as writer:
        pointer = writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"x", fetched_at=NOON)
    with pytest.raises(ArchiveError, match="archive verify"):
        archive.read_page(WarcPointer(pointer.file, pointer.offset + 7, ""))
