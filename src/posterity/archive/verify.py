"""Checks an archive: every digest, every pointer, every file, and the database itself."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from sqlalchemy import func, select, text

from posterity.archive import captures, schema
from posterity.archive.database import Database, date_key, document_digest, translated
from posterity.archive.folder import Folder, lock_file
from posterity.archive.posts import index_all_posts, post_row, posts_in_batches
from posterity.archive.search_index import merge_index
from posterity.archive.warc_reader import Member, WarcRecord, members, records_in, stored
from posterity.archive.warc_records import payload_digest
from posterity.errors import NotInArchive
from posterity.model import Blog, Post, from_json
from posterity.text.normal_form import count_of

ProblemKind = Literal[
    "cut", "damaged", "unindexed", "dangling", "pointer", "row", "media", "orphan", "cdxj", "search", "database"
]
_BATCH = 500  # rows in memory at once


class Storage(Protocol):
    """The part of `Archive` that is checked and repaired; a protocol, because `Archive` imports this module."""

    @property
    def database(self) -> Database: ...  # noqa: D102

    @property
    def folder(self) -> Folder: ...  # noqa: D102

    @property
    def location(self) -> str: ...  # noqa: D102

    def posts(self) -> Iterator[Post]: ...  # noqa: D102

    def media_path(self, file: str) -> Path: ...  # noqa: D102


class ArchiveProblem(msgspec.Struct, frozen=True):
    """A defect, its place, and a description."""

    kind: ProblemKind
    where: str
    detail: str
    offset: int = 0
    capture: captures.Capture | None = None


class Verification(msgspec.Struct, kw_only=True):
    """What was checked, and the problems found."""

    files: int = 0
    records: int = 0
    being_written: list[str] = []
    problems: list[ArchiveProblem] = []
    places: set[tuple[str, int]] = set()


def verify_archive(archive: Storage, progress: Callable[[int, int], None] | None = None) -> Verification:
    """Check everything and change nothing; `progress` is called with the bytes read and their total."""
    found = Verification()
    with translated(archive.location):
        names = archive.folder.warc_files()
        done, total = 0, sum(path.stat().st_size for path in archive.folder.warc.glob("*.warc.gz"))
        if archive.folder.shared is not None:
            total += sum(file.bytes for file in archive.folder.shared.all("warc"))
        for name in names:
            path = archive.folder.readable(name)
            _check_file(archive, path, found)
            done += path.stat().st_size
            if progress is not None:
                progress(done, total)
    found.problems += _lost_files(archive)
    found.problems += _post_problems(archive, found)
    found.problems += _row_problems(archive)
    found.problems += _document_problems(archive)
    found.problems += _media_problems(archive)
    found.problems += _database_problems(archive)
    return found


def is_being_written(path: Path) -> bool:
    """Return whether a writer still has the file open."""
    with path.open("rb") as stream:
        try:
            lock_file(stream, shared=True, wait=False)
        except BlockingIOError:
            return True
    return False


def _check_file(archive: Storage, path: Path, found: Verification) -> None:
    found.files += 1
    if is_being_written(path):
        found.being_written.append(path.name)
    found.problems += _file_problems(archive, path, found)


def _file_problems(archive: Storage, path: Path, found: Verification) -> Iterator[ArchiveProblem]:
    with archive.database.reading() as connection:
        known = {capture.offset: capture for capture in captures.captures_of_file(connection, path.name)}
    open_file = path.name in found.being_written
    present: list[captures.Capture] = []
    with path.open("rb") as stream:
        for member in members(stream):
            if member.state != "whole":
                if not (open_file and member.state == "cut"):
                    is_cut = member.state == "cut"
                    detail = "the file ends within a record" if is_cut else f"{member.length} bytes cannot be read"
                    yield ArchiveProblem(member.state, path.name, detail, offset=member.offset)
                continue
            found.records += 1
            found.places.add((path.name, member.offset))
            yield from _record_problems(member, path.name, known, present)
    for offset, capture in known.items():
        if (path.name, offset) not in found.places:
            yield ArchiveProblem("dangling", f"{path.name}#{offset}", f"no record of {capture.url}", capture=capture)
    if open_file or path.parent != archive.folder.warc:
        return  # a copy from shared storage has no index; in the spool, an index marks a complete file
    index = captures.cdxj_path(path)
    if not index.exists():
        yield ArchiveProblem("cdxj", path.name, "the CDXJ index is missing")
    elif index.read_bytes() != captures.cdxj_content(present):
        yield ArchiveProblem("cdxj", path.name, "the CDXJ index does not match the records")


def _record_problems(
    member: Member, file: str, known: dict[int, captures.Capture], present: list[captures.Capture]
) -> Iterator[ArchiveProblem]:
    where = f"{file}#{member.offset}"
    record = next(iter(records_in(BytesIO(member.content))), None)
    if record is None or not _is_intact(member.content):
        yield ArchiveProblem("damaged", where, "the record does not match its digest", offset=member.offset)
        return
    capture = capture_of(record, file, member)
    indexed = known.get(member.offset)
    present += [indexed or capture] if capture is not None else []
    if indexed is None and capture is not None:
        yield ArchiveProblem("unindexed", where, f"{capture.kind} of {capture.url}", capture=capture)
    elif indexed is not None and indexed.record_id != record.record_id:
        yield ArchiveProblem("dangling", where, f"the record is not {indexed.record_id}", capture=indexed)


def _is_intact(content: bytes) -> bool:
    head, _, rest = content.partition(b"\r\n\r\n")
    fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
    block = rest[: int(fields.get(b"Content-Length", b"0"))]
    digest = fields.get(b"WARC-Block-Digest", b"").decode()
    return rest[len(block) :] == b"\r\n\r\n" and (not digest.startswith("sha256:") or digest == payload_digest(block))


def capture_of(record: WarcRecord, file: str, member: Member) -> captures.Capture | None:
    """Return the index entry of a record; None for records that are not in the index."""
    whole = stored(record)
    # Requests and warcinfo records are found through their file.
    if whole.kind not in ("response", "revisit", "resource", "conversion", "metadata") or not whole.url:
        return None
    content_type = whole.http_header("content-type") or whole.warc_headers.get("Content-Type", "")
    return captures.Capture(
        record_id=whole.record_id,
        kind=whole.kind,
        blog_id=file.partition("-")[0],
        url=whole.url,
        fetched_at=date_key(whole.date),
        status=whole.status,
        mime=content_type.partition(";")[0] or None,
        digest=whole.warc_headers.get("WARC-Payload-Digest", ""),
        file=file,
        offset=member.offset,
        length=member.length,
    )


def _lost_files(archive: Storage) -> Iterator[ArchiveProblem]:
    file = schema.captures.c.file
    with archive.database.reading() as connection:
        rows = connection.execute(select(file, func.count()).group_by(file).order_by(file)).all()
    for name, count in rows:
        if not archive.folder.has(archive.folder.warc / name):
            yield ArchiveProblem("dangling", name, f"the file is missing, and with it {count_of(count, 'record')}")


def _post_problems(archive: Storage, found: Verification) -> Iterator[ArchiveProblem]:
    """Yield posts whose provenance refers to a record that does not exist."""
    for post in archive.posts():
        for pointer in sorted({origin.warc for origin in post.provenance.values() if origin.warc}):
            file, _, offset = pointer.rpartition("#")
            if (file, int(offset) if offset.isdigit() else -1) not in found.places and file not in found.being_written:
                yield ArchiveProblem("pointer", post.url, f"there is no record {pointer}")


def _row_problems(archive: Storage) -> Iterator[ArchiveProblem]:
    """Yield posts that differ from what was stored, because a row of the post or of a comment was changed."""
    names = ("blog_id", "url", "canonical_url", "published", "language", "title", "fingerprint")
    columns = [schema.posts.c[name] for name in ("id", *names)]
    with archive.database.reading() as connection:
        for batch in posts_in_batches(connection):
            ids = [post.id for post in batch]
            rows = {row.id: row for row in connection.execute(select(*columns).where(schema.posts.c.id.in_(ids)))}
            for post in batch:
                expected = post_row(post, "")
                wrong = [name for name in names if getattr(rows[post.id], name) != expected[name]]
                if wrong:
                    what = "it does not match its digest" if "fingerprint" in wrong else ", ".join(wrong)
                    yield ArchiveProblem("row", post.url, f"the post was changed: {what}")


def _document_problems(archive: Storage) -> Iterator[ArchiveProblem]:
    """Yield blogs, rules, reports and earlier revisions whose rows were changed."""
    for table in schema.WITH_DIGEST:
        with archive.database.reading() as connection:
            for row in connection.execution_options(yield_per=_BATCH).execute(select(table)).mappings():
                where = f"{table.name} {' '.join(str(row[column.name]) for column in table.primary_key)}"
                if row["digest"] != document_digest(row["document"]):
                    yield ArchiveProblem("row", where, "the row does not match its digest")
                elif table is schema.blogs:
                    blog = from_json(row["document"], Blog)
                    if (row["id"], row["url"]) != (blog.id, blog.url):
                        yield ArchiveProblem("row", where, "the row was changed: its id or URL")


def _media_problems(archive: Storage) -> Iterator[ArchiveProblem]:
    with archive.database.reading() as connection:
        known = {row.file: row.digest for row in connection.execute(select(schema.media.c.file, schema.media.c.digest))}
    for file, digest in sorted(known.items()):
        try:
            path = archive.media_path(file)
        except NotInArchive as refusal:
            yield ArchiveProblem("media", file, str(refusal))
            continue
        if not path.is_file():
            yield ArchiveProblem("media", file, "the file is missing")
        elif problem := _wrong_bytes(path, digest):
            yield ArchiveProblem("media", file, problem)
    for path in sorted(archive.folder.media.glob("*/*")):
        file = f"{path.parent.name}/{path.name}"
        if file not in known:
            yield ArchiveProblem("orphan", file, "no database row refers to this file")


def _wrong_bytes(path: Path, digest: str) -> str:
    """Return what is wrong with a file; an empty string if nothing is."""
    try:
        agrees = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest() == digest
    except OSError as problem:
        return f"the file cannot be read: {problem.strerror}"
    return "" if agrees else "the file does not match its digest"


def _database_problems(archive: Storage) -> Iterator[ArchiveProblem]:
    with archive.database.reading() as connection:
        if archive.database.is_sqlite:
            for (word,) in connection.execute(text("PRAGMA integrity_check")):
                if word != "ok":
                    yield ArchiveProblem("database", "posterity.db", word)
        shown = schema.posts.c.moved_to.is_(None)
        posts = connection.scalar(select(func.count()).select_from(schema.posts).where(shown))
        comments = connection.scalar(select(func.count()).select_from(schema.comments.join(schema.posts)).where(shown))
        entries = connection.scalar(select(func.count()).select_from(schema.search_entries))
    rows = (posts or 0) + (comments or 0)
    if rows != entries:
        yield ArchiveProblem("search", "search", f"{entries} of {rows} posts and comments can be found")


# A missing or damaged record can only be restored from a backup, and an unknown file may belong to a user.
REPAIRABLE = ("cut", "unindexed", "cdxj", "search")


def repair_archive(archive: Storage, found: Verification) -> list[ArchiveProblem]:
    """Repair what can be repaired and return the problems that are solved."""
    repaired = [problem for problem in found.problems if problem.kind in REPAIRABLE or _was_cut_off(problem, found)]
    touched = {problem.where for problem in repaired if problem.kind in ("cut", "cdxj")}
    for problem in repaired:
        if problem.kind == "cut":
            path = archive.folder.warc / problem.where
            # The partial record at the end of the file is kept beside it, for inspection.
            with translated(str(path)), path.open("r+b") as stream:
                lock_file(stream, wait=False)
                stream.seek(problem.offset)
                with path.with_name(f"{path.name}.cut-{problem.offset}").open("wb") as kept:
                    shutil.copyfileobj(stream, kept)
                stream.truncate(problem.offset)
    missing = [problem.capture for problem in repaired if problem.kind == "unindexed" and problem.capture]
    lost = [problem.capture.record_id for problem in repaired if problem.kind == "dangling" and problem.capture]
    with archive.database.writing() as connection:
        captures.remove_captures(connection, lost)
        captures.write_captures(connection, missing)
    touched |= {problem.capture.file for problem in repaired if problem.capture}
    for file in sorted(touched):
        captures.write_cdxj(archive.folder.warc / file, archive.database.read(captures.captures_of_file, file))
    if any(problem.kind == "search" for problem in repaired):
        with archive.database.writing() as connection:
            index_all_posts(connection)
            merge_index(connection)
    return repaired


def _was_cut_off(problem: ArchiveProblem, found: Verification) -> bool:
    """Return whether a record is missing because its file was cut before it."""
    if problem.kind != "dangling" or problem.capture is None:
        return False
    ends = {other.where: other.offset for other in found.problems if other.kind == "cut"}
    return problem.capture.offset >= ends.get(problem.capture.file, problem.capture.offset + 1)


def finish_files(archive: Storage, blog_id: str) -> None:
    """Repair and index the files of a blog that have no CDXJ index and that no writer has open."""
    for path in sorted(archive.folder.warc.glob(f"{blog_id}-*.warc.gz")):
        if not captures.cdxj_path(path).exists() and not is_being_written(path):
            found = Verification()
            with translated(str(path)):
                _check_file(archive, path, found)
            repair_archive(archive, found)
