"""The shortcut for patterns of names, which first tests for hints, agrees with the patterns."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from posterity.extraction.hybrid.candidates import name_patterns_in, place_names
from posterity.lexicon import part_patterns

AUTHORS, DATES, PLACES = map(part_patterns, ("author", "date", "place"))


@st.composite
def tokens(draw: st.DrawFn, pattern: str) -> str:
    token = draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True)).lower()
    assume(len(token.split()) == 1 and token == token.strip())
    return token


@pytest.mark.parametrize("place", PLACES)
@given(data=st.data())
def test_every_spelling_of_a_place_is_that_place(place: str, data: st.DataObject) -> None:
    assert place in place_names(data.draw(tokens(PLACES[place])))


@pytest.mark.parametrize("mark", AUTHORS)
@given(data=st.data())
def test_every_spelling_of_an_author_is_a_mark_of_authors(mark: str, data: st.DataObject) -> None:
    marks = name_patterns_in(data.draw(tokens(AUTHORS[mark])))
    assert marks is not None
    assert mark in marks.author


@pytest.mark.parametrize("mark", DATES)
@given(data=st.data())
def test_every_spelling_of_a_date_is_a_mark_of_dates(mark: str, data: st.DataObject) -> None:
    marks = name_patterns_in(data.draw(tokens(DATES[mark])))
    assert marks is not None
    assert mark in marks.date
