"""The input pages of `extract_pages`: files, folders, URLs, JSON lines, standard input, and crawl files.

Sources can be read several times, because methods that compare the pages of a site read all of them first. A page that
cannot be read becomes a `FailedInput`. WARC, ARC and WACZ files may contain thousands of sites: they are grouped by
site on first use, and their pages come last, site by site.
"""

from __future__ import annotations

import gzip
import logging
import lzma
import os
import re
import sys
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self, TypeAlias, cast
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec

from posterity.classify.needs_browser import is_shell
from posterity.errors import BrowserMissing, InputError, PosterityError, Unreachable, UnreadablePage
from posterity.http_client import url_of_host
from posterity.urls import is_bare_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from posterity.blog.page_source import StoredResponse
    from posterity.config import RenderMode
    from posterity.importer.grouping import Grouped, Progress, Spool
    from posterity.model import Feed, Page
    from posterity.render.pool import Browser


_LINE_ENDINGS = (".jsonl", ".jsonl.xz", ".jsonl.gz")
_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz")
_PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".mhtml", ".php", ".asp", ".aspx", ".jsp")
_TAG = re.compile(rb"<[!?/a-zA-Z]")
_log = logging.getLogger(__name__)


class GivenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page to extract. `name` identifies it in messages; pages of one site have the same `site`."""

    name: str
    url: str = ""
    site: str = ""
    body: bytes | str
    content_type: str = ""
    # The id of its JSON line, which becomes the id of the record.
    id: str | None = None
    fetched_at: datetime | None = None
    warc: str | None = None


class FailedInput(msgspec.Struct, frozen=True):
    """A page that could not be read, with the reason."""

    name: str
    problem: PosterityError


PageOrFailure: TypeAlias = "GivenPage | FailedInput"


class Line(msgspec.Struct):
    """A line of a .jsonl file of pages; other fields are ignored."""

    html: str
    id: str | int | None = None
    url: str | None = None


class Sources:
    """The given pages in order. Leaving the context removes temporary files and closes the browser.

    `progress` is called with the bytes of crawl files read so far, and with their total.
    """

    def __init__(
        self,
        names: Iterable[str],
        url: str = "",
        *,
        render: RenderMode = "auto",
        progress: Progress | None = None,
        all_files: bool = False,
    ) -> None:
        self.names = tuple(names)
        self._url = url
        self._progress = progress
        self._render = render
        # Media in crawl files is skipped, unless all files are wanted.
        self._text_only = not all_files
        self._browser: Browser | None = None
        # URLs of files, known from the feed that links to them.
        self.known_urls: dict[Path, str] = {}
        self._fetched: dict[str, PageOrFailure] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def pages(self) -> Iterator[PageOrFailure]:
        """Yield every page and every failure."""
        yield from self.given()
        if self.crawl is not None:
            yield from _crawl_pages(self.crawl.spool)

    @cached_property
    def crawl(self) -> Grouped | None:
        """The contents of the crawl files, grouped by site; None without readable crawl files."""
        files = [file for file in self._crawl_files() if file.is_file()]
        if not files:
            return None
        # Imported lazily: this takes longer than extracting a page.
        from posterity.importer.grouping import grouped_crawl

        return self._open.enter_context(grouped_crawl(files, text_only=self._text_only, progress=self._progress))

    def given(self) -> Iterator[PageOrFailure]:
        """Yield every page that is not in a crawl file, and every file that could not be read."""
        for name in self.names:
            try:
                yield from self._pages_of(name)
            except PosterityError as problem:
                yield FailedInput(name, problem)
            except OSError as problem:
                yield FailedInput(name, InputError(f"{name} cannot be read: {problem.strerror or problem}."))

    @property
    def folders(self) -> list[Path]:
        """The folders among the given names."""
        return [Path(name) for name in self.names if name != "-" and Path(name).is_dir()]

    def _crawl_files(self) -> Iterator[Path]:
        for path in (Path(name) for name in self.names if os.access(name, os.R_OK)):
            if path.name.lower().endswith(_WARC_ENDINGS) and not path.is_dir():
                yield path
            elif path.is_dir():
                yield from (file for file in _files_below(path) if file.name.lower().endswith(_WARC_ENDINGS))

    def _pages_of(self, name: str) -> Iterator[PageOrFailure]:
        lowered = name.lower()
        if name == "-":
            yield GivenPage(name="standard input", url=self._url, site=self._site(self._url, "-"), body=self._stdin)
        elif is_on_web(name):
            yield self._fetch(name if "://" in name else url_of_host(name))
        elif lowered.endswith(_LINE_ENDINGS):
            yield from _lines(Path(name))
        elif Path(name).is_dir():
            yield from self._folder_pages(Path(name))
        elif lowered.endswith(_WARC_ENDINGS):
            # Its pages come later, with those of other crawl files; this only reports a missing file.
            Path(name).open("rb").close()
        else:
            yield self._file(Path(name), self._url or self.known_urls.get(Path(name), ""))

    def _folder_pages(self, folder: Path) -> Iterator[PageOrFailure]:
        found = False
        for path in _files_below(folder):
            name = path.name.lower()
            found = found or name.endswith(_WARC_ENDINGS)
            try:
                if name.endswith((*_WARC_ENDINGS, *_LINE_ENDINGS)) or not _is_page(path):
                    continue
                found = True
                yield self._file(path, self._folder_url(folder, path), site=str(folder))
            except PosterityError as problem:
                yield FailedInput(str(path), problem)
            except OSError as problem:
                yield FailedInput(str(path), InputError(f"{path} cannot be read: {problem.strerror or problem}."))
        if not found:
            raise InputError(f"The folder {folder} contains no pages: no HTML and no WARC files.")

    def _file(self, path: Path, url: str, site: str = "") -> GivenPage:
        site = self._site(url, site or str(path.parent))
        # File names are bytes; surrogates of invalid UTF-8 must not end up in a record.
        shown = os.fsencode(path).decode("utf-8", "replace")
        body = path.read_bytes()
        if body.strip() and not _TAG.search(body.replace(b"\0", b"")):
            raise UnreadablePage(f"{shown} is not a page: it has no HTML element.")
        return GivenPage(name=shown, url=url or shown, site=site, body=body)

    def _folder_url(self, folder: Path, path: Path) -> str:
        if path in self.known_urls or not self._url:
            return self.known_urls.get(path, "")
        return urljoin(self._url, quote(os.fsencode(path.relative_to(folder))))

    def _fetch(self, url: str) -> PageOrFailure:
        from posterity.http_client import fetch_page

        if url not in self._fetched:
            try:
                page = self._render_page(url) if self._render == "always" else fetch_page(url)
                if self._render == "auto" and is_shell(page.body):
                    page = self._rendered_if_possible(page, url)
                self._fetched[url] = given_page(page, url)
            except PosterityError as problem:
                self._fetched[url] = FailedInput(url, problem)
        return self._fetched[url]

    def _rendered_if_possible(self, page: Page, url: str) -> Page:
        """Return the page after its scripts have run, or unchanged if there is no browser."""
        try:
            return self._render_page(url)
        except (BrowserMissing, ModuleNotFoundError) as problem:
            _log.warning("%s is empty before its scripts run, and there is no browser to run them: %s", url, problem)
            return page

    def _render_page(self, url: str) -> Page:
        from posterity.http_client import default_client
        from posterity.render.pool import Browser

        client = default_client()
        client.check_robots(url)
        if self._browser is None:
            self._browser = self._open.enter_context(Browser(url, client.agent))
        rendered = self._browser.rendered(url)
        if rendered.status >= 400:
            raise Unreachable(f"{url} returned {rendered.status}.", rendered.status)
        return rendered.page()

    @cached_property
    def _stdin(self) -> bytes:
        return sys.stdin.buffer.read()

    @staticmethod
    def _site(url: str, otherwise: str) -> str:
        from posterity.evaluate.datasets import host_of

        return host_of(url) or otherwise


def is_on_web(name: str) -> bool:
    """Return whether this is a URL, or a bare host name that is not the name of a file."""
    if name.lower().startswith(("http://", "https://")):
        return True
    return is_bare_host(name) and not Path(name).exists() and not _is_file_name(name.lower())


def _is_file_name(name: str) -> bool:
    """Return whether a name such as page.html means a missing file rather than a host."""
    return "/" not in name and name.endswith((*_LINE_ENDINGS, *_WARC_ENDINGS, *_PAGE_ENDINGS, ".xml", ".txt", ".json"))


def _lines(path: Path) -> Iterator[PageOrFailure]:
    from posterity.evaluate.datasets import host_of

    with _open_unpacked(path) as lines:
        try:
            for number, line in enumerate(lines, start=1):
                name = f"{path}:{number}"
                if not line.strip():
                    continue
                try:
                    record = msgspec.json.decode(line, type=Line)
                except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
                    wrong = f'Line {number} of {path} is no {{"id", "url", "html"}}: {problem}.'
                    yield FailedInput(name, InputError(wrong))
                    continue
                url = record.url or ""
                identity = None if record.id is None else str(record.id)
                yield GivenPage(name=name, url=url, site=host_of(url) or name, body=record.html, id=identity)
        except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as problem:
            raise InputError(f"{path} cannot be unpacked: {problem}. Check that it is complete.") from problem


def _open_unpacked(path: Path) -> BinaryIO:
    if path.suffix.lower() == ".xz":
        return cast("BinaryIO", lzma.open(path, "rb"))
    return cast("BinaryIO", gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb"))


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))


def given_page(page: Page, name: str) -> GivenPage:
    """Convert a page from the web or from a crawl."""
    from posterity.evaluate.datasets import host_of

    return GivenPage(
        name=name,
        url=page.url,
        site=host_of(page.url) or name,
        body=page.body,
        content_type=page.content_type,
        fetched_at=page.fetched_at,
        warc=str(page.warc) if page.warc else None,
    )


def crawled_pages(responses: Sequence[StoredResponse]) -> list[StoredResponse]:
    """Return the pages among the responses of a crawl: successful responses with HTML."""
    return [response for response in responses if response.is_page and response.is_success]


def _crawl_pages(spool: Spool) -> Iterator[GivenPage]:
    from posterity.importer.grouping import BUCKETS
    from posterity.importer.importing import responses_by_host

    for bucket in range(BUCKETS):
        for responses in responses_by_host(spool.responses(bucket)).values():
            yield from (given_page(spool.page(response), response.url) for response in crawled_pages(responses))


def _is_page(path: Path) -> bool:
    """Return whether a file is a page; mirrors use names such as index.html?p=3, or names without an extension."""
    if path.name.lower().endswith(_PAGE_ENDINGS):
        return True
    with path.open("rb") as file:
        beginning = file.read(2048).replace(b"\0", b"").lower()
        return b"<html" in beginning or b"<!doctype html" in beginning


def pages_of_feed(feed: Feed, folder: Path) -> dict[str, bytes]:
    """Return the pages in the folder that the feed links to, by URL; raise `InputError` if there are none."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder.")
    pages = {}
    for entry in feed.entries:
        file = file_of(entry.link, folder) if entry.link else None
        if entry.link and file:
            pages[entry.link] = file.read_bytes()
    if not pages:
        raise InputError(f"{folder} contains none of the {len(feed.entries)} pages that the feed links to.")
    return pages


def file_of(url: str, folder: Path) -> Path | None:
    """Return the file of a URL in the folder, or in a subfolder named after the host; None if there is none."""
    parts = urlsplit(url)
    for base in (folder, folder / parts.netloc):
        for path in dict.fromkeys((parts.path, unquote(parts.path))):
            local = path.strip("/")
            query = f"?{parts.query}" if parts.query else ""
            for name in (local + query, f"{local}/index.html", f"{local}{query}.html", f"{local}/index.html{query}"):
                file = base / name
                if ".." not in name and file.is_file():
                    return file
    return None
