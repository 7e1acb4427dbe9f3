"""The contract of every export format, on a harvested blog."""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.conftest import environment

from posterity.archive import open_archive
from posterity.errors import InputError
from posterity.export.export import export
from posterity.export.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STREAMS = [name for name, form in FORMATS.items() if form.kind == "stream"]


def contents(path: Path) -> dict[str, bytes]:
    files = path.rglob("*") if path.is_dir() else [path]
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_same_archive_gives_the_same_bytes(demo_archive: Path, tmp_path: Path, format_name: str) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        with open_archive(demo_archive) as archive:
            export(archive, str(tmp_path / folder / "out"), format_name)
    first, second = contents(tmp_path / "first"), contents(tmp_path / "second")
    assert first == second
    assert len(first) > 1


@pytest.mark.parametrize("format_name", FORMATS)
def test_manifest_has_the_checksum_of_every_file(demo_archive: Path, tmp_path: Path, format_name: str) -> None:
    with open_archive(demo_archive) as archive:
        export(archive, str(tmp_path / "out"), format_name)
        expected = sum(1 for _ in archive.posts())
    written = {name: content for name, content in contents(tmp_path).items() if not name.endswith(".manifest.json")}
    told = json.loads((tmp_path / "out.manifest.json").read_bytes())
    assert {file["path"]: file["sha256"] for file in told["files"]} == {
        name: hashlib.sha256(content).hexdigest() for name, content in written.items()
    }
    assert (told["format"], told["posts"]) == (format_name, expected)


@pytest.mark.parametrize("format_name", STREAMS)
def test_standard_output_gets_what_a_file_gets(
    demo_archive: Path, tmp_path: Path, format_name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with open_archive(demo_archive) as archive:
        export(archive, str(tmp_path / "out"), format_name)
        export(archive, "-", format_name)
    assert capfdbinary.readouterr().out == (tmp_path / "out").read_bytes()


@pytest.mark.parametrize("format_name", FORMATS)
def test_no_room_leaves_the_old_file_and_says_so(demo_archive: Path, tmp_path: Path, format_name: str) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    with open_archive(demo_archive) as archive, little_room(), pytest.raises(InputError, match="cannot be written"):
        export(archive, str(out), format_name, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert out.read_text() == "mine"


@contextmanager
def little_room() -> Iterator[None]:
    """Limit the size of files, to simulate a full disk."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


def test_a_reader_that_has_enough_is_no_error(demo_archive: Path) -> None:
    run = in_shell(f"{sys.executable} -m posterity export - --archive {demo_archive} | head -c 100")
    assert (run.returncode, len(run.stdout), run.stderr) == (0, 100, "")


def test_a_full_standard_output_is_a_sentence(demo_archive: Path) -> None:
    run = in_shell(f"{sys.executable} -m posterity export - --archive {demo_archive} > /dev/full")
    assert run.returncode == 4
    assert run.stderr == "posterity: Standard output cannot be written: No space left on device.\n"


def in_shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, env=environment(), check=False
    )
