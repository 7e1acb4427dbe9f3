"""`posterity update` on a command line: which blogs, what is said, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity
    from tests.integration.update.conftest import Followed


@pytest.fixture
def run(posterity: Posterity, followed: Followed) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command on the archive of the blog."""
    return lambda *arguments: posterity("update", *arguments, "--delay", "0", "--archive", followed.archive)


def test_blog_that_was_never_updated_is_due_and_one_without_news_is_left_alone(
    run: Callable[..., subprocess.CompletedProcess[str]], followed: Followed
) -> None:
    first = run()
    assert first.returncode == 0, first.stderr
    said = dict(line.split(maxsplit=1) for line in first.stderr.splitlines())
    assert said["posts"].startswith("0 new, 0 edited, 0 gone")
    assert said["requests"].startswith("2 in ")
    before = len(followed.blog.requests)
    second = run()
    assert second.returncode == 0
    assert "No blog is due before" in second.stderr
    assert len(followed.blog.requests) == before
    followed.grow(15)
    third = run("--all", "--json")
    assert third.returncode == 0
    last = json.loads(third.stdout.splitlines()[-1])
    assert (last["event"], last["report"]["new"]) == ("updated", 1)


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("nosuch.example",), 3, "nosuch.example"),
        (("--since", "last tuesday"), 2, "--since 2026-01-31"),
        (("--revisit", "-1"), 2, "--revisit"),
    ],
)
def test_wrong_arguments_end_with_the_documented_codes(
    arguments: tuple[str, ...], code: int, word: str, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    ended = run(*arguments)
    assert ended.returncode == code
    assert word in ended.stderr
    assert "Traceback" not in ended.stderr


def test_blog_that_does_not_answer_ends_with_6_and_is_tried_again_later(
    run: Callable[..., subprocess.CompletedProcess[str]], followed: Followed
) -> None:
    with open_archive(followed.archive) as store:
        (blog,) = store.blogs()
        store.put_blog(msgspec.structs.replace(blog, feed_url="http://127.0.0.1:9/feed/"))
    ended = run("-q")
    assert ended.returncode == 6
    assert len(ended.stderr.splitlines()) == 1
    with open_archive(followed.archive) as store:
        (blog,) = store.blogs()
    assert blog.results == ("failed",)
    assert blog.due_at is not None
    assert blog.updated_at is None


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_watch_updates_what_is_due_and_ctrl_c_or_sigterm_ends_it_cleanly(
    followed: Followed, ending: signal.Signals
) -> None:
    command = [sys.executable, "-m", "posterity", "update", "--watch", "--json", "--delay", "0"]
    with subprocess.Popen(
        [*command, "--archive", str(followed.archive)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        watchdog = threading.Timer(60, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            for line in process.stdout:
                if json.loads(line)["event"] == "updated":
                    os.killpg(process.pid, ending)
            said = process.stderr.read()
        finally:
            watchdog.cancel()
    assert process.returncode == 11
    assert "Traceback" not in said
    assert "again" in said or "go on" in said


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_in_the_middle_keeps_what_was_stored_and_the_next_update_takes_the_rest(
    followed: Followed, ending: signal.Signals
) -> None:
    followed.grow(24)
    command = [sys.executable, "-m", "posterity", "update", "--json", "--delay", "0.2", "--revisit", "0"]
    with subprocess.Popen(
        [*command, "--archive", str(followed.archive)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        watchdog = threading.Timer(60, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            stored = set()
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "fetched" and event["pages"] == 4:
                    os.kill(process.pid, ending)
                if event["event"] == "stored":
                    stored.add(event["url"])
            said = process.stderr.read()
        finally:
            watchdog.cancel()
    assert process.returncode == 11, said
    assert "Traceback" not in said
    assert stored <= set(followed.posts())
    followed.update(revisits=0)
    assert set(followed.posts()) == {post.url for post in followed.blog.site.truth}


def test_options_of_the_harvest_count_for_its_updates_unless_others_are_given(
    posterity: Posterity, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    with serving(SiteOptions(posts_limit=14)) as blog:

        def images(*arguments: str) -> int:
            before = len(blog.requests)
            ended = posterity(*arguments, "--archive", archive, "-q")
            assert ended.returncode == 0, ended.stderr
            return sum("/images/" in request.path for request in blog.requests[before:])

        assert images("harvest", f"{blog.base_url}/", "--delay", "0", "--no-media", "--user-agent", "Ours/1.0") == 0
        blog.site = build(replace(blog.site.options, posts_limit=31))
        assert images("update") == 0
        blog.site = build(replace(blog.site.options, posts_limit=36))
        assert images("update", "--all", "--media") > 0
    with open_archive(archive) as store:
        options = store.harvest_options(store.blogs()[0].id)
    assert options is not None
    assert (options.crawl.media, options.crawl.delay_s, options.crawl.user_agent) == (False, 0.0, "Ours/1.0")


def test_several_blogs_are_updated_by_several_workers_and_one_that_fails_costs_only_itself(
    posterity: Posterity, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    with serving(SiteOptions(posts_limit=9)) as one, serving(SiteOptions(posts_limit=9)) as other:
        with serving(SiteOptions(posts_limit=9)) as third:
            urls = [f"{blog.base_url}/" for blog in (one, other, third)]
            harvested = posterity("harvest", *urls, "--archive", archive, "--delay", "0", "-q")
            assert harvested.returncode == 0, harvested.stderr
        for blog in (one, other):
            blog.site = build(replace(blog.site.options, posts_limit=12))
        ended = posterity("update", "--workers", "2", "--archive", archive, "--json")
    assert ended.returncode == 6
    assert f"{urls[2]}: " in ended.stderr
    assert "1 of 3 blogs could not be updated" in ended.stderr
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert {(line["blog"], line["report"]["new"]) for line in lines if line["event"] == "updated"} == {
        (urls[0], 3),
        (urls[1], 3),
    }


def test_rotation_is_remembered_and_its_cost_is_told_before(posterity: Posterity, followed: Followed) -> None:
    set_up = posterity("schedule", followed.url, "--rotation", "4", "--archive", followed.archive)
    assert "every post is requested at least once in 4 updates: 4 more requests per update" in set_up.stdout
    before = len(followed.blog.requests)
    visited: list[str] = []
    for _ in range(4):
        ended = posterity("update", "--all", "--archive", followed.archive)
        assert ended.returncode == 0, ended.stderr
        assert "4 posts will be requested again: each of the 14 is at least once in 4 updates" in ended.stderr
    visited = [request.path for request in followed.blog.requests[before:]]
    assert {true.path for true in followed.blog.site.truth} <= set(visited)
    assert len(visited) <= 4 * (2 + 4) + 1
