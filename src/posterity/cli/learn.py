"""`posterity learn`: rules from a feed and pages on disk or on the web."""

from __future__ import annotations

from pathlib import Path

import click

from posterity.errors import InputError


@click.command()
@click.argument("feed", metavar="FEED", type=click.Path())
@click.option(
    "--pages",
    type=click.Path(),
    metavar="DIR",
    help="Folder with the pages that the feed links to, as a mirror keeps them.",
)
@click.option(
    "--url", "feed_url", default="", metavar="URL", help="The feed's address, for a feed whose links are relative."
)
def command(feed: str, pages: str | None, feed_url: str) -> None:
    """Learn a blog's rules from its feed and print them as JSON that a person can read and edit.

    \b
    posterity learn feed.xml --pages mirror/ > rules.json
    posterity extract page.html --rules rules.json
    """
    import msgspec

    from posterity.cli.mirror import pages_of_feed
    from posterity.discover.feed import read_feed
    from posterity.learn.rule_set import learn
    from posterity.model import to_json

    if pages is None:
        raise InputError("Where are the pages? Give the folder that holds them: --pages DIR")
    try:
        body = Path(feed).read_bytes()
    except OSError as problem:
        raise InputError(f"The feed {feed} cannot be read: {problem.strerror}.") from problem
    parsed = read_feed(body, feed_url)
    rules = learn(parsed, pages_of_feed(parsed, Path(pages)))
    click.echo(msgspec.json.format(to_json(rules), indent=2).decode())
