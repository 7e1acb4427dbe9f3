"""An export is whole or not at all, and overwrites nothing unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from posterity.corpus.export import export
from posterity.corpus.formats import FORMATS
from posterity.errors import InputError
from posterity.model import Blog, Post, from_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from posterity.archive import Archive

POSTS = [Post(id=f"p{n}", url=f"http://blog.example/{n}/", blog=f"b{n % 2}", text=str(n)) for n in range(4)]


class FakeArchive:
    """Posts without a disk; `breaks` raises after the first post."""

    def __init__(self, breaks: BaseException | None = None) -> None:
        self.breaks = breaks

    def posts(self, blog_id: str | None = None) -> Iterator[Post]:
        for number, post in enumerate(POSTS):
            if number and self.breaks:
                raise self.breaks
            if blog_id in (None, post.blog):
                yield post

    def blog(self, name: str) -> Blog:
        return Blog(id=name, url="http://blog.example/")


def archive(breaks: BaseException | None = None) -> Archive:
    return cast("Archive", FakeArchive(breaks))


def test_export_counts_the_posts(tmp_path: Path) -> None:
    assert export(archive(), str(tmp_path / "posts.jsonl"), "jsonl") == 4
    assert len((tmp_path / "posts.jsonl").read_bytes().splitlines()) == 4


def test_only_the_named_blogs(tmp_path: Path) -> None:
    assert export(archive(), str(tmp_path / "posts.jsonl"), "jsonl", blogs=["b1"]) == 2


@pytest.mark.parametrize("format_name", ["jsonl", "markdown"])
def test_what_exists_is_not_overwritten_unasked(tmp_path: Path, format_name: str) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(InputError, match="--force"):
        export(archive(), str(out), format_name)
    assert out.read_text() == "mine"


@pytest.mark.parametrize("format_name", ["jsonl", "markdown"])
def test_force_overwrites(tmp_path: Path, format_name: str) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    assert export(archive(), str(out), format_name, force=True) == 4
    assert out.is_dir() is (format_name == "markdown")


def test_force_replaces_a_folder_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old.md").write_text("old")
    export(archive(), str(out), "markdown", force=True)
    assert not (out / "old.md").exists()


@pytest.mark.parametrize("format_name", ["jsonl", "markdown"])
@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_breaks_off(tmp_path: Path, format_name: str, problem: BaseException) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises((InputError, KeyboardInterrupt)):
        export(archive(problem), str(out), format_name, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert out.read_text() == "mine"


def test_disk_problem_is_a_sentence_with_the_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"posts\.jsonl cannot be written: No space left on device"):
        export(archive(OSError(28, "No space left on device")), str(tmp_path / "posts.jsonl"), "jsonl")


def test_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        export(archive(), str(tmp_path / "nowhere" / "posts.jsonl"), "jsonl")


def test_minus_is_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert export(archive(), "-", "jsonl") == 4
    assert [from_json(line, Post) for line in capfdbinary.readouterr().out.splitlines()] == POSTS


def test_folder_cannot_go_to_standard_output() -> None:
    with pytest.raises(InputError, match="Name a folder"):
        export(archive(), "-", "markdown")


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_of_the_table_has_its_writer(tmp_path: Path, format_name: str) -> None:
    assert export(archive(), str(tmp_path / "out"), format_name) == 4
