"""The plain form of texts, for which the date patterns are written."""

from __future__ import annotations

import pytest

from posterity.text.normal_form import plain, plain_text, without_accents


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("12 MÄRZ", "12 märz"),
        ("١٢ / ۳ / ४", "12 / 3 / 4"),
        ("２０２１－０３：１２", "2021-03:12"),
        ("12\u00a0mars\u202f2021", "12 mars 2021"),
        ("2019–2021", "2019-2021"),
        ("KASIM EKİM kasım", "kasim ekim kasim"),
        ("ΜΆΡΤΙΟΣ Μάρτιος", "μάρτιοσ μάρτιοσ"),
        ("’21", "'21"),
        ("2021²", "2021²"),
    ],
)
def test_plain_form(text: str, form: str) -> None:
    assert plain(text) == form
    assert len(form) == len(text)


def test_what_nobody_sees_goes_and_accents_are_joined() -> None:
    simple = plain_text("12\u200f/fe\u0301v")
    assert simple.text == "12/fév"
    assert simple.span(0, 3) == (0, 4)
    assert simple.span(3, 6) == (4, 8)


def test_words_as_typed_without_accents() -> None:
    assert without_accents("février août") == "fevrier aout"
