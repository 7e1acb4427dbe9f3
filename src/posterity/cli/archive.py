"""`posterity archive`: statistics, verification and maintenance of the archive."""

from __future__ import annotations

import click

from posterity.cli.options import archive_option, echo, echo_json, json_option, quiet_option
from posterity.errors import ArchiveError
from posterity.text.normal_form import count_of


@click.group()
def command() -> None:
    """Maintain the archive: stats, verify, migrate, compact, copy, rebuild.

    \b
    posterity archive stats
    posterity archive verify --archive saved
    """


@command.command()
@archive_option
@json_option
def stats(archive: str, as_json: bool) -> None:
    """Show how much the archive contains, in total and per blog."""
    from posterity.archive import open_archive
    from posterity.archive.overview import archive_stats

    with open_archive(archive) as store:
        found = archive_stats(store)
    if as_json:
        echo_json(found)
    else:
        lines = [
            f"{found.location}  (version {found.version}, database {_size(found.database_bytes)})",
            f"{found.blogs:10}  blogs",
            f"{found.posts:10}  posts, {found.gone} of them gone from their blogs, {found.revisions} earlier revisions",
            f"{found.comments:10}  comments",
            f"{found.captures:10}  raw records in {found.warc_files} WARC files, {_size(found.warc_bytes)}",
            f"{found.media_files:10}  media, {_size(found.media_bytes)}; {found.media_missing} missing",
        ]
        for blog in found.by_blog:
            years = f"{blog.first[:10]} to {blog.latest[:10]}" if blog.first and blog.latest else "no dates"
            lines.append(f"  {blog.url}  {count_of(blog.posts, 'post')}, {count_of(blog.comments, 'comment')}, {years}")
        echo("\n".join(lines))


@command.command()
@click.option("--repair", is_flag=True, help="Repair truncated files, missing index entries and the search index.")
@archive_option
@json_option
def verify(repair: bool, archive: str, as_json: bool) -> None:
    """Check every digest, every pointer and every file of the archive.

    The exit code is 3 if problems remain. Files that a running harvest is writing to are checked up to their current
    end.
    """
    from posterity.archive import open_archive
    from posterity.archive.verify import REPAIRABLE, repair_archive, verify_archive
    from posterity.cli.progress import bytes_read

    with open_archive(archive) as store:
        with bytes_read("checking", quiet=as_json) as progress:
            found = verify_archive(store, progress)
        repaired = repair_archive(store, found) if repair and found.problems else []
    for problem in found.problems:
        done = problem in repaired
        if as_json:
            echo_json({"kind": problem.kind, "where": problem.where, "detail": problem.detail, "repaired": done})
        else:
            echo(f"{problem.kind:10} {problem.where}: {problem.detail}{' (repaired)' if done else ''}")
    left = len(found.problems) - len(repaired)
    if not as_json:
        files, problems = count_of(found.files, "WARC file"), count_of(len(found.problems), "problem")
        echo(f"{files} with {count_of(found.records, 'record')} checked, {problems}.", err=True)
    if left:
        helps = not repair and any(problem.kind in REPAIRABLE for problem in found.problems)
        advice = "found: run it again with --repair" if helps else "cannot be repaired: restore the files from a backup"
        raise ArchiveError(f"{count_of(left, 'problem')} {advice}.")


@command.command()
@archive_option
def migrate(archive: str) -> None:
    """Migrate an archive to the current version. Makes a backup first."""
    from posterity.archive.opening import migrate_archive

    done = migrate_archive(archive)
    if done.backup is None:
        echo(f"The archive already has version {done.to_version}.", err=True)
        return
    echo(f"Migrated from version {done.from_version} to {done.to_version} ({'; '.join(done.steps)}).", err=True)
    echo(f"The backup is in {done.backup}.", err=True)


@command.command()
@archive_option
def compact(archive: str) -> None:
    """Free the disk space of deleted and changed records."""
    from posterity.archive import maintenance, open_archive

    with open_archive(archive) as store:
        before, after = maintenance.compact_archive(store)
    echo(f"The database had {_size(before)} and now has {_size(after)}.", err=True)


@command.command()
@click.argument("target", metavar="TARGET")
@archive_option
@json_option
def copy(target: str, archive: str, as_json: bool) -> None:
    """Copy the archive to TARGET, a folder or a postgresql:// URL, and compare the counts.

    \b
    posterity archive copy postgresql://me@host/blogs?files=/srv/blogs
    posterity archive copy ./from-postgres --archive postgresql://me@host/blogs
    """
    from posterity.archive import maintenance, open_archive

    with open_archive(archive) as source, open_archive(target, create=True) as copied:
        counts = maintenance.copy_archive(source, copied)
    if as_json:
        echo_json(counts)
        return
    for name, count in counts.items():
        echo(f"{count:10}  {name}")


@command.command()
@archive_option
@json_option
@quiet_option
def rebuild(archive: str, as_json: bool, quiet: bool) -> None:
    """Rebuild a lost database from the files of the archive.

    The WARC files are imported as by `posterity import`, and the originals are kept in the folder warc-before-rebuild.
    Data that pages do not contain is restored from the folder history, as of the end of the last harvest or update:
    rules, options, reports, earlier revisions of posts, and which posts are gone or have moved. Takedowns are restored
    from takedowns.jsonl and stay in effect, schedules from schedules.jsonl. If a rebuild is interrupted, run the same
    command again; until then the archive cannot be opened.

    \b
    posterity archive rebuild --archive saved
    """
    from posterity.archive import maintenance, open_archive
    from posterity.cli.import_ import print_event
    from posterity.errors import NoBlog
    from posterity.importer import import_crawls

    old = maintenance.move_warc_aside(archive)
    with open_archive(archive, create=True, rebuilding=True) as store:
        maintenance.restore_takedowns(store)
        for home_url, files in maintenance.rebuild_sources(old):
            try:
                for event in import_crawls(store, files, home_url=home_url):
                    if as_json:
                        echo_json(event)
                    elif not quiet:
                        print_event(event)
            except NoBlog as problem:
                if home_url is None:
                    raise
                echo(str(problem), err=True)
        missing = maintenance.restore_history(store, old)
        maintenance.restore_schedules(store)
        maintenance.end_rebuild(store)
    if missing and not quiet:
        echo(f"{count_of(missing, 'post')} with a history could not be rebuilt from {old}.", err=True)


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
