"""`posterity search`: full text over the archive."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, first_day, json_option, last_day

if TYPE_CHECKING:
    from posterity.archive import ArchiveHit


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--blog", metavar="BLOG", help="Only this blog (id, URL or host).")
@click.option("--author", metavar="NAME", help="Only what this person wrote.")
@click.option("--tag", metavar="TAG", help="Only posts with this tag or category, and their comments.")
@click.option("--language", metavar="CODE", help="Only this language, such as en or pt-BR.")
@click.option("--since", type=first_day, metavar="DATE", help="Only from this day, month or year on.")
@click.option("--until", type=last_day, metavar="DATE", help="Only up to this day, month or year.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="At most N hits.")
@archive_option
@json_option
def command(
    words: tuple[str, ...], blog: str | None, author: str | None, tag: str | None, language: str | None,
    since: date | None, until: date | None, limit: int, archive: str, as_json: bool,
) -> None:  # fmt: skip
    """Find posts and comments that have all the WORDS, best first.

    Case does not matter, nor do accents that you do not type.

    \b
    posterity search salt bread              both words
    posterity search '"salt bread"'          side by side
    posterity search 'bread OR cake' -- -rye one of the two, and no rye
    posterity search 'harb*'                 words that begin so
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
            since=_midnight(since) if since else None,
            until=_midnight(until + timedelta(days=1)) if until else None,
        )
        query = " ".join(words)
        hits = store.search(query, filters, limit=limit + 1)
        meant = None if hits else store.did_you_mean(query, filters)
    for hit in hits[:limit]:
        _print_json(hit) if as_json else _print_hit(hit)
    if not hits:
        echo("Nothing was found." + (f" Did you mean: {meant}" if meant else ""), err=True)
    elif not as_json and len(hits) > limit:
        echo("There are more hits: --limit N shows them.", err=True)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _print_hit(hit: ArchiveHit) -> None:
    when = f"{hit.published:%Y-%m-%d}  " if hit.published else ""
    who = f"comment by {hit.author or 'an unknown author'} on " if hit.comment_id is not None else ""
    echo(f"{click.style(who + (hit.title or hit.url), bold=True)}\n  {when}{hit.url}")
    echo(f"  {hit.snippet.marked(*_marks())}\n")


def _marks() -> tuple[str, str]:
    """Signs around a word: colour on a terminal, where click lets it through, and nothing that remains elsewhere."""
    before, _, after = click.style("|", fg="yellow", bold=True).partition("|")
    return before, after


def _print_json(hit: ArchiveHit) -> None:
    from posterity.model import to_json

    click.echo(to_json(hit).decode())
