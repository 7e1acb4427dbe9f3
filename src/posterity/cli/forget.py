"""`posterity forget`: takedown of a post, a comment, or everything by one author."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, json_option
from posterity.errors import NotInArchive, UsageError

if TYPE_CHECKING:
    from posterity.archive import Archive, Forgotten


@click.command()
@click.argument("what", metavar="URL|ID|AUTHOR")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept in the log.")
@click.option("--comment", metavar="ID", help="Only this comment of the post.")
@click.option(
    "--author", "is_author", is_flag=True, help="The argument is an author's name, even if it looks otherwise."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@archive_option
@json_option
def command(
    what: str, reason: str, comment: str | None, is_author: bool, yes: bool, archive: str, as_json: bool
) -> None:
    """Remove a post, a comment or all of an author's posts and comments from the archive, for good.

    Rows, search, media and raw records go: a WARC record is replaced by a tombstone of the same id, also that of a
    feed or front page which shows the text. Later harvests do not store it again. The takedown is logged.

    \b
    posterity forget https://blog.example/2021/03/on-tides/ --reason "asked by the author"
    """
    from posterity.archive import open_archive
    from posterity.model import to_json

    with open_archive(archive) as store:
        if not yes and not _confirm(f"Remove {what} from {store.location}? This cannot be undone."):
            echo("Nothing was removed.", err=True)
            return
        entry = _forget(store, what, comment, reason, is_author=is_author)
    if as_json:
        click.echo(to_json(entry).decode())
        return
    removed = ", ".join(
        f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in entry.removed.items() if count
    )
    echo(f"Removed: {removed}. Logged as {entry.kind} {entry.name}.", err=True)


def _confirm(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        raise UsageError("There is no terminal to confirm at. Give --yes to remove it without confirmation.") from None


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
