"""Values passed between the stages are immutable."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import posterity.model as model

STRUCTS = [kind for name in model.__all__ if isinstance(kind := getattr(model, name), type)]


@pytest.mark.parametrize("kind", STRUCTS)
def test_struct_is_frozen(kind: type[Any]) -> None:
    assert issubclass(kind, msgspec.Struct)
    assert kind.__struct_config__.frozen


def test_field_of_a_post_cannot_be_set() -> None:
    post = model.Post(id="p1", url="http://blog.example/a/")
    with pytest.raises(AttributeError):
        post.title = "Another"  # type: ignore[misc]


def test_changed_copy_leaves_the_original() -> None:
    post = model.Post(id="p1", url="http://blog.example/a/", title="Tides")
    assert msgspec.structs.replace(post, title="Winds").title == "Winds"
    assert post.title == "Tides"


@pytest.mark.parametrize("value", [model.Rule("id", "main"), model.WarcPointer("a.warc.gz", 7, "urn:uuid:1")])
def test_rules_and_pointers_can_be_keys(value: Any) -> None:
    assert len({value, msgspec.structs.replace(value)}) == 1
