"""The same commands on this machine and on Dask, a lost worker included: the same results."""

from __future__ import annotations

import json
import os
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.engine import DaskEngine

if TYPE_CHECKING:
    from tests.conftest import Posterity
    from tests.integration.batch.conftest import Cluster

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def _die_once(mark: Path, number: int) -> int:
    """Take the worker's process down the first time that it is asked for the third number."""
    if number == 3 and not mark.exists():
        mark.touch()
        os._exit(1)
    return number * number


def test_task_of_a_lost_worker_runs_elsewhere(dask: Cluster, tmp_path: Path) -> None:
    with DaskEngine(dask.scheduler) as engine:
        found = sorted(engine.map(partial(_die_once, tmp_path / "died"), range(200)))

    assert (tmp_path / "died").exists()
    assert found == [number * number for number in range(200)]


def _figures(out: Path) -> list[dict[str, Any]]:
    """What was found on every page, without times."""
    lines = [json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if "second" not in key and key != "ready_s"} for line in lines]


def test_evaluation_on_dask_has_the_same_figures(dask: Cluster, posterity: Posterity, tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(80))
    pages = [
        {
            "id": str(number), "url": f"http://site{number % 3}.example/{number}", "gold": {"body": f"{text} {number}"},
            "html": f"<html><body><ul><li>menu</li></ul><div><p>{text} {number}</p></div></body></html>",
        }
        for number in range(9)
    ]  # fmt: skip
    dataset = tmp_path / "posts.jsonl"
    dataset.write_text("".join(json.dumps(page) + "\n" for page in pages))
    command = ("evaluate", dataset, "--method", "mcst", "--method", "wc-multi")

    here = posterity(*command, "--workers", "1", "-o", tmp_path / "here")
    there = posterity(*command, "--engine", "dask", "--scheduler", dask.scheduler, "-o", tmp_path / "there")

    assert (here.returncode, there.returncode) == (0, 0), here.stderr + there.stderr
    assert len(_figures(tmp_path / "there")) == 18
    assert _figures(tmp_path / "there") == _figures(tmp_path / "here")


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two blogs whose records have wrong titles; the servers are gone."""
    folder = tmp_path_factory.mktemp("harvested") / "archive"
    for _ in range(2):
        with serving(SiteOptions(posts_limit=4)) as blog:
            harvest(f"{blog.base_url}/", folder, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    return folder


def test_all_blogs_are_rebuilt_alike_here_and_on_dask(
    harvested: Path, dask: Cluster, posterity: Posterity, tmp_path: Path
) -> None:
    on_dask = ("--engine", "dask", "--scheduler", dask.scheduler)
    reports, records = {}, {}
    for name, options in (("here", ()), ("there", on_dask)):
        archive = shutil.copytree(harvested, tmp_path / name)
        ended = posterity("reextract", "--all", "--json", "--archive", archive, *options)
        assert ended.returncode == 0, ended.stderr
        reports[name] = [line for line in ended.stdout.splitlines() if '"reextracted"' in line]
        with open_archive(archive) as store:
            records[name] = [post for blog in store.blogs() for post in store.posts(blog.id)]

    assert len(reports["here"]) == 2
    assert reports["there"] == reports["here"]
    assert len(records["here"]) == 8
    assert records["there"] == records["here"]


def test_reextract_wants_to_know_which_blogs(harvested: Path, posterity: Posterity) -> None:
    ended = posterity("reextract", "--archive", harvested)

    assert ended.returncode == 2
    assert "--all" in ended.stderr
