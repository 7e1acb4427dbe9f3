"""Queries from news items: their titles and their distinctive words."""

from __future__ import annotations

from posterity.discover.candidates import MAX_QUERY_WORDS, NewsItem, queries

ITEMS = [
    NewsItem(
        title="Storm over the harbour", text="The storm sank boats in the harbour. Boats and the lighthouse broke."
    ),
    NewsItem(
        title="Bread prices rise", text="The bakers say that rye and the flour of the mills cost more. Flour, flour."
    ),
    NewsItem(title="Election in spring", text="The parliament has set the date. Parliament votes in the spring."),
]


def test_query_has_the_title_and_what_is_distinctive_of_the_text() -> None:
    storm, bread, election = queries(ITEMS, distinctive=2)
    assert storm == "Storm over the harbour boats broke"
    assert bread.startswith("Bread prices rise flour ")
    assert election.startswith("Election in spring parliament ")


def test_word_of_every_text_is_not_distinctive() -> None:
    items = [NewsItem(text=f"government government government {word} said") for word in ("boats", "flour", "votes")]
    assert queries(items, distinctive=1) == ["boats", "flour", "votes"]


def test_words_are_added_to_every_query_and_equal_queries_come_once() -> None:
    items = [NewsItem(title="Storm"), NewsItem(title="Storm"), NewsItem(text="...")]
    assert queries(items, also="blog 2024") == ["Storm blog 2024"]


def test_long_title_is_cut_but_keeps_room_for_distinctive_words() -> None:
    (query,) = queries([NewsItem(title=" ".join(f"word{n}" for n in range(40)), text="lighthouse")], distinctive=1)
    assert len(query.split()) == MAX_QUERY_WORDS


def test_languages_without_spaces_give_pairs() -> None:
    (query,) = queries([NewsItem(text="東京東京")], distinctive=1)
    assert query == "東京"
