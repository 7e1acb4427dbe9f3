"""An export is complete or absent, and does not overwrite files unless told to."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from posterity.archive import Archive, open_archive
from posterity.errors import InputError, UsageError
from posterity.export.export import Manifest, export
from posterity.export.formats import FORMATS
from posterity.extraction.selection import Selection
from posterity.model import Blog, Post, Provenance, from_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HARVESTED = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
BLOGS = [Blog(id=f"b{n}", url=f"http://{n}.example/", harvested_at=HARVESTED) for n in range(2)]
POSTS = [
    Post(
        id=f"p{n}",
        url=f"http://{n % 2}.example/{n}/",
        blog=f"b{n % 2}",
        text=str(n),
        published=datetime(2020 + n // 2, 1, 1, tzinfo=UTC),
        license="CC-BY" if n else None,
        provenance={"optout": Provenance(method="page", rule="noai, tdm-reservation", confidence=1.0)} if n > 2 else {},
    )
    for n in range(4)
]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with open_archive(tmp_path / "archive", create=True) as opened:
        for blog in BLOGS:
            opened.put_blog(blog)
        opened.put_posts(POSTS)
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "exports"
    folder.mkdir()
    return folder / "out"


def broken(problem: BaseException) -> Iterator[Post]:
    yield POSTS[0]
    raise problem


def in_file(out: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(out.with_name(f"{out.name}.manifest.json").read_bytes())
    return told


def test_manifest_says_what_was_written_from_where_and_how_much(archive: Archive, out: Path) -> None:
    manifest = export(archive, str(out), "jsonl")
    told = in_file(out)
    assert [file["path"] for file in told.pop("files")] == ["out"]
    assert msgspec.convert(told, Manifest) == manifest
    assert (manifest.posts, manifest.licenses) == (4, {"CC-BY": 3, "unknown": 1})
    assert manifest.optouts == {"noai": 1, "tdm-reservation": 1}
    assert [(blog.url, blog.posts) for blog in manifest.blogs] == [("http://0.example/", 2), ("http://1.example/", 2)]
    assert manifest.state_of == HARVESTED.replace(microsecond=0)


def test_only_the_named_blogs(archive: Archive, out: Path) -> None:
    manifest = export(archive, str(out), "jsonl", selection=Selection(blogs=("b1", "1.example")))
    assert (manifest.posts, [blog.id for blog in manifest.blogs]) == (2, ["b1"])


def test_time_of_the_export_can_be_given(archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert export(archive, str(out), "jsonl").state_of == datetime(1970, 1, 1, tzinfo=UTC)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        export(archive, str(out), "jsonl", force=True)


@pytest.mark.parametrize("format_name", ["jsonl", "markdown"])
def test_what_exists_is_not_overwritten_unasked(archive: Archive, out: Path, format_name: str) -> None:
    out.write_text("mine")
    with pytest.raises(InputError, match="--force"):
        export(archive, str(out), format_name)
    assert out.read_text() == "mine"


@pytest.mark.parametrize("format_name", FORMATS)
def test_force_overwrites_a_file_and_a_folder(archive: Archive, out: Path, format_name: str) -> None:
    out.write_text("mine")
    assert export(archive, str(out), format_name, force=True).posts == 4
    assert out.is_dir() is (FORMATS[format_name].kind == "folder")
    (out / "old" if out.is_dir() else out).write_text("old")
    export(archive, str(out), format_name, force=True)
    assert not (out / "old").exists()
    assert not [path for path in out.parent.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_breaks_off(
    archive: Archive, out: Path, format_name: str, problem: BaseException
) -> None:
    out.write_text("mine")
    with pytest.raises((InputError, KeyboardInterrupt)):
        export(archive, str(out), format_name, posts=broken(problem), force=True)
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert out.read_text() == "mine"


def test_disk_problem_is_a_sentence_with_the_name(archive: Archive, out: Path) -> None:
    with pytest.raises(InputError, match=r"out cannot be written: No space left on device, there or in /"):
        export(archive, str(out), "jsonl", posts=broken(OSError(28, "No space left on device")))


def test_folder_that_is_not_there_is_named(archive: Archive, out: Path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        export(archive, str(out / "nowhere" / "posts.jsonl"), "jsonl")


def test_minus_is_standard_output(archive: Archive, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert export(archive, "-", "jsonl").posts == 4
    assert [from_json(line, Post) for line in capfdbinary.readouterr().out.splitlines()] == POSTS


@pytest.mark.parametrize("format_name", [name for name, form in FORMATS.items() if form.kind != "stream"])
def test_what_is_no_stream_cannot_go_to_standard_output(archive: Archive, format_name: str) -> None:
    with pytest.raises(InputError, match="cannot go to standard output"):
        export(archive, "-", format_name)


def test_name_that_ends_in_gz_is_compressed_the_same_every_time(archive: Archive, out: Path) -> None:
    first, second = out.with_name("a.jsonl.gz"), out.with_name("b.jsonl.gz")
    export(archive, str(first), "jsonl")
    export(archive, str(second), "jsonl")
    assert len(gzip.decompress(first.read_bytes()).splitlines()) == 4
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("split", "names"),
    [
        ("blog", ["0.example.jsonl", "1.example.jsonl"]),
        ("year", [f"{host}.example-{year}.jsonl" for host in (0, 1) for year in (2020, 2021)]),
    ],
)
def test_split_gives_a_file_for_each_part(archive: Archive, out: Path, split: str, names: list[str]) -> None:
    manifest = export(archive, str(out), "jsonl", split=split)  # type: ignore[arg-type]
    assert sorted(path.name for path in out.iterdir()) == names
    assert sum(len(path.read_bytes().splitlines()) for path in out.iterdir()) == manifest.posts == 4


def test_split_by_size_gives_files_no_larger_unless_one_post_is(archive: Archive, out: Path) -> None:
    first = Selection(blogs=("b0",))
    export(archive, str(out), "wxr", selection=first)
    size = out.stat().st_size + 10  # the two posts fit, and no third
    others = [("p8", "short"), ("p9", "long " * size)]
    archive.put_posts(
        [msgspec.structs.replace(POSTS[2], id=name, url=f"x:/{name}", text=text) for name, text in others]
    )
    export(archive, str(out), "wxr", selection=first, split=size, force=True)
    sizes = {path.name: path.stat().st_size for path in sorted(out.iterdir())}
    assert list(sizes) == [f"0.example-00{number}.xml" for number in (1, 2, 3)]
    assert [number <= size for number in sizes.values()] == [True, True, False]
    assert [file["path"] for file in in_file(out)["files"]] == [f"out/{name}" for name in sizes]


def test_only_some_formats_can_be_split_by_size(archive: Archive, out: Path) -> None:
    with pytest.raises(UsageError, match="tei cannot be split by size, only: wxr"):
        export(archive, str(out), "tei", split=1_000)


def test_a_part_has_its_year_in_its_title(archive: Archive, out: Path) -> None:
    export(archive, str(out), "tei", split="year")
    assert "<title>0.example, 2021</title>" in (out / "0.example-2021.xml").read_text()


def test_files_beside_the_export_are_in_the_manifest(archive: Archive, out: Path) -> None:
    export(archive, str(out), "vertical")
    assert [file["path"] for file in in_file(out)["files"]] == ["out", "out.registry"]
    assert (out.parent / "out.registry").is_file()
