"""`posterity extract`: pages to records, without an archive."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from posterity.cli.extract_output import FORMATS, explanation, output_in
from posterity.errors import PosterityError, UnreadablePage
from posterity.extract.wc_options import FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.cli.extract_output import Output
    from posterity.cli.extract_rules import Chosen
    from posterity.cli.extract_sites import Sites
    from posterity.cli.extract_sources import GivenPage, Sources
    from posterity.model import Post

_log = logging.getLogger(__name__)


def _thesis_switches(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the switches of wc-single and wc-multi, under the names of `wc_options.FLAGS`."""
    for flag in reversed(FLAGS):
        if flag.option or flag.name == "--clave":
            function = click.option(flag.name, is_flag=True, help=_sentence(flag.does))(function)
    return function


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--method",
    metavar="NAME",
    help="hybrid (default), feed, blogbuster, cst, mcst, e-mcst, bte, wc-single, wc-multi; "
    "+switch sets an option, as in cst+clean=false.",
)
@click.option(
    "--url", metavar="URL", default="", help="The page's address, for a file or -; for a folder, where it begins."
)
@click.option("--feed", metavar="FILE|URL", help="Learn from this feed and the given pages first.")
@click.option(
    "--rules",
    "rules_file",
    metavar="FILE",
    help="Rules: JSON from posterity learn, TOML for blogbuster (or published, blogs), or an IN/OUT rule file.",
)
@click.option(
    "--reference", metavar="FILE", help="The other page for wc-multi; else the page of median size of the site."
)
@click.option("--index", is_flag=True, help="The page is a front page with several posts.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    default="json",
    show_default=True,
    help="What to print.",
)
@click.option("--explain", is_flag=True, help="Say on stderr where every field comes from, and how sure that is.")
@_thesis_switches
def command(
    pages: tuple[str, ...], method: str | None, url: str, feed: str | None, rules_file: str | None,
    reference: str | None, index: bool, format_name: str, explain: bool, clave: bool, **switches: bool,
) -> None:  # fmt: skip
    """Extract the posts from pages. PAGE is a file, a folder, an address, a WARC or ARC file, a .jsonl[.xz|.gz] file of
    {"id", "url", "html"}, or - for standard input. Pages of one host that are given together help each other.

    A page that cannot be read is named and the others go on; exit code 9 means that none could be read.

    \b
    posterity extract https://blog.example/2021/tides/ --explain
    posterity extract page.html --url https://blog.example/2021/tides/ --format markdown
    posterity extract mirror/ --feed mirror/feed.xml --format jsonl > posts.jsonl
    posterity extract crawl.warc.gz --method wc-multi --prune --format cleaneval
    posterity extract front.html --index --rules blogs --format xml
    """
    from posterity.cli.extract_rules import chosen_method
    from posterity.cli.extract_sites import Sites
    from posterity.cli.extract_sources import Sources

    sources = Sources(pages, url)
    chosen = chosen_method(method, rules_file, feed, sources)
    switched_on: dict[str, object] = {name: True for name, value in switches.items() if value}
    chosen = msgspec.structs.replace(chosen, options={**chosen.options, **switched_on})
    sites = Sites(chosen, sources, index=index, reference=reference)
    output = output_in(format_name, doc_lines=clave)
    count, problems = _extracted(sources, chosen, sites, output, explain=explain)
    output.end()
    if problems:
        _end_with(count, problems)


def _extracted(
    sources: Sources, chosen: Chosen, sites: Sites, output: Output, *, explain: bool
) -> tuple[int, list[PosterityError]]:
    """Print the posts of every page; return how many pages there were, and what was wrong with those that failed."""
    from posterity.cli.extract_sources import Unread

    count = 0
    problems: list[PosterityError] = []
    for place, page in enumerate(sources.pages()):
        count += 1
        try:
            if isinstance(page, Unread):
                raise page.problem
            posts = _posts_on(page, chosen, sites, place)
        except PosterityError as problem:
            problems.append(problem)
            about = "" if page.name in str(problem) else f"{page.name}: "
            click.echo(f"posterity: {about}{problem}", err=True)
            continue
        if not posts:
            click.echo(f"posterity: nothing was found on {page.name}.", err=True)
        for post in posts:
            output.write(post)
            if explain:
                click.echo(explanation(page.name, post), err=True)
    return count, problems


def _posts_on(page: GivenPage, chosen: Chosen, sites: Sites, place: int) -> list[Post]:
    from posterity.dom import parse
    from posterity.dom.binary import is_binary

    if is_binary(page.body):
        raise UnreadablePage(f"{page.name} is not a page: its bytes are not text.")
    try:
        document = parse(page.body, page.url, page.content_type)
        found = chosen.run(document, sites.context(place, page))
    except PosterityError:
        raise
    except Exception as problem:
        # The boundary around one page: a bug that one page shows must not cost the others.
        _log.exception("The method %s failed on %s", chosen.name, page.name)
        raise PosterityError(f"{page.name} met a bug in posterity ({problem!r}). Please report it.") from problem
    return [_signed(post, page, number) for number, post in enumerate(found, start=1)]


def _signed(post: Post, page: GivenPage, number: int) -> Post:
    """Return the post with the id of its input line, and with the WARC record that it was read from."""
    changes: dict[str, Any] = {}
    if page.id is not None:
        changes["id"] = page.id if number == 1 else f"{page.id}#{number}"
    if page.warc:
        changes["provenance"] = {
            field: msgspec.structs.replace(source, warc=page.warc, at=page.fetched_at)
            for field, source in post.provenance.items()
        }
    return msgspec.structs.replace(post, **changes) if changes else post


def _end_with(count: int, problems: list[PosterityError]) -> None:
    if count == 1:
        sys.exit(problems[0].exit_code)
    click.echo(
        f"posterity: {len(problems)} of {count} pages could not be read; the reasons stand above.",
        err=True,
    )
    if len(problems) == count:
        sys.exit(UnreadablePage.exit_code)
