"""Groups the responses of crawl files by site, in temporary files, with all processors.

Each process reads byte ranges of the crawl files and writes to its own files, so that no locks are needed. Memory use
does not depend on the size of the crawl, and every response is written once.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count, groupby
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeAlias

import msgspec

from posterity.archive.warc_records import Exchange, response_record, warcinfo_record
from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.discover.feed import looks_like_feed
from posterity.engine import processors
from posterity.errors import InputError, PosterityError
from posterity.importer import crawl_file
from posterity.model import Page
from posterity.urls.kinds import site_host

Progress: TypeAlias = Callable[[int, int], None]

# The list of a million responses in a bucket takes about 300 MB. A writer has two open files per bucket; the usual
# limit of a process is 1,024.
BUCKETS = 128
_BUFFER_BYTES = 128 * 1024
_OPEN_FILES = 64
NEVER_FEEDS = ("image/", "video/", "audio/", "font/")


class Listed(msgspec.Struct, frozen=True):
    """A line of a bucket's list: the response, and the number of the range from which it was read."""

    range_number: int
    response: StoredResponse


class SpoolWriter:
    """Writes responses to the buckets of a folder; each writer has its own name and its own files."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._files: dict[int, tuple[IO[bytes], IO[bytes]]] = {}

    def add(self, exchange: crawl_file.CrawledExchange, range_number: int = 0) -> None:
        """Write one response."""
        bucket = bucket_of(site_host(exchange.url))
        data, listing = self._files.get(bucket) or self._open_bucket(bucket)
        packed = msgspec.msgpack.encode(exchange)
        kind = exchange.header("content-type")
        # An image is never a feed, so it need not be decompressed.
        body = exchange.body if kind.startswith(NEVER_FEEDS) else exchange.page.body
        response = StoredResponse(
            url=exchange.url,
            status=exchange.status,
            content_type=kind,
            fetched_at=exchange.fetched_at,
            where=(f"{bucket:03}-{self._name}.data", data.tell(), len(packed)),
            location=exchange.header("location") if 300 <= exchange.status < 400 else None,
            is_feed=not kind.startswith(NEVER_FEEDS) and is_feed(body),
            size=len(body),
        )
        data.write(packed)
        listing.write(msgspec.json.encode(Listed(range_number, response)) + b"\n")

    def flush(self) -> None:
        """Flush all files, so that everything written so far can be read."""
        for pair in self._files.values():
            for file in pair:
                file.flush()

    def close(self) -> None:
        """Close the files; data that were not flushed may be incomplete."""
        for pair in self._files.values():
            for file in pair:
                with suppress(OSError):
                    file.close()

    def _open_bucket(self, bucket: int) -> tuple[IO[bytes], IO[bytes]]:
        data = self._folder / f"{bucket:03}-{self._name}.data"
        pair = (data.open("ab", _BUFFER_BYTES), data.with_suffix(".list").open("ab", _BUFFER_BYTES))
        self._files[bucket] = pair
        return pair


class Spool:
    """Reads what writers wrote to a folder; responses of the ranges in `dropped` are skipped."""

    def __init__(self, folder: Path, dropped: AbstractSet[int] = frozenset()) -> None:
        self.folder, self.dropped = folder, dropped
        self._open: dict[str, IO[bytes]] = {}

    def responses(self, bucket: int) -> list[StoredResponse]:
        """Return the responses in a bucket, in the order of the crawl files."""
        listed = [line for line in self._read_list(bucket) if line.range_number not in self.dropped]
        # Which process reads which range varies from run to run.
        return [line.response for line in sorted(listed, key=lambda line: line.range_number)]

    def exchange(self, response: StoredResponse) -> crawl_file.CrawledExchange:
        """Return the response with its body."""
        assert isinstance(response.where, tuple)
        name, offset, length = response.where
        file = self._open_bucket(name)
        file.seek(offset)
        return msgspec.msgpack.decode(file.read(length), type=crawl_file.CrawledExchange)

    def page(self, response: StoredResponse) -> Page:
        """Return the response as a page."""
        return self.exchange(response).page

    def close(self) -> None:
        """Close the files; they are opened again when needed."""
        while self._open:
            self._open.popitem()[1].close()

    def _open_bucket(self, name: str) -> IO[bytes]:
        if name not in self._open:
            if len(self._open) >= _OPEN_FILES:
                self.close()
            self._open[name] = (self.folder / name).open("rb")
        return self._open[name]

    def _read_list(self, bucket: int) -> Iterator[Listed]:
        decoder = msgspec.json.Decoder(Listed)
        for path in sorted(self.folder.glob(f"{bucket:03}-*.list")):
            with path.open("rb") as lines:
                yield from map(decoder.decode, lines)


def bucket_of(host: str) -> int:
    """Return the bucket of a host, the same on every machine."""
    return zlib.crc32(host.encode()) % BUCKETS


def is_feed(body: bytes) -> bool:
    """Return whether the bytes are a feed, and not an old blog page with RDF for trackbacks."""
    beginning = body[:4096].lower()
    return looks_like_feed(body) and b"<html" not in beginning and b"<!doctype html" not in beginning


# Starting a process takes about a second, in which a running one reads this many compressed ranges. Uncompressed ranges
# are eight times as fast (benchmarks/group_warc.py).
_RANGES_PER_PROCESS, _COMPRESSED_COST = 2, 8
_WEB_TEXT = ("html", "xml", "rss", "json", "text/plain")


class Grouped(msgspec.Struct, frozen=True, kw_only=True):
    """A grouped crawl: the spool, the number of responses, damaged records, and files that could not be read."""

    spool: Spool
    response_count: int
    damaged: tuple[crawl_file.Damage, ...] = ()
    failures: tuple[tuple[str, PosterityError], ...] = ()


@contextmanager
def grouped_crawl(files: Sequence[Path], **options: Any) -> Iterator[Grouped]:
    """Group the files in a temporary folder; the options are those of `group_crawl`."""
    with TemporaryDirectory(prefix="posterity-") as folder:
        grouped = group_crawl(files, Path(folder), **options)
        with closing(grouped.spool):
            yield grouped


def group_crawl(
    files: Sequence[Path],
    folder: Path,
    *,
    others: Iterable[crawl_file.CrawledExchange] = (),
    text_only: bool = False,
    workers: int | None = None,
    range_bytes: int = crawl_file.RANGE_BYTES,
    progress: Progress | None = None,
) -> Grouped:
    """Read the files into a spool in this folder; `others` are further responses, which come last.

    With `text_only`, images and other files that are neither pages nor feeds are left out. `progress` is called with
    the bytes read so far and their total. Raises `InputError` if the disk is full.
    """
    todo = [byte_range for file in files for byte_range in crawl_file.byte_ranges_of(file, range_bytes)]
    sizes = {byte_range: _bytes(byte_range) for byte_range in todo}
    work = sum(size if _is_compressed(byte_range) else size / _COMPRESSED_COST for byte_range, size in sizes.items())
    useful = int(work / (_RANGES_PER_PROCESS * range_bytes))
    pool = _ReaderPool(folder, text_only, helpers=min((workers or processors()) - 1, useful))
    done, readings = 0, []
    try:
        for reading in pool.read(todo):
            readings.append(reading)
            done += sizes[reading.byte_range]
            if progress is not None:
                progress(done, sum(sizes.values()))
        readings.sort(key=lambda reading: reading.number)
        by_file = groupby(readings, key=lambda reading: reading.byte_range.path)
        kept = [one for _, some in by_file for one in crawl_file.fit_readings(list(some), pool.read_again)]
        number, added = pool.add(others)
    except OSError as problem:
        raise InputError(
            f"The pages cannot be grouped in {folder.parent}: {problem.strerror or problem}. "
            "Set $TMPDIR to a folder with more space."
        ) from problem
    finally:
        pool.close()
    dropped = frozenset(range(number)) - {one.number for one in kept}
    return Grouped(
        spool=Spool(folder, dropped),
        response_count=sum(one.response_count for one in kept) + added,
        damaged=tuple(damage for one in kept for damage in one.damaged),
        failures=tuple((one.byte_range.path, one.failure) for one in kept if one.failure is not None),
    )


class _ReaderPool:
    """Reads ranges in this process and in helper processes."""

    def __init__(self, folder: Path, text_only: bool, helpers: int) -> None:
        self._numbers = count(step=2)
        self._here = _RangeReader(folder, text_only)
        self._helpers = helpers
        self._pool = (
            ProcessPoolExecutor(helpers, get_context("spawn"), initializer=_begin, initargs=(folder, text_only))
            if helpers > 0
            else None
        )

    def read(self, todo: Sequence[crawl_file.ByteRange]) -> Iterator[crawl_file.Reading]:
        """Yield the result of each range in order of completion; every helper has a second range in its queue."""
        left = deque((next(self._numbers), byte_range) for byte_range in todo)
        given: set[Future[crawl_file.Reading]] = set()
        while left or given:
            while self._pool is not None and len(given) < min(2 * self._helpers, len(left)):
                given.add(self._pool.submit(_read, *left.popleft()))
            if left:
                yield self._here.read(*left.popleft())
            done, given = wait(given, timeout=0 if left else None, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)

    def read_again(self, reading: crawl_file.Reading, first: int) -> crawl_file.Reading:
        """Read a range again from the offset of its first record; it keeps its place in the order."""
        return self._here.read(reading.number + 1, reading.byte_range, first)

    def add(self, others: Iterable[crawl_file.CrawledExchange]) -> tuple[int, int]:
        """Write responses that are not from crawl files; return the number of their range, and their count."""
        number, added = next(self._numbers), 0
        for one in others:
            self._here.writer.add(one, number)
            added += 1
        self._here.writer.flush()
        return number, added

    def close(self) -> None:
        self._here.writer.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class _RangeReader:
    """Reads ranges, and writes their responses to the files of its process."""

    def __init__(self, folder: Path, text_only: bool) -> None:
        self.writer = SpoolWriter(folder, str(os.getpid()))
        self._text_only = text_only

    def read(self, number: int, byte_range: crawl_file.ByteRange, first: int | None = None) -> crawl_file.Reading:
        first = crawl_file.first_record(byte_range) if first is None else first
        if first is None:
            return crawl_file.Reading(number=number, byte_range=byte_range, first=None, next=None)
        damaged: list[crawl_file.Damage] = []
        count, after, failure = 0, None, None
        found = crawl_file.exchanges_in_range(crawl_file.ByteRange(byte_range.path, first, byte_range.end))
        try:
            while True:
                one = next(found)
                if isinstance(one, crawl_file.Damage):
                    damaged.append(one)
                elif not self._text_only or is_text(one):
                    self.writer.add(one, number)
                    count += 1
        except StopIteration as end:
            after = end.value
        except PosterityError as problem:
            failure = problem
        self.writer.flush()
        return crawl_file.Reading(
            number=number,
            byte_range=byte_range,
            first=first,
            next=after,
            response_count=count,
            damaged=tuple(damaged),
            failure=failure,
        )


_reader: _RangeReader | None = None


def _begin(folder: Path, text_only: bool) -> None:
    global _reader  # noqa: PLW0603 - a pool offers no other place for the state of a process
    _reader = _RangeReader(folder, text_only)


def _read(number: int, byte_range: crawl_file.ByteRange) -> crawl_file.Reading:
    assert _reader is not None
    return _reader.read(number, byte_range)


def is_text(exchange: crawl_file.CrawledExchange) -> bool:
    """Return whether the response may be a page, a feed, or a redirect."""
    kind = exchange.header("content-type").lower()
    return not kind or any(name in kind for name in _WEB_TEXT) or 300 <= exchange.status < 400


def _is_compressed(byte_range: crawl_file.ByteRange) -> bool:
    return not byte_range.path.lower().endswith((".warc", ".arc"))


def _bytes(byte_range: crawl_file.ByteRange) -> int:
    size = Path(byte_range.path).stat().st_size
    return min(byte_range.end or size, size) - byte_range.begin


# Namespace of record ids, so that the same crawl always gives the same ids.
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://posterity.example/sorted")


def write_sorted(spool: Spool, out: Path) -> int:
    """Write the responses to one WARC file, grouped by site (thesis on web cleaning, 2.1); return their number.

    Sites are sorted by name, the responses of a site by their order in the crawl. The file is renamed when complete.
    """
    # Only host names are kept in memory; the list of a bucket is read again when its sites are written.
    sites = sorted({(site_host(one.url), bucket) for bucket in range(BUCKETS) for one in spool.responses(bucket)})
    part = out.with_name(f"{out.name}.part")
    written = 0
    try:
        with part.open("wb") as file:
            about = {"software": "Posterity", "format": "WARC File Format 1.1", "description": "sorted by site"}
            info_id, content = warcinfo_record(out.name, _stamp(_NO_TIME), about, f"<urn:uuid:{_IDS}>")
            file.write(content)
            listed: tuple[int, list[StoredResponse]] = (-1, [])
            for host, bucket in sites:
                listed = listed if listed[0] == bucket else (bucket, spool.responses(bucket))
                for response in (one for one in listed[1] if site_host(one.url) == host):
                    file.write(_sorted_record(spool.exchange(response), info_id, written))
                    written += 1
        part.replace(out)
    except OSError as problem:
        raise InputError(f"The sorted archive {out} cannot be written: {problem.strerror or problem}.") from problem
    finally:
        part.unlink(missing_ok=True)
    return written


_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


def _sorted_record(crawled: crawl_file.CrawledExchange, info_id: str, number: int) -> bytes:
    exchange = Exchange(
        method="GET",
        url=crawled.url,
        request_headers=(),
        request_body=b"",
        status=crawled.status,
        reason="",
        http_version="HTTP/1.1",
        response_headers=crawled.headers,
        body=crawled.body,
        ip=None,
        date=_stamp(crawled.fetched_at),
    )
    record_id = f"<urn:uuid:{uuid.uuid5(_IDS, f'{number} {crawled.url} {exchange.date}')}>"
    return response_record(exchange, info_id, record_id)[1]


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_MAX_REDIRECTS = 6


class SpoolLookup:
    """Finds single responses of a spool by URL."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._page_source = lru_cache(4)(lambda bucket: StoredPages(spool.responses(bucket), spool.page))

    def response(self, url: str) -> StoredResponse | None:
        """Return the response at the URL or at the end of its redirects, or None."""
        place: str | None = url
        for _ in range(_MAX_REDIRECTS):
            if place is None:
                break
            page_source = self._page_source(bucket_of(site_host(place)))
            if (found := page_source.response(place)) is not None:
                return found
            place = page_source.leads_to(place)
        return None

    def find(self, url: str) -> Page | None:
        """Return the page at the URL or at the end of its redirects, or None."""
        response = self.response(url)
        return self._spool.page(response) if response is not None else None
