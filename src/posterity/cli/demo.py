"""`posterity demo`: harvest and export the bundled blog."""

from __future__ import annotations

import shutil
from pathlib import Path

import click


@click.command()
@click.option(
    "--out",
    default="demo-output",
    show_default=True,
    metavar="FOLDER",
    help="Folder for the archive and the exports; those of an earlier demo are replaced.",
)
def command(out: str) -> None:
    """Serve the bundled blog on loopback, harvest it over HTTP, print a summary, and export it.

    \b
    posterity demo
    posterity demo --out almanac
    """
    from rich.console import Console

    from posterity.archive import open_archive
    from posterity.cli.progress import listener
    from posterity.crawl.run import harvest
    from posterity.demo.server import serving
    from posterity.export.export import export

    console = Console(stderr=True)
    folder = Path(out)
    for old in ("archive", "markdown"):
        shutil.rmtree(folder / old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / "archive"
    with serving() as blog:
        about = f"{len(blog.site.truth)} posts, is served at {blog.base_url}/"
        console.print(f"[bold]The Salt Almanac[/bold], {about}", highlight=False)
        with listener(blog.base_url, as_json=False, quiet=False) as on_event:
            harvest(f"{blog.base_url}/", archive, delay=0, on_event=on_event)
    with open_archive(str(archive)) as store:
        export(store, str(folder / "posts.jsonl"), "jsonl", force=True)
        count = export(store, str(folder / "markdown"), "markdown", force=True).posts
    for line in (
        f"[bold]archive[/bold]   {archive}  (see it with: posterity list --archive {archive})",
        f"[bold]exports[/bold]   {folder / 'posts.jsonl'} and {folder}/markdown/, {count} posts each",
    ):
        console.print(line, highlight=False, soft_wrap=True)
