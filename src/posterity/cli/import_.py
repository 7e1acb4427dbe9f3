"""`posterity import`: import blogs from crawls of other tools, mirrors on disk, or files of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, check_url, echo_json, echo_labelled, json_option, quiet_option
from posterity.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.archive import Archive
    from posterity.importer.importing import Imported, NotImported, Survey
    from posterity.importer.records.storing import RecordsImported

    Event = Survey | Imported | NotImported | RecordsImported

_MAX_SHOWN_DAMAGE = 10


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|DIR...")
@click.option(
    "--url",
    callback=check_url,
    metavar="HOME",
    help="The blog's URL: for a mirror without host folders, or to import only this blog.",
)
@archive_option
@json_option
@quiet_option
def command(paths: tuple[Path, ...], url: str | None, archive: str, as_json: bool, quiet: bool) -> None:
    """Import blogs from crawl files, mirrors or exports on disk, without any request to the web.

    FILE is a WARC (.warc, .warc.gz, .warc.zst), an ARC (.arc, .arc.gz) or a WACZ file; DIR is a folder of such files,
    or a mirror made by wget or a similar tool. Every host whose pages form a blog becomes a blog of the archive; its
    rules are learned from the files as they would be from live pages. Damaged records are skipped and listed. Files may
    contain thousands of sites in any order: they are first grouped by host, in $TMPDIR, on all processors.

    FILE may also contain finished records: the output of `posterity export` as jsonl, wxr, atom or wacz, a WordPress
    export (Tools, Export), or a Blogger backup. So may DIR, if it contains only such files (`export --split`). These
    posts are imported unchanged.

    \b
    posterity import crawl.warc.gz
    posterity import mirror/ --url https://blog.example/
    posterity import wordpress-export.xml
    """
    from posterity.archive import open_archive
    from posterity.cli.progress import bytes_read

    if web := [path for path in paths if path.parts[0] in ("http:", "https:")]:
        raise UsageError(f"{web[0]} is not a file. Use `posterity harvest` for a blog on the web.")
    with open_archive(archive, create=True) as store, bytes_read("reading", quiet=quiet or as_json) as progress:
        for event in _events(store, paths, url, progress):
            if as_json:
                echo_json(event)
            elif not quiet:
                print_event(event)


def _events(
    store: Archive, paths: tuple[Path, ...], url: str | None, progress: Callable[[int, int], None] | None
) -> Iterator[Event]:
    """Import files of records one by one, then all crawl files together, since several may contain the same blog."""
    from posterity.importer import import_crawls
    from posterity.importer.records.files import record_files
    from posterity.importer.records.storing import import_records

    records = {path: record_files(path) for path in paths}
    for files in records.values():
        for file in files:
            yield from import_records(store, file)
    if others := [path for path in paths if not records[path]]:
        yield from import_crawls(store, others, home_url=url, progress=progress)


def print_event(event: Event) -> None:
    """Print what an import has read or stored."""
    from rich.console import Console

    from posterity.cli.summary import print_summary
    from posterity.importer.importing import Imported, Survey
    from posterity.importer.records.storing import RecordsImported

    if isinstance(event, Imported):
        print_summary(Console(), event.report, event.rules)
    elif isinstance(event, RecordsImported):
        print_summary(Console(), event.report, None)
    elif isinstance(event, Survey):
        echo_labelled("read", f"{event.responses} responses, {len(event.damaged)} damaged records left out")
        for damage in event.damaged[:_MAX_SHOWN_DAMAGE]:
            echo_labelled("damaged", str(damage))
        if len(event.damaged) > _MAX_SHOWN_DAMAGE:
            echo_labelled("", f"and {len(event.damaged) - _MAX_SHOWN_DAMAGE} more; --json lists all")
    else:
        echo_labelled("no blog", f"{event.host}, {event.pages} responses: {event.problem}")
