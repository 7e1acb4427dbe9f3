"""The WARC files of a harvest, imported elsewhere, give the very records of that harvest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.config import CrawlSettings, Settings
from posterity.crawl.run import harvest
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.importer.conftest import PostsIn, Run

    from posterity.model import Post

# feedparser's word about a change to come, said of every feed without dates of change.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")


def content(posts: dict[str, Post]) -> dict[str, Post]:
    """The posts without where they lie; the files of pictures are no difference."""
    return {
        path: msgspec.structs.replace(
            post,
            provenance={},
            media=tuple(msgspec.structs.replace(one, file=None, digest=None, mime=None) for one in post.media),
        )
        for path, post in posts.items()
    }


@pytest.mark.parametrize(
    "options",
    [SiteOptions(posts_limit=14), SiteOptions(posts_limit=14, feed="summary", theme_change="2020-01-01")],
    ids=["plain", "summary feed and two themes"],
)
def test_import_of_a_harvest_is_the_harvest(
    tmp_path: Path, import_: Run, posts_in: PostsIn, options: SiteOptions
) -> None:
    with serving(options) as blog:
        harvest(f"{blog.base_url}/", tmp_path / "live", settings=Settings(crawl=CrawlSettings(delay_s=0)))
    ended = import_(tmp_path / "live" / "warc", "--archive", tmp_path / "taken-over")
    assert ended.exception is None, ended.output
    assert content(posts_in(tmp_path / "taken-over")) == content(posts_in(tmp_path / "live"))
