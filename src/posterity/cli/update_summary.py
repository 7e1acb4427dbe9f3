"""What an update brought, for people: one line when there was nothing, a few when there was something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from posterity.fetch.events import Drifted, Gone

if TYPE_CHECKING:
    from posterity.fetch.events import Event
    from posterity.model.update_report import UpdateReport


def print_milestone(event: Event) -> None:
    """Say what is worth a line while the update runs."""
    if isinstance(event, Gone):
        click.echo(f"{'gone':10}{event.url} (status {event.status} on two updates; the record stays)", err=True)
    elif isinstance(event, Drifted):
        learned = (
            f"rules were learned again, version {event.version}" if event.version else "nothing better was learned"
        )
        click.echo(f"{'drift':10}the rules fail on {event.failing} of {event.pages} new posts: {learned}", err=True)


def print_update(report: UpdateReport) -> None:
    """Print the report in a few aligned lines."""
    for label, text in _lines(report):
        click.echo(f"{click.style(f'{label:10}', bold=True)}{text}", err=True)


def _lines(report: UpdateReport) -> list[tuple[str, str]]:
    seconds = (report.ended_at - report.started_at).total_seconds()
    kinds = ("new", "edited", "gone", "back", "moved", "missing")
    counts = {kind: getattr(report, kind) for kind in kinds}
    shown = [f"{count} {kind}" for kind, count in counts.items() if count or kind in ("new", "edited", "gone")]
    lines = [
        ("blog", report.url),
        (
            "posts",
            ", ".join(shown) + (f"; {report.unchanged} asked for again and the same" if report.unchanged else ""),
        ),
        ("comments", f"{report.comments} new"),
        ("requests", f"{report.requests} in {seconds:.1f} s, {report.bytes / 1e6:.1f} MB"),
    ]
    if "--" in report.ended_because:
        lines.append(("ended", f"because {report.ended_because}"))
    if report.due_at:
        lines.append(("next", f"due {report.due_at:%Y-%m-%d %H:%M} UTC"))
    return lines
