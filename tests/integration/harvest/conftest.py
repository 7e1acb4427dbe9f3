"""Harvests of the bundled blog that several tests look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.demo.server import DemoSite, Request
    from posterity.model import Post


class Harvested(NamedTuple):
    """A blog that was harvested, what the command said, and where the archive is."""

    site: DemoSite
    base_url: str
    archive: Path
    ended: subprocess.CompletedProcess[str]
    requests: list[Request]

    @property
    def posts(self) -> dict[str, Post]:
        with open_archive(self.archive) as store:
            return {post.url: post for post in store.posts()}


@pytest.fixture(scope="session")
def harvested(posterity: Posterity, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harvested]:
    """The bundled blog as it was some years ago, harvested once with --json."""
    archive = tmp_path_factory.mktemp("harvested") / "archive"
    with serving(SiteOptions(posts_limit=18)) as blog:
        ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "--json", "--archive", archive)
        yield Harvested(blog.site, blog.base_url, archive, ended, list(blog.requests))
