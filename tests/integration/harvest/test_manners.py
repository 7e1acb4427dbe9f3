"""A harvest is polite: robots.txt, its name, its limits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from posterity import __version__
from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web

BLOG = SiteOptions(posts_limit=12)


@pytest.fixture
def blog(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    """The bundled blog without a robots.txt, on a server that notes who asks."""
    web = serve({})
    site = build(SiteOptions(base_url=web.base_url, posts_limit=12))
    web.responses |= {
        path: response(resource.body, resource.content_type, resource.status)
        for path, resource in site.items()
        if path != "/robots.txt"
    }
    return web


@pytest.mark.parametrize(
    ("robots", "status"),
    [("User-agent: *\nDisallow: /\n", 200), ("User-agent: Posterity\nDisallow: /\n", 200), ("oh no", 500)],
)
def test_robots_txt_that_forbids_is_obeyed_to_the_letter(
    robots: str, status: int, blog: Web, response: type[Response], posterity: Posterity, tmp_path: Path
) -> None:
    blog.responses["/robots.txt"] = response(robots, "text/plain", status)
    ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--archive", tmp_path / "archive")
    assert ended.returncode == 7
    (line,) = ended.stderr.splitlines()
    assert f"{blog.base_url}/robots.txt" in line
    assert set(blog.paths) == {"/robots.txt"}
    with open_archive(tmp_path / "archive") as store:
        assert list(store.posts()) == []


def test_forbidden_part_is_left_alone_and_named(
    blog: Web, response: type[Response], posterity: Posterity, tmp_path: Path
) -> None:
    blog.responses["/robots.txt"] = response("User-agent: *\nDisallow: /2020/\nDisallow: /tag/\n", "text/plain")
    ended = posterity("harvest", f"{blog.base_url}/", "--delay", "0", "--json", "--archive", tmp_path / "archive")
    assert ended.returncode == 0, ended.stderr
    assert [path for path in blog.paths if path.startswith(("/2020/", "/tag/"))] == []
    missing = json.loads(ended.stdout.splitlines()[-1])["report"]["missing"]
    assert missing
    assert {post["reason"] for post in missing} == {"robotsTxt"}
    assert {agent for _, agent in blog.asked if not agent.startswith(f"Posterity/{__version__} ")} == set()


def test_page_limit_is_honoured(blog: Web, posterity: Posterity, tmp_path: Path) -> None:
    ended = posterity(
        "harvest", f"{blog.base_url}/", "--delay", "0", "--json", "--limit", "12", "--archive", tmp_path / "archive"
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    report = json.loads(ended.stdout.splitlines()[-1])["report"]
    assert "--limit" in report["ended_because"]
    owed, files = ("/robots.txt", "/.well-known/"), (".ico", ".css", ".jpg", ".png", ".svg", ".webp")
    pages = [path for path in blog.paths if not path.startswith(owed) and not path.endswith(files)]
    assert 3 < len(pages) <= 12


def test_page_limit_that_leaves_nothing_to_learn_from_is_named(blog: Web, posterity: Posterity, tmp_path: Path) -> None:
    ended = posterity(
        "harvest", f"{blog.base_url}/", "--delay", "0", "-q", "--limit", "3", "--archive", tmp_path / "archive"
    )
    assert "--limit" in ended.stderr
