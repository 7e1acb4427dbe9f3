"""`posterity list`: the blogs in the archive."""

from __future__ import annotations

import click

from posterity.cli.options import archive_option, echo, echo_json, json_option


@click.command()
@archive_option
@json_option
def command(archive: str, as_json: bool) -> None:
    """List the blogs in the archive, with the number of posts and the date of the last harvest.

    \b
    posterity list --archive saved
    """
    from posterity.archive import open_archive
    from posterity.archive.overview import BlogCount, blog_counts

    with open_archive(archive) as store:
        blogs, counts = store.blogs(), blog_counts(store)
    if as_json:
        for blog in blogs:
            echo_json(blog)
        return
    if not blogs:
        echo("The archive contains no blogs yet. `posterity harvest URL` adds one.", err=True)
        return
    echo(click.style(f"{'id':17}  {'posts':>8}  {'harvested':10}  url and title", bold=True))
    for blog in blogs:
        posts = counts.get(blog.id, BlogCount()).posts
        when = f"{blog.harvested_at:%Y-%m-%d}" if blog.harvested_at else "never"
        echo(f"{blog.id:17}  {posts:8}  {when:10}  {blog.url}  {blog.title or ''}".rstrip())
