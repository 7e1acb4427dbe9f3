"""`posterity learn`: learn rules from a feed and its pages, on disk or on the web, or from annotated pages."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import click

from posterity.batch.sources import is_on_web
from posterity.cli.options import check_url, delay_option, echo
from posterity.cli.progress import show_progress
from posterity.discover.feed import declared_feeds, looks_like_feed, read_feed, usual_feeds
from posterity.dom import parse
from posterity.errors import BrokenFeed, EmptyFeed, InputError, NoFeed, NothingLearned, PosterityError, UsageError
from posterity.http_client import fetch_feed, fetch_page, url_of_host
from posterity.model import Feed


@click.command()
@click.argument("feed", metavar="FEED|BLOG", type=click.Path(), required=False)
@click.option(
    "--pages",
    type=click.Path(),
    metavar="DIR",
    help="Folder with the pages that the feed links to, such as a mirror of the blog.",
)
@click.option("--fetch", is_flag=True, help="Fetch the pages that the feed links to, instead of --pages.")
@delay_option("Pause between requests of --fetch.")
@click.option(
    "--url",
    "feed_url",
    default="",
    callback=check_url,
    metavar="URL",
    help="URL of a feed file: relative links are resolved against it, and the rules contain it.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["json", "ftr", "miniflux", "css", "webpoet"]),
    default="json",
    show_default=True,
    help="Posterity's own JSON, a Full-Text RSS site config, Miniflux rules, CSS selectors, or a web-poet page object.",
)
@click.option(
    "--annotated",
    type=click.Path(),
    metavar="DIR",
    help="Learn blogbuster rules from annotated pages instead: page.html with its annotations in page.json.",
)
def command(
    feed: str | None,
    pages: str | None,
    fetch: bool,
    delay: float,
    feed_url: str,
    format_name: str,
    annotated: str | None,
) -> None:
    """Learn a blog's rules from its feed and pages, and print them.

    FEED is a file or a URL. Given the URL of a blog, its feed is looked up, and the first 20 pages that it links to are
    fetched.

    \b
    posterity learn https://blog.example/ > rules.json
    posterity learn feed.xml --pages mirror/ > rules.json
    posterity extract page.html --rules rules.json
    posterity learn feed.xml --pages mirror/ --format ftr > blog.example.txt
    posterity learn --annotated pages/ > rules.toml

    Files are matched to URLs by their paths, as wget and HTTrack write them: mirror/2009/03/tides/index.html,
    mirror/blog.example/2009/03/tides.html. Five pages are enough for most blogs, ten to fifteen are better.
    """
    if annotated is not None:
        if feed is not None or pages is not None:
            raise UsageError("--annotated cannot be combined with a feed: leave out FEED and --pages.")
        echo(_from_annotated(Path(annotated)), nl=False)
        return
    if feed is None:
        raise UsageError("The file or URL of a feed is missing: posterity learn feed.xml --pages DIR")
    if "://" not in feed and is_on_web(feed):
        feed = url_of_host(feed)
    if pages is None and not fetch and "://" not in feed:
        raise UsageError("The pages are missing: name their folder with --pages DIR, or add --fetch.")
    if pages is not None and fetch:
        raise UsageError("--pages and --fetch cannot be combined: leave one of them out.")
    read = _feed(feed, feed_url)
    if not read.entries:
        raise EmptyFeed(f"The feed {feed} has no entries, so there is nothing to learn from.")
    if not any(entry.link for entry in read.entries):
        raise InputError(f"No entry of the feed {feed} links to a page. If its links are relative, add --url URL.")
    if format_name == "miniflux" and not read.url:
        echo("posterity: The feed does not declare its own URL, so feed_url is empty: add --url URL.", err=True)
    echo(_learn_rules(read, pages, delay, format_name))


def _feed(place: str, feed_url: str) -> Feed:
    if "://" in place:
        return feed_at(place)
    try:
        return read_feed(_body(Path(place), "feed"), feed_url)
    except BrokenFeed as broken:
        raise BrokenFeed(f"The feed {place} cannot be read: {broken.problem}.", broken.problem) from broken


def _learn_rules(feed: Feed, folder: str | None, delay_s: float, format_name: str) -> str:
    import msgspec

    from posterity.extraction.feed import learn
    from posterity.learning.formats import written_rules

    now = datetime.now(UTC).replace(microsecond=0)
    if folder is not None:
        from posterity.batch.sources import pages_of_feed

        rules = learn(feed, pages_of_feed(feed, Path(folder)))
    else:
        pages = fetch_pages(feed, delay_s)
        if not pages:
            raise NothingLearned(f"None of the pages that the feed {feed.url} links to could be fetched.")
        # Words such as "yesterday" can be resolved on a page that was just fetched, but not on a page of a folder.
        rules = learn(feed, pages, now=now)
    return written_rules(msgspec.structs.replace(rules, learned_at=now), format_name).rstrip("\n")


def _from_annotated(folder: Path) -> str:
    from posterity.learning.annotated import annotation_from_json, rules_from_annotated

    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder.")
    annotations = [file for file in sorted(folder.glob("*.json")) if file.with_suffix(".html").is_file()]
    if not annotations:
        raise InputError(f"{folder} contains no annotated pages. Put page.json beside page.html.")
    return rules_from_annotated(
        [
            (parse(_body(file.with_suffix(".html"), "page")), annotation_from_json(_body(file, "annotation")))
            for file in annotations
        ]
    )


def _body(file: Path, what: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise InputError(f"The {what} {file} cannot be read: {problem.strerror}.") from problem


# More pages hardly improve the rules (benchmarks/feed_rules.py learns from fifteen), and each costs a pause.
MAX_PAGES = 20


def feed_at(url: str) -> Feed:
    """Return the feed at the URL, or the feed of the blog at the URL."""
    page = fetch_feed(url)
    if looks_like_feed(page.body):
        return read_feed(page.body, page.url, page.content_type)
    for candidate in [*declared_feeds(parse(page.body, page.url, page.content_type)), *usual_feeds(page.url)]:
        try:
            found = fetch_feed(candidate)
        except PosterityError:
            continue
        if looks_like_feed(found.body):
            return read_feed(found.body, found.url, found.content_type)
    raise NoFeed(f"{url} offers no readable feed. Use the URL of the feed itself.")


def fetch_pages(feed: Feed, delay_s: float) -> dict[str, bytes]:
    """Fetch the first pages that the feed links to, and return them by URL; failures are printed and left out."""
    pages: dict[str, bytes] = {}
    links = [entry.link for entry in feed.entries if entry.link][:MAX_PAGES]
    shown = show_progress(links, f"fetching {urlsplit(links[0]).netloc}", "pages", total=len(links))
    for number, link in enumerate(shown):
        if number:
            time.sleep(delay_s)
        try:
            pages[link] = fetch_page(link).body
        except PosterityError as problem:
            echo(f"posterity: {problem}", err=True)
    return pages
