"""A harvest of a drawn blog that was interrupted."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.render import js_blog

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl.jobs import Event as HarvestEvent
from posterity.crawl.jobs import Stored
from posterity.crawl.run import harvest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web


class StoppedError(Exception):
    """Somebody has had enough."""


class Held(dict[str, "Response"]):
    """The answers of a blog that keeps its last visitor waiting until it is let go."""

    def __init__(self, responses: dict[str, Response], path: str) -> None:
        super().__init__(responses)
        self._path = path
        self.let_go = Event()

    def get(self, path: str, default: Any = None) -> Any:
        """Return the answer, or wait with it."""
        if path == self._path:
            self.let_go.wait(120)
        return super().get(path, default)


def test_what_was_drawn_is_not_drawn_again(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path
) -> None:
    # The blog's picture is asked for last: without it no harvest is at its end before it is stopped.
    responses = Held(js_blog.drawn_blog(response), "/favicon.ico")
    web = serve(responses)
    settings = Settings(crawl=CrawlSettings(delay_s=0))

    def stop(event: HarvestEvent) -> None:
        if isinstance(event, Stored):
            raise StoppedError

    with pytest.raises(StoppedError):
        harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings, on_event=stop)
    responses.let_go.set()
    web.asked.clear()
    harvest(f"{web.base_url}/", tmp_path / "archive", settings=settings)
    assert not [path for path in web.paths if path.startswith("/data/")]
    with open_archive(tmp_path / "archive") as store:
        posts = list(store.posts())
    assert sorted(post.title or "" for post in posts) == sorted(map(js_blog.title, range(js_blog.POSTS)))
    assert {len(post.comments) for post in posts} == {js_blog.COMMENTS}
