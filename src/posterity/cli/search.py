"""`posterity search`: full-text search in the archive."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, echo_json, first_day, json_option, last_day

if TYPE_CHECKING:
    from posterity.archive import ArchiveHit


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--blog", metavar="BLOG", help="Search only this blog (id, URL or host).")
@click.option("--author", metavar="NAME", help="Find only posts and comments by this author.")
@click.option("--tag", metavar="TAG", help="Find only posts with this tag or category, and their comments.")
@click.option("--language", metavar="CODE", help="Find only this language, such as en or pt-BR.")
@click.option(
    "--since", type=first_day, metavar="DATE", help="Find only posts and comments from this day, month or year on."
)
@click.option(
    "--until", type=last_day, metavar="DATE", help="Find only posts and comments up to this day, month or year."
)
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Print at most N hits."
)
@archive_option
@json_option
def command(
    words: tuple[str, ...], blog: str | None, author: str | None, tag: str | None, language: str | None,
    since: date | None, until: date | None, limit: int, archive: str, as_json: bool,
) -> None:  # fmt: skip
    """Find posts and comments that contain all WORDS, best matches first.

    Case is ignored, and so are accents that the query does not have.

    \b
    posterity search salt bread              both words
    posterity search '"salt bread"'          the exact phrase
    posterity search 'bread OR cake' -- -rye either word, without rye
    posterity search 'harb*'                 words that start with harb
    posterity search salt author:jane        written by jane; also tag: and title:
    posterity search salt after:2020 lang:de also before: and blog:
    """
    from posterity.archive import Filters, open_archive

    with open_archive(archive) as store:
        filters = Filters(
            blog_id=store.blog(blog).id if blog else None,
            author=author,
            tag=tag,
            language=language,
            since=datetime.combine(since, time(), UTC) if since else None,
            until=datetime.combine(until + timedelta(days=1), time(), UTC) if until else None,
        )
        query = " ".join(words)
        hits = store.search(query, filters, limit=limit + 1)
        suggestion = None if hits else store.did_you_mean(query, filters)
    print_hit = echo_json if as_json else _print_hit
    for hit in hits[:limit]:
        print_hit(hit)
    if not hits:
        echo("Nothing was found." + (f" Did you mean: {suggestion}" if suggestion else ""), err=True)
    elif not as_json and len(hits) > limit:
        echo("There are more hits. Use --limit N to see them.", err=True)


def _print_hit(hit: ArchiveHit) -> None:
    when = f"{hit.published:%Y-%m-%d}  " if hit.published else ""
    who = f"comment by {hit.author or 'an unknown author'} on " if hit.comment_id is not None else ""
    echo(f"{click.style(who + (hit.title or hit.url), bold=True)}\n  {when}{hit.url}")
    # Colour codes around each match; click removes them if the output is not a terminal.
    before, _, after = click.style("|", fg="yellow", bold=True).partition("|")
    echo(f"  {hit.snippet.marked(before, after)}\n")
