"""What words before a date say of it."""

from __future__ import annotations

import pytest

from posterity.extraction.hybrid.date import label_of_date


@pytest.mark.parametrize(
    ("label", "feature"),
    [
        ("Published on ", "says published"),
        ("Veröffentlicht am", "says published"),
        ("Updated on ", "says modified"),
        ("Last updated:", "says modified"),
        ("Published in spring, last modified", "says modified"),
        ("Updated often. Posted", "says published"),
        ("Zuletzt aktualisiert am", "says modified"),
        ("© ", "says other"),
        ("Member since", "says other"),
        ("By Ada Lovelace,", None),
    ],
)
def test_the_word_next_to_the_date_counts(label: str, feature: str | None) -> None:
    assert label_of_date(label) == feature
