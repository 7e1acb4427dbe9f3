"""A process that is killed in the middle of writing loses nothing that it reported as stored."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.archive.verify import repair_archive, verify_archive

if TYPE_CHECKING:
    from pathlib import Path

# Reports every page on a line of its own once all of it is stored.
WRITER = """
import sys
from datetime import UTC, datetime
from posterity.archive import Seen, open_archive
from posterity.model import Post, Provenance

now = datetime(2021, 3, 12, tzinfo=UTC)
with open_archive(sys.argv[1], create=True) as archive:
    start = sum(1 for _ in archive.posts())
    writer = archive.warc_writer("b1")
    for number in range(start, start + 10_000):
        url = f"https://x.example/{number}"
        body = b"page %d " % number * 2000
        pointer = writer.write_exchange(url=url, status=200, response_headers=[], body=body, fetched_at=now)
        origin = {"text": Provenance(method="feed", confidence=1, warc=str(pointer))}
        archive.put_post(Post(id=f"p{number}", url=url, blog="b1", text=body.decode(), provenance=origin))
        print(number, pointer, flush=True)
"""


def _report(line: str) -> tuple[int, str]:
    number, pointer = line.split()
    return int(number), pointer


@pytest.mark.parametrize("kill_after", [1, 7, 23])
def test_kill_9_loses_nothing_that_was_reported_and_the_next_run_goes_on(tmp_path: Path, kill_after: int) -> None:
    folder = tmp_path / "archive"
    reported: list[tuple[int, str]] = []
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", WRITER, folder], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                reported.append(_report(line))
                if len(reported) % kill_after == 0:
                    os.kill(process.pid, signal.SIGKILL)
                    break
            reported += [_report(line) for line in process.stdout if line.endswith("\n")]
    with open_archive(folder) as archive:
        repair_archive(archive, verify_archive(archive))
        assert verify_archive(archive).problems == []
        stored = {post.id for post in archive.posts()}
        for number, pointer in reported:
            assert f"p{number}" in stored
            assert archive.read_page(pointer).body == b"page %d " % number * 2000
        assert len(reported) == len({number for number, _ in reported})
