"""`posterity export`: write posts of the archive as a corpus."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from posterity.cli import options
from posterity.cli.progress import show_progress
from posterity.errors import InputError, NotInArchive, UsageError
from posterity.export.formats import all_formats, format_of
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.export.files import Split
    from posterity.export.near_duplicates import NearDuplicate

_TABLE = "\n".join(f"    {name:10} {form.about}" for name, form in all_formats().items())
_HELP = f"""Export posts of the archive: all, or those that match the options.

    OUT is a file or a folder, depending on the format, or - for standard output (not with {{files}}). A file whose
    name ends in .gz is compressed. OUT.manifest.json is written beside it: sources, counts, licences and checksums. The
    same archive always gives the same bytes.

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
    help="The format; by default the one that the extension of OUT names, or jsonl.",
)
@options.corpus_options
@click.option("--duplicates", metavar="FILE",
              help="List near-duplicates in this file as JSON lines, whether exported or not.")  # fmt: skip
@click.option(
    "--split",
    callback=lambda _context, _option, text: _parse_split(text),
    metavar="blog|year|SIZE",
    help="Write a folder OUT with one file per blog, or per blog and year, or files of at most SIZE (15MB; only wxr).",
)
@click.option(
    "--raw-cells", is_flag=True, help="Do not escape CSV cells that a spreadsheet would evaluate as formulas."
)
@click.option("--history", is_flag=True,
              help="Also write earlier revisions, in jsonl, atom and warc; `import` reads them back.")  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@options.archive_option
@options.json_option
@options.quiet_option
def command(
    out: str,
    format_name: str | None,
    duplicates: str | None,
    split: Split | None,
    force: bool,
    archive: str,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """See `_HELP`."""
    from posterity.archive import open_archive
    from posterity.archive.overview import blog_counts
    from posterity.export.clean_up import clean_posts
    from posterity.export.export import export
    from posterity.export.selection import blog_by_blog, select_posts
    from posterity.extraction.selection import Selection

    format_name = format_name or format_of(out)
    selection, clean_up = options.selection_of(given), options.clean_up_of(given)
    if clean_up.mask_pii and format_name in ("warc", "wacz"):
        raise UsageError(f"--mask-pii cannot change the format {format_name}, which contains the original pages.")
    if clean_up.mask_pii and selection.history:
        raise UsageError("--mask-pii cannot change earlier revisions (--history). Leave one of the two options out.")
    with open_archive(archive) as store, _duplicates_file(duplicates, force=force) as record:
        wanted = blog_by_blog(store, selection) if split else selection
        chosen = clean_posts(lambda: select_posts(store, wanted), clean_up, record)
        total = sum(count.posts for count in blog_counts(store).values()) if selection == Selection() else None
        posts = show_progress(chosen, f"exporting {format_name}", "posts", total=total, quiet=quiet or as_json)
        manifest = export(
            store, out, format_name, selection=selection, clean_up=clean_up, posts=posts, split=split, force=force
        )
        holds_posts = bool(manifest.posts) or next(iter(store.posts()), None) is not None
    if as_json and out != "-":
        options.echo_json(manifest)
    elif not quiet and out != "-":
        options.echo(f"{count_of(manifest.posts, 'post')} written to {out}", err=True)
    if not manifest.posts:
        why = "matches all options" if holds_posts else "is in the archive yet: `posterity harvest URL`"
        raise NotInArchive(f"No post {why}. The export {out} is empty.")


def _parse_split(text: str | None) -> Split | None:
    if text is None or text in ("blog", "year"):
        return cast("Split | None", text)
    return options.parse_size(text, alternatives="blog, year, or a size such as ")


@contextmanager
def _duplicates_file(file: str | None, *, force: bool) -> Iterator[Callable[[NearDuplicate], None] | None]:
    """Open the file of near-duplicates and yield the function that writes one; yields None without a file name."""
    from posterity.model import to_json

    if file is None:
        yield None
        return
    if Path(file).exists() and not force:
        raise InputError(f"{file} exists. Choose another name, or use --force to overwrite it.")
    try:
        with Path(file).open("wb") as stream:

            def record(found: NearDuplicate) -> None:
                stream.write(to_json(found) + b"\n")

            yield record
    except BrokenPipeError:  # from standard output, not from this file
        raise
    except OSError as problem:
        raise InputError(f"{file} cannot be written: {problem.strerror or problem}.") from problem
