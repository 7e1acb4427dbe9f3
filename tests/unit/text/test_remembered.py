"""Cached values are computed once, and the cache is bounded."""

from __future__ import annotations

from posterity.text.normal_form import MAX_ENTRIES, Remembered


def test_the_same_question_is_asked_once() -> None:
    asked: list[str] = []

    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    lengths = Remembered(length)
    assert [lengths["one"], lengths["three"], lengths["one"]] == [3, 5, 3]
    assert asked == ["one", "three"]


def test_memory_is_bounded() -> None:
    lengths = Remembered(len)
    for number in range(3 * MAX_ENTRIES):
        assert lengths[str(number)] == len(str(number))
    assert len(lengths) <= MAX_ENTRIES
