"""JSON lines: one post a line, nothing lost."""

from __future__ import annotations

from tests.unit.export.writing import written

from posterity.export.json_lines import write_jsonl
from posterity.model import Post, from_json

POSTS = [
    Post(id="p1", url="http://blog.example/a/", title="Über\nTiden", text="one\n\ntwo\u2028three"),
    Post(id="p2", url="http://blog.example/b/"),
]


def test_every_post_is_one_line_and_comes_back() -> None:
    lines = written(write_jsonl, POSTS).split(b"\n")
    assert lines.pop() == b""
    assert [from_json(line, Post) for line in lines] == POSTS


def test_text_stays_readable() -> None:
    assert "Über" in written(write_jsonl, POSTS).decode()


def test_no_posts_are_no_lines() -> None:
    assert written(write_jsonl, []) == b""
