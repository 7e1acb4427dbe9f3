"""Values of the model as JSON and back, without loss."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from posterity.errors import InputError

T = TypeVar("T")


def to_json(value: object) -> bytes:
    """Return the value as one line of UTF-8 JSON, keys in the order of the model."""
    return msgspec.json.encode(value)


def from_json(line: bytes | str, kind: type[T]) -> T:
    """Return the value of this kind that the JSON describes, or raise `InputError` with the place that is wrong."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError) as problem:
        raise InputError(f"This is not the JSON of a {kind.__name__}: {problem}.") from problem
