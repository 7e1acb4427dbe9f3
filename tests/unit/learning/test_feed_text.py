"""The text of a feed entry: the whole article, its beginning, or nothing."""

from __future__ import annotations

import pytest

from posterity.learning.evidence import feed_text, feed_texts, matched_training_pages
from posterity.model import Feed, FeedEntry


def test_content_is_the_whole_article() -> None:
    found = feed_text(FeedEntry(content="<p>The tide came in.</p><p>Then it went out.</p>"))
    assert (found.text, found.whole) == ("The tide came in.\n\nThen it went out.", True)


@pytest.mark.parametrize(
    "end",
    ["[…]", "...", "…", "[&hellip;]", "<a href='/a'>Continue reading →</a>", "<a>Weiterlesen</a>", "<a>Read more…</a>"],
)
def test_text_that_says_it_is_cut_is_a_beginning(end: str) -> None:
    found = feed_text(FeedEntry(content=f"<p>The tide came in before anyone {end}</p>"))
    assert (found.text, found.whole) == ("The tide came in before anyone", False)


@pytest.mark.parametrize(
    ("end", "whole"),
    [
        ("<a class='m' href='https://sea.example/tide'>Lisää…</a> (2 minuuttia)", False),
        ("<a href='/tide/'><b>weiteres</b></a>", False),
        ("<a href='/tide'>Tides</a>", True),
        ("<a href='/tide'>★</a>", True),
        ("<a href='/tide#notes'>notes</a>", True),
        ("<a href='/moon'>moon</a>", True),
    ],
)
def test_text_that_ends_in_a_link_to_its_page_is_a_beginning_in_any_language(end: str, whole: bool) -> None:
    text = f"<p>The tide came in.</p><p>{end}</p>"
    found = feed_text(FeedEntry(title="Tides", link="https://sea.example/tide", content=text))
    assert found.whole is whole
    assert whole or found.text == "The tide came in."


def test_summary_alone_is_a_beginning() -> None:
    assert feed_text(FeedEntry(summary="The tide came in.")).whole is False


def test_footer_of_wordpress_is_no_text() -> None:
    markup = "<p>The tide came in.</p><p>The post <a>Tides</a> appeared first on <a>Almanac</a>.</p>"
    assert feed_text(FeedEntry(content=markup)).text == "The tide came in."


def test_entry_with_a_title_alone_promises_nothing() -> None:
    found = feed_text(FeedEntry(title="Tides"))
    assert (found.text, found.whole) == ("", False)


def test_line_that_the_feed_adds_to_every_entry_is_no_text_but_a_paragraph_of_the_author_is() -> None:
    def texts(above: str) -> list[str]:
        entries = [FeedEntry(content=f"<p>{above}</p><p>Day {day} at the shore.</p>") for day in range(5)]
        return [each.text for each in feed_texts(entries)]

    above = "All pictures of this journey were taken in one week of November. " * 6
    assert texts("All pictures: see below")[0] == "Day 0 at the shore."
    assert texts(above)[0] == f"{above.strip()}\n\nDay 0 at the shore."


@pytest.mark.parametrize(("rest", "whole"), [("", True), ("<p>{0} {0} was seen far out.</p>", False)])
def test_text_with_a_link_to_its_page_is_whole_if_the_page_has_no_more(rest: str, whole: bool) -> None:
    boats = {f"https://blog.example/{name}/": name for name in ("anna", "bella", "clara", "dora", "emma", "flora")}
    text = "<p>{0} came in.</p><p>{0} went out.</p>"
    entries = [
        FeedEntry(link=url, content=f"{text.format(boat)}<p><a href='{url}'>more of {boat}</a></p>")
        for url, boat in boats.items()
    ]
    pages = {
        url: f"<article>{(text + rest).format(boat)}</article><p>{len(boat)} comments, filed under sea</p>"
        for url, boat in boats.items()
    }
    found = matched_training_pages(Feed(url="", format="rss20", entries=tuple(entries)), pages, 10)
    assert {page.feed_text.whole for page in found} == {whole}
