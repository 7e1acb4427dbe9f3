"""`posterity extract`: pages to records, without an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.errors import InputError

if TYPE_CHECKING:
    from posterity.model import RuleSet


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--method", metavar="NAME", help="Which method; without it, feed when there are rules.")
@click.option("--url", metavar="URL", default="", help="The page's address, for a file or -.")
@click.option("--rules", "rules_file", type=click.Path(), metavar="FILE", help="Rules written by posterity learn.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["json", "jsonl", "text", "markdown"]),
    default="json",
    show_default=True,
)
def command(pages: tuple[str, ...], method: str | None, url: str, rules_file: str | None, format_name: str) -> None:
    """Extract the post from pages. PAGE is a file, or - for standard input."""
    from posterity.extract import Context, extract

    context = Context(rules=_rules(rules_file) if rules_file else None)
    for page in pages:
        post = extract(_body(page), url or page, method=method, context=context)
        if post is None:
            click.echo(f"posterity: nothing was found on {page}.", err=True)
            continue
        click.echo(_written(post, format_name))


def _written(post: object, format_name: str) -> str:
    import msgspec

    from posterity.model import Post, to_json

    assert isinstance(post, Post)
    if format_name == "text":
        return post.text
    if format_name == "markdown":
        return post.markdown or ""
    line = to_json(post)
    return (msgspec.json.format(line, indent=2) if format_name == "json" else line).decode()


def _rules(file: str) -> RuleSet:
    from posterity.model import RuleSet, from_json

    return from_json(_body(file), RuleSet)


def _body(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as problem:
        raise InputError(f"{file} cannot be read: {problem.strerror}.") from problem
