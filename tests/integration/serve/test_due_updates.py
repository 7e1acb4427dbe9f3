"""The server updates blogs by itself whenever they are due."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.integration.serve.running import job_over, served

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.serve.running import Served


def first_job(site: Served) -> str:
    """Wait for a job that nobody asked for."""
    for _ in range(600):
        if jobs := site.ask.get("/api/v1/jobs").json()["items"]:
            return str(jobs[0]["id"])
        time.sleep(0.1)
    raise AssertionError("no update begins")


def test_blog_that_is_due_is_updated_with_the_options_of_its_harvest(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serving(SiteOptions(posts_limit=9)) as blog:
        harvest(f"{blog.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0, media=False)))
        blog.site = build(replace(blog.site.options, posts_limit=12))
        before = len(blog.requests)
        with served(archive, updates=True, allowed_hosts=("*",)) as site:
            status = job_over(site, first_job(site))
        assert (status["kind"], status["state"]) == ("update", "done")
        assert not [request for request in blog.requests[before:] if "/images/" in request.path]
    with open_archive(archive) as store:
        assert len(list(store.posts())) == 12
