"""`posterity export`: the archive as a corpus."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from posterity.cli.options import (
    archive_option,
    clean_up_of,
    corpus_options,
    echo,
    json_option,
    quiet_option,
    selection_of,
)
from posterity.cli.progress import show_progress
from posterity.cli.summary import bytes_meant
from posterity.errors import InputError, NotInArchive, UsageError
from posterity.export.formats import all_formats, format_of
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.export.files import Split
    from posterity.export.near_duplicates import NearDuplicate

_RAW = ("warc", "wacz")
_TABLE = "\n".join(f"    {name:10} {form.about}" for name, form in all_formats().items())
_HELP = f"""Export posts of the archive, all or those that the options name.

    OUT is a file or a folder, as the format has it, or - for standard output (not with {{files}}). A name that
    ends in .gz is compressed. Beside it comes OUT.manifest.json: what was written, from where, how much, under which
    licences, with which checksums. The same archive gives the same bytes.

    \b
{_TABLE}

    \b
    posterity export posts.jsonl
    posterity export - | jq .title
    posterity export site --format markdown --blog blog.example
    posterity export books --format epub --split year
    posterity export for-wordpress --format wxr --split 15MB
    posterity export german.vert --format vertical --language de --min-words 50 --dedup post --dedup paragraph
    posterity export appendix.html --format report --since 2010 --until 2019
    """.format(files=", ".join(name for name, form in all_formats().items() if form.kind != "stream"))


@click.command(help=_HELP)
@click.argument("out", metavar="OUT", type=click.Path())
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(all_formats())),
    help="What to write; by default what the name of OUT ends in, else jsonl.",
)
@corpus_options
@click.option("--duplicates", metavar="FILE", help="Write near-duplicates as JSON lines, left out or not.")
@click.option(
    "--split",
    callback=lambda _context, _option, text: _split_meant(text),
    metavar="blog|year|SIZE",
    help="A folder OUT with a file for each blog, or each year of one; or files of at most this size (15MB), for wxr.",
)
@click.option("--raw-cells", is_flag=True, help="Leave CSV cells that a spreadsheet would run as formulas.")
@click.option("--history", is_flag=True, help="Earlier revisions too, in jsonl, atom and warc; import takes them back.")
@click.option("--force", is_flag=True, help="Overwrite what exists.")
@archive_option
@json_option
@quiet_option
def command(
    out: str,
    format_name: str | None,
    duplicates: str | None,
    split: Split | None,
    force: bool,
    archive: str,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """See `_HELP`."""
    from posterity.archive import open_archive
    from posterity.archive.overview import blog_counts
    from posterity.export.clean_up import clean_posts
    from posterity.export.export import export
    from posterity.export.selection import blog_by_blog, select_posts
    from posterity.extraction.selection import Selection
    from posterity.model import to_json

    format_name = format_name or format_of(out)
    selection, clean_up = selection_of(options), clean_up_of(options)
    if clean_up.mask_pii and format_name in _RAW:
        raise UsageError(f"The format {format_name} holds the pages as they came, and nothing can be masked in them.")
    if clean_up.mask_pii and selection.history:
        raise UsageError("Earlier revisions are written as they were stored, and nothing can be masked in them.")
    with open_archive(archive) as store, _written_to(duplicates, force=force) as record:
        wanted = blog_by_blog(store, selection) if split else selection
        chosen = clean_posts(lambda: select_posts(store, wanted), clean_up, record)
        total = sum(count.posts for count in blog_counts(store).values()) if selection == Selection() else None
        posts = show_progress(chosen, f"exporting {format_name}", "posts", total=total, quiet=quiet or as_json)
        manifest = export(
            store, out, format_name, selection=selection, clean_up=clean_up, posts=posts, split=split, force=force
        )
        holds_posts = bool(manifest.posts) or next(iter(store.posts()), None) is not None
    if as_json and out != "-":
        click.echo(to_json(manifest).decode())
    elif not quiet and out != "-":
        echo(f"{count_of(manifest.posts, 'post')} written to {out}", err=True)
    if not manifest.posts:
        why = "matches all options" if holds_posts else "is in the archive yet: `posterity harvest URL`"
        raise NotInArchive(f"No post {why}. What was written to {out} is empty.")


def _split_meant(text: str | None) -> Split | None:
    if text is None or text in ("blog", "year"):
        return cast("Split | None", text)
    return bytes_meant(text, or_else="blog, year, or a size such as ")


@contextmanager
def _written_to(file: str | None, *, force: bool) -> Iterator[Callable[[NearDuplicate], None] | None]:
    """Give the function that records near-duplicates; None when no file for them is named."""
    from posterity.model import to_json

    if file is None:
        yield None
        return
    if Path(file).exists() and not force:
        raise InputError(f"{file} exists. Give another name, or --force to overwrite it.")
    try:
        with Path(file).open("wb") as stream:

            def record(found: NearDuplicate) -> None:
                stream.write(to_json(found) + b"\n")

            yield record
    except BrokenPipeError:  # that was standard output
        raise
    except OSError as problem:
        raise InputError(f"{file} cannot be written: {problem.strerror or problem}.") from problem
