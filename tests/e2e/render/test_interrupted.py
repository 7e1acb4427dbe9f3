"""A harvest of a drawn blog that was interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.e2e.render import js_blog

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.fetch.events import Event, Stored
from posterity.fetch.harvest import harvest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Answer, Web


class StoppedError(Exception):
    """Somebody has had enough."""


def test_what_was_drawn_is_not_drawn_again(
    serve: Callable[[dict[str, Answer]], Web], answer: type[Answer], tmp_path: Path
) -> None:
    web = serve(js_blog.drawn_blog(answer))
    settings = Settings(crawl=CrawlSettings(delay_s=0))

    def stop(event: Event) -> None:
        if isinstance(event, Stored):
            raise StoppedError

    with pytest.raises(StoppedError):
        harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings, tell=stop)
    web.asked.clear()
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    assert not [path for path in web.paths if path.startswith("/data/")]
    with open_archive(tmp_path / "archive") as store:
        posts = list(store.posts())
    assert sorted(post.title or "" for post in posts) == sorted(map(js_blog.title, range(js_blog.POSTS)))
    assert {len(post.comments) for post in posts} == {js_blog.COMMENTS}
