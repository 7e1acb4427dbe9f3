"""An old post that was edited, and that neither feed nor sitemap names, is found in the platform's list of changes."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.integration.update.conftest import FAST, Plain, told_by

from posterity import clock
from posterity.archive import open_archive
from posterity.crawl import worker
from posterity.crawl.jobs import HarvestJob, UpdateJob
from posterity.crawl.quiet_update import quiet_update
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Response, Web

    from posterity.model.report import UpdateReport

_LIST = "/wp-json/wp/v2/posts?per_page=100&page=1&_fields=link%2Cdate_gmt%2Cmodified_gmt%2Ctitle"
_CHANGES = _LIST.replace("&page=1&", "&orderby=modified&")


class WordPress(Plain):
    """The demo blog with the interface of WordPress, no sitemap, and a feed of its latest posts."""

    def list_posts(self, response: type[Response], edited: str | None = None) -> None:
        """Serve both lists; `edited` is the path of the post that was changed just now."""
        paths = [path for path in self.web.responses if re.search(r"/\d{4}/\d\d/\d\d/[^/]+/$", path)]
        moments = dict.fromkeys(paths, "2020-01-01T10:00:00")
        if edited:
            moments[edited] = (clock.now() + timedelta(seconds=5)).strftime("%Y-%m-%dT%H:%M:%S")
        posts = [{"link": f"{self.web.base_url}{path}", "modified_gmt": moments[path]} for path in paths]
        by_change = sorted(posts, key=lambda post: post["modified_gmt"], reverse=True)
        self.web.responses[_LIST] = response(json.dumps(posts), "application/json")
        self.web.responses[_CHANGES] = response(json.dumps(by_change), "application/json")

    def ask_quietly(self) -> UpdateReport | None:
        with open_archive(self.archive) as store:
            (blog,) = store.blogs()
            job = UpdateJob(blog=blog.id, url=blog.url, archive=str(self.archive), revisits=0, settings=FAST)
            return quiet_update(store, job, lambda _: None)


@pytest.fixture
def blog(serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path) -> WordPress:
    web = serve({})
    site = build(SiteOptions(base_url=web.base_url, posts_limit=14, feed_entries=4, sitemap=False))
    web.responses |= {path: response(page.body, page.content_type, page.status) for path, page in site.items()}
    home = bytes(site["/"].body).replace(b"<head>", b'<head><link rel="https://api.w.org/" href="/wp-json/">', 1)
    web.responses["/"] = response(home)
    wordpress = WordPress(web, tmp_path / "archive")
    wordpress.list_posts(response)
    told_by(worker.run, HarvestJob(url=f"{web.base_url}/", archive=str(wordpress.archive), settings=FAST))
    return wordpress


def oldest_post(blog: WordPress) -> str:
    with open_archive(blog.archive) as store:
        oldest = min(store.posts(), key=lambda post: post.published or clock.now())
    return urlsplit(oldest.url).path


def edit(blog: WordPress, response: type[Response], path: str) -> None:
    page = blog.web.responses[path].body
    assert isinstance(page, bytes)
    with open_archive(blog.archive) as store:
        beginning = " ".join(store.post(f"{blog.web.base_url}{path}").text.split()[:3]).encode()
    assert beginning in page
    blog.web.responses[path] = response(page.replace(beginning, b"A sentence that was added much later. " + beginning))
    blog.list_posts(response, edited=path)


def test_edit_of_an_old_post_is_found_in_the_list_of_changes(blog: WordPress, response: type[Response]) -> None:
    path = oldest_post(blog)
    edit(blog, response, path)
    asked = len(blog.web.paths)
    report = blog.update()
    assert (report.edited, report.new) == (1, 0)
    assert _CHANGES in blog.web.paths[asked:]
    assert [each for each in blog.web.paths[asked:] if re.search(r"\d/[^/]+/$", each)] == [path]  # its own page alone
    with open_archive(blog.archive) as store:
        post = store.post(f"{blog.web.base_url}{path}")
    assert "added much later" in post.text
    assert post.revision == 2


def test_blog_without_changes_is_asked_quietly_and_the_list_is_part_of_it(
    blog: WordPress, response: type[Response]
) -> None:
    assert not blog.update().has_news
    asked = len(blog.web.paths)
    report = blog.ask_quietly()
    assert report is not None
    assert _CHANGES in blog.web.paths[asked:]
    edit(blog, response, oldest_post(blog))
    assert blog.ask_quietly() is None


def test_edit_is_found_when_a_list_of_changes_that_failed_is_there_again(
    blog: WordPress, response: type[Response]
) -> None:
    blog.update()
    path = oldest_post(blog)
    edit(blog, response, path)
    there, blog.web.responses[_CHANGES] = blog.web.responses[_CHANGES], response("Busy", status=503)
    assert blog.update().edited == 0
    assert blog.ask_quietly() is None  # the list is still asked for, and fails
    blog.web.responses[_CHANGES] = there
    assert blog.update().edited == 1


def test_list_in_which_most_posts_have_just_changed_gives_no_reason_to_request_them(
    blog: WordPress, response: type[Response]
) -> None:
    moment = (clock.now() + timedelta(seconds=5)).strftime("%Y-%m-%dT%H:%M:%S")
    urls = [f"{blog.web.base_url}/2030/01/post-{number}/" for number in range(30)]
    blog.web.responses[_CHANGES] = response(
        json.dumps([{"link": url, "modified_gmt": moment} for url in urls]), "application/json"
    )
    asked = len(blog.web.paths)
    assert blog.update().edited == 0
    assert not [path for path in blog.web.paths[asked:] if path.startswith("/20")]
