"""Agreement of the dates on pages and in the feed, and the effect of disagreement."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

import posterity
from posterity.dom import parse
from posterity.extraction.blog_fields import ListedDates, show_other_days
from posterity.extraction.method import extract_posts
from posterity.model import FieldRule, Post, Provenance, Rule, RuleSet

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


def _list(host: str, days: dict[str, int]) -> str:
    records = "".join(
        f'<div class=entry><h2><a href="https://{host}/{name}/">On {name}</a></h2>{TEXT}<p>{day} March 2021</p></div>'
        for name, day in days.items()
    )
    return f"<html lang=en><body>{records}</body></html>"


def _undated(name: str) -> Post:
    return Post(id=name, url=f"https://blog.example/{name}/", title=f"On {name}", text=TEXT)


def test_list_of_a_copy_dates_its_own_posts() -> None:
    dates = ListedDates(RuleSet(), lambda url: url.replace("original.example", "blog.example"))
    listed = _list("original.example", {"tides": 12, "bread": 14, "salt": 19})
    dates.read(parse(listed, "https://blog.example/2021/03/"))
    dated = dates.dated(_undated("bread"))
    assert dated is not None
    assert dated.published == datetime(2021, 3, 14, tzinfo=UTC)


def test_day_on_a_list_is_better_than_the_month_of_the_url() -> None:
    dates = ListedDates(RuleSet(), str)
    dates.read(parse(_list("blog.example", {"tides": 12, "bread": 14, "salt": 19}), "https://blog.example/2021/03/"))
    post = msgspec.structs.replace(
        _undated("bread"),
        published=datetime(2021, 3, 1, tzinfo=UTC),
        published_precision="month",
        provenance={"published": Provenance(method="url", confidence=0.5)},
    )
    dated = dates.dated(post)
    assert dated is not None
    assert (dated.published, dated.published_precision) == (datetime(2021, 3, 14, tzinfo=UTC), "day")


def test_lists_of_other_posts_do_not_end_the_search_for_dates() -> None:
    dates = ListedDates(RuleSet(), str)
    for number in range(9):
        dates.note_undated(_undated(f"undated-{number}"))
    for _ in range(6):
        dates.read(parse(_list("blog.example", {"tides": 12, "bread": 14, "salt": 19}), "https://blog.example/page/2/"))
    assert dates.next_list_to_visit(["https://blog.example/2021/03/"]) == "https://blog.example/2021/03/"


def test_lists_are_visited_for_as_many_posts_as_were_undated() -> None:
    dates = ListedDates(RuleSet(), str)
    for number in range(9):
        dates.note_undated(_undated(f"undated-{number}"))
    months = [f"https://blog.example/2021/0{month}/" for month in range(1, 6)]
    for place, month in enumerate(months[:3]):
        assert dates.next_list_to_visit([month]) == month
        names = {f"undated-{number}": 12 + number for number in range(place * 2, place * 2 + 2)}
        dates.read(parse(_list("blog.example", {**names, "tides": 12}), month))
    assert dates.next_list_to_visit(months[3:]) is None


def test_lists_that_only_a_number_in_their_urls_shows_are_visited_for_dates() -> None:
    dates = ListedDates(RuleSet(), str)
    for number in range(30):
        dates.note_undated(_undated(f"undated-{number}"))
    about, old, older = (f"https://blog.example/{path}/" for path in ("about", "more/2", "more/about-tides-10"))
    assert dates.next_list_to_visit([about, old]) == old
    dates.read(parse(_list("blog.example", {"undated-1": 1, "undated-2": 2, "tides": 3}), old))
    further = "https://blog.example/more/13/"
    assert dates.next_list_to_visit([older, about, further]) == further
    assert dates.next_list_to_visit([about]) is None
