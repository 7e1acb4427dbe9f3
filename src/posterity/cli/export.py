"""`posterity export`: the archive as a corpus."""

from __future__ import annotations

import click

from posterity.cli.options import archive_option, quiet_option
from posterity.corpus.formats import FORMATS


@click.command()
@click.argument("out", metavar="OUT", type=click.Path())
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="jsonl",
    show_default=True,
    help="What to write.",
)
@click.option(
    "--blog", "blogs", multiple=True, metavar="BLOG", help="Only this blog (id, address or host); may be given again."
)
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")
@archive_option
@quiet_option
def command(out: str, format_name: str, blogs: tuple[str, ...], force: bool, archive: str, quiet: bool) -> None:
    """Export every post of the archive.

    \b
    jsonl      one post a line, all fields; OUT may be - for standard output
    markdown   a folder, one file a post with its facts as front matter

    \b
    posterity export posts.jsonl
    posterity export - | jq .title
    posterity export notes --format markdown --blog blog.example
    """
    from posterity.archive import open_archive
    from posterity.corpus.export import export

    with open_archive(archive) as store:
        count = export(store, out, format_name, blogs=blogs, force=force)
    if not quiet and out != "-":
        click.echo(f"{count} posts written to {out}", err=True)
