"""One pattern for many strings."""

from __future__ import annotations

import pytest

from posterity.text.normal_form import any_part


@pytest.mark.parametrize("text", ["author", "by-line", "posted.by", "abcard", "a.b"])
def test_each_part_is_found_anywhere_in_a_text(text: str) -> None:
    assert any_part(["aut", "by", "card", "a.b"]).search(text)


@pytest.mark.parametrize("text", ["", "at", "carnival", "axb", "BY"])
def test_a_text_with_none_of_the_parts_is_told(text: str) -> None:
    assert any_part(["aut", "by", "card", "a.b"]).search(text) is None


def test_a_part_of_one_letter_is_found() -> None:
    assert any_part(["x", "yz"]).search("box")
