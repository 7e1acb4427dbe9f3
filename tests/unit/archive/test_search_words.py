"""Words as the index knows them, and what a query asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.archive.search_index import Term, alternatives, folded, index_words, query_terms, spaced


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café NAÏVE", ["cafe", "naive"]),
        ("don't cross_over foo-bar", ["don", "t", "cross", "over", "foo", "bar"]),
        ("我喜欢tea咖啡", ["我", "喜", "欢", "tea", "咖", "啡"]),
        ("Straße ﬁn", ["strasse", "fin"]),
        ("한국어 블로그", ["한국어", "블로그"]),
        ("3.14 °C", ["3", "14", "c"]),
        ("…—!", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    # Hangul comes apart into letters when it is folded, on both sides alike.
    assert index_words(text) == [folded(word) for word in words]


def test_a_query_has_words_phrases_exclusions_prefixes_and_alternatives() -> None:
    assert query_terms('salt "rye bread" -cake harb* OR tide') == [
        Term(("salt",)),
        Term(("rye", "bread")),
        Term(("cake",), role="not"),
        Term(("harb",), prefix=True),
        Term(("tide",), role="or"),
    ]


def test_alternatives_belong_to_the_word_before_them() -> None:
    salt, rye, tide = Term(("salt",)), Term(("rye",), role="or"), Term(("tide",))
    assert alternatives([salt, rye, tide, Term(("x",), role="not")]) == [[salt, rye], [tide]]


@given(st.text())
def test_any_query_can_be_read(query: str) -> None:
    for term in query_terms(query):
        assert term.words
        # Queries are put together as text, so no word may hold what the databases take for an operator.
        assert not set("".join(term.words)) & set("'\"\\ :*()&|!<>-^+{}")


@given(st.text())
def test_spaces_change_no_word(text: str) -> None:
    assert index_words(spaced(text)) == index_words(text)
