"""The machine fails in the middle of a harvest: database restarted, disk full, worker killed, a second harvest."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from tests.conftest import Posterity, environment
from tests.integration.archive.test_no_room import small_disk
from tests.integration.fleet.conftest import Postgres, postgres
from tests.integration.serve.running import served

from posterity.archive import open_archive
from posterity.archive.verify import repair_archive, verify_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

__all__ = ["postgres"]
BLOG = SiteOptions(posts_limit=24)


def harvesting(url: str, archive: str | Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "posterity", "harvest", url, "--delay", "0.02", "--json", "--archive"]
    return subprocess.Popen(
        [*command, str(archive), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )


def stored_events(process: subprocess.Popen[str], count: int) -> list[dict[str, str]]:
    """Read events until `count` posts are stored."""
    assert process.stdout is not None
    found: list[dict[str, str]] = []
    while len(found) < count and (line := process.stdout.readline()):
        event = json.loads(line)
        found += [event] if event["event"] == "stored" else []
    return found


@pytest.mark.parametrize("times", [1, 3])
def test_restarted_database_does_not_end_the_harvest(postgres: Postgres, tmp_path: Path, times: int) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE harvest{times}")
    location = f"{postgres.url.rpartition('/')[0]}/harvest{times}?files={tmp_path / 'files'}"
    with serving(BLOG) as blog, harvesting(f"{blog.base_url}/", location) as process:
        for _ in range(times):
            assert stored_events(process, 2)
            postgres.restart()
        _, problems = process.communicate()
        expected = len(blog.site.truth)
    assert (process.returncode, problems) == (0, "")
    with open_archive(location) as archive:
        assert sum(1 for _ in archive.posts()) == expected
        assert verify_archive(archive).problems == []  # no record is left unindexed


def test_two_harvests_of_one_blog_store_every_post_once(tmp_path: Path) -> None:
    with serving(BLOG) as blog:
        both = [harvesting(f"{blog.base_url}/", tmp_path / "archive") for _ in range(2)]
        endings = [process.communicate() for process in both]
        assert [process.returncode for process in both] == [0, 0], endings
        expected = len(blog.site.truth)
    with open_archive(tmp_path / "archive") as archive:
        posts = list(archive.posts())
        assert len({post.url for post in posts}) == len(posts) == expected
        assert {post.revision for post in posts} == {1}
        assert verify_archive(archive).problems == []


def test_disk_that_fills_up_ends_the_harvest_with_a_sentence(tmp_path: Path, posterity: Posterity) -> None:
    with small_disk(tmp_path / "disk", "3m") as disk, serving(BLOG) as blog:
        open_archive(disk / "archive", create=True).close()
        free_bytes = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        (disk / "ballast").write_bytes(bytes(max(free_bytes - 300_000, 0)))
        full = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", disk / "archive")
        assert full.returncode == 3
        assert "The disk is full" in full.stderr
        assert "Traceback" not in full.stderr
        (disk / "ballast").unlink()
        again = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", disk / "archive")
        assert (again.returncode, again.stderr) == (0, "")
        with open_archive(disk / "archive") as archive:
            assert sum(1 for _ in archive.posts()) == len(blog.site.truth)
            assert verify_archive(archive).problems == []


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("harvested") / "archive"
    with serving(BLOG) as blog, harvesting(f"{blog.base_url}/", archive) as process:
        process.communicate()
    assert process.returncode == 0
    return archive


def _leave_room(disk: Path, free_bytes: int) -> None:
    left = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "ballast").write_bytes(bytes(left - free_bytes))


def _damage(archive: Path) -> set[str]:
    with open_archive(archive) as store:
        # A rebuild does not find pictures that no page refers to, such as the icon of a blog.
        return {str(problem.kind) for problem in verify_archive(store).problems} - {"unindexed", "cdxj", "orphan"}


@pytest.mark.parametrize("free_bytes", [65_536, 300_000])
@pytest.mark.parametrize("command", ["compact", "forget", "copy", "rebuild"])
def test_command_without_room_ends_with_a_sentence_and_does_its_work_the_next_time(
    tmp_path: Path, harvested: Path, posterity: Posterity, command: str, free_bytes: int
) -> None:
    with small_disk(tmp_path / "disk", "16m") as disk:
        archive = disk / "archive"
        shutil.copytree(harvested, archive)
        with open_archive(archive) as store:
            before = {post.url for post in store.posts()}
        taken = min(before) if command == "forget" else ""
        words = {
            "compact": ["archive", "compact"],
            "forget": ["forget", taken, "--yes", "--reason", "asked"],
            "copy": ["archive", "copy", str(disk / "target")],
            "rebuild": ["archive", "rebuild", "-q"],
        }[command]
        if command == "rebuild":
            for file in archive.glob("posterity.db*"):
                file.unlink()
        _leave_room(disk, free_bytes)
        full = posterity(*words, "--archive", archive)
        assert full.returncode == 3
        assert full.stderr.startswith("posterity: The disk is full: ")
        assert full.stderr.count("\n") == 1
        (disk / "ballast").unlink()
        again = posterity(*words, "--archive", archive)
        # An interrupted takedown is finished when the archive is opened; then the post is gone.
        assert again.returncode == 0 or (command == "forget" and "no post" in again.stderr), again.stderr
        result = disk / "target" if command == "copy" else archive
        with open_archive(result) as store:
            assert {post.url for post in store.posts()} == before - {taken}
        assert _damage(result) == set()


def test_server_on_a_full_disk_goes_on_reading_and_names_the_disk(tmp_path: Path, harvested: Path) -> None:
    with small_disk(tmp_path / "disk", "16m") as disk:
        shutil.copytree(harvested, disk / "archive")
        with served(disk / "archive") as site:
            blog = site.ask.get("/api/v1/blogs").json()["items"][0]["blog"]["id"]
            _leave_room(disk, 0)
            for path in ("/", f"/blogs/{blog}", "/search?q=salt", "/feed.atom", "/api/v1/posts"):
                assert site.ask.get(path).status_code == 200
            refused = site.ask.put(f"/api/v1/blogs/{blog}/schedule", json={"mode": "every", "hours": 12})
            assert refused.status_code == 503
            assert "The disk is full" in refused.json()["detail"]
            (disk / "ballast").unlink()
            kept = site.ask.put(f"/api/v1/blogs/{blog}/schedule", json={"mode": "every", "hours": 12})
            assert kept.status_code == 200
        assert _damage(disk / "archive") == set()


def test_rebuild_that_was_killed_is_begun_again_and_hides_nothing(
    tmp_path: Path, harvested: Path, posterity: Posterity
) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(harvested, archive)
    with open_archive(archive) as store:
        before = {post.url for post in store.posts()}
    for file in archive.glob("posterity.db*"):
        file.unlink()
    rebuild = [sys.executable, "-m", "posterity", "archive", "rebuild", "--json", "--archive", str(archive)]
    with subprocess.Popen(rebuild, stdout=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    ended = posterity("list", "--archive", archive)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "archive rebuild" in ended.stderr
    assert posterity("archive", "rebuild", "-q", "--archive", archive).returncode == 0
    with open_archive(archive) as store:
        assert {post.url for post in store.posts()} == before
    assert _damage(archive) == set()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_record_that_was_cut_by_a_kill_costs_no_other(tmp_path: Path, posterity: Posterity, share: float) -> None:
    archive = tmp_path / "archive"
    with serving(BLOG) as blog:
        with harvesting(f"{blog.base_url}/", archive) as process:
            reported = stored_events(process, 5)
            process.send_signal(signal.SIGKILL)
            assert process.stdout is not None
            process.stdout.read()  # until the worker has exited too
        with open_archive(archive) as store:
            last = max((record for one in store.blogs() for record in store.captures_of_blog(one.id)),
                       key=lambda record: record.offset)  # fmt: skip
            path = store.folder.warc_path(last.file)
        # As after a kill in the middle of a write: a partial record after the complete ones.
        whole = path.read_bytes()
        path.write_bytes(whole + whole[last.offset : last.offset + int(last.length * share)])
        ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", archive)
        assert (ended.returncode, ended.stderr) == (0, "")
        with open_archive(archive) as store:
            stored = {post.url for post in store.posts()}
            assert {event["url"] for event in reported} <= stored
            assert len(stored) == len(blog.site.truth)
            repair_archive(store, verify_archive(store))
            assert verify_archive(store).problems == []


def test_worker_that_dies_is_reported(tmp_path: Path) -> None:
    with serving(BLOG) as blog, harvesting(f"{blog.base_url}/", tmp_path / "archive") as process:
        assert stored_events(process, 2)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        out, problems = process.communicate()
    assert process.returncode not in (0, 1), (out, problems)
    assert "Traceback" not in problems
    assert "run the same command to continue" in problems
