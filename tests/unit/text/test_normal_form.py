"""Texts that look the same have the same normal form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.text.normal_form import comparable, forms_of, letters_and_digits, one_line, single_spaced


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  a\n\tb \u00a0c  ", "a b c"),
        ("soft\u00adhyphen and zero\u200bwidth\ufeff", "softhyphen and zerowidth"),
        ("\u200b \u2060", ""),
        ("Übung  macht", "Übung macht"),
    ],
)
def test_one_line_has_single_spaces_and_nothing_invisible(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("left", "right"), [("Straße", "STRASSE"), ("ﬁn", "fin"), ("e\u0301te\u0301", "ÉTÉ"), ("①", "1")]
)
def test_spellings_of_one_text_are_comparable(left: str, right: str) -> None:
    assert comparable(left) == comparable(right)


def test_title_is_known_by_its_letters_and_digits() -> None:
    assert letters_and_digits("“Slack Water” – part 2!") == letters_and_digits("slack water: Part 2")
    assert letters_and_digits("潮汐表 – 第1回") == "潮汐表第1回"


@given(st.text())
def test_one_line_is_one_line_and_final(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line


@given(st.text() | st.text(" ab\n\t\x1c\x85\u00a0\u2003\u3000\u200b"))
def test_single_spaces_stand_where_any_white_space_stood(text: str) -> None:
    assert single_spaced(text) == " ".join(text.split())


@given(st.text(st.characters(codec="ascii") | st.sampled_from("\u2019\u201c\u2014\u00a9\u00ab\u2026\u00a0\u2192")))
def test_the_short_way_for_ascii_and_typography_finds_the_same_letters_and_digits(text: str) -> None:
    # A non-ASCII letter disables the fast path.
    assert letters_and_digits(text) + "é" == letters_and_digits(text + "é")


@given(st.lists(st.text(st.characters() | st.sampled_from(" \u00a0\u2026\u200b\u0301eſ\u2116\n"))))
def test_forms_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    assert forms_of(texts) == [comparable(text) for text in texts]


@given(st.text(st.characters() | st.sampled_from("\u00a0\u2026\u202f\u2009\u2122\u2116\u00b2\u0301")))
def test_comparable_form_is_nfkc_case_folded(text: str) -> None:
    assert comparable(text) == one_line(unicodedata.normalize("NFKC", text)).casefold()
