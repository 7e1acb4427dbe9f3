"""An error of ours on one page is told with its traceback, counted and reported, and costs that page only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from pathlib import Path

WORKER = """
import sys
from posterity.crawl import pipelines, worker
whole = pipelines.ExtractComments.process_item

async def clumsy(self, item):
    if "2019/" in item.page.url:
        raise KeyError("an unforeseen page")
    return await whole(self, item)

pipelines.ExtractComments.process_item = clumsy
worker.main()
"""


def test_page_that_breaks_a_step_is_left_out_and_reported(tmp_path: Path) -> None:
    import json
    import subprocess
    import sys

    from posterity.crawl.jobs import HarvestJob
    from posterity.model import to_json

    with serving(SiteOptions(posts_limit=12)) as blog:
        job = HarvestJob(
            url=f"{blog.base_url}/",
            archive=str(tmp_path / "archive"),
            settings=Settings(crawl=CrawlSettings(delay_s=0)),
        )
        with subprocess.Popen([sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(to_json(job) + b"\n")
            process.stdin.flush()
            events = [json.loads(line) for line in process.stdout]
    broken = {post.url for post in blog.site.truth if "/2019/" in post.path}
    errors = [event for event in events if event["event"] == "pageerror"]
    report = events[-1]["report"]
    assert {event["url"] for event in errors} == broken
    assert all("KeyError" in event["traceback"] for event in errors)
    assert report["errors"] == len(broken)
    assert {post["url"] for post in report["missing"] if post["reason"] == "error"} == broken
    with open_archive(tmp_path / "archive") as store:
        assert {post.url for post in store.posts()} == {post.url for post in blog.site.truth} - broken
