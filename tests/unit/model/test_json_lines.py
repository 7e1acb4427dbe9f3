"""JSON in the documented form, and error messages for other JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from posterity.errors import InputError
from posterity.model import Comment, Post, Rule, RuleSet, from_json, to_json

KEYS = (
    "id type url canonical_url blog title subtitle authors published published_precision modified language "
    "language_declared tags categories series license summary text markdown html reading_minutes cover media comments "
    "links access revision provenance"
).split()


def test_post_has_the_documented_keys() -> None:
    assert sorted(json.loads(to_json(Post(id="p1", url="http://blog.example/")))) == sorted(KEYS)


def test_times_are_written_with_their_offset() -> None:
    comment = Comment(id="1", published=datetime(2021, 3, 12, 8, 30, tzinfo=UTC))
    assert json.loads(to_json(comment))["published"] == "2021-03-12T08:30:00Z"


def test_comment_keys_are_the_documented_ones() -> None:
    assert list(json.loads(to_json(Comment(id="1")))) == "id parent author author_url published text html".split()


def test_keys_come_in_the_same_order_each_time() -> None:
    post = Post(id="p1", url="http://blog.example/", title="Tides")
    assert to_json(post) == to_json(from_json(to_json(post), Post))


def test_rule_is_short_to_read_and_edit() -> None:
    assert json.loads(to_json(Rule("class", "entry"))) == {"kind": "class", "value": "entry"}


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '{"id": 3}', b"\xff"])
def test_what_is_no_post_is_an_input_error_that_names_the_kind(line: str | bytes) -> None:
    with pytest.raises(InputError, match="Post"):
        from_json(line, Post)


def test_error_names_the_place() -> None:
    with pytest.raises(InputError, match=r"colour.*fields.*rule\.kind"):
        from_json('{"fields": {"text": [{"rule": {"kind": "colour", "value": "x"}}]}}', RuleSet)
