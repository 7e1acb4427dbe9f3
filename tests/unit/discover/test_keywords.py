"""Queries from news items: words of titles and distinctive words."""

from __future__ import annotations

from posterity.discover.candidates import MAX_QUERY_WORDS, NewsItem, background_of, queries

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
    assert storm == "Storm harbour boats broke"
    assert bread.startswith("Bread prices rise flour ")
    assert election.startswith("Election spring parliament ")


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


def test_function_words_of_the_language_are_no_key_words() -> None:
    text = "Der Hafen wurde gesperrt, weil zwischen den Schiffen und der Mole noch immer Trümmer liegen. " * 2
    (query,) = queries([NewsItem(title="Sturm über dem Hafen", text=text)], distinctive=8)
    assert query.startswith("Sturm Hafen ")
    assert {"zwischen", "weil", "noch", "über", "dem", "wurde"}.isdisjoint(query.split())


def test_word_that_is_common_elsewhere_is_not_distinctive() -> None:
    item = NewsItem(text="minister minister minister lighthouse")
    assert queries([item], distinctive=1) == ["minister"]
    background = background_of(f"the minister spoke about subject {number}" for number in range(50))
    assert queries([item], distinctive=1, background=background) == ["lighthouse"]


def test_name_is_one_term_in_quotes() -> None:
    text = "On Monday the harbour master Ada Lovelace Byron opened it. Later Ada Lovelace Byron closed it."
    (query,) = queries([NewsItem(title="Harbour", text=text)], distinctive=1)
    assert query == 'Harbour "ada lovelace byron"'


def test_pair_of_words_that_comes_again_is_a_phrase() -> None:
    (query,) = queries([NewsItem(text="rising water, rising water, boats")], distinctive=2)
    assert query == '"rising water" boats'
