"""Plausible text from the words of a language, the same for the same seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.skins.languages import Language

_T = TypeVar("_T")


class Writer:
    """Writes texts in one language, with all random choices from one seeded generator."""

    def __init__(self, language: Language, seed: str) -> None:
        self._language = language
        self._words = language.words.split()
        self._little = language.little.split()
        self._chance = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        """Return a number between the two, inclusive."""
        return self._chance.randint(least, most)

    def one_of(self, choices: Sequence[_T]) -> _T:
        """Return one of the choices."""
        return self._chance.choice(choices)

    def some_of(self, choices: Sequence[_T], count: int) -> tuple[_T, ...]:
        """Return `count` different choices."""
        return tuple(self._chance.sample(choices, count))

    def phrase(self, count: int) -> str:
        """Return `count` words without punctuation, most of every second one a function word."""
        rendered = (
            self.one_of(self._little if place % 2 and self._chance.random() < 0.75 else self._words)
            for place in range(count)
        )
        return self._language.gap.join(rendered)

    def sentence(self, count: int | None = None) -> str:
        """Return a sentence; long ones have a comma."""
        count = count or self.number(6, 18)
        if count <= 9:
            said = self.phrase(count)
        else:
            said = f"{self.phrase(count - 4)}{self._language.comma}{self._language.gap}{self.phrase(4)}"
        return f"{said[0].upper()}{said[1:]}{self._language.stop}"

    def paragraph(self) -> str:
        """Return two to five sentences."""
        return self._language.gap.join(self.sentence() for _ in range(self.number(2, 5)))

    def title(self) -> str:
        """Return a headline of three to seven words."""
        said = self.phrase(self.number(3, 7))
        return f"{said[0].upper()}{said[1:]}"
