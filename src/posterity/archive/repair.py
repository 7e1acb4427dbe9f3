"""Puts right what `verify` found and what can be put right without a backup."""

from __future__ import annotations

import fcntl
import shutil
from typing import TYPE_CHECKING

from posterity.archive.captures import captures_of_file, remove_captures, write_captures
from posterity.archive.cdxj import write_cdxj
from posterity.archive.failures import translated
from posterity.archive.posts import posts_after
from posterity.archive.search_index import add_to_index, empty_index, settle_index

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive.archive import Archive
    from posterity.archive.verify import Problem, Verification

# A record that is missing or damaged can only come from a backup, a file that nobody knows may be somebody's.
REPAIRABLE = ("cut", "unindexed", "cdxj", "search")


def repair_archive(archive: Archive, found: Verification) -> list[Problem]:
    """Repair what can be and return the problems that are gone."""
    repaired = [problem for problem in found.problems if problem.kind in REPAIRABLE or _was_cut_off(problem, found)]
    touched = {problem.where for problem in repaired if problem.kind in ("cut", "cdxj")}
    for problem in repaired:
        if problem.kind == "cut":
            _cut_off(archive.folder.warc / problem.where, problem.offset)
    _put_index_right(archive, repaired)
    touched |= {problem.capture.file for problem in repaired if problem.capture}
    for file in sorted(touched):
        with archive.database.reading() as connection:
            known = captures_of_file(connection, file)
        write_cdxj(archive.folder.warc / file, known)
    if any(problem.kind == "search" for problem in repaired):
        rebuild_search(archive)
    return repaired


def rebuild_search(archive: Archive) -> None:
    """Make the search index anew from the stored posts."""
    with archive.database.writing() as connection:
        empty_index(connection)
        after = None
        while batch := posts_after(connection, None, after):
            add_to_index(connection, [post for _, post in batch])
            after = batch[-1][0]
        settle_index(connection)


def _was_cut_off(problem: Problem, found: Verification) -> bool:
    """Tell whether a record is missing because its file was cut before it."""
    if problem.kind != "dangling" or problem.capture is None:
        return False
    ends = {other.where: other.offset for other in found.problems if other.kind == "cut"}
    return problem.capture.offset >= ends.get(problem.capture.file, problem.capture.offset + 1)


def _cut_off(path: Path, offset: int) -> None:
    """Take half a record off the end of a file; the half is kept beside it, for whoever wants to look."""
    with translated(str(path)), path.open("r+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        stream.seek(offset)
        with path.with_name(f"{path.name}.cut-{offset}").open("wb") as kept:
            shutil.copyfileobj(stream, kept)
        stream.truncate(offset)


def _put_index_right(archive: Archive, repaired: list[Problem]) -> None:
    missing = [problem.capture for problem in repaired if problem.kind == "unindexed" and problem.capture]
    lost = [problem.capture.record_id for problem in repaired if problem.kind == "dangling" and problem.capture]
    with archive.database.writing() as connection:
        remove_captures(connection, lost)
        write_captures(connection, missing)
