"""`posterity harvest`: harvest whole blogs into the archive."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from posterity.cli import options
from posterity.cli.progress import listener, many_listener, print_outcomes
from posterity.config import CrawlSettings, RenderMode, RenderSettings, Settings
from posterity.errors import Incomplete, InputError, UsageError
from posterity.urls import without_login


@click.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option(
    "-i", "--input-file", type=click.Path(), metavar="FILE", help="File with one URL per line; # starts a comment."
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Blogs to harvest at the same time."
)
@options.archive_option
@options.delay_option(
    "Pause between requests to one host; longer if robots.txt asks for it or the host is slow. 0 is for your own "
    "server."
)
@click.option("--concurrency", type=click.IntRange(min=1), default=4, show_default=True,
              help="Parallel requests to one host.")  # fmt: skip
@options.limit_option
@options.time_limit_option
@options.render_option("auto")
@click.option(
    "--retry-missing",
    is_flag=True,
    help="Request only what the last harvest could not fetch; without URL, for all blogs.",
)
@click.option("--screenshot", is_flag=True, help="Store a screenshot of every post.")
@options.size_limit_option
@click.option("--no-media", is_flag=True, help="Do not download images, audio, video, documents and stylesheets.")
@click.option("--no-comments", is_flag=True, help="Do not store comments.")
@click.option(
    "--respect-optout", is_flag=True, help="Leave out pages that declare noarchive, noai or a data mining reservation."
)
@options.contact_option
@options.user_agent_option
@options.allow_private_option
@options.json_option
@options.quiet_option
def command(
    urls: tuple[str, ...],
    input_file: str | None,
    workers: int,
    archive: str,
    delay: float,
    concurrency: int,
    limit: int | None,
    time_limit: float | None,
    size_limit: int | None,
    render: RenderMode,
    retry_missing: bool,
    screenshot: bool,
    no_media: bool,
    no_comments: bool,
    respect_optout: bool,
    contact: str,
    user_agent: str | None,
    allow_private: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Harvest whole blogs from their URLs into the archive.

    The feed shows how the blog marks up its posts; then the whole blog is crawled, and every post is stored with its
    raw page and its images. URL is the home page or the feed. Harvesting a blog again updates it: nothing is stored
    twice. A harvest that was interrupted or reached a limit continues where it stopped.

    \b
    posterity harvest https://blog.example/
    posterity harvest -i blogs.txt --workers 8 --archive saved --json > log.jsonl
    posterity harvest http://127.0.0.1:4000/ --delay 0
    posterity harvest https://blog.example/ --render always --screenshot
    posterity harvest --retry-missing
    """
    from posterity.crawl.run import harvest

    blogs = _blogs_to_harvest(urls, input_file, archive if retry_missing else None)
    if not blogs:
        options.echo("Every listed post of every blog is archived: there is nothing to retry.", err=True)
        return
    if screenshot and render == "never":
        raise UsageError("--screenshot needs a browser, but --render never excludes it. Leave one of them out.")
    crawl = CrawlSettings(
        delay_s=delay,
        concurrency=concurrency,
        retry_missing=retry_missing,
        limit_pages=limit,
        time_limit_s=time_limit,
        limit_bytes=size_limit,
        render=render,
        media=not no_media,
        comments=not no_comments,
        respect_optout=respect_optout,
        contact=contact,
        user_agent=user_agent or "",
        allow_private=allow_private,
    )
    if not (as_json or quiet or user_agent):
        options.hint_at_contact(contact, blogs)
    settings = Settings(crawl=crawl, render=RenderSettings(screenshot=screenshot))
    if len(blogs) > 1:
        harvest_many_blogs(blogs, archive, workers, settings, as_json=as_json, quiet=quiet)
        return
    with listener(blogs[0], as_json=as_json, quiet=quiet) as on_event:
        report = harvest(blogs[0], archive, settings=settings, on_event=on_event)
    if report.gave_up:
        raise Incomplete(f"{blogs[0]} is archived, but {'; '.join(report.notes)}. Posts may be missing.")


def _blogs_to_harvest(urls: tuple[str, ...], input_file: str | None, retried_archive: str | None) -> list[str]:
    """Return the URLs given; if there are none, those of the blogs in `retried_archive` with missing posts."""
    blogs = [*urls, *(_blogs_in_file(input_file) if input_file else [])]
    if not blogs and retried_archive is not None and not input_file:
        return _blogs_with_gaps(retried_archive)
    if not blogs:
        if input_file:
            raise InputError(f"The list {input_file} contains no URL. Write one URL per line.")
        raise UsageError("The URL of a blog is missing: posterity harvest https://blog.example/")
    for url in urls:
        if "://" not in url and Path(url).is_file():
            raise UsageError(f"{url} is a file. To read a list of URLs, use -i {url}")
    return blogs


def _blogs_with_gaps(archive: str) -> list[str]:
    from posterity.archive import open_archive

    with open_archive(archive) as store:
        reports = ((blog, store.report(blog.id)) for blog in store.blogs())
        return [blog.url for blog, report in reports if report is not None and (report.missing or report.missing_media)]


def harvest_many_blogs(
    blogs: list[str], archive: str, workers: int, settings: Settings, *, as_json: bool, quiet: bool
) -> None:
    """Harvest all blogs, print a table, and exit with the code of the first failure; Ctrl-C takes precedence."""
    from posterity.crawl.run import harvest_many

    with many_listener(len(blogs), as_json=as_json, quiet=quiet) as on_event:
        outcomes = harvest_many(blogs, archive, workers=workers, settings=settings, on_event=on_event)
    if not (as_json or quiet):
        print_outcomes(outcomes)
    problems = [outcome.problem for outcome in outcomes if outcome.problem]
    if not problems:
        return
    ending = next((problem for problem in problems if problem.exit_code in (3, 11)), None)
    if ending is not None:
        raise ending
    for outcome in outcomes:
        if outcome.problem:
            url = without_login(outcome.url)
            about = "" if url in str(outcome.problem) else f"{url}: "
            options.echo(f"posterity: {about}{outcome.problem}", err=True)
    failed = f"{len(problems)} of {len(outcomes)} blogs could not be harvested; the reasons are above."
    options.echo(f"posterity: {failed}", err=True)
    sys.exit(problems[0].exit_code)


def _blogs_in_file(file: str) -> list[str]:
    try:
        text = Path(file).read_text(encoding="utf-8-sig") if file != "-" else sys.stdin.read()
    except OSError as problem:
        raise InputError(f"The list {file} cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"The list {file} is not UTF-8 text. Write one URL per line.") from problem
    blogs = (re.sub(r"(?:^|\s)#.*", "", line).strip() for line in text.splitlines())  # keep the # of a URL fragment
    return [blog for blog in blogs if blog]
