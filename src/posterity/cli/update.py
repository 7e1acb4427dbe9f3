"""`posterity update`: what is new, edited or gone since the last time."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from posterity.cli.options import (
    allow_private_option,
    archive_option,
    contact_option,
    echo,
    hint_at_contact,
    json_option,
    quiet_option,
)
from posterity.cli.progress import listener, many_listener
from posterity.cli.summary import bytes_meant, print_milestone
from posterity.errors import ArchiveError, Interrupted, PosterityError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from posterity.crawl.jobs import Event
    from posterity.crawl.run import UpdateOptions
    from posterity.model import Blog

# A blog that is harvested meanwhile is noticed after this time at the latest.
_LONGEST_NAP_S = 60.0
_NO_PROBLEM_OF_ONE_BLOG = (ArchiveError.exit_code, Interrupted.exit_code)


@click.command()
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@archive_option
@click.option("--all", "everything", is_flag=True, help="All blogs of the archive, due or not.")
@click.option("--watch", is_flag=True, help="Stay, and update each blog whenever it is due. Ctrl-C or SIGTERM ends it.")
@click.option("--since", metavar="ISO-DATE", help="Leave alone what was published and changed before this date.")
@click.option("--revisit", type=click.IntRange(min=0), metavar="POSTS",
              help="Known posts to check for edits; by default 10 when the blog has news.")  # fmt: skip
@click.option(
    "--rotation",
    type=click.IntRange(min=1),
    metavar="UPDATES",
    help="Request every post at least once in so many updates; `schedule --rotation` sets it for good.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Blogs at the same time, of many."
)
@click.option("--delay", type=click.FloatRange(min=0), metavar="SECONDS", help="Between requests to one host.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Requests to one host at a time.")
@click.option("--limit", type=click.IntRange(min=1), metavar="PAGES", help="Stop after this many pages of a blog.")
@click.option(
    "--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Stop a blog after this time."
)
@click.option(
    "--size-limit",
    callback=lambda _context, _option, text: None if text is None else bytes_meant(text),
    metavar="SIZE",
    help="Stop a blog after this many bytes, images included: 500MB, 2GB, or a number of bytes.",
)
@click.option(
    "--render", type=click.Choice(["auto", "always", "never"]), help="Render pages in a browser: if needed, all, none."
)
@click.option("--screenshot/--no-screenshot", default=None, help="Keep a screenshot of every new post.")
@click.option("--media/--no-media", default=None, help="Download images, audio, video, documents and stylesheets.")
@click.option("--comments/--no-comments", default=None, help="Keep comments.")
@click.option(
    "--respect-optout/--no-respect-optout",
    default=None,
    help="Leave out pages marked noarchive or noai, or that reserve data mining.",
)
@contact_option
@click.option("--user-agent", metavar="TEXT", help="The whole User-Agent; its first word is compared with robots.txt.")
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
    rotation: int | None,
    workers: int,
    as_json: bool,
    quiet: bool,
    screenshot: bool | None,
    **options: Any,
) -> None:
    """Bring blogs of the archive up to date: fetch new posts and comments, keep edits as revisions, note what is gone.

    BLOG is an id, a URL or a host name. Without one, the blogs that are due are updated: each has its own pace,
    which follows how often it posts. A blog without news costs two requests.

    Options that are not given are those of the blog's harvest, which the archive remembers; limits are not remembered.

    \b
    posterity update                              all that are due
    posterity update blog.example --since 2026-01-01
    posterity update --watch --workers 8 --archive saved
    """
    from posterity.crawl.run import UpdateOptions, chosen_blogs

    asked = UpdateOptions(
        since=since_moment(since),
        revisits=revisit,
        rotation=rotation,
        crawl=_crawl_changes(options),
        render={} if screenshot is None else {"screenshot": screenshot},
    )
    chosen = chosen_blogs(archive, blogs, everything=everything)
    if chosen and not (as_json or quiet or options["user_agent"]):
        hint_at_contact(options["contact"], [blog.url for blog in chosen])
    display = _Display(archive, asked, workers, as_json=as_json, quiet=quiet)
    if watch:
        _watch(archive, blogs, chosen, display.update_all)
    if not chosen and not quiet:
        echo(_nothing_due(archive), err=True)
    problems = display.update_all(chosen)
    if len(chosen) == 1 and problems:
        raise problems[0]
    if problems:
        message = f"{len(problems)} of {len(chosen)} blogs could not be updated; the reasons are above."
        echo(f"posterity: {message}", err=True)
        sys.exit(problems[0].exit_code)


# Options of the command line, by the names of the settings that they change.
_SETTINGS = {
    "delay_s": "delay",
    "concurrency": "concurrency",
    "limit_pages": "limit",
    "time_limit_s": "time_limit",
    "limit_bytes": "size_limit",
    "render": "render",
    "media": "media",
    "comments": "comments",
    "respect_optout": "respect_optout",
    "contact": "contact",
    "user_agent": "user_agent",
    "allow_private": "allow_private",
}


def _crawl_changes(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were named on the command line; the others are those of the harvest."""
    # Of texts and the flag, what is not named is empty; a number may be 0.
    return {
        name: options[option]
        for name, option in _SETTINGS.items()
        if options[option] is not None and (options[option] or name not in ("contact", "user_agent", "allow_private"))
    }


