"""The parts of the crawl work in somebody else's Scrapy project, as the original crawler's did."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """
class Shout:
    def process_item(self, item):
        print("SAW", item.post.title)
        return item
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What `scrapy startproject` makes, cut to the lines that matter."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = elsewhere.settings\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "__init__.py").write_text("")
    (tmp_path / "elsewhere" / "pipelines.py").write_text(PIPELINE)
    (tmp_path / "elsewhere" / "settings.py").write_text(
        'BOT_NAME = "elsewhere"\nSPIDER_MODULES = ["posterity.crawl.newcrawl"]\nROBOTSTXT_OBEY = True\n'
        "DOWNLOAD_DELAY = 0\n"
        'ITEM_PIPELINES = {"elsewhere.pipelines.Shout": 450, "posterity.crawl.pipelines.DownloadMedia": None}\n'
    )
    return tmp_path


def crawl(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "crawl", "newcrawl", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)


def test_scrapy_crawl_newcrawl_harvests_a_blog(project: Path) -> None:
    with serving(SiteOptions(posts_limit=8)) as blog:
        ended = crawl(project, "-a", f"startat={blog.base_url}/", "-a", "archive=kept")
        asked = [request.path for request in blog.requests]
    assert ended.returncode == 0, ended.stderr
    with open_archive(project / "kept") as store:
        posts = list(store.posts())
        report = store.report(store.blogs()[0].id)
    assert {post.url for post in posts} == {post.url for post in blog.site.truth}
    assert report is not None
    assert report.posts == len(posts)
    # The project's own step took part, and the step that it switched off did not.
    assert {line for line in ended.stdout.splitlines() if line.startswith("SAW")} == {
        f"SAW {post.title}" for post in blog.site.truth
    }
    assert [path for path in asked if path.startswith("/images/")] == []
    assert asked.count("/robots.txt") == 1


def test_project_hears_in_its_log_why_nothing_was_harvested(project: Path) -> None:
    ended = crawl(project, "-a", "startat=http://127.0.0.1:9/", "-a", "archive=kept")
    assert "127.0.0.1:9 refused the connection" in ended.stderr
