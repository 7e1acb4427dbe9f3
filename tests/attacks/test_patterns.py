"""No regular expression of the package takes more than linear time, whatever the text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.attacks.patterns import attacks, compiled_patterns, is_searched, seconds

_FIRST = 1_000  # characters; a quadratic pattern needs a millisecond for them, most linear ones less
_MEASURABLE_S = 0.0005
_LIMIT_S = 1.0
_GROWTH = 3.0  # per doubling: 2 is linear, 4 quadratic
_CLEAR = 20.0  # times as long for eight times the text; measured again for confirmation
_PATTERNS = compiled_patterns()


def _attack(pattern: re.Pattern[Any], begin: str, unit: str, end: str, length: int) -> Any:
    text = begin + unit * (length // len(unit)) + end
    return text if isinstance(pattern.pattern, str) else text.encode("utf-8")


def growth(pattern: re.Pattern[Any], begin: str, unit: str, end: str, *, search: bool = True) -> float:
    """Return the growth of the time per doubling, over three doublings; 0 if it is too short to measure."""
    first = seconds(pattern, _attack(pattern, begin, unit, end, _FIRST), _LIMIT_S, search=search)
    if first < _MEASURABLE_S:
        return 0.0
    if first >= _LIMIT_S:
        return float("inf")
    short, long = (_attack(pattern, begin, unit, end, size) for size in (_FIRST, 8 * _FIRST))
    last = seconds(pattern, long, 200 * first, search=search)
    if last > _CLEAR * first:
        # Other processes can only make a run longer, so the shortest of several counts.
        first = min(first, *(seconds(pattern, short, _LIMIT_S, search=search) for _ in range(5)))
        last = min(last, *(seconds(pattern, long, 200 * first, search=search) for _ in range(5)))
    return float((last / first) ** (1 / 3))


@pytest.mark.parametrize("name", _PATTERNS)
def test_time_of_a_pattern_grows_linearly(name: str) -> None:
    pattern = _PATTERNS[name]
    search = is_searched(name)
    for begin, unit, end in attacks(pattern):
        found = growth(pattern, begin, unit, end, search=search)
        for _ in range(3):  # a busy machine makes a run longer, never shorter
            found = min(found, growth(pattern, begin, unit, end, search=search)) if found >= _GROWTH else found
        assert found < _GROWTH, (
            f"{pattern.pattern[:200]!r} grows {found:.1f}-fold on {begin!r} + {unit!r} * n + {end!r}"
        )


def test_a_quadratic_pattern_is_noticed() -> None:
    quadratic = re.compile(r"\s+$")
    assert max(growth(quadratic, *attack) for attack in attacks(quadratic)) > _GROWTH


def test_an_exponential_pattern_is_noticed() -> None:
    exponential = re.compile(r"(?:a+)+b")
    assert any(growth(exponential, *attack) > _GROWTH for attack in (("", "a", "\x00"),))
