"""Blogs go into the queue once, and the commands say what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from tests.integration.fleet.conftest import queue_blogs
from tests.integration.serve.running import served

from posterity.archive.opening import split_location
from posterity.fleet.queue import SCHEMA, add_updates, blogs_in, make_app
from posterity.fleet.status import fleet_status

if TYPE_CHECKING:
    from tests.conftest import Posterity

OPML = """<?xml version="1.0"?><opml version="2.0"><head/><body><outline text="Reading">
<outline type="rss" text="A" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/"/>
<outline type="rss" text="B" xmlUrl="https://b.example/feed"/></outline></body></opml>"""


def test_blogs_are_queued_once(fleet: str, blog_list: Path, posterity: Posterity) -> None:
    first = posterity("fleet", "add", blog_list, "--archive", fleet)
    second = posterity("fleet", "add", blog_list, "--archive", fleet)

    assert first.stdout == "6 queued, 0 were queued or running, 0 were harvested before.\n"
    assert second.stdout == "0 queued, 6 were queued or running, 0 were harvested before.\n"
    assert fleet_status(fleet).waiting == 6


def test_subscriptions_of_a_feed_reader_are_read(tmp_path: Path) -> None:
    path = tmp_path / "subscriptions.opml"
    path.write_text(OPML)

    assert blogs_in(str(path)) == ["https://a.example/", "https://b.example/feed"]


def test_init_again_changes_nothing(fleet: str, blog_list: Path, posterity: Posterity) -> None:
    posterity("fleet", "add", blog_list, "--archive", fleet)
    again = posterity("fleet", "init", fleet)

    assert again.returncode == 0
    assert fleet_status(fleet).waiting == 6


def test_due_updates_are_queued_once(fleet: str) -> None:
    app = make_app(fleet)
    with app.open():
        due = [("b1", "https://a.example/"), ("b2", "https://a.example/two/")]
        assert add_updates(fleet, app, due) == 2
        assert add_updates(fleet, app, due) == 0
    with psycopg.connect(split_location(fleet).database_url) as connection:
        rows = connection.execute(f"SELECT lock, queueing_lock FROM {SCHEMA}.procrastinate_jobs ORDER BY id").fetchall()
    assert rows == [("host:a.example", "blog:b1"), ("host:a.example", "blog:b2")]


def test_folder_cannot_have_a_fleet(tmp_path: Path, posterity: Posterity) -> None:
    ended = posterity("fleet", "status", "--archive", tmp_path / "folder")

    assert ended.returncode == 2
    assert "needs an archive on PostgreSQL" in ended.stderr


def test_database_without_fleet_is_named(dsn: str, posterity: Posterity) -> None:
    ended = posterity("fleet", "status", "--archive", dsn)

    assert ended.returncode == 3
    assert "has no fleet yet" in ended.stderr


def test_server_that_does_not_run_is_named(posterity: Posterity) -> None:
    ended = posterity("fleet", "status", "--archive", "postgresql://me:secret@127.0.0.1:1/nothing")

    assert ended.returncode == 3
    assert "cannot be used" in ended.stderr
    assert "secret" not in ended.stderr


def test_list_that_is_no_list_is_named(fleet: str, tmp_path: Path, posterity: Posterity) -> None:
    broken = tmp_path / "broken.opml"
    broken.write_text("<opml><body>")

    ended = posterity("fleet", "add", broken, "--archive", fleet)

    assert ended.returncode == 4
    assert "is not OPML" in ended.stderr


def test_missing_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['procrastinate'] = None; from posterity.cli.main import main;"
        "main(['fleet', 'worker', '--archive', 'postgresql://u@127.0.0.1:1/x'])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert ended.returncode == 12
    assert "pip install 'posterity[fleet]'" in ended.stderr


def test_status_is_json_for_programs(fleet: str, blog_list: Path, posterity: Posterity) -> None:
    posterity("fleet", "add", blog_list, "--archive", fleet)
    posterity("fleet", "pause", "--archive", fleet)

    found = json.loads(posterity("fleet", "status", "--archive", fleet, "--json").stdout)

    assert (found["state"], found["waiting"], found["workers"]) == ("paused", 6, [])


def test_server_shows_the_fleet(fleet: str, blog_list: Path, posterity: Posterity) -> None:
    queue_blogs(fleet, blog_list)
    with served(fleet) as server:
        page = server.ask.get("/fleet").text
        metrics = server.ask.get("/metrics").text
        assert '<a href="/fleet">Fleet</a>' in server.ask.get("/").text

    assert "6 waiting" in page
    assert "No worker is running" in page
    assert 'posterity_fleet_tasks{state="waiting"} 6\n' in metrics
    assert 'posterity_fleet_runs_total{outcome="done"} 0\n' in metrics


def test_server_of_a_folder_says_how_to_make_a_fleet(tmp_path: Path) -> None:
    with served(tmp_path / "archive") as server:
        assert "This archive has no fleet" in server.ask.get("/fleet").text
        assert 'href="/fleet"' not in server.ask.get("/").text
        assert "posterity_fleet" not in server.ask.get("/metrics").text
