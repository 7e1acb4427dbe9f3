"""The format `warc`: one WARC 1.1 file with the raw pages, and the posts as conversion records."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

import msgspec

from posterity.archive import Archive, Capture, warc_records
from posterity.archive.database import date_key
from posterity.archive.warc_reader import open_warc
from posterity.export.json_lines import line_of
from posterity.export.selection import Source, utc_stamp
from posterity.model import Post, to_json

# A seed, not a link: a different one would change the ids of exported records.
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://posterity.example/warc")
# The field in warcinfo that marks an export with earlier revisions.
HISTORY_FIELD = "posterity-history"


class ExportedRecord(msgspec.Struct, frozen=True):
    """The bytes of one WARC record; `capture` is its index entry, `post` the post on that page."""

    content: bytes
    capture: Capture | None = None
    post: Post | None = None


def exported_records(source: Source, name: str) -> Iterator[ExportedRecord]:
    """Yield all records of an export; `name` is the name of the WARC file."""
    opened: set[str] = set()
    fields = {"software": "Posterity", "format": "WARC File Format 1.1", "description": source.title}
    if source.history:
        fields[HISTORY_FIELD] = "metadata"
    own_id = _record_id(f"warcinfo {name} {source.made_at}")
    yield ExportedRecord(warc_records.warcinfo_record(name, utc_stamp(source.made_at), fields, own_id)[1])
    for post in source.posts:
        latest = None
        for capture in source.archive.captures(post.url):
            yield from _stored_records(source.archive, capture, post, opened)
            latest = capture if capture.kind == "response" else latest
        states = source.earlier_states(post)
        for state in states.revisions if states is not None else ():
            yield _conversion(state.post, latest, source, date_key(state.seen_at))
        yield _conversion(post, latest, source)
        if source.history:
            # The post with its history in the form of the format jsonl, for imports.
            headers = {
                "WARC-Record-ID": _record_id(f"{post.id} history"),
                "WARC-Date": date_key(source.made_at),
                "Content-Type": "application/json",
                "WARC-Refers-To": _record_id(f"{post.id} {post.revision}"),
            }
            yield ExportedRecord(warc_records.plain_record("metadata", post.url, line_of(post, source), headers)[1])
    for blog in source.blogs:
        for capture in source.archive.captures_of_blog(blog.id):
            if not source.archive.has_post_at(capture.url):
                yield from _stored_records(source.archive, capture, None, opened)


def _conversion(post: Post, capture: Capture | None, source: Source, seen_at: str = "") -> ExportedRecord:
    """Return the post as a conversion record; `seen_at` is the time of an earlier revision."""
    headers = {
        "WARC-Record-ID": _record_id(f"{post.id} {post.revision}"),
        "WARC-Date": seen_at or (capture.fetched_at if capture else date_key(source.made_at)),
        "Content-Type": "application/json",
    }
    if capture is not None and not seen_at:
        headers["WARC-Refers-To"] = capture.record_id
    return ExportedRecord(warc_records.plain_record("conversion", post.url, to_json(post), headers)[1])


def _stored_records(
    archive: Archive, capture: Capture, post: Post | None, opened: set[str]
) -> Iterator[ExportedRecord]:
    """Yield the records of a capture, after the warcinfo of its file unless the file is in `opened`; adds it there."""
    with open_warc(archive.folder.warc_path(capture.file)) as stream:
        if capture.file not in opened:
            opened.add(capture.file)
            if capture.offset:
                yield ExportedRecord(_member_at(stream, 0, b"WARC-Type: warcinfo"))
        stream.seek(capture.offset)
        yield ExportedRecord(stream.read(capture.length), capture, post)
        if request := _member_at(stream, capture.offset + capture.length, b"WARC-Type: request"):
            yield ExportedRecord(request)


def _member_at(stream: IO[bytes], offset: int, mark: bytes) -> bytes:
    """Return the compressed record at this offset; empty if its headers do not contain the mark."""
    stream.seek(offset)
    unpacked = zlib.decompressobj(wbits=31)
    packed, beginning = b"", b""
    while not unpacked.eof:
        block = stream.read(1 << 16)
        if not block:
            return b""
        try:
            beginning = (beginning + unpacked.decompress(block))[:4096]
        except zlib.error:
            return b""
        if mark not in beginning:
            return b""
        packed += block
    return packed[: len(packed) - len(unpacked.unused_data)]


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_IDS, name)}>"


def write_warc(source: Source, out: BinaryIO) -> None:
    """Write the records, each compressed separately."""
    out.writelines(record.content for record in exported_records(source, "posterity.warc.gz"))
