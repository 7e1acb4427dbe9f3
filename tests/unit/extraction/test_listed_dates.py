"""Whether pages tell the days that the feed tells, and what follows where they do not."""

from __future__ import annotations

from datetime import UTC, datetime

import posterity
from posterity.dom import parse
from posterity.extraction.blog_fields import show_other_days
from posterity.extraction.method import extract_posts
from posterity.model import FieldRule, Rule, RuleSet

TEXT = "<p>The tide came in and the tide went out, and every day was a little later than the day before it.</p>" * 4
PAGE = "<html lang=en><title>On tides</title><h1>On tides</h1><div id=text>{text}</div><p>{label} {date}</p></html>"
KNOWN = datetime(2021, 3, 12, 10, tzinfo=UTC)


def _page(label: str, date: str) -> str:
    return PAGE.format(text=TEXT, label=label, date=date)


def _tell_other_days(*markup: str) -> bool:
    pages = (parse(page, f"https://blog.example/{number}/") for number, page in enumerate(markup))
    return show_other_days((post, KNOWN) for page in pages for post in extract_posts(page))


def test_pages_that_show_when_they_were_changed_tell_other_days() -> None:
    assert _tell_other_days(*[_page("Last edited", "16 November 2023")] * 4)


def test_pages_that_show_the_known_day_do_not() -> None:
    assert not _tell_other_days(*[_page("Posted", "12 March 2021")] * 4)


def test_one_or_two_pages_settle_nothing() -> None:
    assert not _tell_other_days(*[_page("Last edited", "16 November 2023")] * 2)


def test_day_on_a_page_is_not_believed_where_the_others_were_wrong() -> None:
    article = FieldRule(rule=Rule(kind="id", value="text"), confidence=1.0, pages=4, of_pages=4)
    for undated in (False, True):
        rules = RuleSet(fields={"text": (article,)}, undated=undated)
        post = posterity.extract(_page("Last edited", "16 November 2023"), "https://blog.example/a/", rules=rules)
        assert post is not None
        assert (post.published is None) is undated
