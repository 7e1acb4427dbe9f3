"""`posterity learn`: rules from a feed and its pages, on disk or on the web, or from pages that a person annotated."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import click

from posterity.batch.sources import is_on_web
from posterity.cli.options import echo, web_address
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
    help="Folder with the pages that the feed links to, as a mirror keeps them.",
)
@click.option("--fetch", is_flag=True, help="Fetch the pages that the feed links to, instead of --pages.")
@click.option(
    "--delay",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Between the requests of --fetch.",
)
@click.option(
    "--url",
    "feed_url",
    default="",
    callback=web_address,
    metavar="URL",
    help="The URL of a feed that is a file: its relative links are resolved against it, and it is kept in the rules.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["json", "ftr", "miniflux", "css", "webpoet"]),
    default="json",
    show_default=True,
    help="Our own rules, a site config of Full-Text RSS, rules of Miniflux, CSS line by line, a web-poet page object.",
)
@click.option(
    "--annotated",
    type=click.Path(),
    metavar="DIR",
    help="Learn from pages (page.html) annotated by a person (page.json) instead; prints blogbuster rules.",
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
    """Learn a blog's rules from its feed and print them, to be read, edited and used by this and other software.

    FEED is a file or a URL; from the URL of a blog its feed is found, and the first 20 pages that it links to are
    fetched.

    \b
    posterity learn https://blog.example/ > rules.json
    posterity learn feed.xml --pages mirror/ > rules.json
    posterity extract page.html --rules rules.json
    posterity learn feed.xml --pages mirror/ --format ftr > blog.example.txt
    posterity learn --annotated pages/ > rules.toml

    Pages are recognised by their paths, as wget and HTTrack keep them: mirror/2009/03/tides/index.html,
    mirror/blog.example/2009/03/tides.html. Five pages are enough for most blogs, ten to fifteen are better.
    """
    if annotated is not None:
        if feed is not None or pages is not None:
            raise UsageError("Learn from a feed or from annotated pages, not from both: leave out FEED and --pages.")
        echo(_from_annotated(Path(annotated)), nl=False)
        return
    if feed is None:
        raise UsageError("Which feed? Give its file or URL: posterity learn feed.xml --pages DIR")
    if "://" not in feed and is_on_web(feed):
        feed = url_of_host(feed)
    if pages is None and not fetch and "://" not in feed:
        raise UsageError("Where are the pages? Give the folder that holds them (--pages DIR), or --fetch them.")
    if pages is not None and fetch:
        raise UsageError("Take the pages from the folder or from the web, not from both: leave out --pages or --fetch.")
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
    from posterity.discover.feed import read_feed

    try:
        return read_feed(_body(Path(place), "feed"), feed_url)
    except BrokenFeed as broken:
        raise BrokenFeed(f"The feed {place} cannot be read: {broken.problem}.", broken.problem) from broken


def _learn_rules(feed: Feed, folder: str | None, delay_s: float, format_name: str) -> str:
    import msgspec

    from posterity.extraction.feed import learn
    from posterity.learning.formats import written_rules

    now = _now()
    if folder is not None:
        from posterity.batch.sources import pages_of_feed

        rules = learn(feed, pages_of_feed(feed, Path(folder)))
    else:
        pages = pages_online(feed, delay_s)
        if not pages:
            raise NothingLearned(f"None of the pages that the feed {feed.url} links to could be fetched.")
        # "yesterday" on a page that was just fetched has a date; on a page of a folder it has none.
        rules = learn(feed, pages, now=now)
    return written_rules(msgspec.structs.replace(rules, learned_at=now), format_name).rstrip("\n")


def _now() -> datetime:
    from datetime import UTC, datetime

    return datetime.now(UTC).replace(microsecond=0)


def _from_annotated(folder: Path) -> str:
    from posterity.dom import parse
    from posterity.learning.annotated import annotation_from_json, rules_from_annotated

    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder.")
    annotations = [file for file in sorted(folder.glob("*.json")) if file.with_suffix(".html").is_file()]
    if not annotations:
        raise InputError(f"{folder} holds no annotated pages. Put page.json beside page.html.")
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
ENOUGH_PAGES = 20


def feed_at(url: str) -> Feed:
    """Return the feed at the URL, or the feed of the blog at the URL."""
    page = fetch_feed(url)
    if looks_like_feed(page.body):
        return read_feed(page.body, page.url, page.content_type)
    document = parse(page.body, page.url, page.content_type)
    for place in [*declared_feeds(document), *usual_feeds(page.url)]:
        try:
            found = fetch_feed(place)
        except PosterityError:
            continue
        if looks_like_feed(found.body):
            return read_feed(found.body, found.url, found.content_type)
    raise NoFeed(f"{url} offers no feed that can be read. Give the feed's own URL.")


def pages_online(feed: Feed, delay_s: float) -> dict[str, bytes]:
    """Return the first pages that the feed links to, by the URL in the feed; one that fails is named and left out."""
    pages: dict[str, bytes] = {}
    links = [entry.link for entry in feed.entries if entry.link][:ENOUGH_PAGES]
    shown = show_progress(links, f"reading {urlsplit(links[0]).netloc}", "pages", total=len(links))
    for number, link in enumerate(shown):
        if number:
            time.sleep(delay_s)
        try:
            pages[link] = fetch_page(link).body
        except PosterityError as problem:
            echo(f"posterity: {problem}", err=True)
    return pages
