"""kill -9 at any moment: nothing that was reported as stored is lost, and the next run goes on from there."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from fastwarc.warc import ArchiveIterator, WarcRecordType

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.jobs import Ended, HarvestJob, Stored
from posterity.crawl.worker_process import ForkServer, WorkerProcess
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.errors import Interrupted

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.crawl.jobs import Event

# The worker does all that could be lost; a few times the command around it is killed as well.
WORKERS_KILLED, COMMANDS_KILLED = 17, 3
# Fewer than a whole harvest tells of, so that every kill finds one under way.
MOST_EVENTS = 40
BLOG = SiteOptions(posts_limit=16)


def killed(url: str, archive: Path, after_events: int, *, delay_s: float = 0) -> tuple[set[str], bool]:
    """Harvest, kill the command and its worker after so many events; what was reported as stored, and if it ended."""
    command = [sys.executable, "-m", "posterity", "harvest", url, "--delay", str(delay_s), "--json"]
    command += ["--archive", str(archive)]
    stored: set[str] = set()
    ended = False
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, text=True) as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout, 1):
            if not line.endswith("\n"):
                break
            event = json.loads(line)
            ended |= event["event"] == "ended"
            if event["event"] == "stored":
                stored.add(event["url"])
            if number == after_events:
                os.killpg(process.pid, signal.SIGKILL)
    return stored, ended


def killed_worker(fork_server: ForkServer, url: str, archive: Path, after_events: int) -> tuple[set[str], bool]:
    """The same for the worker alone, which begins at once because it is a fork of one that has loaded everything."""
    events: list[Event] = []
    job = HarvestJob(url=url, archive=str(archive), settings=Settings(crawl=CrawlSettings(delay_s=0)))
    with WorkerProcess(job, fork_server=fork_server) as worker:

        def on_event(event: Event) -> None:
            events.append(event)
            if len(events) == after_events:
                worker.kill()

        with suppress(Interrupted):
            worker.report(on_event)
    stored = {event.url for event in events if isinstance(event, Stored)}
    return stored, any(isinstance(event, Ended) for event in events)


def content(archive: Path) -> dict[str, object]:
    """What a reader sees of every post; the ports of two servers differ, so addresses are cut to their paths."""
    with open_archive(archive) as store:
        posts = list(store.posts())
    assert max(Counter(post.id for post in posts).values()) == 1
    return {
        post.url.split("/", 3)[3]: (
            post.title,
            post.text,
            post.published,
            post.authors,
            post.tags,
            [comment.text for comment in post.comments],
            [(medium.digest, medium.mime) for medium in post.media],
            post.revision,
        )
        for post in posts
    }


def whole_records(archive: Path) -> int:
    """How many answers another tool reads from the WARC files, to the last whole record of each."""
    count = 0
    for file in archive.rglob("*.warc.gz"):
        with file.open("rb") as stream:
            count += sum(1 for _ in ArchiveIterator(stream, record_types=WarcRecordType.response))
    return count


def test_harvest_killed_many_times_ends_with_the_same_archive(posterity: Posterity, tmp_path: Path) -> None:
    rng = random.Random(5)
    with serving(BLOG) as blog:
        whole = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", tmp_path / "whole")
        assert (whole.returncode, whole.stderr) == (0, "")
        asked = [request.path for request in blog.requests]
    with serving(BLOG) as blog, ForkServer() as fork_server:
        archive, home = tmp_path / "killed", f"{blog.base_url}/"
        kill_one = [partial(killed_worker, fork_server)] * WORKERS_KILLED + [killed] * COMMANDS_KILLED
        for kill in rng.sample(kill_one, len(kill_one)):
            stored, ended = kill(home, archive, rng.randint(1, MOST_EVENTS))
            assert not ended
            with open_archive(archive) as store:
                assert stored <= {post.url for post in store.posts()}
        assert whole_records(archive) > 0
        finished = posterity("harvest", home, "--delay", "0", "-q", "--archive", archive)
        assert (finished.returncode, finished.stderr) == (0, "")
    assert content(archive) == content(tmp_path / "whole")
    assert len(asked) > len(blog.site.truth)


def test_pages_that_are_in_the_archive_are_not_asked_for_again(posterity: Posterity, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serving(BLOG) as blog:
        _, has_ended = killed(f"{blog.base_url}/", archive, 25, delay_s=0.2)  # so that it is killed under way
        before = {request.path for request in blog.requests}
        with open_archive(archive) as store:
            kept = {page.url.removeprefix(blog.base_url) for page in store.pages(store.blogs()[0].id)}
        blog.requests.clear()
        ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "--json", "--archive", archive)
        again = {request.path for request in blog.requests}
    assert not has_ended
    assert ended.returncode == 0
    assert len(kept) > 10
    assert kept <= before
    assert again & kept == {"/robots.txt"} & kept
    report = json.loads(ended.stdout.splitlines()[-1])["report"]
    assert report["posts"] == len(blog.site.truth)
    # One harvest in two sittings: its report counts both.
    assert report["requests"] + report["media_requests"] > max(len(before), len(again))


def test_finished_harvest_is_begun_anew(posterity: Posterity, tmp_path: Path) -> None:
    with serving(SiteOptions(posts_limit=8)) as blog:
        for _ in range(2):
            blog.requests.clear()
            ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", tmp_path / "archive")
            assert ended.returncode == 0
            assert "/" in {request.path for request in blog.requests}


def test_worker_ends_when_nobody_is_left_to_listen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "posterity", "harvest", "--delay", "0.2", "--json", "--archive"]
    with serving(BLOG) as blog:
        with subprocess.Popen(
            [*command, str(tmp_path / "archive"), f"{blog.base_url}/"], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.kill()
            # The worker holds the other end of this pipe no longer than it lives.
            process.stdout.read()
        asked = len(blog.requests)
    assert asked < 10
