"""A node as plain text: what a reader sees, a line per block, an empty line between paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.walk import CHARS, OPEN, walk

if TYPE_CHECKING:
    from posterity.dom.document import Tree

LINE_TAGS = frozenset(
    (
        "address article aside body caption center dd details div dl dt fieldset figcaption figure footer "
        "header hgroup html li main nav section summary tr"
    ).split()
)
PARAGRAPH_TAGS = frozenset({"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"})
CELL_TAGS = frozenset({"td", "th"})


def text_of(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the visible text below the node. Code keeps its indentation, everything else has single spaces."""
    lines = _Lines()
    tags = tree.tag
    for event, index in walk(tree, node, skip):
        if event is CHARS:
            lines.add(tree.text[index])
            continue
        tag = tags[index]
        if tag in PARAGRAPH_TAGS:
            lines.end(gap=True)
            if tag == "pre":
                lines.verbatim += 1 if event is OPEN else -1
        elif tag in LINE_TAGS or (tag == "br" and event is OPEN):
            lines.end(gap=False)
        elif tag in CELL_TAGS and event is OPEN:
            lines.add("\t" if lines.verbatim else " ")
    lines.end(gap=False)
    return lines.joined()


class _Lines:
    """Lines under construction; `gap` remembers that an empty line must come before the next one."""

    __slots__ = ("_gap", "_line", "_lines", "verbatim")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._gap = False
        self.verbatim = 0

    def add(self, text: str) -> None:
        self._line.append(text)

    def end(self, *, gap: bool) -> None:
        if self._line:
            raw = "".join(self._line)
            line = raw.strip("\r\n").rstrip() if self.verbatim else " ".join(raw.split())
            self._line.clear()
            if line:
                if self._gap and self._lines:
                    self._lines.append("")
                self._lines.append(line)
                self._gap = False
        self._gap = self._gap or gap

    def joined(self) -> str:
        return "\n".join(self._lines)
