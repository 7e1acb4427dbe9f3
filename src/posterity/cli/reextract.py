"""`posterity reextract`: extract the records of blogs again from their stored pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli import options
from posterity.cli.progress import count_progress
from posterity.errors import NotInArchive, UsageError
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from posterity.blog.changes import PostChange
    from posterity.blog.reextract import BlogOutcome, Reextracted

_MAX_SHOWN = 20


@click.command()
@click.argument("blogs", metavar="BLOG...", nargs=-1)
@click.option("--all", "all_blogs", is_flag=True, help="Extract all blogs of the archive.")
@click.option("--dry-run", is_flag=True, help="Show what would change without changing anything.")
@options.engine_options
@options.archive_option
@options.json_option
@options.quiet_option
def command(
    blogs: tuple[str, ...], all_blogs: bool, dry_run: bool, engine: str, scheduler: str | None, archive: str,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Learn the rules of blogs again from their stored feeds and pages, and extract every record again.

    No request is sent: a blog may be offline. Every changed post gets a new revision (`posterity show POST --history`).
    Fields that only the old record has are kept, and so are the rules for earlier themes of a blog. Each changed field
    is printed with its new and its old rule. BLOG is an id, a URL or a host name. Several blogs are processed in
    parallel, on all processors or on Dask.

    \b
    posterity reextract blog.example --dry-run
    posterity reextract --all --quiet
    posterity reextract --all --archive postgresql://host/blogs --engine dask --scheduler tcp://cluster.example:8786
    """
    from posterity.archive import open_archive

    if bool(blogs) == all_blogs:
        raise UsageError("Name the blogs, or use --all.")
    with open_archive(archive) as store:
        names = [blog.id for blog in store.blogs()] if all_blogs else [store.blog(name).id for name in blogs]
    if len(names) == 1 and engine == "local" and not scheduler:
        outcomes = [_with_progress(archive, names[0], dry_run=dry_run, quiet=quiet or as_json)]
    else:
        outcomes = _by_engine(archive, names, engine, scheduler, dry_run=dry_run, quiet=quiet or as_json)
    for outcome in outcomes:
        if outcome.done is None:
            options.echo(f"posterity: {outcome.name}: {outcome.problem}", err=True)
        elif as_json:
            for change in outcome.changes:
                options.echo_json(change)
            options.echo_json(outcome.done)
        elif not quiet:
            shown = [change for change in outcome.changes if change.state in ("new", "changed")]
            for label, text in [*_lines(outcome.done), *_changed_lines(shown)]:
                options.echo_labelled(label, text)
    if failed := [outcome for outcome in outcomes if outcome.problem]:
        raise NotInArchive(f"{count_of(len(failed), 'blog')} of {len(outcomes)} could not be rebuilt; see above.")


def _with_progress(archive: str, name: str, *, dry_run: bool, quiet: bool) -> BlogOutcome:
    from posterity.archive import open_archive
    from posterity.archive.overview import blog_counts
    from posterity.blog.reextract import BlogOutcome, reextract

    changes: list[PostChange] = []
    with open_archive(archive) as store:
        count = blog_counts(store).get(name)
        with count_progress("extracting", "posts", total=count.posts if count else None, quiet=quiet) as tick:

            def on_change(change: PostChange) -> None:
                tick()
                changes.append(change)

            done = reextract(store, name, dry_run=dry_run, on_change=on_change)
    return BlogOutcome(name=name, done=done, changes=tuple(changes))


def _by_engine(
    archive: str, names: list[str], engine: str, scheduler: str | None, *, dry_run: bool, quiet: bool
) -> list[BlogOutcome]:
    """Extract blogs in parallel; the outcomes are in the order of the names."""
    from posterity.blog.reextract import ReextractJob, reextract_blog
    from posterity.engine import engine_named

    location = archive if "://" in archive else str(Path(archive).absolute())
    found: dict[str, BlogOutcome] = {}
    with (
        engine_named(engine, scheduler) as runner,
        count_progress("extracting", "blogs", total=len(names), quiet=quiet) as tick,
    ):
        for outcome in runner.map(partial(reextract_blog, ReextractJob(archive=location, dry_run=dry_run)), names):
            found[outcome.name] = outcome
            tick()
    return [found[name] for name in dict.fromkeys(names)]


def _lines(done: Reextracted) -> list[tuple[str, str]]:
    lines = [
        ("blog", done.url + (" (dry run: nothing is written)" if done.dry_run else "")),
        ("pages", f"{done.pages} stored, {done.evidence} of them evidence; feed {done.feed_url or 'none'}"),
        ("rules", _rules(done)),
        ("posts", ", ".join(f"{count} {state}" for state, count in done.posts.items()) or "none"),
    ]
    if done.fields:
        lines.append(("fields", ", ".join(f"{field} of {count}" for field, count in done.fields.items())))
    if done.left:
        lines.append(("left", f"{done.left} stored posts were found on no stored page and are unchanged"))
    lines += [("damaged", f"{url}: {problem}") for url, problem in done.damaged.items()]
    return lines


def _rules(done: Reextracted) -> str:
    if done.problem is not None:
        return f"version {done.rules_after} applied, because nothing could be learned: {done.problem}"
    if done.rules_before == done.rules_after:
        return f"version {done.rules_after}, the same as before"
    return f"version {done.rules_after}, before {done.rules_before or 'none'}"


def _changed_lines(changes: list[PostChange]) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for change in changes[:_MAX_SHOWN]:
        lines.append((change.state, f"{change.url}{'  ' if change.fields else ''}{', '.join(change.fields)}"))
        for field, each in change.changes.items():
            lines.append(("", f"  {field}: {each.before or 'nothing'} -> {each.after or 'nothing'} ({each.why})"))
    if len(changes) > _MAX_SHOWN:
        lines.append(("", f"and {len(changes) - _MAX_SHOWN} more; --json lists all"))
    return lines
