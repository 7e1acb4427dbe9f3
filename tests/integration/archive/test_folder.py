"""What a folder can be: nothing yet, an archive, or something else that stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.archive.folder import MARKER
from posterity.errors import ArchiveTooNew, NotAnArchive
from posterity.model import Blog

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_archive_is_made_where_nothing_is(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "archive"
    with open_archive(folder, create=True) as archive:
        assert archive.location == str(folder)
        assert archive.blogs() == []
    assert (folder / MARKER).is_file()


def test_an_empty_folder_becomes_an_archive(tmp_path: Path) -> None:
    open_archive(tmp_path, create=True).close()
    open_archive(tmp_path).close()


def test_what_is_stored_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    blog = Blog(id="b1", url="https://x.example/")
    with open_archive(str(tmp_path), create=True) as archive:
        archive.put_blog(blog)
    with open_archive(str(tmp_path)) as archive:
        assert archive.blogs() == [blog]


def test_no_folder_is_no_archive_and_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(NotAnArchive, match="posterity harvest"):
        open_archive(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("create", [True, False])
def test_a_folder_of_something_else_is_left_untouched(tmp_path: Path, create: bool) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"beach")
    with pytest.raises(NotAnArchive, match="--archive"):
        open_archive(tmp_path, create=create)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_a_file_is_no_archive(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("words")
    with pytest.raises(NotAnArchive):
        open_archive(file, create=True)
    assert file.read_text() == "words"


def test_an_archive_of_a_later_format_is_refused(tmp_path: Path) -> None:
    open_archive(tmp_path, create=True).close()
    (tmp_path / MARKER).write_text('{"format": 7}')
    with pytest.raises(ArchiveTooNew, match="newer"):
        open_archive(tmp_path)


def test_a_damaged_marker_is_an_error_that_says_how_to_mend_it(tmp_path: Path) -> None:
    open_archive(tmp_path, create=True).close()
    (tmp_path / MARKER).write_text("{")
    with pytest.raises(NotAnArchive, match='"format":1'):
        open_archive(tmp_path)


def test_a_crash_right_after_the_marker_leaves_an_archive_that_opens(tmp_path: Path) -> None:
    open_archive(tmp_path, create=True).close()
    for left in tmp_path.glob("posterity.db*"):
        left.unlink()
    with open_archive(tmp_path) as archive:
        assert archive.blogs() == []


def test_a_crash_before_the_marker_leaves_a_folder_that_can_become_an_archive(tmp_path: Path) -> None:
    (tmp_path / f".{MARKER}.123").write_text("{")
    open_archive(tmp_path, create=True).close()


def test_files_of_media_can_be_read_by_whom_the_folder_is_open_to(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        medium = archive.put_media(b"x", "image/png", "https://x.example/a.png")
        mode = archive.media_path(medium.file or "").stat().st_mode
    assert mode & 0o777 == (tmp_path / "archive" / "posterity-archive.json").stat().st_mode & 0o777
