"""Servers that stop showing their pages in the middle of a harvest: nothing is lost without a word."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.zoo.blog import Request, Response, Site, html, text, write_posts
from tests.zoo.build import blog_site
from tests.zoo.server import serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.zoo.server import Served

POSTS = 60
BEFORE = 20  # requests that are served as they should be
CHECK = html("<title>Just a moment...</title><h1>Just a moment...</h1><p>Are you a robot?</p>")
BANNED = html("<h1>Forbidden</h1>", 403)


def harvest(served: Served, archive: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "posterity", "harvest", f"{served.origin}/", "--delay", "0", "--no-media"]
    command += ["--render", "never", "--archive", str(archive)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


def stored(archive: Path) -> list[str]:
    out = archive.parent / "posts.jsonl"
    command = [sys.executable, "-m", "posterity", "export", str(out), "--archive", str(archive), "-q", "--force"]
    subprocess.run(command, check=True, timeout=600)
    return [json.loads(line)["title"] for line in out.read_text("utf-8").splitlines()]


def refusing(site: Site, served: list[Served], refusal: Response) -> Site:
    """The site, of which the server shows pages only as long as `BEFORE` requests have come, or as it is let go."""

    def guarded(page: Response | Callable[[Request], Response]) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            if served and len(served[0].page_requests) > BEFORE:
                return refusal
            return page if isinstance(page, Response) else page(request)

        return respond

    return replace(site, pages={path: guarded(page) for path, page in site.pages.items()})


@pytest.mark.parametrize("refusal", [BANNED, CHECK], ids=["forbidden", "check"])
def test_server_that_refuses_everything_is_left_and_asked_again_later(refusal: Response, tmp_path: Path) -> None:
    posts = write_posts("refusing", POSTS)
    site = blog_site(posts, sitemap=True)
    site.pages["/robots.txt"] = text("User-agent: *\nSitemap: @ORIGIN@/sitemap.xml\n")
    running: list[Served] = []
    with serve(refusing(site, running, refusal)) as served:
        running.append(served)
        first = harvest(served, tmp_path / "archive")
        assert first.returncode == 10, first.stderr
        assert re.search(r"the server refused the last \d+ requests, and its home page too", first.stderr)
        assert len(served.page_requests) < POSTS
        assert 0 < len(stored(tmp_path / "archive")) < BEFORE
        running.clear()  # it has calmed down
        second = harvest(served, tmp_path / "archive")
        assert second.returncode == 0, second.stderr
    assert sorted(stored(tmp_path / "archive")) == sorted(post.title for post in posts)


def test_list_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    posts = write_posts("list fails", 14)
    site = blog_site(posts, listed=4)
    site.pages["/page/2/"] = html("<h1>Service Unavailable</h1>", 503)
    with serve(site) as served:
        ended = harvest(served, tmp_path / "archive")
    assert ended.returncode == 10, ended.stderr
    assert "1 page that may list posts could not be read" in ended.stderr
    assert "/page/2/ (503)" in ended.stderr
