"""`posterity learn`: rules from a feed and pages on disk, or from pages that a person annotated."""

from __future__ import annotations

from pathlib import Path

import click

from posterity.errors import InputError


@click.command()
@click.argument("feed", metavar="FEED", type=click.Path(), required=False)
@click.option(
    "--pages",
    type=click.Path(),
    metavar="DIR",
    help="Folder with the pages that the feed links to, as a mirror keeps them.",
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
def command(feed: str | None, pages: str | None, feed_url: str, format_name: str, annotated: str | None) -> None:
    """Learn a blog's rules from its feed and print them, to be read, edited and used by this and other software.

    \b
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
        raise InputError("Which feed? Give its file: posterity learn feed.xml --pages DIR")
    if pages is None:
        raise InputError("Where are the pages? Give the folder that holds them: --pages DIR")
    click.echo(_from_feed(_body(Path(feed), "feed"), feed_url, Path(pages), format_name))


def _from_feed(body: bytes, feed_url: str, folder: Path, format_name: str) -> str:
    from posterity.cli.mirror import pages_of_feed
    from posterity.discover.feed import read_feed
    from posterity.learn.formats import written_rules
    from posterity.learn.rule_set import learn

    feed = read_feed(body, feed_url)
    return written_rules(learn(feed, pages_of_feed(feed, folder)), format_name).rstrip("\n")


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
