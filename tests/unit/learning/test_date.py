"""Nodes with a post's date, and nodes with other dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from posterity.dom import parse
from posterity.learning.fields import constant_text_rules, date_scores, displayed_zone, proximity_weights, zone_of
from posterity.model import Rule
from posterity.text.dates import read_dates

WHEN = datetime(2021, 3, 12, 9, 30, tzinfo=UTC)


def best(markup: str, language: str = "en", now: datetime | None = None) -> tuple[str | None, str] | None:
    """The attribute and the tag of the node with the best score."""
    tree = parse(markup).tree
    scores = date_scores(tree, WHEN, [1.0] * len(tree), (language,), now)
    places = [(score, name, tree.tag[node]) for name, nodes in scores.items() for node, score in nodes.items()]
    return max(places, key=lambda place: place[0])[1:] if places else None


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<p><i>March 12, 2021</i></p>", "en"),
        ("<p><i>12. März 2021</i></p>", "de"),
        ("<p><i>2021年3月12日</i></p>", "ja"),
        ("<p><i><b>12</b> <b>Mar</b> <b>2021</b></i></p>", "en"),
    ],
)
def test_date_is_found_as_people_write_it(markup: str, language: str) -> None:
    assert best(markup, language) == (None, "i")


def test_attribute_that_tells_the_minute_goes_before_the_text() -> None:
    assert best("<time datetime=2021-03-12T09:30:00Z>March 12, 2021</time>") == ("datetime", "time")


@pytest.mark.parametrize(("time", "chosen"), [("09:30 AM", "p"), ("04:30 AM", "p"), ("06:17 AM", "h2")])
def test_line_with_the_minute_of_the_feed_goes_before_the_day_alone(time: str, chosen: str) -> None:
    """A time in another zone is the same minute; at 06:17 something else happened."""
    line = f"<h2>March 12, 2021</h2><p>Posted by Ada at March 12, 2021 {time}</p>"
    assert best(line) == (None, chosen)


def test_other_dates_give_nothing() -> None:
    assert best("<p>March 1, 2021 and May 12, 2021</p>") is None


def test_relative_date_counts_when_the_fetch_time_is_known() -> None:
    now = datetime(2021, 3, 15, 9, 30, tzinfo=UTC)
    assert best("<p><i>3 days ago</i></p>", now=now) == (None, "i")
    assert best("<p><i>3 days ago</i></p>") is None


def test_date_that_never_changes_is_not_the_posts() -> None:
    today, post = Rule("id", "today"), Rule("class", "date")
    pages = [
        ({today: "March 13, 2021", post: "March 12, 2021"}, WHEN),
        ({today: "March 13, 2021", post: "March 13, 2021"}, WHEN.replace(day=13)),
    ]
    assert constant_text_rules(pages) == {today}


def test_posts_of_one_day_do_not_make_their_date_a_standing_one() -> None:
    rule = Rule("class", "date")
    assert constant_text_rules([({rule: "March 12, 2021"}, WHEN), ({rule: "March 12, 2021"}, WHEN)]) == set()


def test_zone_is_what_most_pages_agree_on() -> None:
    local = WHEN.replace(tzinfo=None, hour=11)
    assert zone_of([(local, WHEN)] * 3 + [(local.replace(hour=10), WHEN)]) == 120
    assert zone_of([]) is None


def test_page_that_is_called_after_its_sidebar_is_not_far_from_the_article_in_it() -> None:
    page = "<div class=sidebar-left><p>March</p><div id=text>Salt</div><div class=sidebar><p>April</p></div></div>"
    tree = parse(page).tree
    near = proximity_weights(tree, tree.nodes_by_id["text"][0])
    shown, beside = tree.nodes_by_tag["p"]
    assert near[shown] > 0.9 > 0.6 > near[beside]


def test_zone_of_naive_moments_does_not_depend_on_the_zone_that_the_feed_gives() -> None:
    local = datetime(2021, 3, 12, 18, 30)  # noqa: DTZ001 - as pages write it
    for when in (WHEN, WHEN.astimezone(timezone(timedelta(hours=9)))):
        assert zone_of([(local, when)]) == 9 * 60


@pytest.mark.parametrize(
    ("shown", "zone"),
    [
        ((("17:14", "2021-03-12 01:14"), ("03:00", "2021-03-11 11:00")), 480),
        ((("17:14", "2021-03-12T01:14:00+08:00"), ("03:00", "2021-03-11T11:00:00+08:00")), 480),
        # Comments, three hours after each post.
        ((("17:14", "2021-03-11T20:14:00Z"), ("03:00", "2021-03-11T06:00:00Z")), None),
        # Only days: the zone nearest to UTC in which all are right.
        ((("17:14", "2021-03-12"), ("19:31", "2021-03-12"), ("03:00", "2021-03-11")), 420),
        ((("03:00", "2021-03-10"), ("17:14", "2021-03-11")), -240),
        ((("17:14", "2021-03-11"), ("03:00", "2021-03-11")), None),
        ((("17:14", "2021-03-11T17:14:00Z"), ("03:00", "2021-03-11T03:00:00Z")), None),
        # If only one of several pages has a different day, that is another date.
        ((("17:14", "2021-03-12"), ("19:31", "2021-03-11"), ("18:00", "2021-03-11")), None),
        ((), None),
    ],
)
def test_pages_tell_the_zone_of_their_readers(shown: tuple[tuple[str, str], ...], zone: int | None) -> None:
    moments = [(datetime.fromisoformat(f"2021-03-11T{time}:00Z"), read_dates(text)) for time, text in shown]
    assert displayed_zone(moments) == zone


def test_zone_of_the_feed_is_that_of_its_readers() -> None:
    when = datetime(2021, 3, 12, 1, 14, tzinfo=timezone(timedelta(hours=8)))
    assert displayed_zone([(when, read_dates("2021-03-11T17:14:00Z")), (when, ())]) == 480


def test_day_that_the_page_shows_goes_before_a_moment_that_only_its_head_declares() -> None:
    """About pages declare one as well; that they show none tells them from posts."""
    head = "<meta property=article:published_time content=2021-03-12T09:30:00Z>"
    assert best(f"<head>{head}</head><body><p><i>March 12, 2021</i></p>") == (None, "i")


def test_times_of_many_comments_settle_no_zone() -> None:
    shown = []
    for day in range(1, 7):
        when = datetime(2021, 3, day, 17, 14, tzinfo=UTC)
        comments = [when.replace(tzinfo=None) + timedelta(minutes=75 * number) for number in range(1, 12)]
        shown.append((when, [date for comment in comments for date in read_dates(f"{comment:%Y-%m-%d %H:%M}")]))
    assert displayed_zone(shown) is None
