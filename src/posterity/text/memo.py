"""Answers kept by what was asked about: names and classes come again on every page of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")
MOST = 16_384  # a few hundred pages of different sites; a page has some hundred names of its own


class Remembered(dict[_Asked, _Answer]):
    """A dictionary that asks a function for what it does not hold. When it is full it forgets everything.

    `lru_cache` would forget one by one, which is worse for pages in a row: as soon as they have one name too many, it
    has always just forgotten the one that comes next. Asking here costs half as much, too.
    """

    __slots__ = ("_answer",)

    def __init__(self, answer: Callable[[_Asked], _Answer]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, asked: _Asked) -> _Answer:
        if len(self) >= MOST:
            self.clear()
        found = self[asked] = self._answer(asked)
        return found
