"""JSON lines: one post a line, nothing lost."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from posterity.corpus.jsonl import write_jsonl
from posterity.model import Post, from_json

if TYPE_CHECKING:
    from pathlib import Path

POSTS = [
    Post(id="p1", url="http://blog.example/a/", title="Über\nTiden", text="one\n\ntwo\u2028three"),
    Post(id="p2", url="http://blog.example/b/"),
]


def test_every_post_is_one_line_and_comes_back(tmp_path: Path) -> None:
    write_jsonl(POSTS, tmp_path / "posts.jsonl")
    lines = (tmp_path / "posts.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [from_json(line, Post) for line in lines] == POSTS


def test_text_stays_readable() -> None:
    out = BytesIO()
    write_jsonl(POSTS, out)
    assert "Über" in out.getvalue().decode()


def test_no_posts_are_no_lines() -> None:
    out = BytesIO()
    write_jsonl([], out)
    assert out.getvalue() == b""
