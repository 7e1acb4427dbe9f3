"""`posterity reextract`: a blog's records made again from its stored pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, json_option, quiet_option
from posterity.cli.progress import count_progress

if TYPE_CHECKING:
    from posterity.blog.changes import FieldChange, PostChange
    from posterity.blog.reextract import Reextracted

_SHOWN = 20


@click.command()
@click.argument("blog", metavar="BLOG")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@archive_option
@json_option
@quiet_option
def command(blog: str, dry_run: bool, archive: str, as_json: bool, quiet: bool) -> None:
    """Learn a blog's rules again from its stored feed and pages, and rebuild every record from them.

    No request is sent to the blog; it may be gone. What changes becomes a new revision, see `posterity show POST
    --history`. What only the old record has is kept, and so are the layouts of themes that the blog had before. Each
    changed field is printed with the rule that gives it now and the one that did before. BLOG is an id, a URL or a host
    name.

    \b
    posterity reextract blog.example --dry-run
    """
    from posterity.archive import open_archive
    from posterity.archive.overview import blog_counts
    from posterity.importer import reextract
    from posterity.model import to_json

    shown: list[PostChange] = []

    def tell(change: PostChange) -> None:
        tick()
        if as_json:
            click.echo(to_json(change).decode())
        elif change.state in ("new", "changed"):
            shown.append(change)

    with open_archive(archive) as store:
        count = blog_counts(store).get(store.blog(blog).id)
        total = count.posts if count else None
        with count_progress("reading again", "posts", total=total, quiet=quiet or as_json) as tick:
            done = reextract(store, blog, dry_run=dry_run, tell=tell)
    if as_json:
        click.echo(to_json(done).decode())
    elif not quiet:
        for label, text in [*_lines(done), *_changed_lines(shown)]:
            echo(f"{click.style(f'{label:10}', bold=True)}{text}")


def _lines(done: Reextracted) -> list[tuple[str, str]]:
    counts = ", ".join(f"{count} {state}" for state, count in done.posts.items()) or "none"
    lines = [
        ("blog", done.url + (" (dry run: nothing is written)" if done.dry_run else "")),
        ("pages", f"{done.pages} stored, {done.evidence} of them evidence; feed {done.feed_url or 'none'}"),
        ("rules", _rules(done)),
        ("posts", counts),
    ]
    if done.fields:
        lines.append(("fields", ", ".join(f"{field} of {count}" for field, count in done.fields.items())))
    if done.left:
        lines.append(("left", f"{done.left} stored posts without a page that gives them; they stay as they are"))
    lines += [("damaged", f"{url}: {problem}") for url, problem in done.damaged.items()]
    return lines


def _rules(done: Reextracted) -> str:
    if done.problem is not None:
        return f"version {done.rules_after} applied, since nothing could be learned: {done.problem}"
    if done.rules_before == done.rules_after:
        return f"version {done.rules_after}, the same as before"
    return f"version {done.rules_after}, before {done.rules_before or 'none'}"


def _changed_lines(changes: list[PostChange]) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for change in changes[:_SHOWN]:
        lines.append((change.state, f"{change.url}{'  ' if change.fields else ''}{', '.join(change.fields)}"))
        lines += [("", f"  {field}: {_field_line(each)}") for field, each in change.changes.items()]
    if len(changes) > _SHOWN:
        lines.append(("", f"and {len(changes) - _SHOWN} more; --json names all"))
    return lines


def _field_line(change: FieldChange) -> str:
    return f"{change.before or 'nothing'} -> {change.after or 'nothing'} ({change.why})"
