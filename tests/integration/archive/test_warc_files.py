"""Other tools read our WARC files: warcio checks them, fastwarc verifies them."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posterity.archive import Archive, WarcWriter
from posterity.archive.forget import forget_post
from posterity.archive.warc_reader import ArchiveIterator
from posterity.model import Post

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
URL = "https://salt.example/tides/"
HTML = [("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]


def records(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    found = []
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, parse_http=False):
            assert record.verify_block_digest()
            headers = dict(record.headers.to_tuples())
            found.append((headers["WARC-Type"], headers, record.reader.read()))
    return found


def warcio_check(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "warcio.cli", "check", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def written(archive: Archive) -> list[Path]:
    return sorted(archive.folder.warc.glob("*.warc.gz"))


def test_a_harvest_is_warcinfo_then_response_and_request_pairs(archive: Archive) -> None:
    with archive.warc_writer("b1", software="Posterity/9", robots="obey", operator="Ann") as writer:
        writer.write_exchange(
            url=f"{URL}?q=a b",
            status=200,
            reason="OK",
            response_headers=HTML,
            body=b"<p>x",
            fetched_at=NOON,
            ip="127.0.0.1",
            request_headers=[("Host", "salt.example"), ("User-Agent", "Posterity")],
        )
    (path,) = written(archive)
    (info_type, info, facts), (response_type, response, page), (request_type, request, asked) = records(path)
    assert (info_type, response_type, request_type) == ("warcinfo", "response", "request")
    assert b"software: Posterity/9\r\n" in facts
    assert b"robots: obey\r\n" in facts
    assert b"operator: Ann\r\n" in facts
    assert info["WARC-Filename"] == path.name
    assert response["WARC-IP-Address"] == "127.0.0.1"
    assert response["WARC-Date"] == "2021-03-12T12:00:00.000000Z"
    assert response["WARC-Warcinfo-ID"] == info["WARC-Record-ID"]
    assert request["WARC-Concurrent-To"] == response["WARC-Record-ID"]
    assert page.startswith(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n<p>x"
    )
    assert asked.startswith(b"GET /tides/?q=a b HTTP/1.1\r\nHost: salt.example\r\n")
    assert warcio_check(path).returncode == 0


def test_a_revisit_says_what_it_repeats(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"same", fetched_at=NOON)
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"same", fetched_at=NOON + timedelta(1))
        writer.write_exchange(url=URL, status=304, response_headers=[], body=b"", fetched_at=NOON + timedelta(2))
    found = records(written(archive)[0])
    original = next(headers for kind, headers, _ in found if kind == "response")
    first, second = (headers for kind, headers, _ in found if kind == "revisit")
    assert first["WARC-Profile"].endswith("/1.1/revisit/identical-payload-digest")
    assert second["WARC-Profile"].endswith("/1.1/revisit/server-not-modified")
    for revisit in (first, second):
        assert revisit["WARC-Refers-To"] == original["WARC-Record-ID"]
        assert revisit["WARC-Refers-To-Target-URI"] == URL
        assert revisit["WARC-Refers-To-Date"] == original["WARC-Date"]
        assert revisit["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert warcio_check(*written(archive)).returncode == 0


def test_headers_that_are_no_longer_true_are_renamed(archive: Archive) -> None:
    headers = [("Transfer-Encoding", "chunked"), ("Content-Length", "999"), ("X-Odd", "Grüße 中")]
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(
            url=URL, status=200, response_headers=headers, body=b"four", fetched_at=NOON, http_version="h2"
        )
    page = records(written(archive)[0])[1][2]
    assert page.startswith(
        b"HTTP/1.1 200\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nX-Archive-Orig-Content-Length: 999\r\n"
    )
    assert "X-Odd: Grüße 中".encode() in page


def test_a_header_cannot_smuggle_in_a_record(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        evil = "x\r\n\r\n\r\n\r\nWARC/1.1\r\nWARC-Type: response"
        writer.write_exchange(
            url=f"{URL}{evil}", status=200, reason=evil, response_headers=[("X", evil)], body=b"", fetched_at=NOON
        )
    assert [kind for kind, _, _ in records(written(archive)[0])] == ["warcinfo", "response", "request"]


def test_rendered_page_screenshot_and_extraction_record_go_beside_the_answer(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        page = writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"<p>", fetched_at=NOON)
        writer.write_attachment("conversion", URL, b"<p>drawn", mime="text/html", fetched_at=NOON, of=page)
        writer.write_attachment(
            "resource", f"urn:screenshot:{URL}", b"\x89PNG", mime="image/png", fetched_at=NOON, of=page
        )
        writer.write_attachment("metadata", URL, b'{"id":"p1"}', mime="application/json", fetched_at=NOON, of=page)
    found = {kind: headers for kind, headers, _ in records(written(archive)[0])}
    assert found["conversion"]["WARC-Refers-To"] == page.record_id
    assert found["resource"]["WARC-Concurrent-To"] == found["metadata"]["WARC-Concurrent-To"] == page.record_id
    assert warcio_check(*written(archive)).returncode == 0


def test_a_full_file_is_closed_and_another_begun(archive: Archive) -> None:
    writer = WarcWriter(archive.folder.warc, "b1", archive, {"software": "x"}, roll_at_bytes=3000)
    with writer:
        pointers = [
            writer.write_exchange(
                url=f"{URL}{n}", status=200, response_headers=HTML, body=bytes([n]) * 10, fetched_at=NOON
            )
            for n in range(12)
        ]
    assert len(written(archive)) == len({pointer.file for pointer in pointers}) > 2
    assert [archive.read_page(pointer).body for pointer in pointers] == [bytes([n]) * 10 for n in range(12)]
    assert warcio_check(*written(archive)).returncode == 0


def test_an_update_never_touches_an_old_file(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"old", fetched_at=NOON)
    (old,) = written(archive)
    before = (old.read_bytes(), old.stat().st_mtime_ns)
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url=URL, status=200, response_headers=HTML, body=b"new", fetched_at=NOON)
    assert (old.read_bytes(), old.stat().st_mtime_ns) == before
    assert len(written(archive)) == 2


def test_every_file_has_a_sorted_cdxj_index_that_leads_to_its_records(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        for path in ("z", "a", "B?x=2&a=1"):
            writer.write_exchange(
                url=f"https://www.salt.example/{path}", status=200, response_headers=HTML, body=b"x", fetched_at=NOON
            )
    (warc,) = written(archive)
    lines = warc.with_name(warc.name.replace(".warc.gz", ".cdxj")).read_bytes().splitlines()
    assert lines == sorted(lines)
    assert [line.split(b" ")[0] for line in lines] == [
        b"example,salt)/a",
        b"example,salt)/b?a=1&x=2",
        b"example,salt)/z",
    ]
    for line in lines:
        facts = json.loads(line.split(b" ", 2)[2])
        assert facts["filename"] == warc.name
        assert archive.read_page(f"{warc.name}#{facts['offset']}").url == facts["url"]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.binary(max_size=500),
    reason=st.text(max_size=20),
    headers=st.lists(st.tuples(st.text("abcXYZ-", min_size=1, max_size=9), st.text(max_size=20)), max_size=4),
    url=st.text(max_size=30).map(lambda path: f"https://x.example/{path}"),
    status=st.integers(200, 599).filter(lambda n: n != 304),
)
def test_any_answer_comes_back(
    archive: Archive, body: bytes, reason: str, headers: list[tuple[str, str]], url: str, status: int
) -> None:
    with archive.warc_writer("b1") as writer:
        pointer = writer.write_exchange(
            url=url, status=status, reason=reason, response_headers=headers, body=body, fetched_at=NOON
        )
    page = archive.read_page(pointer)
    assert (page.status, page.body) == (status, body)


def test_other_tools_read_a_file_with_tombstones(archive: Archive) -> None:
    with archive.warc_writer("b1") as writer:
        for number in range(3):
            body = os.urandom(200_000)
            writer.write_exchange(url=f"{URL}{number}", status=200, response_headers=HTML, body=body, fetched_at=NOON)
    (path,) = written(archive)
    before = records(path)
    archive.put_post(Post(id="p1", url=f"{URL}1"))
    forget_post(archive, "p1", "asked")
    after = records(path)
    assert [headers["WARC-Record-ID"] for _, headers, _ in after] == [
        headers["WARC-Record-ID"] for _, headers, _ in before
    ]
    assert [kind for kind, _, _ in after] == [
        "warcinfo",
        *["response", "request"],
        *["metadata"] * 2,
        "response",
        "request",
    ]
    assert after[1] == before[1]
    assert after[-1] == before[-1]
    assert warcio_check(path).returncode == 0
    assert f"{URL}1".encode() not in gzip.decompress(path.read_bytes())
