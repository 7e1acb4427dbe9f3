"""What a page says of itself, as if a feed had said it."""

from __future__ import annotations

from datetime import UTC, datetime

from posterity.discover.without_feed import entries_from_pages
from posterity.model import FeedEntry, Page

URL = "https://tides.example/2021/03/12/a-year/"


def _page(html: str, url: str = URL) -> Page:
    return Page(url=url, requested_url=url, status=200, content_type="text/html", body=html.encode(), fetched_at=NOW)


NOW = datetime(2024, 1, 1, tzinfo=UTC)


def _account(html: str, url: str = URL) -> FeedEntry:
    return entries_from_pages([_page(html, url)])[0][1]


def test_json_ld_of_an_article_is_the_account() -> None:
    entry = _account(
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Tides"},'
        '{"@type": "BlogPosting", "headline": "A year", "datePublished": "2021-03-13T08:00:00+01:00",'
        ' "author": {"@id": "#ada"}}, {"@id": "#ada", "@type": "Person", "name": "Ada Lovelace"}]}</script>'
    )
    assert (entry.title, entry.authors) == ("A year", ("Ada Lovelace",))
    assert entry.published is not None
    assert entry.published.isoformat() == "2021-03-13T08:00:00+01:00"


def test_heading_that_the_title_holds_is_the_title_and_the_address_tells_the_day() -> None:
    entry = _account("<title>A year - Tides</title><h1>A year</h1>")
    assert entry.title == "A year"
    assert entry.published is not None
    assert entry.published.date().isoformat() == "2021-03-12"


def test_page_that_says_nothing_has_an_empty_account() -> None:
    entry = _account("<p>x</p>", "https://tides.example/x")
    assert (entry.title, entry.authors, entry.published) == (None, (), None)


def test_heading_of_most_pages_is_the_blogs_name_and_no_title() -> None:
    names = ["A year", "On salt", "Tides"]
    pages = [_page(f"<title>{name} | Tides</title><h1>Tides</h1><h2>{name}</h2>", f"{URL}{name}") for name in names]
    assert [entry.title for _, entry in entries_from_pages(pages)][:2] == ["A year", "On salt"]


def test_title_is_a_heading_of_its_own_where_every_page_is_called_as_the_blog() -> None:
    names = ["A year", "On salt", "Bread"]
    pages = [_page(f"<title>Tides</title><h1>Tides</h1><h2>{name}</h2>", f"{URL}{name}") for name in names]
    assert [entry.title for _, entry in entries_from_pages(pages)] == names


def test_title_of_the_page_loses_the_blogs_name_at_either_end() -> None:
    names = ["A year: the end", "On salt", "Bread"]
    after = [_page(f"<title>{name} | Tides</title>", f"{URL}{name}") for name in names]
    before = [_page(f"<title>Tides: {name}</title>", f"{URL}{name}") for name in names]
    assert [entry.title for _, entry in entries_from_pages(after)] == names
    assert [entry.title for _, entry in entries_from_pages(before)] == names


def test_of_two_headings_in_the_title_the_longer_is_the_title() -> None:
    page = "<title>A year on the coast | Ada Byron</title><h2>Ada Byron</h2><h1>A year on the coast</h1>"
    assert _account(page).title == "A year on the coast"


def test_name_that_all_pages_have_is_the_title_of_none() -> None:
    pages = [_page("<title>Tides</title><h1>Tides</h1>", f"{URL}{number}") for number in range(3)]
    assert {entry.title for _, entry in entries_from_pages(pages)} == {None}


def test_tags_are_those_told_to_machines_else_the_links_to_tags() -> None:
    told = "<meta property='article:tag' content='moon'><meta property='article:tag' content='sea'>"
    links = "<a rel='tag' href='/t/moon'>Moon</a> <a rel='category tag' href='/c/sea'>The sea</a>"
    assert _account(told + links).tags == ("moon", "sea")
    assert _account(links).tags == ("Moon", "The sea")
