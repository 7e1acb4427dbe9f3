"""Posts stored in one transaction are reported once it is committed; a failure is reported to all waiting."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.crawl.state import GroupCommit
from posterity.errors import ArchiveError
from posterity.model import Post

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from posterity.archive.history import Outcome


def posts(count: int) -> list[Post]:
    return [Post(id=f"p{number}", url=f"http://a.example/{number}", blog="b1") for number in range(count)]


def test_posts_of_one_moment_are_stored_together_and_in_their_order(tmp_path: Path) -> None:
    async def stored() -> list[Outcome]:
        return await asyncio.gather(*(commits.stored(post) for post in posts(5)))

    with open_archive(tmp_path / "archive", create=True) as archive, archive.warc_writer("b1") as writer:
        commits = GroupCommit(archive, writer, lambda problem: pytest.fail(str(problem)))
        assert asyncio.run(stored()) == ["new"] * 5
        assert {post.id for post in archive.posts()} == {"p0", "p1", "p2", "p3", "p4"}


def test_nothing_is_told_before_it_is_stored(tmp_path: Path) -> None:
    async def not_yet() -> bool:
        waiting = asyncio.ensure_future(commits.stored(posts(1)[0]))
        await asyncio.sleep(0)
        is_told = waiting.done()
        commits.commit()
        assert await waiting == "new"
        return is_told

    with open_archive(tmp_path / "archive", create=True) as archive, archive.warc_writer("b1") as writer:
        commits = GroupCommit(archive, writer, lambda problem: pytest.fail(str(problem)))
        assert asyncio.run(not_yet()) is False


def test_post_that_comes_while_nothing_is_on_its_way_does_not_wait_for_others(tmp_path: Path) -> None:
    order: list[str] = []

    async def stored(commits: GroupCommit, post: Post) -> None:
        await commits.stored(post)
        order.append(post.id)

    async def both() -> None:
        await asyncio.gather(stored(busy, posts(2)[0]), stored(quiet, posts(2)[1]))

    with open_archive(tmp_path / "archive", create=True) as archive, archive.warc_writer("b1") as writer:
        busy = GroupCommit(archive, writer, lambda problem: pytest.fail(str(problem)))
        quiet = GroupCommit(archive, writer, lambda problem: pytest.fail(str(problem)), is_quiet=lambda: True)
        asyncio.run(both())
    assert order == ["p1", "p0"]


class FullDisk:
    """An archive that cannot be written."""

    def put_group(self, some: Sequence[Post]) -> list[Outcome]:
        raise ArchiveError("no space left")


def test_archive_that_cannot_be_written_fails_every_post_and_is_told(tmp_path: Path) -> None:
    problems: list[Exception] = []

    async def failing() -> list[Outcome | BaseException]:
        return await asyncio.gather(*(commits.stored(post) for post in posts(3)), return_exceptions=True)

    with open_archive(tmp_path / "archive", create=True) as archive, archive.warc_writer("b1") as writer:
        commits = GroupCommit(FullDisk(), writer, problems.append)  # type: ignore[arg-type]
        assert all(isinstance(outcome, ArchiveError) for outcome in asyncio.run(failing()))
    assert len(problems) == 1
