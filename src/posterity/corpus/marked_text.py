"""A line of an article as markup: marks are opened and closed between pieces, always one inside the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.corpus.article import Line, Mark, Piece


def marked_text(line: Line, leaf: Callable[[Piece], str], tags: Callable[[Mark], tuple[str, str]]) -> str:
    """Return the line; `leaf` writes a piece without its marks, `tags` gives what opens and what closes a mark."""
    out: list[str] = []
    open_marks: list[Mark] = []
    for piece in line:
        same = _common(open_marks, piece.marks)
        while len(open_marks) > same:
            out.append(tags(open_marks.pop())[1])
        for mark in piece.marks[same:]:
            out.append(tags(mark)[0])
            open_marks.append(mark)
        out.append(leaf(piece))
    while open_marks:
        out.append(tags(open_marks.pop())[1])
    return "".join(out)


def _common(left: list[Mark], right: tuple[Mark, ...]) -> int:
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    return same
