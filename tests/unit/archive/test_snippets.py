"""Snippets of texts that were found in a search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.archive.search import LENGTH, snippet
from posterity.archive.search_index import query_terms


def marked(text: str, query: str) -> str:
    return snippet(text, query_terms(query)).marked("[", "]")


def test_the_words_are_marked_with_and_without_accents() -> None:
    assert marked("The Café sells bread.", "cafe bread") == "The [Café] sells [bread]."


def test_a_phrase_is_marked_as_a_whole_and_a_prefix_as_far_as_it_goes() -> None:
    assert marked("salt, bread and breakfast", '"salt bread" breakf*') == "[salt, bread] and [breakf]ast"


def test_part_of_a_word_is_not_marked() -> None:
    assert marked("bread and breadth", "bread") == "[bread] and breadth"


def test_words_without_spaces_are_marked() -> None:
    assert marked("我喜欢面包", "面包") == "我喜欢[面包]"


def test_an_excluded_word_is_not_marked() -> None:
    assert marked("salt and bread", "salt -bread") == "[salt] and bread"


def test_a_long_text_is_cut_around_the_first_hit() -> None:
    text = "before " * 200 + "lighthouse " + "behind " * 200
    found = marked(text, "lighthouse")
    assert found.startswith("… before")
    assert "[lighthouse]" in found
    assert found.endswith(" …")
    assert len(found) < LENGTH + 60


def test_a_text_without_the_words_shows_its_beginning() -> None:
    assert marked("The words stood in the title.", "lighthouse") == "The words stood in the title."


@given(st.text(), st.text())
def test_any_text_and_query_give_marks_inside_the_snippet(text: str, query: str) -> None:
    found = snippet(text, query_terms(query))
    assert found.marked("", "") == found.text
    assert all(0 <= start < stop <= len(found.text) for start, stop in found.marks)
