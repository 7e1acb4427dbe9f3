"""One WARC 1.1 file, a gzip member a record, with the raw pages and in conversion records what was made of them."""

from __future__ import annotations

import uuid
import zlib
from typing import IO, TYPE_CHECKING, BinaryIO

import msgspec

from posterity.archive import Archive, Capture, warc_records
from posterity.archive.database import date_key
from posterity.archive.folder import translated
from posterity.errors import NotInArchive
from posterity.export.json_lines import line_of
from posterity.export.selection import utc_stamp
from posterity.model import Post, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Revision
    from posterity.export.selection import Source


# A seed, not a link: with another one, the records of an export would get new ids.
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://posterity.example/warc")
_BLOCK = 1 << 16
# In the warcinfo of an export with histories: where they are.
HISTORY_FIELD = "posterity-history"
_HEAD = 4096
_REQUEST = b"WARC-Type: request"


class Copied(msgspec.Struct, frozen=True):
    """The bytes of one record; `capture` is its line in the index, `post` the post whose page it is."""

    content: bytes
    capture: Capture | None = None
    post: Post | None = None


def copied_records(source: Source, name: str) -> Iterator[Copied]:
    """Yield all records of an export; `name` is what the WARC file is called."""
    copies = _Copies(source.archive)
    fields = {"software": "Posterity", "format": "WARC File Format 1.1", "description": source.title}
    if source.history:
        fields[HISTORY_FIELD] = "metadata"
    own_id = _record_id(f"warcinfo {name} {source.made_at}")
    yield Copied(warc_records.warcinfo_record(name, utc_stamp(source.made_at), fields, own_id)[1])
    for post in source.posts:
        latest = None
        for capture in source.archive.captures(post.url):
            yield from copies.of(capture, post)
            latest = capture if capture.kind == "response" else latest
        for state in _earlier(post, source):
            yield _conversion(state.post, latest, source, date_key(state.seen_at))
        yield _conversion(post, latest, source)
        if source.history:
            yield _told(post, source)
    for blog in source.blogs:
        for capture in source.archive.captures_of_blog(blog.id):
            if not source.archive.has_post_at(capture.url):
                yield from copies.of(capture, None)


def _earlier(post: Post, source: Source) -> tuple[Revision, ...]:
    told = source.earlier_states(post)
    return told.revisions if told is not None else ()


def _told(post: Post, source: Source) -> Copied:
    """The record with its history, as a line of JSON lines has it, for an import."""
    headers = {
        "WARC-Record-ID": _record_id(f"{post.id} history"),
        "WARC-Date": date_key(source.made_at),
        "Content-Type": "application/json",
        "WARC-Refers-To": _record_id(f"{post.id} {post.revision}"),
    }
    return Copied(warc_records.plain_record("metadata", post.url, line_of(post, source), headers)[1])


def _conversion(post: Post, capture: Capture | None, source: Source, seen_at: str = "") -> Copied:
    """The record itself, as what was made of the page; of an earlier state, with when it was first seen."""
    headers = {
        "WARC-Record-ID": _record_id(f"{post.id} {post.revision}"),
        "WARC-Date": seen_at or (capture.fetched_at if capture else date_key(source.made_at)),
        "Content-Type": "application/json",
    }
    if capture is not None and not seen_at:
        headers["WARC-Refers-To"] = capture.record_id
    return Copied(warc_records.plain_record("conversion", post.url, to_json(post), headers)[1])


class _Copies:
    """Reads records, and before the first of each file the one that describes the file."""

    def __init__(self, archive: Archive) -> None:
        self._folder = archive.folder
        self._begun: set[str] = set()

    def of(self, capture: Capture, post: Post | None) -> Iterator[Copied]:
        path = self._folder.warc_path(capture.file)
        if not path.is_file():
            raise NotInArchive(
                f"The WARC file {path} is missing. Put it back from a backup, or run `posterity archive verify`."
            )
        with translated(str(path)), path.open("rb") as stream:
            if capture.file not in self._begun:
                self._begun.add(capture.file)
                if capture.offset:
                    yield Copied(_member_at(stream, 0, b"WARC-Type: warcinfo"))
            stream.seek(capture.offset)
            yield Copied(stream.read(capture.length), capture, post)
            if request := _member_at(stream, capture.offset + capture.length, _REQUEST):
                yield Copied(request)


def _member_at(stream: IO[bytes], offset: int, mark: bytes) -> bytes:
    """The compressed record that begins at this place if the mark is among its headers, else nothing."""
    stream.seek(offset)
    unpacked = zlib.decompressobj(wbits=31)
    packed, beginning = b"", b""
    while not unpacked.eof:
        block = stream.read(_BLOCK)
        if not block:
            return b""
        try:
            beginning = (beginning + unpacked.decompress(block))[:_HEAD]
        except zlib.error:
            return b""
        if mark not in beginning:
            return b""
        packed += block
    return packed[: len(packed) - len(unpacked.unused_data)]


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_IDS, name)}>"


_NAME = "posterity.warc.gz"


def write_warc(source: Source, out: BinaryIO) -> None:
    """Write the records; they are compressed one by one, whatever the file is called."""
    out.writelines(copy.content for copy in copied_records(source, _NAME))
