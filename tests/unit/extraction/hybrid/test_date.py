"""The date of publication on single pages: the choice among the dates on a page, and its reading."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.article import Article
from posterity.extraction.hybrid.posts import fields_on
from posterity.extraction.method import Context
from posterity.model import RuleSet

if TYPE_CHECKING:
    from posterity.extraction.record import FoundFields

URL = "https://tides.example/a-year-of-tides/"
TEXT = "<p>The tide came in and the tide went out, and every day was a little later than the day before it.</p>" * 4
TITLE = "<h1>A year of tides</h1>"


def found_on(
    top: str,
    bottom: str = "",
    *,
    head: str = "",
    url: str = URL,
    language: str = "en",
    rules: RuleSet | None = None,
    fetched_at: datetime | None = None,
) -> FoundFields:
    html = f"<html lang={language}><head>{head}</head><body>{top}<div id=text>{TEXT}</div>{bottom}</body></html>"
    document = parse(html, url)
    article = Article(node=document.tree.nodes_by_id["text"][0], confidence=0.9, why="")
    return fields_on(document, article, Context(rules=rules, fetched_at=fetched_at))["published"]


def published(top: str, bottom: str = "", **page: Any) -> str:
    return str(found_on(top, bottom, **page).fields["published"].date())


def confidence(top: str, **page: Any) -> float:
    return found_on(top, **page).provenance.confidence


def teasers(*days: str) -> str:
    return "".join(f"<div><h3>Another</h3><p class=when>{day}</p></div>" for day in days)


def test_day_unlike_all_others_goes_before_those_of_a_list() -> None:
    top = f"{teasers('May 4, 2020', 'June 5, 2020')}{TITLE}<p class=line>March 12, 2021</p>"
    assert published(top, teasers("July 6, 2020", "August 7, 2020")) == "2021-03-12"


def test_day_that_a_sentence_mentions_is_none_of_publication() -> None:
    lead = "<p>The harbour was built on 3 May 1998, when the old one had been lost to the sea for years.</p>"
    assert published(f"{TITLE}{lead}<p>12 March 2021</p>") == "2021-03-12"


def test_title_that_a_list_repeats_is_shown_by_the_heading() -> None:
    below = f"<h3>A year of tides</h3><p>May 4, 2019</p>{teasers('June 5, 2019')}"
    assert published(f"{TITLE}<p>March 12, 2021</p>", TEXT * 3 + below) == "2021-03-12"


def test_month_is_read_in_languages_that_the_page_does_not_declare() -> None:
    for day in ("12 marca 2021", "12. března 2021", "2021. március 12.", "12. maaliskuuta 2021", "12 Μαρτίου 2021"):
        assert published(f"{TITLE}<p>{day}</p>", language="") == "2021-03-12"
        assert published(f"{TITLE}<p>{day}</p>", language="en") == "2021-03-12"


def test_thai_year_is_that_of_its_own_calendar() -> None:
    assert published(f"{TITLE}<p>12 มีนาคม 2564</p>", language="th") == "2021-03-12"


def test_day_that_is_told_from_now_is_read_where_the_page_names_none() -> None:
    now = datetime(2021, 3, 15, 12, tzinfo=UTC)
    assert published(f"{TITLE}<p>3 min read · 3 days ago</p>", fetched_at=now) == "2021-03-12"
    assert published(f"{TITLE}<p>3 days ago</p><p>10 March 2021</p>", fetched_at=now) == "2021-03-10"


def test_months_and_years_ago_are_dates_of_a_low_precision() -> None:
    now = datetime(2021, 3, 15, 12, tzinfo=UTC)
    found = found_on(f"{TITLE}<p>vor 3 Jahren</p>", language="de", fetched_at=now)
    assert str(found.fields["published"].date()) == "2018-03-15"
    assert found.fields["published_precision"] == "year"
    assert found.provenance.confidence < 0.5
    assert found_on(f"{TITLE}<p>2 months ago</p>", fetched_at=now).fields["published_precision"] == "month"


@pytest.mark.parametrize(
    ("top", "head"),
    [
        (f"{TITLE}<p>12 March 1985</p>", ""),
        (f"{TITLE}<p>Published on March 12, 1985</p>", ""),
        (f"{TITLE}<p class=entry-date>12.03.1985</p>", ""),
        (f"{TITLE}<time datetime=1985-03-12>long ago</time>", ""),
        (TITLE, '<meta property="article:published_time" content="1985-03-12T10:00:00Z">'),
        (TITLE, '<script type="application/ld+json">{"@type":"BlogPosting","datePublished":"1985-03-12"}</script>'),
        (f"{TITLE}<p>昭和60年3月12日</p>", ""),
    ],
)
def test_day_before_the_web_is_read_where_the_page_states_it(top: str, head: str) -> None:
    assert published(top, head=head, language="ja" if "昭和" in top else "de") == "1985-03-12"


def test_day_before_the_web_that_a_text_mentions_is_none_of_publication() -> None:
    lead = "<p>The harbour was opened on 12 March 1985 by the mayor.</p>"
    assert published(f"{TITLE}{lead}", "<p>7 May 2020</p>") == "2020-05-07"


@pytest.mark.parametrize(
    ("day", "language", "read"),
    [
        ("י״ד באדר תשפ״ג", "he", "2023-03-07"),
        ("۲۲ بهمن ۱۴۰۲", "fa", "2024-02-11"),
        ("۱۴۰۲/۱۱/۲۲", "fa", "2024-02-11"),
        ("1445/01/10 هـ", "ar", "2023-07-28"),
        ("令和六年三月四日", "ja", "2024-03-04"),
        ("民國113年3月4日", "zh-TW", "2024-03-04"),
        ("15 มี.ค. 2564", "th", "2021-03-15"),
        ("15 มี.ค. 64", "th", "2021-03-15"),
    ],
)
def test_days_of_other_calendars_are_those_of_the_post(day: str, language: str, read: str) -> None:
    assert published(f"{TITLE}<p>{day}</p>", language=language) == read


def test_other_dates_in_figures_settle_which_number_is_the_month() -> None:
    assert published(f"{TITLE}<p>02/12/2021</p>", teasers("25/03/2020")) == "2021-12-02"
    assert published(f"{TITLE}<p>02/12/2021</p>", teasers("03/25/2020")) == "2021-02-12"


def test_declared_day_settles_which_number_is_the_month() -> None:
    head = "<meta property=article:published_time content=2021-12-02T10:00:00Z>"
    assert published(f"{TITLE}<time>02/12/2021</time>", head=head) == "2021-12-02"


def test_languages_other_than_english_write_the_day_first() -> None:
    assert published(f"{TITLE}<p>02/12/2021</p>", language="de") == "2021-12-02"


def test_day_before_the_slug_is_the_day_of_the_address() -> None:
    assert published(TITLE, url="https://tides.example/news/29-10-2021-a-year-of-tides") == "2021-10-29"


@pytest.mark.parametrize(
    ("shown", "day"),
    [
        ("<time datetime=2021-03-11T17:14:00.000Z>2021-03-12</time>", "2021-03-12"),
        ("<p>Posted: 2021-03-12 01:14</p>", "2021-03-12"),
        ("<p>March 10, 2021</p>", "2021-03-10"),
        # The day itself is shown, or the other one is in another element than the moment.
        ("<p>March 11, 2021</p><p>March 12, 2021</p>", "2021-03-11"),
        ("<time datetime=2021-03-11T17:14:00.000Z>March 1, 2021</time><p>Updated: March 12, 2021</p>", "2021-03-11"),
    ],
)
def test_moment_in_utc_is_on_the_day_that_readers_see(shown: str, day: str) -> None:
    head = '<meta property="article:published_time" content="2021-03-11T17:14:00.000Z">'
    assert published(f"{TITLE}{shown}", head=head) == day


def test_midnight_of_central_europe_is_the_day_that_is_shown() -> None:
    head = "<meta property=article:published_time content=2021-11-04T23:00:00Z>"
    assert published(f"{TITLE}<p>5. November 2021</p>", head=head, language="de") == "2021-11-05"


def test_thread_is_as_old_as_its_first_message() -> None:
    messages = "".join(
        f"<div class=comment><time datetime={day}>{day}</time><p>Salt.</p></div>"
        for day in ("2021-03-12", "2021-03-14", "2021-04-01")
    )
    assert published(TITLE, messages, url="https://forum.tides.example/t/7") == "2021-03-12"


def test_section_of_opinions_is_no_list_of_comments() -> None:
    top = f"<div class=kommentare>{TITLE}<span class=published>12.03.2021</span></div>"
    bottom = "<div class=comments><time datetime=2021-03-20>20.03.2021</time></div>"
    assert published(top, bottom, language="de") == "2021-03-12"


def test_of_several_declared_articles_the_first_is_the_pages_own() -> None:
    items = ", ".join(
        f'{{"@type": "NewsArticle", "datePublished": "{day}"}}' for day in ("2021-03-12", "2021-03-10", "2021-03-09")
    )
    head = f"<script type=application/ld+json>[{items}]</script>"
    assert published(TITLE, head=head) == "2021-03-12"


def test_day_on_the_page_of_a_product_is_doubtful() -> None:
    head = '<script type=application/ld+json>{{"@type": "{}", "name": "Salt"}}</script>'
    shown = f"{TITLE}<div class=offers><p>Offer of 12 March 2021</p></div>"
    assert confidence(shown, head=head.format("Product")) < confidence(shown, head=head.format("BlogPosting"))


def test_day_on_a_page_of_a_known_blog_is_surer() -> None:
    shown = f"{TITLE}<p>12 March 2021</p>"
    assert confidence(shown, rules=RuleSet(blog="https://tides.example/")) > confidence(shown)


def test_title_that_begins_with_today_tells_no_day() -> None:
    now = datetime(2021, 3, 15, 12, tzinfo=UTC)
    assert published(f"{TITLE}<p>Posted yesterday</p>", fetched_at=now) == "2021-03-14"
    later = "<p><a href=/next/>Today the harbour was quiet</a></p>"
    document = parse(f"<html lang=en><body>{TITLE}{later}<div id=text>{TEXT}</div></body></html>", URL)
    article = Article(node=document.tree.nodes_by_id["text"][0], confidence=0.9, why="")
    assert "published" not in fields_on(document, article, Context(fetched_at=now))


def test_last_edit_in_the_footer_gives_way_to_the_day_of_the_post() -> None:
    footer = "<div id=footer><p>Last edited <b>5 May 2021</b></p><p>Posted <b>3 April 2021</b></p></div>"
    assert published(f"{TITLE}{'<hr>' * 150}", footer) == "2021-04-03"


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        ("<p>3 April 2021 (Updated: 5 May 2021)</p>", ""),
        ("<p>3 April 2021</p>", "<p>Last updated: May 5, 2021</p>"),
    ],
)
def test_change_that_only_the_text_shows_is_kept(top: str, bottom: str) -> None:
    found = found_on(f"{TITLE}{top}", bottom).fields
    assert (str(found["published"].date()), str(found["modified"].date())) == ("2021-04-03", "2021-05-05")


def test_time_of_a_comment_on_the_day_of_the_post_is_not_the_posts() -> None:
    comment = "<div class=comment id=comment-1><b>Ada</b> <i>March 12, 2021 at 20:42</i><p>Well said.</p></div>"
    found = found_on("<p>March 12, 2021</p>", f"<div id=comments class=comments>{comment}</div>")
    assert found.fields["published_precision"] == "day"
