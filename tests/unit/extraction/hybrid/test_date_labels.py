"""Labels before a date."""

from __future__ import annotations

import pytest

from posterity.extraction.hybrid.candidates import label_of_date


@pytest.mark.parametrize(
    ("label", "feature"),
    [
        ("Published on ", "label published"),
        ("Veröffentlicht am", "label published"),
        ("Updated on ", "label modified"),
        ("Last updated:", "label modified"),
        ("Published in spring, last modified", "label modified"),
        ("Updated often. Posted", "label published"),
        ("Zuletzt aktualisiert am", "label modified"),
        ("© ", "label other"),
        ("Member since", "label other"),
        ("By Ada Lovelace,", None),
    ],
)
def test_the_word_next_to_the_date_counts(label: str, feature: str | None) -> None:
    assert label_of_date(label) == feature
