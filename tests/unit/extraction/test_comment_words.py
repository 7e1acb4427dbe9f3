"""Lines that announce comments."""

from __future__ import annotations

import pytest

from posterity.extraction.comment_parts import announced_count, announces_comments, text_announces


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("3 Comments", 3),
        ("Comments (12)", 12),
        ("Responses", None),
        ("No comments", 0),
        ("One Response to “Ladders”", 1),
        ("Leave a reply", None),
        ("Kommentare: 4", 4),
        ("Kommentit (2)", 2),
        ("2 réactions", 2),
        ("Оставить комментарий", None),
        ("תגובות (1)", 1),
        ("5 コメント", 5),
    ],
)
def test_announcement_is_known_with_its_count(line: str, count: int | None) -> None:
    assert announces_comments(line)
    assert announced_count(line) == count
    assert text_announces(f"Words of the post.\n  {line}\nMore words.")


@pytest.mark.parametrize(
    "line",
    [
        "Commentary",
        "Response",
        "Recent comments",
        "Commenting on ladders",
        "Discussion",
        "We had 3 comments on this",
        "Harbour",
    ],
)
def test_other_lines_announce_nothing(line: str) -> None:
    assert not announces_comments(line)
    assert not text_announces(f"Words.\n{line}\nMore words.")


def test_announcement_in_capitals_is_seen_in_a_text() -> None:
    assert text_announces("A post.\nCOMMENTS (3)\nAnna")
    assert text_announces("7 КОММЕНТАРИЕВ")


def test_announcement_inside_a_long_line_is_none() -> None:
    assert not text_announces("Comments are what this post is about, " * 5)
