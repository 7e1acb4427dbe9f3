"""How much each sign counts for a title, an author or a date: learned by tools/field_reliability.py, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

WEIGHTS = "field_weights.json"


@cache
def learned_weights(field: str) -> dict[str, float]:
    """Return the weights of the signs of "title", "author" or "date"."""
    return _all_weights()[field]


@cache
def _all_weights() -> dict[str, dict[str, float]]:
    text = files(__package__).joinpath(WEIGHTS).read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, float]])
