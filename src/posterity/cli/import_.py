"""`posterity import`: blogs from a crawl of another tool, a mirror on disk, or a file of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, json_option, quiet_option, web_address
from posterity.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.archive import Archive
    from posterity.importer.importing import Imported, NotImported, Survey
    from posterity.importer.records.storing import RecordsImported

    Event = Survey | Imported | NotImported | RecordsImported

_SHOWN_DAMAGE = 10


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|DIR...")
@click.option(
    "--url",
    callback=web_address,
    metavar="HOME",
    help="The blog's URL: for a mirror without host folders, or to import only this blog.",
)
@archive_option
@json_option
@quiet_option
def command(paths: tuple[Path, ...], url: str | None, archive: str, as_json: bool, quiet: bool) -> None:
    """Rebuild blogs from files, without a request to anybody: a dead blog, an old crawl, a mirror on disk.

    FILE is a WARC (.warc, .warc.gz, .warc.zst), an ARC (.arc, .arc.gz) or a WACZ; DIR a folder of such files, or a
    mirror as wget and others leave it. Every host whose pages are a blog's becomes a blog of the archive; feeds among
    rules are learned from the files as from live pages. Records that are damaged are left out and named. Files may hold
    thousands of sites in any order: they are grouped by host first, in $TMPDIR, and all processors read them.

    FILE may also hold records that are ready: what `posterity export` wrote as jsonl, wxr, atom or wacz, a WordPress
    export (Tools, Export), or a Blogger backup; or DIR holds nothing but such files (`export --split`). Their posts are
    taken over as they are.

    \b
    posterity import crawl.warc.gz
    posterity import mirror/ --url https://blog.example/
    posterity import wordpress-export.xml
    """
    from posterity.archive import open_archive
    from posterity.cli.progress import bytes_read
    from posterity.model import to_json

    if web := [path for path in paths if path.parts[0] in ("http:", "https:")]:
        raise UsageError(f"{web[0]} is no file. `posterity harvest` takes a blog from the web.")
    with open_archive(archive, create=True) as store, bytes_read("reading", quiet=quiet or as_json) as progress:
        for event in _events(store, paths, url, progress):
            if as_json:
                click.echo(to_json(event).decode())
            elif not quiet:
                show_event(event)


def _events(
    store: Archive, paths: tuple[Path, ...], url: str | None, progress: Callable[[int, int], None] | None
) -> Iterator[Event]:
    """Files of records first, then everything else together: a blog's pages may lie in several files."""
    from posterity.importer import import_crawls
    from posterity.importer.records.files import record_files
    from posterity.importer.records.storing import import_records

    ready = {path: record_files(path) for path in paths}
    for files in ready.values():
        for file in files:
            yield from import_records(store, file)
    if others := [path for path in paths if not ready[path]]:
        yield from import_crawls(store, others, home_url=url, progress=progress)


def show_event(event: Event) -> None:
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
        _line("read", f"{event.responses} responses, {len(event.damaged)} damaged records left out")
        for damage in event.damaged[:_SHOWN_DAMAGE]:
            _line("damaged", str(damage))
        if len(event.damaged) > _SHOWN_DAMAGE:
            _line("", f"and {len(event.damaged) - _SHOWN_DAMAGE} more; --json names all")
    else:
        _line("no blog", f"{event.host}, {event.pages} responses: {event.problem}")


def _line(label: str, text: str) -> None:
    echo(f"{click.style(f'{label:10}', bold=True)}{text}")
