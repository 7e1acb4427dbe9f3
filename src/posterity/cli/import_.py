"""`posterity import`: blogs out of somebody else's crawl or a mirror on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, json_option, quiet_option
from posterity.errors import UsageError

if TYPE_CHECKING:
    from posterity.rebuild.importing import Imported, NotImported, Survey

_SHOWN_DAMAGE = 10


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|DIR...")
@click.option("--url", metavar="HOME", help="The blog's address: of a mirror without hosts, or the only blog wanted.")
@archive_option
@json_option
@quiet_option
def command(paths: tuple[Path, ...], url: str | None, archive: str, as_json: bool, quiet: bool) -> None:
    """Rebuild blogs from files, without a request to anybody: a dead blog, an old crawl, a mirror on disk.

    FILE is a WARC (.warc, .warc.gz, .warc.zst), an ARC (.arc, .arc.gz) or a WACZ; DIR a folder of such files, or a
    mirror as wget and others leave it. Every host whose pages are a blog's becomes a blog of the archive; feeds among
    the files teach its rules as live ones do. Records that are damaged are left out and named. Files may hold
    thousands of sites in any order: they are grouped by host first, in $TMPDIR, and all processors read them.

    \b
    posterity import crawl.warc.gz
    posterity import mirror/ --url https://blog.example/
    """
    from posterity.archive import open_archive
    from posterity.cli.progress_bytes import bytes_read
    from posterity.model import to_json
    from posterity.rebuild import import_crawls
    from posterity.urls import is_http_url

    if url is not None and not is_http_url(url):
        raise UsageError(f"{url} is not a web address. Give one that begins with http:// or https://.")
    with open_archive(archive, create=True) as store, bytes_read("reading", quiet=quiet or as_json) as progress:
        for event in import_crawls(store, paths, home_url=url, progress=progress):
            if as_json:
                click.echo(to_json(event).decode())
            elif not quiet:
                _show(event)


def _show(event: Survey | Imported | NotImported) -> None:
    from rich.console import Console

    from posterity.cli.summary import print_summary
    from posterity.rebuild.importing import Imported, Survey

    if isinstance(event, Imported):
        print_summary(Console(), event.report, event.rules)
    elif isinstance(event, Survey):
        _line("read", f"{event.answers} answers, {len(event.damaged)} damaged records left out")
        for damage in event.damaged[:_SHOWN_DAMAGE]:
            _line("damaged", str(damage))
        if len(event.damaged) > _SHOWN_DAMAGE:
            _line("", f"and {len(event.damaged) - _SHOWN_DAMAGE} more; --json names all")
    else:
        _line("no blog", f"{event.host}, {event.pages} answers: {event.problem}")


def _line(label: str, text: str) -> None:
    click.echo(f"{click.style(f'{label:10}', bold=True)}{text}")
