"""`posterity rehydrate`: rebuild the texts of a standoff corpus from the web, an archive or WARC files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import click

from posterity.cli.options import delay_option, echo, quiet_option
from posterity.errors import InputError, PosterityError, UsageError
from posterity.export.standoff import RebuiltPost, StandoffBlog, rebuild_post, standoff_lines
from posterity.model import Page, RuleSet, WarcPointer, to_json
from posterity.text.normal_form import count_of
from posterity.urls import place_key


@click.command()
@click.argument("corpus", type=click.Path(path_type=Path))
@click.argument("out", type=click.File("wb"), default="-")
@click.option("--from", "files", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Read the pages from this WARC, ARC or WACZ file; repeat for several.")  # fmt: skip
@click.option("--archive", metavar="ARCHIVE", help="Read the pages from this archive.")
@delay_option("Pause between two requests, if pages are fetched from the web.")
@quiet_option
def command(
    corpus: Path, out: BinaryIO, files: tuple[Path, ...], archive: str | None, delay: float, quiet: bool
) -> None:
    """Rebuild the texts of a corpus that `export --format standoff` wrote, and report what has changed since.

    Pages are fetched from the web, or read from files (--from) or an archive (--archive). OUT gets a JSON line per
    post: its status, the share of its paragraphs that are unchanged, and the post itself. The status is "same", "moved"
    (every paragraph is there, but the text around them differs), "changed" or "missing".

    \b
    posterity export corpus.standoff --format standoff
    posterity rehydrate corpus.standoff posts.jsonl
    posterity rehydrate corpus.standoff --from crawl.warc.gz | jq -r .status
    """
    if files and archive:
        raise UsageError("Pages are read from files or from an archive. Leave one of --from and --archive out.")
    try:
        lines = corpus.read_bytes().splitlines()
    except OSError as problem:
        raise InputError(f"The corpus {corpus} cannot be read: {problem.strerror}.") from problem
    page_at = _pages_of_files(files) if files else _pages_of_archive(archive) if archive else _pages_of_web(delay)
    rules: dict[str, RuleSet | None] = {}
    counts: Counter[str] = Counter()
    for line in standoff_lines(lines, corpus.name):
        if isinstance(line, StandoffBlog):
            rules[line.id] = line.rules
            continue
        try:
            found = rebuild_post(line, page_at(line.url), rules.get(line.blog or ""))
        except PosterityError as problem:
            found = RebuiltPost(id=line.id, url=line.url, status="missing", problem=str(problem))
        counts[found.status] += 1
        out.write(to_json(found) + b"\n")
    if not quiet:
        summary = ", ".join(f"{counts[status]} {status}" for status in ("same", "moved", "changed", "missing"))
        echo(f"{count_of(counts.total(), 'post')}: {summary}", err=True)


def _pages_of_files(files: tuple[Path, ...]) -> Callable[[str], Page]:
    from posterity.importer.crawl_file import CrawledExchange, crawl_file_exchanges

    pages: dict[str, CrawledExchange] = {}
    for file in files:
        for exchange in crawl_file_exchanges(file):
            if isinstance(exchange, CrawledExchange) and exchange.status == 200:
                pages[place_key(exchange.url)] = exchange

    def page_at(url: str) -> Page:
        if (found := pages.get(place_key(url))) is None:
            raise InputError(f"The given files do not contain the page {url}.")
        return found.page

    return page_at


def _pages_of_archive(location: str) -> Callable[[str], Page]:
    from posterity.archive import open_archive

    def page_at(url: str) -> Page:
        with open_archive(location) as store:
            for capture in reversed(store.captures(url)):
                if capture.status == 200 and "html" in (capture.mime or "html"):
                    return store.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
        raise InputError(f"The archive {location} does not contain the page {url}.")

    return page_at


def _pages_of_web(delay: float) -> Callable[[str], Page]:
    from posterity.http_client import fetch_page, paced

    return paced(fetch_page, delay)
