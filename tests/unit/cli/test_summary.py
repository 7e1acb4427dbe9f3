"""The summary of a harvest claims only what is known."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from rich.console import Console

from posterity.cli.summary import print_summary
from posterity.model import HarvestReport
from posterity.model.report import MissingPost

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
WHOLE = HarvestReport(
    blog="b1",
    url="https://blog.example/",
    started_at=NOON,
    ended_at=NOON,
    ended_because="every address that could be found has been visited",
    posts=13,
    requests=20,
    outcomes={"stored": 13, "alias": 1, "notPost": 2},
)


def summary(report: HarvestReport, **changes: object) -> str:
    console = Console(width=200, force_terminal=False)
    with console.capture() as shown:
        print_summary(console, msgspec.structs.replace(report, **changes), None)
    return shown.get()


def test_whole_harvest_claims_no_more_than_that_every_listed_post_is_there() -> None:
    shown = summary(WHOLE)
    assert "13 harvested, 0 of them new\n" in shown
    assert "complete  every listed post is archived\n" in shown


def test_harvest_that_was_cut_short_is_not_called_complete_and_says_how_to_go_on() -> None:
    shown = summary(WHOLE, ended_because="the page limit was reached (--limit)")
    assert "complete" not in shown
    assert "the page limit was reached (--limit); harvest it again to continue" in shown


def test_what_a_source_could_not_be_asked_for_is_told() -> None:
    shown = summary(WHOLE, notes=("ghost announces 30 posts and lists 15 of them",))
    assert "note      ghost announces 30 posts and lists 15 of them\n" in shown
    assert "complete" not in shown


def test_blog_without_rules_says_why() -> None:
    shown = summary(WHOLE, no_rules="The feed has no texts.")
    assert "no rules  The feed has no texts. Every page was extracted without rules.\n" in shown


def test_records_that_were_taken_over_have_cost_no_requests() -> None:
    assert "requests  20 in" in summary(WHOLE)
    assert "requests" not in summary(WHOLE, requests=0)


def test_long_list_of_what_is_missing_says_where_the_rest_is() -> None:
    missing = tuple(MissingPost(url=f"https://blog.example/{number}", reason="httpError") for number in range(7))
    shown = summary(WHOLE, missing=missing)
    assert "7 listed posts: 7 httpError" in shown
    assert "and 2 more; `posterity show BLOG --missing` lists all" in shown
    assert "more" not in summary(WHOLE, missing=missing[:5])
