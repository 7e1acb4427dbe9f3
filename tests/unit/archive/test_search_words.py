"""Parsing of search queries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.archive.search_index import Term, alternatives, query_terms


def test_a_query_has_words_phrases_exclusions_prefixes_and_alternatives() -> None:
    assert query_terms('salt "rye bread" -cake harb* OR tide') == [
        Term(("salt",)),
        Term(("rye", "bread")),
        Term(("cake",), role="not"),
        Term(("harb",), prefix=True),
        Term(("tide",), role="or"),
    ]


def test_accents_are_asked_for_where_they_are_typed() -> None:
    assert query_terms("cafe Café") == [Term(("cafe",)), Term(("cafe",), accented=("café",))]


def test_a_field_limits_a_word_to_a_column() -> None:
    assert query_terms('author:"Jane Doe" -tag:food salt http://x') == [
        Term(("jane", "doe"), column="author"),
        Term(("food",), role="not", column="tags"),
        Term(("salt",)),
        Term(("http", "x")),
    ]


def test_alternatives_belong_to_the_word_before_them() -> None:
    salt, rye, tide = Term(("salt",)), Term(("rye",), role="or"), Term(("tide",))
    assert alternatives([salt, rye, tide, Term(("x",), role="not")]) == [[salt, rye], [tide]]


@given(st.text())
def test_any_query_can_be_read(query: str) -> None:
    for term in query_terms(query):
        assert term.words
        # Queries are built as text, so no word may contain an operator of the databases.
        assert not set("".join(term.words)) & set("'\"\\ :*()&|!<>-^+{}")
