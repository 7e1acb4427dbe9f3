"""Every value of the model is unchanged by a round trip through JSON."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posterity.model as model
from posterity.model import from_json, to_json

STRUCTS = [kind for name in model.__all__ if isinstance(kind := getattr(model, name), type)]
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
PLAIN: dict[object, st.SearchStrategy[Any]] = {
    msgspec.UnsetType: st.just(msgspec.UNSET),
    str: st.text(),
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bytes: st.binary(),
    datetime: st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=ZONES),  # noqa: DTZ001
    NoneType: st.none(),
    # Its two fields depend on each other.
    model.Schedule: st.sampled_from([model.Schedule(), model.Schedule(mode="paused")])
    | st.integers(1, 24 * 366).map(lambda hours: model.Schedule(mode="every", hours=hours)),
}


def values_of(kind: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values of an annotated type; recursion ends by leaving optional parts out."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return st.integers(parts[1].ge, 2**63 - 1)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, UnionType):
        kinds = [part for part in parts if depth < 3 or part is NoneType]
        return st.one_of([values_of(part, depth) for part in kinds])
    if origin is tuple and parts[-1] is not Ellipsis:
        return st.tuples(*(values_of(part, depth + 1) for part in parts))
    if origin is tuple:
        return st.lists(values_of(parts[0], depth + 1), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(st.text(max_size=5), values_of(parts[1], depth + 1), max_size=2)
    fields = msgspec.structs.fields(kind)
    built = st.builds(kind, **{field.name: values_of(field.type, depth + 1) for field in fields})
    return built.map(with_child) if kind is model.Rule else built


def with_child(rule: model.Rule) -> model.Rule:
    """A `child` rule needs a tag and a number; JSON with others is refused."""
    return msgspec.structs.replace(rule, value="p:-2") if rule.kind == "child" else rule


@pytest.mark.parametrize("kind", STRUCTS)
def test_nothing_is_lost_in_json(kind: type[Any]) -> None:
    @given(values_of(kind))
    def check(value: Any) -> None:
        line = to_json(value)
        again = from_json(line, kind)
        assert again == value
        assert to_json(again) == line
        assert b"\n" not in line

    check()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_confidence_keeps_its_sign_and_last_bit(confidence: float) -> None:
    value = model.Provenance(method="feed", confidence=confidence)
    again = from_json(to_json(value), model.Provenance).confidence
    assert (again, math.copysign(1, again)) == (confidence, math.copysign(1, confidence))
