"""The printed summary of a harvest or update: sources, rules, posts, what is missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.cli.options import echo, echo_labelled
from posterity.crawl.jobs import Drifted, Event, Gone, Moved, Rotating, Updated
from posterity.text.normal_form import count_of, printable

if TYPE_CHECKING:
    from rich.console import Console

    from posterity.model import HarvestReport, RuleSet
    from posterity.model.report import UpdateReport

_MAX_SHOWN_MISSING = 5


def print_summary(console: Console, report: HarvestReport, rules: RuleSet | None) -> None:
    """Print the report in a few aligned lines."""
    from rich.markup import escape

    for label, text in _lines(report, rules):
        console.print(f"[bold]{label:10}[/bold]{escape(printable(text))}", highlight=False, soft_wrap=True)


def _lines(report: HarvestReport, rules: RuleSet | None) -> list[tuple[str, str]]:
    lines = [("blog", report.url)]
    lines += [
        (
            "source" if not index else "",
            f"{source.source:10} lists {count_of(source.listed, 'post')}, {source.new} not listed before",
        )
        for index, source in enumerate(report.sources)
    ]
    if rules:
        best = [(field, found[0]) for field, found in rules.fields.items() if found]
        lines += [
            (
                "rules" if not index else "",
                f"{field:8} {rule.rule.css}  (confidence {rule.confidence:.2f} on {of_pages})",
            )
            for index, (field, rule) in enumerate(best)
            for of_pages in (f"{rule.pages} of {count_of(rule.of_pages, 'page')}",)
        ]
    seconds = (report.ended_at - report.started_at).total_seconds()
    # The outcomes of all listed URLs; the parts add up to the total.
    counts = [(name, report.outcomes.get(outcome, 0)) for outcome, name in _OUTCOME_NAMES.items()]
    parts = ", ".join(f"{count:,} {name}" for name, count in counts if count)
    lines += [("listed", f"{count_of(sum(report.outcomes.values()), 'URL')}: {parts}")] if parts else []
    lines += [
        ("posts", f"{report.posts:,} harvested, {report.new_posts:,} of them new"),
        ("comments", f"{report.comments:,}"),
        ("media", f"{report.media:,}{_without_file(report)}"),
    ]
    if report.requests:  # 0 if the records were imported from a file
        spent = f"{report.requests:,} in {seconds:.1f} s, {report.bytes / 1e6:.1f} MB{_cost(report)}"
        lines.append(("requests", spent))
    again = "; harvest it again to continue" if report.is_cut_short else ""
    lines.append(("ended", f"because {report.ended_because}{again}"))
    if report.optouts:
        optouts = ", ".join(f"{count} {word}" for word, count in report.optouts.items())
        lines.append(("opt-outs", f"{optouts} (kept; --respect-optout leaves such posts out)"))
    if report.no_rules:
        lines.append(("no rules", f"{report.no_rules} Every page was extracted without rules."))
    lines += [("note", note) for note in report.notes]
    if report.errors:
        failed = f"{count_of(report.errors, 'page')} failed unexpectedly: please report the messages above"
        lines.append(("errors", failed))
    return lines + _missing_lines(report)


def _cost(report: HarvestReport) -> str:
    if not report.posts:
        return ""
    return f"; {report.requests_per_post:.2f} requests and {report.bytes_per_post / 1e3:.0f} kB a post"


def _without_file(report: HarvestReport) -> str:
    missing = len({medium.url for medium in report.missing_media})
    requests = f", {report.media_requests} requests" if report.media_requests else ""
    return f"{requests}, {missing} could not be fetched" if missing else requests


def _missing_lines(report: HarvestReport) -> list[tuple[str, str]]:
    if not report.missing:
        return [("complete", _completeness(report))] if report.is_complete and report.posts else []
    reasons = Counter(post.reason for post in report.missing).most_common()
    why = ", ".join(f"{count} {reason}" for reason, count in reasons)
    shown = [("", f"{post.url} ({post.reason} {post.detail})") for post in report.missing[:_MAX_SHOWN_MISSING]]
    if len(report.missing) > _MAX_SHOWN_MISSING:
        more = len(report.missing) - _MAX_SHOWN_MISSING
        shown.append(("", f"and {more} more; `posterity show BLOG --missing` lists all"))
    return [("missing", f"{len(report.missing)} listed posts: {why}"), *shown]


def _completeness(report: HarvestReport) -> str:
    unvisited = report.outcomes.get("notFetched", 0)
    if not unvisited:
        return "every listed post is archived"
    unlike = f"; {report.never_sampled} unlike any fetched URL" if report.never_sampled else ""
    return (
        f"every URL that looks like a post is archived; {count_of(unvisited, 'other listed URL')} not fetched "
        f"(lists, or similar to pages that are not posts{unlike})"
    )


_OUTCOME_NAMES = {
    "stored": "stored", "alias": "other URLs of stored posts", "notPost": "not posts", "notFetched": "not fetched",
    "outside": "outside the blog", "refused": "refused", "failed": "failed",
}  # fmt: skip


def print_milestone(event: Event) -> None:
    """Print the important events of a running update or harvest."""
    if isinstance(event, Gone):
        echo(f"{'gone':10}{event.url} (status {event.status} on two updates; the record is kept)", err=True)
    elif isinstance(event, Drifted):
        new = f"rules were learned again, version {event.version}"
        learned = new if event.version else "nothing better was learned"
        echo(f"{'drift':10}the rules fail on {event.failing} of {count_of(event.pages, 'post')}: {learned}", err=True)
    elif isinstance(event, Moved):
        echo(f"{'moved':10}{event.url} redirects to {event.to}, which is updated from now on", err=True)
    elif isinstance(event, Rotating):
        often = f"each of the {event.posts} is at least once in {count_of(event.updates, 'update')}"
        echo(f"{'rotation':10}{count_of(event.requests, 'post')} will be requested again: {often}", err=True)
    elif isinstance(event, Updated):
        for label, text in _update_lines(event.report):
            echo_labelled(label, text, err=True)


def _update_lines(report: UpdateReport) -> list[tuple[str, str]]:
    seconds = (report.ended_at - report.started_at).total_seconds()
    kinds = ("new", "edited", "gone", "back", "moved", "missing")
    counts = {kind: getattr(report, kind) for kind in kinds}
    shown = [f"{count} {kind}" for kind, count in counts.items() if count or kind in ("new", "edited", "gone")]
    unchanged = f"; {report.unchanged} requested again and unchanged" if report.unchanged else ""
    lines = [
        ("blog", report.url),
        ("posts", ", ".join(shown) + unchanged),
        ("comments", f"{report.comments} new"),
        ("requests", f"{report.requests:,} in {seconds:.1f} s, {report.bytes / 1e6:.1f} MB"),
    ]
    if report.failed:
        lines.append(("failed", f"{count_of(report.failed, 'page')} could not be read"))
        lines += [("", f"{each.url} ({each.reason} {each.detail})") for each in report.failures]
    if "--" in report.ended_because:
        lines.append(("ended", f"because {report.ended_because}"))
    if report.due_at:
        lines.append(("next", f"due {report.due_at:%Y-%m-%d %H:%M} UTC"))
    return lines
