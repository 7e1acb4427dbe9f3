"""Lines that announce comments: "3 Comments", "Leave a reply", "Kommentare (3)", as the whole of a short line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ANNOUNCEMENT = 60  # characters
# What most of the words below have in common, whatever letters of them are capitals: looking for it takes a tenth of
# the pattern's time.
_PARTS = (
    "ment MENT epl EPL spons SPONS eact éact aktion оммент ОММЕНТ yorum Yorum χόλι zászól תגוב تعليق ความคิดเห็น luận "
    "留言 评论 評論 コメント 댓글"
).split()
_WORDS = (
    r"kommentare?r?|kommentit|kommenttia?|commentaires?|coment[aá]rios?|commenti|commento|reacties?|réactions?|"
    r"reaktionen|replies|responses|reactions|комментари\w*|yorum(?:lar)?|komentarz\w*|koment[aá]ř\w*|σχόλι(?:α|ο)|"
    r"hozzászólás(?:ok)?|תגוב(?:ות|ה)|(?:ال)?تعليق(?:ات|ا)?|ความคิดเห็น|bình luận|留言|评论|評論|コメント|댓글"
)
_ANNOUNCED = re.compile(
    r"^\W*(?:(?:\d[\d.,]*|no|one|two|add|leave|post|write|reader|user|all|view|join the|sign in to)\s+"
    r"(?:a |your |\d+ )?"
    r"(?:comments?|repl(?:y|ies)|responses?|thoughts?|conversation|discussion)\b|comments?\W*(?:\(?\d+\)?)?\W*$|"
    rf"comments (?:are|on)\b|trackbacks?\b|(?:\d+\s+)?(?:{_WORDS})\W*(?:\(?\d+\)?)?\W*$|"
    r"(?:laisser un|ajouter un|schreibe einen|publicar un|deja un|deixe um|lascia un|dodaj|napsat|оставить|добавить)\s+"
    rf"(?:{_WORDS})\W*$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d+")
_COUNTED_WORDS = {"no": 0, "one": 1, "two": 2}


def announces_comments(line: str) -> bool:
    """Tell whether the line says that comments follow, or asks for one."""
    return len(line) <= MAX_ANNOUNCEMENT and _ANNOUNCED.match(line) is not None


def announced_count(line: str) -> int | None:
    """Return how many comments the line announces, None if it does not say."""
    if figures := _COUNT.search(line):
        return int(figures.group())
    first = line.split()[:1]
    return _COUNTED_WORDS.get(first[0].lower()) if first else None


def text_announces(text: str) -> bool:
    """Tell whether one of the text's lines announces comments. Only lines that have something of the words are read."""
    return any(announces_comments(line) for part in _PARTS for line in _short_lines_with(text, part))


def _short_lines_with(text: str, part: str) -> Iterator[str]:
    at = text.find(part)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        if end - start <= 2 * MAX_ANNOUNCEMENT:
            yield text[start:end].strip()
        at = text.find(part, end)
