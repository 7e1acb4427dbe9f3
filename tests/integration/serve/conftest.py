"""A harvested blog, and servers that show it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.integration.serve.running import Served, served

from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def blog_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled blog as it was some years ago, harvested once; tests that write take a copy."""
    archive = tmp_path_factory.mktemp("served") / "archive"
    with serving(SiteOptions(posts_limit=12)) as blog:
        harvest(f"{blog.base_url}/", archive, settings=Settings(crawl=CrawlSettings(delay_s=0)))
    return archive


@pytest.fixture(scope="session")
def site(blog_archive: Path) -> Iterator[Served]:
    """A server that several tests read from."""
    with served(blog_archive) as running:
        yield running


@pytest.fixture
def own_archive(blog_archive: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(blog_archive, tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture(scope="session")
def post(site: Served) -> dict[str, str]:
    """A post of the archive, with comments."""
    hits = site.ask.get("/api/v1/search", params={"q": "bread"}).json()["items"]
    found: dict[str, str] = site.ask.get(f"/api/v1/posts/{hits[0]['post_id']}").json()
    return found
