"""Computed values kept by key: names and classes come again on every page of a site."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
MOST = 16_384  # a few hundred pages of different sites; a page has some hundred names of its own


class Remembered(dict[_Key, _Value]):
    """A dictionary that computes what it does not hold. When it is full it forgets everything.

    `lru_cache` would forget one by one, which is worse for pages in a row: as soon as they have one name too many, it
    has always just forgotten the one that comes next. A look-up here costs half as much, too.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: _Key) -> _Value:
        if len(self) >= MOST:
            self.clear()
        found = self[key] = self._compute(key)
        return found
