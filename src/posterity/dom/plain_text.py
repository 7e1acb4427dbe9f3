"""A node as plain text: what a reader sees, a line per block, an empty line between paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.document import TEXT
from posterity.dom.walk import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom.document import Tree

LINE_TAGS = frozenset(
    (
        "address article aside body caption center dd details div dl dt fieldset figcaption figure footer "
        "header hgroup html li main nav section summary tr"
    ).split()
)
PARAGRAPH_TAGS = frozenset({"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"})
CELL_TAGS = frozenset({"td", "th"})


_NEW_LINE, _NEW_PARAGRAPH, _CODE, _BREAK, _CELL = range(1, 6)
_KINDS = {
    **dict.fromkeys(LINE_TAGS, _NEW_LINE),
    **dict.fromkeys(PARAGRAPH_TAGS, _NEW_PARAGRAPH),
    **dict.fromkeys(CELL_TAGS, _CELL),
    "pre": _CODE,
    "br": _BREAK,
}


def text_of(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the visible text below the node. Code keeps its indentation, everything else has single spaces."""
    return text_of_steps(tree, steps(tree, node, skip))


def text_of_steps(tree: Tree, walked: Sequence[int]) -> str:
    """Return the visible text of what was walked."""
    lines = _Lines()
    add, tags, texts, kinds = lines.line.append, tree.tag, tree.text, _KINDS
    for step in walked:
        index = step if step >= 0 else ~step
        tag = tags[index]
        if tag is TEXT:
            add(texts[index])
        elif kind := kinds.get(tag):
            lines.meet(kind, opens=step >= 0)
    lines.end(gap=False)
    return lines.joined()


class _Lines:
    """Lines under construction; `gap` remembers that an empty line must come before the next one."""

    __slots__ = ("_gap", "_lines", "line", "verbatim")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.line: list[str] = []
        self._gap = False
        self.verbatim = 0

    def meet(self, kind: int, *, opens: bool) -> None:
        """An element begins or ends."""
        if kind == _CELL:
            if opens:
                self.line.append("\t" if self.verbatim else " ")
        elif kind == _BREAK:
            if opens:
                self.end(gap=False)
        else:
            self.end(gap=kind != _NEW_LINE)
            if kind == _CODE:
                self.verbatim += 1 if opens else -1

    def end(self, *, gap: bool) -> None:
        if self.line:
            raw = "".join(self.line)
            line = raw.strip("\r\n").rstrip() if self.verbatim else " ".join(raw.split())
            self.line.clear()
            if line:
                if self._gap and self._lines:
                    self._lines.append("")
                self._lines.append(line)
                self._gap = False
        self._gap = self._gap or gap

    def joined(self) -> str:
        return "\n".join(self._lines)
