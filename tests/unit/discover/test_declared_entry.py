"""What a page says of itself, as if a feed had said it."""

from __future__ import annotations

from posterity.discover.declared_entry import declared_entry
from posterity.dom import parse

URL = "https://tides.example/2021/03/12/a-year/"


def test_json_ld_of_an_article_is_the_account() -> None:
    page = (
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Tides"},'
        '{"@type": "BlogPosting", "headline": "A year", "datePublished": "2021-03-13T08:00:00+01:00",'
        ' "author": {"@id": "#ada"}}, {"@id": "#ada", "@type": "Person", "name": "Ada Lovelace"}]}</script>'
    )
    entry = declared_entry(parse(page, URL))
    assert (entry.title, entry.authors) == ("A year", ("Ada Lovelace",))
    assert entry.published is not None
    assert entry.published.isoformat() == "2021-03-13T08:00:00+01:00"


def test_heading_that_the_title_holds_is_the_title_and_the_address_tells_the_day() -> None:
    entry = declared_entry(parse("<title>A year - Tides</title><h1>A year</h1>", URL))
    assert entry.title == "A year"
    assert entry.published is not None
    assert entry.published.date().isoformat() == "2021-03-12"


def test_page_that_says_nothing_has_an_empty_account() -> None:
    entry = declared_entry(parse("<p>x</p>", "https://tides.example/x"))
    assert (entry.title, entry.authors, entry.published) == (None, (), None)
