"""The Python API as a program or a notebook uses it: harvests, archives as tables, many pages at once."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

import posterity
from posterity.demo.server import serving
from posterity.errors import InputError, Interrupted, NotInArchive, UnreadablePage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = "The tide came in before anyone had noticed. " * 20


def page(number: int) -> str:
    return f"<html><body><nav>Home</nav><article><h1>Tide {number}</h1><p>{TEXT}</p></article></body></html>"


@pytest.fixture(scope="module")
def archive(demo_archive: Path) -> Iterator[posterity.Archive]:
    with posterity.open_archive(str(demo_archive)) as opened:
        yield opened


def test_harvest_tells_events_and_stops_at_its_limit(tmp_path: Path) -> None:
    events: list[object] = []
    with serving() as blog:
        report = posterity.harvest(f"{blog.base_url}/", tmp_path / "archive", delay=0, limit=5, on_event=events.append)
    assert report.posts < 10
    assert {type(event).__name__ for event in events} >= {"Started", "Fetched", "Ended"}


def test_async_harvest_leaves_the_loop_free(tmp_path: Path) -> None:
    kinds: list[str] = []

    async def run(url: str) -> tuple[posterity.Archive, int]:
        turns = 0
        task = asyncio.create_task(
            posterity.aharvest(
                url, tmp_path / "archive", delay=0, limit=5, on_event=lambda event: kinds.append(type(event).__name__)
            )
        )
        while not task.done():
            turns += 1
            await asyncio.sleep(0.01)
        await task
        return posterity.open_archive(str(tmp_path / "archive")), turns

    with serving() as blog:
        opened, turns = asyncio.run(run(f"{blog.base_url}/"))
    with opened:
        assert list(opened.posts())
    assert turns > 1
    assert kinds[-1] == "Ended"


def test_cancelled_async_harvest_ends_in_order(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        began = asyncio.Event()
        task = asyncio.create_task(
            posterity.aharvest(url, tmp_path / "archive", delay=0, on_event=lambda _event: began.set())
        )
        await began.wait()
        task.cancel()
        with pytest.raises((asyncio.CancelledError, Interrupted)):
            await task

    with serving() as blog:
        asyncio.run(run(f"{blog.base_url}/"))
        report = posterity.harvest(f"{blog.base_url}/", tmp_path / "archive", delay=0)  # goes on where it was
    assert report.posts == 36


@pytest.mark.parametrize("workers", [1, 2])
def test_many_pages_come_in_order_with_errors_as_values(workers: int) -> None:
    pages: list[Any] = [(page(number), f"http://blog.example/{number}/") for number in range(20)]
    pages[7] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200)
    results = list(posterity.extract_many(pages, workers=workers))
    assert [result.title if isinstance(result, posterity.Post) else None for result in results] == [
        None if number == 7 else f"Tide {number}" for number in range(20)
    ]
    assert isinstance(results[7], UnreadablePage)


def test_many_pages_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def pages() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield page(number)

    results = posterity.extract_many(pages(), workers=1)
    next(results)
    assert len(taken) == 1


def test_posts_of_a_blog_by_id_url_and_host(archive: posterity.Archive) -> None:
    (blog,) = archive.blogs()
    host = blog.url.split("/")[2]
    counts = {len(list(archive.posts(blog=name))) for name in (blog.id, blog.url, host)}
    assert counts == {14}
    with pytest.raises(NotInArchive, match=r"nosuch\.example"):
        archive.posts(blog="nosuch.example")


def test_posts_by_author_tag_language_and_day(archive: posterity.Archive) -> None:
    everything = list(archive.posts())
    author, tag = everything[0].authors[0], everything[0].tags[0]
    assert {author} <= {name for post in archive.posts(author=author.upper()) for name in post.authors}
    assert all(tag in (*post.tags, *post.categories) for post in archive.posts(tag=tag))
    assert list(archive.posts(language="de")) == []
    dated = [post for post in everything if post.published]
    middle = sorted(post.published.date() for post in dated if post.published)[len(dated) // 2]
    later = {post.id for post in archive.posts(since=middle)}
    earlier = {post.id for post in archive.posts(until=str(middle))}
    assert later | earlier == {post.id for post in dated}
    assert list(archive.posts(since=date(2200, 1, 1))) == []
    with pytest.raises(posterity.PosterityError, match="not a date"):
        archive.posts(since="yesterday")


def test_record_as_dict_and_json(archive: posterity.Archive) -> None:
    post = next(archive.posts())
    assert json.loads(post.to_json()) == post.to_dict()
    assert post.to_dict()["type"] == "post"


def test_tables_for_pandas_polars_and_arrow(archive: posterity.Archive) -> None:
    posts = list(archive.posts())
    (blog,) = archive.blogs()
    table = archive.to_arrow()
    assert table.column("id").to_pylist() == [post.id for post in posts]
    frame = archive.to_pandas(author=posts[0].authors[0])
    assert list(frame["title"]) == [post.title for post in archive.posts(author=posts[0].authors[0])]
    assert archive.to_pandas("comments").shape[0] == sum(len(post.comments) for post in posts)
    assert archive.to_polars()["title"].to_list() == [post.title for post in posts]
    assert archive.to_arrow("blogs").to_pylist()[0]["url"] == blog.url


@pytest.mark.parametrize("given", [None, 7, "https://tides.example/1", "pages/1.html"])
def test_what_is_no_html_is_named(given: Any) -> None:
    with pytest.raises(InputError, match="HTML"):
        posterity.extract(given)


def test_a_pair_of_url_and_html_is_the_wrong_way_round() -> None:
    (problem,) = posterity.extract_many([("https://tides.example/1", page(1))], workers=1)
    assert isinstance(problem, InputError)


@pytest.mark.parametrize("given", [page(1), {"https://tides.example/1": page(1)}])
def test_many_pages_are_no_single_one(given: Any) -> None:
    with pytest.raises(InputError, match="several pages"):
        list(posterity.extract_many(given))
