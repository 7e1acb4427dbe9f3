"""Plausible text out of the words of a language: the same seed always writes the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.skins.languages import Language

_T = TypeVar("_T")


class Writer:
    """Somebody who writes in one language, and draws all that is left to chance from one seeded source."""

    def __init__(self, language: Language, seed: str) -> None:
        self._language = language
        self._words = language.words.split()
        self._little = language.little.split()
        self._chance = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        """Return a number between the two, both included."""
        return self._chance.randint(least, most)

    def one_of(self, choices: Sequence[_T]) -> _T:
        """Return one of the choices."""
        return self._chance.choice(choices)

    def some_of(self, choices: Sequence[_T], count: int) -> tuple[_T, ...]:
        """Return so many different ones of the choices."""
        return tuple(self._chance.sample(choices, count))

    def phrase(self, count: int) -> str:
        """Return so many words without a mark, every second one mostly a little word."""
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
