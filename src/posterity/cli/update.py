"""`posterity update`: what is new, edited or gone since the last time."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from posterity.cli.options import (
    allow_private_option,
    archive_option,
    contact_option,
    hint_at_contact,
    json_option,
    quiet_option,
)
from posterity.cli.progress import listener
from posterity.cli.summary import print_milestone, print_update
from posterity.config import CrawlSettings, Settings
from posterity.errors import ArchiveError, Interrupted, PosterityError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from posterity.crawl.jobs import Event
    from posterity.model import Blog
    from posterity.model.report import UpdateReport

# A blog that is harvested meanwhile is noticed after this time at the latest.
_LONGEST_NAP_S = 60.0
_NO_PROBLEM_OF_ONE_BLOG = (ArchiveError.exit_code, Interrupted.exit_code)


@click.command()
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@archive_option
@click.option("--all", "everything", is_flag=True, help="All blogs of the archive, due or not.")
@click.option("--watch", is_flag=True, help="Stay, and update each blog whenever it is due. Ctrl-C ends it.")
@click.option("--since", metavar="ISO-DATE", help="Leave alone what was published and changed before this date.")
@click.option("--revisit", type=click.IntRange(min=0), metavar="POSTS",
              help="Known posts to check for edits; by default 10 when the blog has news.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
              help="Between requests to one host; 0 for a server of one's own.")  # fmt: skip
@click.option(
    "--concurrency", type=click.IntRange(min=1), default=4, show_default=True, help="Requests to one host at a time."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="PAGES", help="Stop after this many pages of a blog.")
@contact_option
@allow_private_option
@json_option
@quiet_option
def command(
    blogs: tuple[str, ...],
    archive: str,
    everything: bool,
    watch: bool,
    since: str | None,
    revisit: int | None,
    delay: float,
    concurrency: int,
    limit: int | None,
    contact: str,
    allow_private: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Bring blogs of the archive up to date: fetch new posts and comments, keep edits as revisions, note what is gone.

    BLOG is an id, a URL or a host name. Without one, the blogs that are due are updated: each has its own pace,
    which follows how often it posts. A blog without news costs two requests.

    \b
    posterity update                              all that are due
    posterity update blog.example --since 2026-01-01
    posterity update --watch --archive saved
    """
    from posterity.crawl.run import chosen_blogs, update

    moment = since_moment(since)
    crawl = CrawlSettings(
        delay_s=delay, concurrency=concurrency, limit_pages=limit, contact=contact, allow_private=allow_private
    )
    settings = Settings(crawl=crawl)

    def update_one(blog: Blog, tell: Callable[[Event], None]) -> UpdateReport:
        return update(blog.id, archive, since=moment, revisits=revisit, settings=settings, tell=tell)

    chosen = chosen_blogs(archive, blogs, everything=everything)
    if chosen and not (as_json or quiet):
        hint_at_contact(contact, [blog.url for blog in chosen])
    if watch:
        _watch(archive, blogs, chosen, lambda some: _update_all(some, update_one, as_json=as_json, quiet=quiet))
    if not chosen and not quiet:
        click.echo(_nothing_due(archive), err=True)
    problems = _update_all(chosen, update_one, as_json=as_json, quiet=quiet)
    if len(chosen) == 1 and problems:
        raise problems[0]
    if problems:
        message = f"{len(problems)} of {len(chosen)} blogs could not be updated; the reasons are above."
        click.echo(f"posterity: {message}", err=True)
        sys.exit(problems[0].exit_code)


def since_moment(text: str | None) -> datetime | None:
    """Return the moment that an ISO date or time names, in UTC unless it has an offset."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"{text} is no date. Write --since 2026-01-31, or 2026-01-31T18:00+01:00.") from None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _update_all(
    chosen: Sequence[Blog],
    update_one: Callable[[Blog, Callable[[Event], None]], UpdateReport],
    *,
    as_json: bool,
    quiet: bool,
) -> list[PosterityError]:
    """Update one blog after the other; a blog that fails does not stop the others, and its problem is returned."""
    problems = []
    for_people = not (as_json or quiet)
    for blog in chosen:
        try:
            with listener(blog.url, as_json=as_json, quiet=quiet, doing="updating") as tell:

                def handle(event: Event, tell: Callable[[Event], None] = tell) -> None:
                    tell(event)
                    if for_people:
                        print_milestone(event)

                report = update_one(blog, handle)
            if for_people:
                print_update(report)
        except PosterityError as problem:
            if problem.exit_code in _NO_PROBLEM_OF_ONE_BLOG:
                raise
            if len(chosen) > 1:
                click.echo(f"posterity: {blog.url}: {problem}", err=True)
            problems.append(problem)
    return problems


def _watch(
    archive: str, names: Sequence[str], chosen: Sequence[Blog], update_all: Callable[..., list[PosterityError]]
) -> None:
    """Update what is due, for ever; raises `Interrupted` at Ctrl-C."""
    from posterity.crawl.run import chosen_blogs, seconds_until_due

    try:
        while True:
            for blog in chosen:
                for problem in update_all([blog]):
                    click.echo(f"posterity: {blog.url}: {problem}", err=True)
            time.sleep(min(_LONGEST_NAP_S, seconds_until_due(archive, names)))
            chosen = chosen_blogs(archive, names, due=True)
    except KeyboardInterrupt:
        raise Interrupted("No longer watching. What was stored is stored; run the same command to go on.") from None


def _nothing_due(archive: str) -> str:
    from posterity.crawl.run import next_moment

    moment = next_moment(archive)
    if moment is None:
        return "No blog is due: the archive holds none yet, or all are paused (`posterity schedule`)."
    return f"No blog is due before {moment:%Y-%m-%d %H:%M} UTC. Name one, or use --all, to update it now."
