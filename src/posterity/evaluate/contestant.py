"""Who takes part: our methods, the rivals, and anybody's own function, each by a name that fits on a command line.

`mcst` is a method; `wc-multi+prune+sparse` the same with switches on; `cst+cleaner=false` with a value. A rival goes by
its own name. `hybrid+min_confidence=authors=0.7`, and so with every method, leaves out what it is less sure of.
`package.module:function` is a method of one's own with our interface, put to the same test.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.errors import InputError
from posterity.evaluate.rivals import RIVALS
from posterity.extract.method import METHODS, NEEDS, method_named
from posterity.model import demands_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.extract.method import Method, Need

_EVERYTHING: frozenset[Need] = frozenset({"rules", "reference", "site"})


class Contestant(msgspec.Struct, frozen=True):
    """One row of the tables."""

    name: str
    kind: Literal["method", "rival"]

    @property
    def base(self) -> str:
        """The name without its switches."""
        return self.name.split("+", 1)[0]

    @property
    def needs(self) -> frozenset[Need]:
        """What has to be prepared before the first page of a site."""
        if self.kind == "rival":
            return frozenset()
        return _EVERYTHING if ":" in self.base else NEEDS.get(self.base, frozenset())

    @property
    def options(self) -> dict[str, object]:
        """The switches as the method's context carries them."""
        pairs = (part.partition("=") for part in self.name.split("+")[1:])
        return {key: _value(value) if sign else True for key, sign, value in pairs}

    @property
    def min_confidence(self) -> dict[str, float]:
        """What is less sure than this does not count as said."""
        demanded = self.options.get("min_confidence")
        try:
            return demands_in(str(demanded).split(",") if demanded is not None else ())
        except ValueError as problem:
            raise InputError(f"{self.name}: {problem}") from None

    def can_play(self, *, with_feed: bool) -> bool:
        """Tell whether it makes sense here: `feed` alone has nothing to say without a feed to learn from."""
        return with_feed or self.kind == "rival" or self.base != "feed"


def contestants(methods: Iterable[str], rivals: Iterable[str]) -> list[Contestant]:
    """Return who was asked for, each once, or raise `InputError` for a name that nobody has."""
    chosen = [Contestant(name, "method") for name in dict.fromkeys(methods)]
    for entry in chosen:
        if ":" not in entry.base and entry.base not in METHODS:
            raise InputError(
                f"There is no method {entry.base!r}. Choose one of: {', '.join(METHODS)}, or package.module:function."
            )
    others = [Contestant(name, "rival") for name in dict.fromkeys(rivals)]
    for entry in others:
        if entry.name not in RIVALS:
            raise InputError(f"There is no rival {entry.name!r}. Choose one of: {', '.join(RIVALS)}.")
    if not chosen and not others:
        raise InputError("Nobody takes part: name a --method or a --rival.")
    return chosen + others


def function_of(contestant: Contestant) -> Method:
    """Return the method, loaded now, or raise `InputError`."""
    if ":" not in contestant.base:
        return method_named(contestant.base)
    module, _, name = contestant.base.partition(":")
    try:
        function: Method = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as problem:
        raise InputError(f"The method {contestant.base} cannot be loaded: {problem}.") from problem
    return function


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
