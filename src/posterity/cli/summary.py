"""What a harvest brought, for people: sources, rules, posts, what is missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from posterity.model import HarvestReport, RuleSet

_SHOWN_MISSING = 5


def print_summary(console: Console, report: HarvestReport, rules: RuleSet | None) -> None:
    """Print the report in a few aligned lines."""
    from rich.markup import escape

    for label, text in _lines(report, rules):
        console.print(f"[bold]{label:10}[/bold]{escape(text)}", highlight=False, soft_wrap=True)


def _lines(report: HarvestReport, rules: RuleSet | None) -> list[tuple[str, str]]:
    lines = [("blog", report.url)]
    lines += [
        ("source" if not index else "", f"{source.source:10} named {source.promised} posts, {source.new} of them first")
        for index, source in enumerate(report.sources)
    ]
    if rules:
        lines += _rule_lines(rules)
    seconds = (report.ended_at - report.started_at).total_seconds()
    lines += [
        ("posts", f"{report.posts} harvested, {report.new_posts} of them new{_estimate(report)}"),
        ("comments", str(report.comments)),
        ("media", f"{report.media}{_without_file(report)}"),
    ]
    if report.requests:  # none, where records were taken over from a file
        spent = f"{report.requests} in {seconds:.1f} s, {report.bytes / 1e6:.1f} MB{_cost(report)}"
        lines.append(("requests", spent))
    again = "; harvesting it again goes on from there" if report.is_cut_short else ""
    lines.append(("ended", f"because {report.ended_because}{again}"))
    if report.optouts:
        asked = ", ".join(f"{count} {word}" for word, count in report.optouts.items())
        lines.append(("opt-outs", f"{asked} (kept; --respect-optout leaves such posts out)"))
    if report.errors:
        lines.append(
            ("errors", f"{report.errors} pages failed unexpectedly: please report what was printed about them")
        )
    return lines + _missing_lines(report)


def _cost(report: HarvestReport) -> str:
    if not report.posts:
        return ""
    return f"; {report.requests_per_post:.2f} requests and {report.bytes_per_post / 1e3:.0f} kB a post"


def _estimate(report: HarvestReport) -> str:
    estimate = report.estimate
    if estimate is None or report.is_cut_short:  # of what was not looked at, nobody knows
        return ""
    # Posts that neither list has, such as those of an earlier address, are harvested all the same.
    most = max(estimate.high, report.posts)
    between = f"{max(estimate.low, report.posts)} to {most}" if most > report.posts else str(report.posts)
    return f"; there are probably {between}"


def _without_file(report: HarvestReport) -> str:
    missing = len({medium.url for medium in report.missing_media})
    asked = f", {report.media_requests} requests" if report.media_requests else ""
    return f"{asked}, {missing} could not be had" if missing else asked


def _rule_lines(rules: RuleSet) -> list[tuple[str, str]]:
    best = [(field, found[0]) for field, found in rules.fields.items() if found]
    return [
        (
            "rules" if not index else "",
            f"{field:8} {rule.rule.css}  (confidence {rule.confidence:.2f} on {rule.pages} of {rule.of_pages} pages)",
        )
        for index, (field, rule) in enumerate(best)
    ]


def _missing_lines(report: HarvestReport) -> list[tuple[str, str]]:
    if not report.missing:
        return []
    why = ", ".join(
        f"{count} {reason}" for reason, count in Counter(post.reason for post in report.missing).most_common()
    )
    shown = [("", f"{post.url} ({post.reason} {post.detail})") for post in report.missing[:_SHOWN_MISSING]]
    if len(report.missing) > _SHOWN_MISSING:
        shown.append(("", f"and {len(report.missing) - _SHOWN_MISSING} more; `posterity show BLOG --json` names all"))
    return [("missing", f"{len(report.missing)} promised posts: {why}"), *shown]
