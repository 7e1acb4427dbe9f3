"""`posterity forget`: takedown of a post, a comment, or everything by one author."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, echo_json, json_option
from posterity.errors import NotInArchive, UsageError

if TYPE_CHECKING:
    from posterity.archive import Archive, Forgotten


@click.command()
@click.argument("what", metavar="URL|ID|AUTHOR")
@click.option("--reason", required=True, metavar="TEXT", help="The reason, which is stored in the log.")
@click.option("--comment", metavar="ID", help="Remove only this comment of the post.")
@click.option("--author", "is_author", is_flag=True, help="Always treat the argument as an author's name.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@archive_option
@json_option
def command(
    what: str, reason: str, comment: str | None, is_author: bool, yes: bool, archive: str, as_json: bool
) -> None:
    """Remove a post, a comment or all of an author's posts and comments from the archive permanently.

    Database rows, search entries, media and raw pages are removed: WARC records that contain the text, feeds and front
    pages included, are replaced by tombstones with the same id. Later harvests do not store it again. The takedown is
    logged.

    \b
    posterity forget https://blog.example/2021/03/on-tides/ --reason "asked by the author"
    """
    from posterity.archive import open_archive

    with open_archive(archive) as store:
        if not yes and not _confirm(f"Remove {what} from {store.location}? This cannot be undone."):
            echo("Nothing was removed.", err=True)
            return
        entry = _forget(store, what, comment, reason, is_author=is_author)
    if as_json:
        echo_json(entry)
        return
    counts = [(name.removesuffix("s") if count == 1 else name, count) for name, count in entry.removed.items()]
    removed = ", ".join(f"{count} {name}" for name, count in counts if count)
    echo(f"Removed: {removed}. Logged as {entry.kind} {entry.name}.", err=True)


def _confirm(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        raise UsageError("There is no terminal for the confirmation. Use --yes to skip it.") from None


def _forget(store: Archive, what: str, comment: str | None, reason: str, *, is_author: bool) -> Forgotten:
    from posterity.archive.forget import forget_author, forget_comment, forget_post

    if is_author:
        return forget_author(store, what, reason)
    if comment is not None:
        return forget_comment(store, what, comment, reason)
    try:
        return forget_post(store, what, reason)
    except NotInArchive:
        if "://" in what:
            raise
    return forget_author(store, what, reason)
