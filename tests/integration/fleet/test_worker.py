"""Workers harvest every blog once, obey the state of the fleet, and keep what failed with the reason."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.integration.fleet.conftest import Workers, queue_blogs, wait_until

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build, serving
from posterity.fleet import queue
from posterity.fleet.children import BlogTask, Children, Limits
from posterity.fleet.status import fleet_status

if TYPE_CHECKING:
    from tests.conftest import Posterity

    from posterity.demo.server import Serving


def test_blogs_are_harvested_and_failures_are_kept(
    fleet: str, blog_list: Path, blogs: list[Serving], posterity: Posterity, workers: Workers
) -> None:
    blog_list.write_text(blog_list.read_text() + "http://127.0.0.1:1/\n")
    queue_blogs(fleet, blog_list, delay_s=0)

    workers.start(fleet, "one", "--until-empty", "--attempts", "2", "--slots", "2")
    workers.start(fleet, "two", "--until-empty", "--attempts", "2", "--slots", "2")
    assert [workers.wait("one"), workers.wait("two")] == [0, 0]

    found = fleet_status(fleet)
    assert (found.done, found.failed, found.retried) == (6, 1, 1), workers.text("one") + workers.text("two")
    with open_archive(fleet) as archive:
        assert {blog.url.rstrip("/") for blog in archive.blogs()} == {blog.base_url for blog in blogs}
        assert {post.url for post in archive.posts()} == {post.url for blog in blogs for post in blog.site.truth}
    dead = json.loads(posterity("fleet", "status", "--failed", "--json", "--archive", fleet).stdout)
    assert [(line["url"], line["attempts"]) for line in dead] == [("http://127.0.0.1:1/", 2)]
    assert "127.0.0.1:1" in dead[0]["reason"]
    told = [event for name in ("one", "two") for event in workers.events(name) if event["event"] == "done"]
    assert sorted(event["blog"] for event in told) == sorted(f"{blog.base_url}/" for blog in blogs)

    again = posterity("fleet", "add", blog_list, "--archive", fleet)
    assert again.stdout == "1 queued, 0 were queued or running, 6 were harvested before.\n"


def test_blog_is_updated(fleet: str, blogs: list[Serving], tmp_path: Path, workers: Workers) -> None:
    (tmp_path / "list").write_text(f"{blogs[0].base_url}/\n")
    queue_blogs(fleet, tmp_path / "list")
    workers.start(fleet, "one", "--until-empty")
    assert workers.wait("one") == 0
    with open_archive(fleet) as archive:
        (blog,) = archive.blogs()
    app = queue.make_app(fleet)
    with app.open():
        assert queue.add_updates(fleet, app, [(blog.id, blog.url)]) == 1

    workers.start(fleet, "one", "--until-empty")

    assert workers.wait("one") == 0
    assert [event["kind"] for event in workers.events("one") if event["event"] == "done"] == ["harvest", "update"]
    with open_archive(fleet) as archive:
        assert archive.blog(blog.id).updated_at is not None


def test_tasks_of_a_dead_worker_are_taken_over_though_one_is_queued_again(
    fleet: str, blogs: list[Serving], tmp_path: Path, workers: Workers
) -> None:
    (tmp_path / "list").write_text(f"{blogs[0].base_url}/\n")
    queue_blogs(fleet, tmp_path / "list")
    with queue.connected(fleet) as connection:  # what a worker leaves behind that died while both were running
        insert = (
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status) "
            "VALUES (%s, 'queue_due_updates', 'due', 'due', '{\"timestamp\": 0}', %s)"
        )
        connection.execute(insert, (queue.UPKEEP, "doing"))
        connection.execute(insert, (queue.UPKEEP, "todo"))
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE queue_name = %s", (queue.BLOGS,))

    workers.start(fleet, "one", "--until-empty")

    assert workers.wait("one") == 0
    assert workers.has_told("one", "taken over")
    with open_archive(fleet) as archive:
        assert [blog.url for blog in archive.blogs()] == [f"{blogs[0].base_url}/"]


def test_update_has_the_options_of_the_harvest(fleet: str, tmp_path: Path, workers: Workers) -> None:
    with serving(SiteOptions(posts_limit=4)) as served:
        (tmp_path / "list").write_text(f"{served.base_url}/\n")
        without_media = Settings(crawl=CrawlSettings(delay_s=0.0, media=False))
        queue.add(fleet, queue.blogs_in(str(tmp_path / "list")), settings=without_media)
        workers.start(fleet, "one", "--until-empty")
        assert workers.wait("one") == 0
        with open_archive(fleet) as archive:
            (blog,) = archive.blogs()
            before = len(list(archive.posts()))
        served.site = build(SiteOptions(base_url=served.base_url))  # which has new posts with pictures
        app = queue.make_app(fleet)
        with app.open():
            queue.add_updates(fleet, app, [(blog.id, blog.url)])

        workers.start(fleet, "one", "--until-empty")

        assert workers.wait("one") == 0
    with open_archive(fleet) as archive:
        posts = list(archive.posts())
    assert len(posts) > before
    assert any(post.media for post in posts)
    assert not any(medium.digest for post in posts for medium in post.media)


def test_failed_task_is_queued_again(fleet: str, tmp_path: Path, posterity: Posterity, workers: Workers) -> None:
    (tmp_path / "list").write_text("http://127.0.0.1:1/\n")
    queue_blogs(fleet, tmp_path / "list")
    workers.start(fleet, "one", "--until-empty", "--attempts", "1")
    assert workers.wait("one") == 0
    assert fleet_status(fleet).failed == 1

    ended = posterity("fleet", "retry", "--archive", fleet)

    assert ended.stdout == "1 queued again.\n"
    assert (fleet_status(fleet).failed, fleet_status(fleet).waiting) == (0, 1)


def test_paused_worker_begins_nothing_and_drained_worker_ends(
    fleet: str, blog_list: Path, posterity: Posterity, workers: Workers
) -> None:
    queue.set_state(fleet, "paused")
    queue_blogs(fleet, blog_list, delay_s=0)
    workers.start(fleet, "one", "--slots", "3")
    assert (fleet_status(fleet).waiting, fleet_status(fleet).done) == (6, 0)

    queue.set_state(fleet, "running")
    wait_until(lambda: fleet_status(fleet).done, "a harvest")
    queue.set_state(fleet, "draining")

    assert workers.wait("one") == 0
    assert fleet_status(fleet).running == 0


def test_terminated_worker_puts_its_blog_back(
    fleet: str, blog_list: Path, posterity: Posterity, workers: Workers
) -> None:
    queue_blogs(fleet, blog_list, delay_s=0.5)
    workers.start(fleet, "one", "--slots", "1")
    wait_until(lambda: workers.has_told("one", "started"), "a start")

    workers.signal("one", signal.SIGTERM)

    assert workers.wait("one") == 0
    found = fleet_status(fleet)
    assert (found.running, found.failed) == (0, 0)
    assert found.waiting + found.delayed + found.done == 6


def test_worker_killed_hard_loses_nothing(
    fleet: str, blog_list: Path, blogs: list[Serving], posterity: Posterity, workers: Workers
) -> None:
    queue_blogs(fleet, blog_list, delay_s=0.1)
    workers.start(fleet, "one", "--slots", "2")
    wait_until(lambda: workers.has_told("one", "started"), "a start")

    workers.signal("one", signal.SIGKILL)
    workers.start(fleet, "two", "--until-empty", "--slots", "3")

    assert workers.wait("two") == 0
    found = fleet_status(fleet)
    assert (found.done, found.failed) == (6, 0), workers.text("two")
    with open_archive(fleet) as archive:
        assert {post.url for post in archive.posts()} == {post.url for blog in blogs for post in blog.site.truth}


def test_blog_that_takes_too_much_memory_is_ended(fleet: str, blogs: list[Serving]) -> None:
    children = Children(Limits(memory_mb=1))
    problems: list[str] = []
    try:
        children.run(
            BlogTask(number=1, kind="harvest", url=f"{blogs[0].base_url}/", archive=fleet),
            lambda _: children.enforce_limits(),
        )
    except Exception as problem:  # noqa: BLE001 - it is looked at below
        problems.append(str(problem))
    finally:
        children.close()

    assert problems
    assert "MB of memory, more than --memory 1" in problems[0]
