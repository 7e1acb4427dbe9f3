"""`posterity schedule`: how often a blog is to be updated."""

from __future__ import annotations

import re

import click

from posterity.cli.options import archive_option, echo, json_option
from posterity.errors import UsageError
from posterity.text.normal_form import count_of

_HOURS = {"h": 1, "d": 24, "w": 168}


@click.command()
@click.argument("blog", metavar="BLOG")
@click.option("--every", metavar="TIME", help="As 6h, 2d or 1w: hours, days or weeks.")
@click.option("--adaptive", is_flag=True, help="At the blog's own pace, as often as it posts. So it is at first.")
@click.option("--pause", is_flag=True, help="No automatic updates; `update BLOG` by name still works.")
@click.option(
    "--rotation",
    type=click.IntRange(min=0),
    metavar="UPDATES",
    help="Request every post at least once in so many updates, to find edits that nobody announces; 0: not.",
)
@archive_option
@json_option
def command(
    blog: str,
    every: str | None,
    adaptive: bool,
    pause: bool,
    rotation: int | None,
    archive: str,
    as_json: bool,
) -> None:
    """Say when a blog is to be updated, or show it. `posterity update` keeps to it.

    BLOG is an id, a URL or a host name.

    \b
    posterity schedule blog.example                 shows it
    posterity schedule blog.example --every 12h
    posterity schedule blog.example --pause
    posterity schedule blog.example --adaptive
    posterity schedule blog.example --rotation 20   prints the requests that it costs
    """
    from posterity.archive import open_archive
    from posterity.crawl.run import put_rotation, put_schedule, rotation_cost
    from posterity.model import Schedule, to_json

    if bool(every) + adaptive + pause > 1:
        raise UsageError("Choose one of --every, --adaptive and --pause.")
    with open_archive(archive) as store:
        found = store.blog(blog)
        if every:
            found = put_schedule(store, found.id, Schedule(mode="every", hours=hours_of(every)))
        elif adaptive or pause:
            found = put_schedule(store, found.id, Schedule(mode="paused" if pause else "adaptive"))
        if rotation is not None:
            found = put_rotation(store, found.id, rotation or None)
        cost = rotation_cost(store, found)
    if as_json:
        facts = {"schedule": found.schedule, "due_at": found.due_at, "rotation": found.rotation, "requests": cost}
        click.echo(to_json({"blog": found.id, **facts}).decode())
        return
    due = f"; due {found.due_at:%Y-%m-%d %H:%M} UTC" if found.due_at and found.schedule.mode != "paused" else ""
    echo(f"{found.url}: {found.schedule}{due}")
    if found.rotation:
        often = f"every post is requested at least once in {count_of(found.rotation, 'update')}"
        echo(f"{often}: {count_of(cost, 'request')} an update more")


def hours_of(text: str) -> int:
    """Return the hours that a time like 6h, 2d or 1w has."""
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", text.strip().lower(), re.ASCII)
    hours = int(found[1]) * _HOURS[found[2]] if found else 0
    if not 1 <= hours <= 24 * 366:
        raise UsageError(f"--every {text} is no time. Write 6h, 2d or 1w, a year at most.")
    return hours
