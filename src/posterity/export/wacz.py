"""The format `wacz`: a WACZ 1.1.1 file for ReplayWeb.page with raw pages and their index, and the posts as records."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import msgspec

from posterity.archive import Capture
from posterity.archive.captures import INDEXED, cdxj_line
from posterity.config import __version__
from posterity.export.export import Tally
from posterity.export.files import with_time_field, zip_entry
from posterity.export.selection import Source, utc_stamp
from posterity.export.temporary import DiskTable
from posterity.export.warc import exported_records
from posterity.model import Blog, Post, to_json

POSTS = "posts/posts.jsonl"
BLOGS = "posts/blogs.jsonl"
_WARC = "data.warc.gz"
# Without declared types, validators of data packages guess them from the first rows.
_POST_SCHEMA = {"fields": [{"name": name, "type": "any"} for name in ("type", *Post.__struct_fields__)]}


def write_wacz(source: Source, out: Path) -> None:
    """Write the package. Pages, posts and index are kept in temporary files while the raw pages are copied."""
    tally = Tally(source.posts)
    with ExitStack() as stack:
        pages, posts = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        index = stack.enter_context(_SortedLines())
        package = _Package(stack.enter_context(zipfile.ZipFile(out, "w", allowZip64=True)), source)
        pages.write(msgspec.json.encode({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}) + b"\n")
        for blog in source.blogs:
            if (capture := _home_capture(source, blog)) is not None:
                pages.write(_page(capture, blog.title, {"type": "home", "blog_id": blog.id}))
        package.add(f"archive/{_WARC}", _raw(source.of(tally, source.blogs), pages, posts, index), packed=False)
        package.add("indexes/index.cdxj", index)
        package.add("indexes/index.cdx.gz", _gzip_lines(index), packed=False)  # for pywb
        package.add("pages/pages.jsonl", _lines(pages))
        package.add(POSTS, _lines(posts), schema=_POST_SCHEMA)
        package.add(BLOGS, (to_json(blog) + b"\n" for blog in tally.facts(source)))
        package.close()


class _Package:
    """A zip file that collects the list of its files for the package description."""

    def __init__(self, package: zipfile.ZipFile, source: Source) -> None:
        self._zip, self._source = package, source
        self._resources: list[dict[str, Any]] = []

    def add(
        self, path: str, content: Iterable[bytes], *, packed: bool = True, schema: dict[str, Any] | None = None
    ) -> None:
        """Write a file from pieces; without `packed` it is not compressed again, and readers can seek in it."""
        size, digest = self._write(path, content, packed=packed)
        about = {"name": path.rpartition("/")[2].lower(), "path": path, "hash": digest, "bytes": size}
        self._resources.append(about | ({"schema": schema} if schema else {}))

    def close(self) -> None:
        """Write the description and its digest."""
        description = msgspec.json.format(msgspec.json.encode(self._description()), indent=2)
        _, digest = self._write("datapackage.json", [description])
        self._write("datapackage-digest.json", [msgspec.json.encode({"path": "datapackage.json", "hash": digest})])

    def _description(self) -> dict[str, Any]:
        stamp = utc_stamp(self._source.made_at)
        description: dict[str, Any] = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": self._source.title,
            "description": "Blogs archived by Posterity: raw pages, and their posts as records in posts/.",
            "software": f"Posterity {__version__}",
            "created": stamp,
            "modified": stamp,
        }
        if self._source.blogs:
            description["mainPageUrl"] = self._source.blogs[0].url
            if home := _home_capture(self._source, self._source.blogs[0]):
                description["mainPageDate"] = home.fetched_at
        return description | {"resources": self._resources}

    def _write(self, path: str, content: Iterable[bytes], *, packed: bool = True) -> tuple[int, str]:
        made_at = self._source.made_at
        entry = with_time_field(zip_entry(path, made_at, packed=packed), made_at)
        digest, size = hashlib.sha256(), 0
        with self._zip.open(entry, "w", force_zip64=True) as out:
            for piece in content:
                out.write(piece)
                digest.update(piece)
                size += len(piece)
        return size, f"sha256:{digest.hexdigest()}"


class _SortedLines(DiskTable):
    """Lines sorted by their bytes, in a temporary file."""

    def __init__(self) -> None:
        super().__init__("CREATE TABLE lines (line BLOB PRIMARY KEY) WITHOUT ROWID")

    def add(self, line: bytes) -> None:
        self._rows.execute("INSERT OR IGNORE INTO lines VALUES (?)", (line,))

    def __iter__(self) -> Iterator[bytes]:
        return (line for (line,) in self._rows.execute("SELECT line FROM lines ORDER BY line"))


def _raw(source: Source, pages: IO[bytes], posts: IO[bytes], index: _SortedLines) -> Iterator[bytes]:
    """Yield the WARC file, and write its pages, posts and index entries to the other files."""
    offset, last = 0, ""
    source = source.of(_write_posts(source.posts, posts), source.blogs)
    for record in exported_records(source, _WARC):
        if record.capture is not None:
            if record.capture.kind in INDEXED:
                moved = msgspec.structs.replace(record.capture, file=_WARC, offset=offset)
                index.add(cdxj_line(moved).encode("utf-8", "replace") + b"\n")
            if record.post is not None and record.post.id != last:
                last = record.post.id
                pages.write(_page(record.capture, record.post.title, {"type": "post", "post_id": record.post.id}))
        offset += len(record.content)
        yield record.content


def _write_posts(posts: Iterable[Post], out: IO[bytes]) -> Iterator[Post]:
    for post in posts:
        out.write(to_json(post) + b"\n")
        yield post


def _home_capture(source: Source, blog: Blog) -> Capture | None:
    return next((capture for capture in source.archive.captures(blog.url) if capture.kind == "response"), None)


def _page(capture: Capture, title: str | None, facts: dict[str, str]) -> bytes:
    page = {"id": capture.record_id.strip("<>"), "url": capture.url, "ts": capture.fetched_at, "title": title or ""}
    return msgspec.json.encode(page | facts) + b"\n"


def _gzip_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)  # no time in its header
    for line in lines:
        if packed := packer.compress(line):
            yield packed
    yield packer.flush()


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(1 << 20):
        yield block
