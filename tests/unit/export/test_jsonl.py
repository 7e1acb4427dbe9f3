"""JSON lines: one post per line, without loss."""

from __future__ import annotations

from tests.unit.export.writing import written

from posterity.export.json_lines import write_jsonl
from posterity.model import Media, Post, from_json

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


def test_media_keep_kind_provider_title_and_poster() -> None:
    video = Media(
        url="https://vimeo.com/1", kind="video", provider="Vimeo", title="Ebb", poster="https://i.example/1.jpg"
    )
    post = Post(id="p", url="http://blog.example/", media=(video,))
    assert from_json(written(write_jsonl, [post]), Post) == post


def test_export_of_a_version_without_kinds_of_media_is_read() -> None:
    line = (
        '{"id": "p", "type": "post", "url": "http://blog.example/", '
        '"media": [{"url": "http://blog.example/a.png", "file": null, "digest": null, "mime": null, "alt": "A"}]}'
    )
    assert from_json(line, Post).media == (Media(url="http://blog.example/a.png", alt="A"),)
