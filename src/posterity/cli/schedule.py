"""`posterity schedule`: how often a blog is updated."""

from __future__ import annotations

import re

import click

from posterity.cli.options import archive_option, echo, echo_json, json_option
from posterity.errors import UsageError
from posterity.text.normal_form import count_of


@click.command()
@click.argument("blog", metavar="BLOG")
@click.option("--every", metavar="TIME", help="Update at this interval: 6h, 2d or 1w (hours, days or weeks).")
@click.option("--adaptive", is_flag=True, help="Update about as often as the blog posts. This is the default.")
@click.option("--pause", is_flag=True, help="Stop automatic updates; `update BLOG` still works.")
@click.option(
    "--rotation",
    type=click.IntRange(min=0),
    metavar="UPDATES",
    help="Request every post at least once in this many updates, to find unannounced edits; 0 turns this off.",
)
@archive_option
@json_option
def command(
    blog: str, every: str | None, adaptive: bool, pause: bool, rotation: int | None, archive: str, as_json: bool
) -> None:
    """Set or show the schedule by which `posterity update` updates a blog.

    BLOG is an id, a URL or a host name. Without options, the current schedule is printed.

    \b
    posterity schedule blog.example
    posterity schedule blog.example --every 12h
    posterity schedule blog.example --pause
    posterity schedule blog.example --adaptive
    posterity schedule blog.example --rotation 20
    """
    from posterity.archive import open_archive
    from posterity.crawl.run import put_rotation, put_schedule, rotation_cost
    from posterity.model import Schedule

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
        echo_json({"blog": found.id, **facts})
        return
    due = f"; due {found.due_at:%Y-%m-%d %H:%M} UTC" if found.due_at and found.schedule.mode != "paused" else ""
    echo(f"{found.url}: {found.schedule}{due}")
    if found.rotation:
        often = f"every post is requested at least once in {count_of(found.rotation, 'update')}"
        echo(f"{often}: {count_of(cost, 'more request')} per update")


def hours_of(text: str) -> int:
    """Return the number of hours in an interval such as 6h, 2d or 1w."""
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", text.strip().lower(), re.ASCII)
    hours = int(found[1]) * {"h": 1, "d": 24, "w": 168}[found[2]] if found else 0
    if not 1 <= hours <= 24 * 366:
        raise UsageError(f"--every {text} is not an interval. Write 6h, 2d or 1w, at most a year.")
    return hours
