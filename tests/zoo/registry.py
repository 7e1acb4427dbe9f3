"""The situations by name, and the decorator that adds one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

from tests.zoo import situations
from tests.zoo.blog import Site, Truth

Builder: TypeAlias = Callable[[], tuple[Site, Truth]]


@dataclass(frozen=True, kw_only=True)
class Situation:
    """One odd or hostile blog."""

    name: str
    description: str
    build: Builder
    # Posts cannot be found without running scripts.
    needs_browser: bool = False
    # Some posts are only in the feed, or not linked from the same host.
    beyond_links: bool = False


_SITUATIONS: dict[str, Situation] = {}


def situation(
    description: str, *, needs_browser: bool = False, beyond_links: bool = False
) -> Callable[[Builder], Builder]:
    """Register a function that returns a site and its truth; the situation has the function's name with hyphens."""

    def register(build: Builder) -> Builder:
        name = build.__name__.replace("_", "-")
        if name in _SITUATIONS:
            raise ValueError(f"two situations are called {name}")
        _SITUATIONS[name] = Situation(
            name=name, description=description, build=build, needs_browser=needs_browser, beyond_links=beyond_links
        )
        return build

    return register


def all_situations() -> list[Situation]:
    """Return all situations, ordered by file and by position in it."""
    for module in iter_modules(situations.__path__, f"{situations.__name__}."):
        import_module(module.name)
    return list(_SITUATIONS.values())
