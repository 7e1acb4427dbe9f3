"""A blog that moved to another host is one blog when it is harvested again, from its old URL or its new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.integration.update.conftest import FAST, told_by

from posterity.archive import open_archive
from posterity.crawl import update_worker, worker
from posterity.crawl.jobs import HarvestJob, Moved, UpdateJob
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web


@pytest.mark.parametrize("first", ["harvest of the old URL", "update, then harvest of the new URL"])
def test_blog_on_another_host_keeps_its_id_and_its_posts(
    serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path, first: str
) -> None:
    old, new = serve({}), serve({})
    archive = str(tmp_path / "archive")

    def harvest(url: str) -> list[object]:
        return list(told_by(worker.run, HarvestJob(url=url, archive=archive, settings=FAST)))

    def live(web: Web, posts: int) -> None:
        resources = build(SiteOptions(base_url=web.base_url, posts_limit=posts))
        web.responses |= {path: response(one.body, one.content_type, one.status) for path, one in resources.items()}

    live(old, 9)
    harvest(f"{old.base_url}/")
    with open_archive(archive) as store:
        (before,) = store.blogs()
        was = {post.url.removeprefix(old.base_url): post.id for post in store.posts()}
    live(new, 11)
    for path in list(old.responses):
        old.responses[path] = response(status=301, location=new.base_url + path)
    if first == "harvest of the old URL":
        events = harvest(f"{old.base_url}/")
        assert [(event.url, event.to) for event in events if isinstance(event, Moved)] == [
            (f"{old.base_url}/", f"{new.base_url}/")
        ]
    else:
        job = UpdateJob(blog=before.id, url=before.url, archive=archive, settings=FAST)
        told_by(update_worker.run, job)
        harvest(f"{new.base_url}/")
    with open_archive(archive) as store:
        (blog,) = store.blogs()
        posts = {post.url.removeprefix(new.base_url): post for post in store.posts()}
        moved = {path: [event.kind for event in store.history(posts[path].id).events] for path in was}
    assert (blog.id, blog.url, blog.former_urls) == (before.id, f"{new.base_url}/", (f"{old.base_url}/",))
    assert len(posts) == 11
    assert posts.keys() >= was.keys()
    assert moved == {path: ["moved"] for path in was}
