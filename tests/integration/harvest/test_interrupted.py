"""Ctrl-C ends a harvest cleanly: the documented code, a word on how to go on, and an archive that can be read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, NamedTuple

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity


_NEVER_ENDS_S = 600  # many times what a harvest of 16 posts takes on a slow and busy machine


class Stopped(NamedTuple):
    """How an interrupted harvest ended: its code, its last words, and what it had reported as stored."""

    code: int
    said: str
    stored: set[str]


def interrupted(url: str, archive: Path, after: str, times: int = 1) -> Stopped:
    """Harvest and send Ctrl-C once an event has come so many times. A harvest that does not end is killed."""
    command = [sys.executable, "-m", "posterity", "harvest", url, "--delay", "0.1", "--json", "--archive", str(archive)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=_plain_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        watchdog = threading.Timer(_NEVER_ENDS_S, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            seen: list[dict[str, str]] = []
            for line in process.stdout:
                seen.append(json.loads(line))
                if [event["event"] for event in seen].count(after) == times:
                    # A terminal sends it to the whole group: to the command and to its worker.
                    os.killpg(process.pid, signal.SIGINT)
                    break
            rest, said = process.stdout.read(), process.stderr.read()
        finally:
            watchdog.cancel()
    seen += map(json.loads, rest.splitlines())
    return Stopped(process.returncode, said, {event["url"] for event in seen if event["event"] == "stored"})


def _plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("POSTERITY_")}


def test_interrupt_keeps_what_was_stored_and_the_next_run_goes_on(posterity: Posterity, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serving(SiteOptions(posts_limit=16)) as blog:
        stopped = interrupted(f"{blog.base_url}/", archive, "fetched", 15)
        assert stopped.code == 11, stopped.said
        assert "Traceback" not in stopped.said
        assert "again" in stopped.said.splitlines()[-1]
        with open_archive(archive) as store:
            assert {post.url for post in store.posts()} >= stopped.stored
        ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", archive)
        assert (ended.returncode, ended.stderr) == (0, "")
    with open_archive(archive) as store:
        assert {post.url for post in store.posts()} == {post.url for post in blog.site.truth}


def test_interrupt_while_the_pages_of_the_feed_are_stored_ends_cleanly_too(tmp_path: Path) -> None:
    with serving(SiteOptions(posts_limit=16)) as blog:
        stopped = interrupted(f"{blog.base_url}/", tmp_path / "archive", "stored")
    assert stopped.code == 11, stopped.said


def test_interrupt_before_anything_was_learned_ends_cleanly_too(tmp_path: Path) -> None:
    with serving(SiteOptions(posts_limit=16)) as blog:
        stopped = interrupted(f"{blog.base_url}/", tmp_path / "archive", "feedread")
    assert stopped.code == 11, stopped.said
    assert "Traceback" not in stopped.said
    with open_archive(tmp_path / "archive") as store:
        assert {post.url for post in store.posts()} >= stopped.stored
