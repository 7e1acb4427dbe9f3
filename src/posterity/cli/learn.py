"""`posterity learn`: rules from a feed and its pages, on disk or on the web, or from pages that a person annotated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.errors import InputError

if TYPE_CHECKING:
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
    "--url", "feed_url", default="", metavar="URL", help="The feed's address, for a feed whose links are relative."
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["json", "ftr", "miniflux", "css", "webpoet"]),
    default="json",
    show_default=True,
    help="Our own rules, or those of Full-Text RSS, Miniflux, plain CSS, a web-poet page object.",
)
@click.option(
    "--annotated",
    type=click.Path(),
    metavar="DIR",
    help="Learn from pages (page.html) with what a person says of them (page.json) instead; prints blogbuster rules.",
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

    FEED is a file or an address; the address of a blog leads to its feed, and its pages are fetched.

    \b
    posterity learn https://blog.example/ > rules.json
    posterity learn feed.xml --pages mirror/ > rules.json
    posterity extract page.html --rules rules.json
    posterity learn feed.xml --pages mirror/ --format ftr > blog.example.txt
    """
    if annotated is not None:
        if feed is not None or pages is not None:
            raise InputError("Learn from a feed or from annotated pages, not from both: leave out FEED and --pages.")
        click.echo(_from_annotated(Path(annotated)), nl=False)
        return
    if feed is None:
        raise InputError("Which feed? Give its file or address: posterity learn feed.xml --pages DIR")
    if pages is None and not fetch and "://" not in feed:
        raise InputError("Where are the pages? Give the folder that holds them (--pages DIR), or --fetch them.")
    read = _feed(feed, feed_url)
    click.echo(_learned(read, _pages(read, pages, delay), format_name))


def _feed(place: str, feed_url: str) -> Feed:
    if "://" in place:
        from posterity.cli.learn_online import feed_at

        return feed_at(place)
    from posterity.discover.feed import read_feed

    return read_feed(_body(Path(place), "feed"), feed_url)


def _pages(feed: Feed, folder: str | None, delay_s: float) -> dict[str, bytes]:
    if folder is not None:
        from posterity.cli.mirror import pages_of_feed

        return pages_of_feed(feed, Path(folder))
    from posterity.cli.learn_online import pages_online

    return pages_online(feed, delay_s)


def _learned(feed: Feed, pages: dict[str, bytes], format_name: str) -> str:
    from posterity.learn.formats import written_rules
    from posterity.learn.rule_set import learn

    return written_rules(learn(feed, pages), format_name).rstrip("\n")


def _from_annotated(folder: Path) -> str:
    from posterity.dom import parse
    from posterity.learn.annotated import annotation_from_json, rules_from_annotated

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
