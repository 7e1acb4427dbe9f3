"""`posterity harvest`: a whole blog into the archive."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from posterity.cli.options import archive_option, json_option, quiet_option
from posterity.cli.progress import listener
from posterity.config import CrawlSettings, Settings
from posterity.errors import InputError, PosterityError, UsageError


@click.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option(
    "-i", "--input-file", type=click.Path(), metavar="FILE", help="Many blogs, one address a line; # begins a comment."
)
@archive_option
@click.option("--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
              help="Between requests to one host; 0 for a server of one's own.")  # fmt: skip
@click.option(
    "--concurrency", type=click.IntRange(min=1), default=4, show_default=True, help="Requests to one host at a time."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="PAGES", help="Stop after this many pages.")
@click.option(
    "--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Stop after this time."
)
@json_option
@quiet_option
def command(
    urls: tuple[str, ...],
    input_file: str | None,
    archive: str,
    delay: float,
    concurrency: int,
    limit: int | None,
    time_limit: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Harvest blogs: find the feed, learn from it how the blog marks up its posts, visit the whole blog and keep
    every post with its raw page.

    URL is the address of the home page, or of the feed itself. Harvesting a blog again brings it up to date: nothing
    is stored twice.

    \b
    posterity harvest https://blog.example/
    posterity harvest -i blogs.txt --archive saved --json > log.jsonl
    posterity harvest http://127.0.0.1:4000/ --delay 0
    """
    from posterity.fetch.harvest import harvest

    blogs = [*urls, *(_listed(input_file) if input_file else [])]
    if not blogs:
        raise UsageError("Which blog? Give its address: posterity harvest https://blog.example/")
    crawl = CrawlSettings(delay_s=delay, concurrency=concurrency, limit_pages=limit, time_limit_s=time_limit)
    problems: list[PosterityError] = []
    for url in blogs:
        try:
            with listener(url, as_json=as_json, quiet=quiet) as tell:
                harvest(url, archive, settings=Settings(crawl=crawl), tell=tell)
        except PosterityError as problem:
            if len(blogs) == 1 or problem.exit_code in (3, 11):
                raise
            problems.append(problem)
            click.echo(f"posterity: {url}: {problem}", err=True)
    if problems:
        click.echo(
            f"posterity: {len(problems)} of {len(blogs)} blogs could not be harvested; the reasons stand above.",
            err=True,
        )
        sys.exit(problems[0].exit_code)


def _listed(file: str) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines() if file != "-" else sys.stdin.read().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"The list {file} cannot be read: {problem}.") from problem
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
