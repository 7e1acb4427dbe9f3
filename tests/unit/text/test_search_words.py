"""Words are the same in the index and in queries, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.text.search_words import fold_for_search, found_words, name_order, search_words, words_and_accents


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café NAÏVE", ["cafe", "naive"]),
        ("don't cross_over foo-bar", ["don", "t", "cross", "over", "foo", "bar"]),
        ("我喜欢tea咖啡", ["我", "喜", "欢", "tea", "咖", "啡"]),
        ("Straße ﬁn", ["strasse", "fin"]),
        ("데이터를", ["데", "이", "터", "를"]),
        ("ｶﾞｽ ガス", ["ガ", "ス", "ガ", "ス"]),
        ("ไม้ไทย", ["ไ", "ม้", "ไ", "ท", "ย"]),
        ("ពាក្យ", ["ពា", "ក្យ"]),
        ("किताबें", ["किताबें"]),
        ("который ещё", ["который", "еще"]),
        ("п’ять п'ять пʼять", ["п", "ять", "п", "ять", "п", "ять"]),
        ("كِتَاب والكتاب كتـاب", ["كتاب", "كتاب", "كتاب"]),
        ("הַסֵּפֶר ספר", ["ספר", "ספר"]),
        ("ISPARTA ısparta İzmir", ["isparta", "isparta", "izmir"]),
        ("Αθήνα ΑΘΗΝΑ", ["αθηνα", "αθηνα"]),
        ("می\u200cخواهم ٢٠٢٤", ["ميخواهم", "2024"]),
        ("3.14 °C", ["3", "14", "c"]),
        ("…—!", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert search_words(text) == words


def test_only_latin_words_with_accents_are_kept_with_them() -> None:
    assert words_and_accents("Cafe Café Łódź Αθήνα ещё İzmir ısı straße")[1] == ["café", "łódź"]


@pytest.mark.parametrize("text", ["Straße, ﬁn", "e\u0301te\u0301 ｶﾞｽ", "والكتاب كِتَاب", "น้ำใจ", "a\u00adb x"])
def test_places_of_words_are_those_in_the_text(text: str) -> None:
    found = found_words(text)
    assert [word.word for word in found] == search_words(text)
    assert [text[word.start : word.stop] for word in found][:1] != [""]


def test_a_word_is_found_with_its_marks() -> None:
    text = "Die Straße, ﬁn e\u0301te\u0301 ｶﾞ"
    assert [text[start:stop] for _, start, stop in found_words(text)] == [
        "Die", "Straße", "ﬁn", "e\u0301te\u0301", "ｶﾞ"
    ]  # fmt: skip


def test_names_are_sorted_as_people_look_for_them() -> None:
    names = ["Zoe", "Östen", "anna", "Ángel", "Bob", "Émile", "ella", "Ozan", "Яна", "Ёлка", "Ева"]
    ordered = ["Ángel", "anna", "Bob", "ella", "Émile", "Östen", "Ozan", "Zoe", "Ева", "Ёлка", "Яна"]
    assert sorted(names, key=name_order) == ordered


@given(st.text())
def test_folding_is_final_and_words_have_places_in_order(text: str) -> None:
    folded = fold_for_search(text)
    assert fold_for_search(folded) == folded
    places = [(word.start, word.stop) for word in found_words(text)]
    assert places == sorted(places)
    assert all(0 <= start < stop <= len(text) for start, stop in places)


@given(st.text())
def test_folded_text_has_the_same_words(text: str) -> None:
    assert [word for word in search_words(text) if word.isascii()] == [
        word for word in search_words(fold_for_search(text)) if word.isascii()
    ]


@given(st.text())
def test_words_hold_nothing_that_a_database_takes_for_a_separator(text: str) -> None:
    for word in search_words(text):
        assert not any(char.isspace() or (char.isascii() and not char.isalnum()) for char in word)