def since_moment(text: str | None) -> datetime | None:
    """Return the moment that an ISO date or time names, in UTC unless it has an offset."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"{text} is no date. Write --since 2026-01-31, or 2026-01-31T18:00+01:00.") from None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


class _Display:
    """Updates blogs, shows what happens, and collects what goes wrong with single ones."""

    def __init__(self, archive: str, options: UpdateOptions, workers: int, *, as_json: bool, quiet: bool) -> None:
        self._archive, self._options, self._workers = archive, options, workers
        self._as_json, self._quiet = as_json, quiet

    def update_all(self, chosen: Sequence[Blog]) -> list[PosterityError]:
        """Update the blogs; one that fails does not stop the others, and its problem is returned."""
        return self._update_one(chosen[0]) if len(chosen) == 1 else self._update_many(chosen)

    def _update_one(self, blog: Blog) -> list[PosterityError]:
        from posterity.crawl.run import update

        try:
            with listener(blog.url, as_json=self._as_json, quiet=self._quiet, doing="updating") as tell:

                def handle(event: Event) -> None:
                    tell(event)
                    self._print(event)

                update(blog.id, self._archive, options=self._options, tell=handle)
        except PosterityError as problem:
            if problem.exit_code in _NO_PROBLEM_OF_ONE_BLOG:
                raise
            return [problem]
        return []

    def _update_many(self, chosen: Sequence[Blog]) -> list[PosterityError]:
        from posterity.crawl.run import update_many

        if not chosen:
            return []
        with many_listener(as_json=self._as_json, quiet=self._quiet) as display:

            def handle(url: str, event: Event) -> None:
                display.handle(url, event)
                self._print(event)

            outcomes = update_many(
                [blog.id for blog in chosen],
                self._archive,
                workers=self._workers,
                options=self._options,
                tell=handle,
            )
        problems = [(outcome.url, outcome.problem) for outcome in outcomes if outcome.problem]
        for _, problem in problems:
            if problem.exit_code in _NO_PROBLEM_OF_ONE_BLOG:
                raise problem
        for url, problem in problems:
            echo(f"posterity: {url}: {problem}", err=True)
        return [problem for _, problem in problems]

    def _print(self, event: Event) -> None:
        if not (self._as_json or self._quiet):
            print_milestone(event)


def _watch(
    archive: str, names: Sequence[str], chosen: Sequence[Blog], update_all: Callable[..., list[PosterityError]]
) -> None:
    """Update what is due, for ever; raises `Interrupted` at Ctrl-C."""
    from posterity.crawl.run import chosen_blogs, seconds_until_due

    try:
        while True:
            problems = update_all(chosen)
            if len(chosen) == 1 and problems:
                echo(f"posterity: {chosen[0].url}: {problems[0]}", err=True)
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
