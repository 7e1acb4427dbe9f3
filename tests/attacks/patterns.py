"""Every compiled regular expression of the package, and the texts most likely to make a pattern slow."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

import posterity

# `re` exposes its parse tree nowhere else; the names are stable since Python 3.11.
_parser: Any = importlib.import_module("re._parser")

_DEPTH = 5
_UNITS = (
    *(" ", "\n", "\t", "a", "A", "1", "-", "_", "/", "\\", "<", ">", '"', "'", "(", ")", "[", "]", "{", "}", ",", ";"),
    *(
        ":",
        ".",
        "&",
        "=",
        "@",
        "#",
        "%",
        "*",
        "+",
        "é",
        "月",
        "\u00a0",
        "\u200b",
        "<a ",
        "<!--",
        "/*",
        "a ",
        "a,",
        "a.",
        "1 ",
    ),
    *("a-", "&#", "://", "()", "((", "[]", "''", '""', "\\\\", "a=", 'a="', "a\n", " \n", "1/", "1.", "1:", "a1", ", "),
)
_MAX_UNITS = 24
# Taken from a tuple and used only with `match`.
_MATCHED = ("posterity.dom.source._RESTS",)


def compiled_patterns() -> dict[str, re.Pattern[Any]]:
    """Return every pattern in a module or class of the package, by the first name it was found under."""
    found: dict[tuple[Any, int], tuple[str, re.Pattern[Any]]] = {}
    for module in pkgutil.walk_packages(posterity.__path__, "posterity."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            for pattern in _patterns_in(value, module.name, _DEPTH):
                found.setdefault((pattern.pattern, pattern.flags), (f"{module.name}.{name}", pattern))
    named: dict[str, re.Pattern[Any]] = {}
    for name, pattern in found.values():
        named[name if name not in named else f"{name}#{len(named)}"] = pattern
    return named


def is_searched(name: str) -> bool:
    """Return whether the pattern is tried at every position of a text, unlike with `match` and `fullmatch`.

    True if the source does not make it clear.
    """
    module, _, variable = name.partition("#")[0].rpartition(".")
    source = inspect.getsource(importlib.import_module(module))
    uses = re.findall(rf"(?<![\w.]){re.escape(variable)}\b(?:\[[^\]]*\])?(\.\w+|(?!\s*(?::[^=]*)?=))", source)
    if name.partition("#")[0] in _MATCHED:
        return False
    is_private = variable.startswith("_")
    return not (is_private and uses and all(use in (".match", ".fullmatch") for use in uses))


def _patterns_in(value: object, module: str, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for one in [*value.keys(), *value.values()]:
            yield from _patterns_in(one, module, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _patterns_in(one, module, depth - 1)
    elif depth and (type(value).__module__ == module or (isinstance(value, type) and value.__module__ == module)):
        slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
        for one in [*getattr(value, "__dict__", {}).values(), *slots]:
            yield from _patterns_in(one, module, depth - 1)


def literals(source: Any, flags: int) -> list[str]:
    """Return the literal runs of a pattern, and one character for each of its classes."""
    text = source if isinstance(source, str) else source.decode("latin-1")
    runs: list[str] = []
    _collect(_parser.parse(text, flags & ~re.UNICODE if isinstance(source, bytes) else flags), runs)
    return sorted(dict.fromkeys(run for run in runs if run), key=len)


def _collect(parsed: Any, runs: list[str]) -> None:
    run = ""
    for code, argument in parsed:
        name = str(code)
        if name == "LITERAL":
            run += chr(argument)
            continue
        runs.append(run)
        run = ""
        if name == "IN":
            runs.extend(
                chr(one if isinstance(one, int) else one[0])
                for kind, one in argument
                if str(kind) in ("LITERAL", "RANGE")
            )
        elif name == "BRANCH":
            for branch in argument[1]:
                _collect(branch, runs)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _collect(argument[2], runs)
        elif name == "SUBPATTERN":
            _collect(argument[3], runs)
        elif name in ("ASSERT", "ASSERT_NOT"):
            _collect(argument[1], runs)
        elif name == "ATOMIC_GROUP":
            _collect(argument, runs)
    runs.append(run)


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield beginning, repeated unit and end of texts that may be slow for this pattern."""
    own = literals(pattern.pattern, pattern.flags)
    few = own[: _MAX_UNITS // 3] + own[-_MAX_UNITS // 3 :] if len(own) > _MAX_UNITS else own
    for unit in dict.fromkeys([*_UNITS, *few]):
        yield "", unit, "\x00"
        yield "", unit, ""
    for begin in few[:12]:
        for unit in (" ", "a", "1", begin[-1], "-", "a ", "<", ",", "/", "."):
            yield begin, unit, "\x00"
    for unit in few[:12]:
        for other in (" ", "a", "1", "<", ","):
            yield "", unit + other, "\x00"


class TooSlowError(Exception):
    """Matching took longer than any linear pattern needs."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooSlowError


def seconds(pattern: re.Pattern[Any], text: Any, limit_s: float, *, search: bool = True) -> float:
    """Return the processor time of matching, or with `search` of searching; `limit_s` if it was stopped."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    start = time.thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        for _ in pattern.finditer(text) if search else ():
            pass
        pattern.match(text)
        pattern.fullmatch(text)
    except TooSlowError:
        return limit_s
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.thread_time() - start
