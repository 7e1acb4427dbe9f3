"""Many blogs at once: every one to its end, a table, the exit code of the first failure, and no failure spreads."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.demo.server import Serving


@pytest.fixture
def blogs() -> Iterator[list[Serving]]:
    with ExitStack() as stack:
        yield [stack.enter_context(serving(SiteOptions(posts_limit=count, feed_entries=4))) for count in (5, 6, 7)]


def test_all_blogs_are_harvested_and_a_table_says_so(
    blogs: list[Serving], posterity: Posterity, tmp_path: Path
) -> None:
    (tmp_path / "blogs.txt").write_text("# three\n" + "\n".join(f"{blog.base_url}/" for blog in blogs))
    ended = posterity(
        "harvest", "-i", tmp_path / "blogs.txt", "--workers", "2", "--delay", "0", "--archive", tmp_path / "archive"
    )
    assert ended.returncode == 0, ended.stderr
    *lines, headings, first, second, third, sums = ended.stderr.splitlines()
    assert sorted(line.split()[0] for line in lines if "of them new" in line) == ["1/3", "2/3", "3/3"]
    assert headings.split() == ["posts", "new", "comments", "media", "requests", "missing", "blog"]
    assert [line.split()[0] for line in (first, second, third)] == ["5", "6", "7"]
    assert sums.split()[:2] == ["18", "18"]
    assert sums.split()[-2:] == ["3", "blogs"]
    with open_archive(tmp_path / "archive") as store:
        assert {post.url for post in store.posts()} == {post.url for blog in blogs for post in blog.site.truth}


def test_blog_that_fails_costs_only_itself_and_its_code_is_the_exit_code(
    blogs: list[Serving], posterity: Posterity, tmp_path: Path
) -> None:
    urls = [f"{blogs[0].base_url}/", "http://127.0.0.1:9/", "no address", f"{blogs[1].base_url}/"]
    ended = posterity("harvest", *urls, "--delay", "0", "--json", "--archive", tmp_path / "archive")
    assert ended.returncode == 6
    assert "2 of 4 blogs could not be harvested" in ended.stderr
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    assert {event["blog"] for event in events if event["event"] == "ended"} == {urls[0], urls[3]}
    with open_archive(tmp_path / "archive") as store:
        assert len(list(store.posts())) == 11


def test_two_blogs_of_one_host_are_not_visited_at_the_same_time(
    blogs: list[Serving], posterity: Posterity, tmp_path: Path
) -> None:
    first, second = f"{blogs[0].base_url}/", f"{blogs[0].base_url}/feed/"
    ended = posterity("harvest", first, second, "--delay", "0", "--json", "--archive", tmp_path / "archive")
    assert ended.returncode == 0, ended.stderr
    order = [json.loads(line)["blog"] for line in ended.stdout.splitlines()]
    assert order == sorted(order, key=[first, second].index)
