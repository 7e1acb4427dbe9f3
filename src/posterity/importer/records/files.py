"""Recognises files of records by their content, and reads them."""

from __future__ import annotations

import codecs
import gzip
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from posterity.archive.warc_reader import records_in as warc_records
from posterity.archive.warc_reader import stored
from posterity.errors import InputError
from posterity.export.wacz import POSTS
from posterity.export.warc import HISTORY_FIELD
from posterity.importer.crawl_file import open_in_zip, unpacked_within_limits
from posterity.importer.records.atom import records_in_atom
from posterity.importer.records.found import FoundRecord, record_in_line, records_in_json_lines
from posterity.importer.records.wxr import records_in_wxr

Reader = Callable[[IO[bytes], str], Iterator[FoundRecord]]

_BEGINNING = 8192
_WXR = re.compile(rb"<rss\b[^<>]*wordpress\.org/export/")
_ATOM = re.compile(rb"<feed\b[^<>]*www\.w3\.org/2005/Atom")
_JSON = re.compile(rb'\s*\{"(?:type|id)":')


def holds_records(path: Path) -> bool:
    """Return whether a file contains finished records."""
    if not path.is_file():
        return False
    if path.name.lower().endswith(".wacz"):
        return wacz_has_posts(path)
    if warc_has_histories(path):
        return True
    try:
        with _unpack(path) as stream:
            return _reader(stream) is not None
    except (OSError, EOFError):
        return False


def record_files(path: Path) -> list[Path]:
    """Return the path if it is a file of records, or all files of a folder that contains only such files.

    Such a folder is an export in several files. A mirror may contain feeds too, but also other files.
    """
    if not path.is_dir():
        return [path] if holds_records(path) else []
    inside = sorted(path.iterdir())
    return inside if all(map(holds_records, inside)) else []


def records_in(path: Path) -> Iterator[FoundRecord]:
    """Yield the records of a file for which `holds_records` is true."""
    try:
        if path.name.lower().endswith(".wacz"):
            with zipfile.ZipFile(path) as package, open_in_zip(package, POSTS) as stream:
                yield from records_in_json_lines(stream, f"{path.name}/{POSTS}")
            return
        if warc_has_histories(path):
            yield from _records_in_warc(path)
            return
        with _unpack(path) as stream:
            if (reader := _reader(stream)) is not None:
                yield from reader(stream, path.name)
    except (OSError, EOFError, zipfile.BadZipFile) as problem:
        raise InputError(f"{path} cannot be read: {problem}. Check that it is complete.") from problem


def wacz_has_posts(path: Path) -> bool:
    """Return whether a WACZ file also contains records, like those of Posterity."""
    try:
        with zipfile.ZipFile(path) as package:
            return POSTS in package.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def has_pages(path: Path) -> bool:
    """Return whether a file of records also contains the raw pages."""
    return wacz_has_posts(path) or warc_has_histories(path)


def warc_has_histories(path: Path) -> bool:
    """Return whether a WARC file is an export with histories (`posterity export --format warc --history`)."""
    if not path.is_file() or not path.name.lower().endswith((".warc", ".warc.gz")):
        return False
    try:
        with _unpack(path) as stream:
            return HISTORY_FIELD.encode() in stream.read(_BEGINNING)
    except (OSError, EOFError, zlib.error):
        return False


def _records_in_warc(path: Path) -> Iterator[FoundRecord]:
    """Yield the records in the metadata records of a WARC export with histories."""
    with path.open("rb") as stream:
        for record in map(stored, warc_records(stream)):
            if record.kind == "metadata" and record.warc_headers.get("Content-Type") == "application/json":
                yield record_in_line(record.payload)


@contextmanager
def _unpack(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        if not packed:
            yield stream
            return
        with gzip.open(stream) as inside:
            yield unpacked_within_limits(cast("IO[bytes]", inside), path.stat().st_size, path.name)


def _reader(stream: IO[bytes]) -> Reader | None:
    beginning = stream.read(_BEGINNING)
    stream.seek(0)
    is_xml = beginning.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")  # not a crawl file that contains a feed
    if is_xml and _WXR.search(beginning):
        return records_in_wxr
    if is_xml and _ATOM.search(beginning):
        return records_in_atom
    return records_in_json_lines if _JSON.match(beginning) else None
