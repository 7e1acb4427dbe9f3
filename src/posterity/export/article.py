"""The HTML of an article as nested blocks, from which formats with strict content models (TEI, EPUB) are written.

In HTML, nearly every element may contain any other. Here a paragraph contains only text, a list only items, a table
only rows of cells. Text is a flat sequence of pieces, each with its own marks (bold, a link), so no mark extends beyond
the end of a block.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Literal, TypeAlias

import msgspec

from posterity.dom import Tree, parse
from posterity.dom.elements import ArticleElements
from posterity.dom.formulas import Formula, formula_in_math
from posterity.dom.media import media_source
from posterity.dom.plain_text import CHARS, LINE_TAGS, OPEN, PARAGRAPH_TAGS, walk

MarkKind = Literal["bold", "italic", "code", "deleted", "inserted", "sub", "sup", "quote", "link", "note", "formula"]


class Mark(msgspec.Struct, frozen=True):
    """A mark of a piece of text; `url` is the target of a link, or `#` and the id of the `Note` in a note link."""

    kind: MarkKind
    url: str | None = None


class Text(msgspec.Struct, frozen=True):
    """A piece of text, with white space collapsed except in code."""

    text: str
    marks: tuple[Mark, ...] = ()


class Break(msgspec.Struct, frozen=True):
    """A line break inside a paragraph."""

    marks: tuple[Mark, ...] = ()


class ArticleImage(msgspec.Struct, frozen=True):
    """An image, audio or video in the text; `tag` is img, audio or video."""

    url: str
    alt: str = ""
    tag: str = "img"
    marks: tuple[Mark, ...] = ()


Piece: TypeAlias = Text | Break | ArticleImage
Line: TypeAlias = tuple[Piece, ...]


class Heading(msgspec.Struct, frozen=True):
    """A heading of level 1 to 6."""

    level: int
    line: Line


class Paragraph(msgspec.Struct, frozen=True):
    """Running text; captions and terms of definitions are paragraphs too."""

    line: Line


class Code(msgspec.Struct, frozen=True):
    """Preformatted text."""

    text: str


class HorizontalRule(msgspec.Struct, frozen=True):
    """A horizontal line between blocks."""


class Quote(msgspec.Struct, frozen=True):
    """A quotation."""

    blocks: tuple[Block, ...]


class Items(msgspec.Struct, frozen=True):
    """A list."""

    ordered: bool
    items: tuple[tuple[Block, ...], ...]


class ArticleTable(msgspec.Struct, frozen=True):
    """Rows of cells."""

    rows: tuple[tuple[Line, ...], ...]


class Note(msgspec.Struct, frozen=True):
    """A footnote that the article links to."""

    id: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Heading | Paragraph | Code | HorizontalRule | Quote | Items | ArticleTable | Note


def plain(line: Line) -> str:
    """Return the text of a line; a break is a line feed."""
    parts = ["\n" if isinstance(piece, Break) else piece.text for piece in line if not isinstance(piece, ArticleImage)]
    return "".join(parts)


_MARKS: dict[str, MarkKind] = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "cite": "italic", "dfn": "italic", "var": "italic",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code", "del": "deleted", "s": "deleted",
    "strike": "deleted", "ins": "inserted", "u": "inserted", "sub": "sub", "sup": "sup", "q": "quote", "a": "link",
}  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CONTAINERS = frozenset({"blockquote", "ul", "ol", "li", "table", "tr", "td", "th"})
_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS
_MEDIA = frozenset({"img", "audio", "video"})
_NOTE = "fn-"  # the prefix of the ids of footnotes in the HTML of a record
_NOTE_TAGS = frozenset({"li", "p", "div", "dd", "aside", "section", "blockquote"})
_SPACE = re.compile(r"\s+")
# Pages may nest quotations, lists and marks 500 deep; writers recurse into each level, and pieces repeat their marks.
_MAX_MARKS = 20
_MAX_CONTAINERS = 40  # 20 lists with their items; deeper levels are flattened


def blocks_of(html: str | None, text: str, note_prefix: str = "n") -> tuple[Block, ...]:
    """Return the blocks of an article; without HTML, each line of the plain text is a paragraph.

    The ids of footnotes are `note_prefix` and a number.
    """
    if not html:
        lines = (" ".join(line.split()) for line in text.splitlines())
        return tuple(Paragraph((Text(line),)) for line in lines if line)
    tree = parse(html).tree
    reader, elements = _ArticleReader(tree, _note_ids(tree, note_prefix)), ArticleElements()
    for math in tree.nodes_by_tag.get("math", ()):
        if formula := formula_in_math(tree, math):
            elements.leaves[math] = formula
    for event, node in walk(tree, elements=elements):
        if isinstance(leaf := elements.leaves.get(node), Formula):
            reader.text(leaf.in_dollars, Mark("formula"))
        elif event is CHARS:
            reader.text(tree.text[node])
        elif event is OPEN:
            reader.open(node)
        else:
            reader.close(node)
    return reader.end()


def _note_ids(tree: Tree, prefix: str) -> dict[int, str]:
    """Return the ids of the footnotes: elements that a link of the article points to."""
    hrefs = (tree.attrs[node].get("href") or "" for node in tree.nodes_by_tag.get("a", ()))
    linked = {href[1:] for href in hrefs if href.startswith(f"#{_NOTE}")}
    found: dict[str, int] = {}
    for node in sorted(node for tag in _NOTE_TAGS for node in tree.nodes_by_tag.get(tag, ())) if linked else ():
        name = tree.attrs[node].get("id")
        if name in linked and not tree.unseen[node] and _can_be_note(tree, node):
            found.setdefault(name, node)
    return {node: f"{prefix}{number}" for number, node in enumerate(found.values(), 1)}


def _can_be_note(tree: Tree, node: int) -> bool:
    for _ in range(100):
        node = tree.parent[node]
        if node < 0 or tree.tag[node] in frozenset({"table", "pre", *_HEADINGS}):
            return node < 0
    return False


class _OpenElement(msgspec.Struct):
    """An open container with its complete blocks, list items, or rows and cells of a table."""

    tag: str
    blocks: list[Block] = []
    items: list[tuple[Block, ...]] = []


class _ArticleReader:
    def __init__(self, tree: Tree, notes: dict[int, str]) -> None:
        self.tree = tree
        self.notes = notes
        self.note_urls = {f"#{tree.attrs[node]['id']}": f"#{note_id}" for node, note_id in notes.items()}
        self.stack = [_OpenElement("")]
        self.pieces: list[Piece] = []
        self.marks: list[tuple[int, Mark]] = []
        self.level = 0
        self.code = 0

    def text(self, text: str, *inner: Mark) -> None:
        if text:
            self.pieces.append(Text(text, (*self._now(), *inner)))

    def open(self, node: int) -> None:
        tag = self.tree.tag[node]
        if tag == "a":
            self._open_link(node, self.tree.attrs[node].get("href"))
        elif tag in _MARKS and len(self.marks) < _MAX_MARKS:
            self.marks.append((node, Mark(_MARKS[tag])))
        elif tag == "br":
            self.pieces.append(Break(self._now()))
        elif tag in _MEDIA:
            if url := media_source(self.tree, node):
                alt = " ".join((self.tree.attrs[node].get("alt") or "").split())
                self.pieces.append(ArticleImage(url, alt, self.tree.tag[node], self._now()))
        elif tag in _BLOCK_TAGS or tag in _CONTAINERS:
            self._open_block(tag)
        if node in self.notes:
            self._end_line()
            self.stack.append(_OpenElement("note"))

    def _open_link(self, node: int, url: str | None) -> None:
        if url and not any(mark.kind in ("link", "note") for _, mark in self.marks):
            note = self.note_urls.get(url)
            self.marks.append((node, Mark("note", note) if note else Mark("link", url)))

    def _open_block(self, tag: str) -> None:
        self._end_line()
        if tag in _HEADINGS:
            self.level = _HEADINGS[tag]
        elif tag == "hr":
            self.stack[-1].blocks.append(HorizontalRule())
        elif tag == "pre":
            self.code += 1
        elif tag in _CONTAINERS:
            self.stack.append(_OpenElement(tag))

    def close(self, node: int) -> None:
        tag = self.tree.tag[node]
        if node in self.notes:
            self._end_line()
            note = self.stack.pop()
            self.stack[-1].blocks.append(Note(self.notes[node], tuple(note.blocks)))
        if self.marks and self.marks[-1][0] == node:
            self.marks.pop()
        elif tag in _BLOCK_TAGS or tag in _CONTAINERS:
            self._end_line()
            if tag in _HEADINGS:
                self.level = 0
            elif tag == "pre":
                self.code -= 1
            elif tag in _CONTAINERS:
                self._close_container(self.stack.pop())

    def _close_container(self, frame: _OpenElement) -> None:
        outer = self.stack[-1]
        blocks = tuple(frame.blocks)
        if frame.tag in ("li", "td", "th"):
            # An item outside a list and a cell outside a row give only their blocks.
            if outer.tag not in (("ul", "ol") if frame.tag == "li" else ("tr",)):
                outer.blocks += blocks
            elif blocks or frame.tag != "li":
                _end_stray_item(outer)
                outer.items.append(blocks)
        elif frame.tag == "blockquote":
            outer.blocks += blocks if len(self.stack) > _MAX_CONTAINERS or not blocks else [Quote(blocks)]
        elif frame.tag in ("ul", "ol"):
            _end_stray_item(frame)
            if len(self.stack) > _MAX_CONTAINERS:
                outer.blocks += [block for item in frame.items for block in item]
            else:
                outer.blocks += [Items(frame.tag == "ol", tuple(frame.items))] if frame.items else []
        elif frame.tag == "tr":
            _end_stray_item(frame)
            cells = [_one_line(cell) for cell in frame.items]
            if outer.tag == "table":
                # Until the table is closed, each row is an ArticleTable among its blocks.
                outer.blocks.append(ArticleTable((tuple(cells),)))
            else:
                outer.blocks += [Paragraph(cell) for cell in cells if cell]
        else:
            rows = [row for block in frame.blocks if isinstance(block, ArticleTable) for row in block.rows]
            outer.blocks += [block for block in frame.blocks if not isinstance(block, ArticleTable)]  # a caption
            if any(any(row) for row in rows):
                width = max(map(len, rows))
                outer.blocks.append(ArticleTable(tuple((*row, *((),) * (width - len(row))) for row in rows)))

    def _now(self) -> tuple[Mark, ...]:
        return tuple(mark for _, mark in self.marks)

    def _end_line(self) -> None:
        if not self.pieces:
            return
        pieces, self.pieces = self.pieces, []
        blocks = self.stack[-1].blocks
        if self.code:
            code = plain(tuple(pieces))
            if code.strip():
                blocks.append(Code(code.strip("\n")))
        elif line := fold_pieces(pieces):
            blocks.append(Heading(self.level, line) if self.level else Paragraph(line))

    def end(self) -> tuple[Block, ...]:
        self._end_line()
        return tuple(self.stack[0].blocks)


def fold_pieces(pieces: list[Piece]) -> Line:
    """Collapse white space between words and strip it at both ends; without visible text, the line is empty."""
    kept: list[Piece] = []
    at_start = True
    for piece in pieces:
        if isinstance(piece, Text):
            text = _SPACE.sub(" ", piece.text)
            text = text.lstrip(" ") if at_start else text
            if text:
                kept.append(Text(text, piece.marks))
                at_start = text.endswith(" ")
        elif isinstance(piece, ArticleImage) or kept:
            kept.append(piece)
            at_start = isinstance(piece, Break)
    while kept and isinstance(last := kept[-1], (Text, Break)):
        if isinstance(last, Text) and (text := last.text.rstrip(" ")):
            kept[-1] = Text(text, last.marks)
            break
        kept.pop()
    return tuple(kept)


def _end_stray_item(frame: _OpenElement) -> None:
    """Make an item of content that is in a list but not in an item."""
    if frame.blocks:
        frame.items.append(tuple(frame.blocks))
        frame.blocks.clear()


def _one_line(blocks: tuple[Block, ...]) -> Line:
    """Return the text of all blocks of a cell, with breaks between them."""
    line: list[Piece] = []
    for block in blocks:
        for part in _lines(block):
            line += [Break(), *part] if line else part
    return tuple(line)


def _lines(block: Block) -> list[Line]:
    if isinstance(block, (Paragraph, Heading)):
        return [block.line]
    if isinstance(block, Code):
        return [(Text(" ".join(block.text.split()), (Mark("code"),)),)]
    if isinstance(block, (Quote, Note)):
        return [line for inner in block.blocks for line in _lines(inner)]
    if isinstance(block, Items):
        return [line for item in block.items for inner in item for line in _lines(inner)]
    if isinstance(block, ArticleTable):
        return [line for row in block.rows for line in row if line]
    return []


def marked_text(line: Line, write_piece: Callable[[Piece], str], tags: Callable[[Mark], tuple[str, str]]) -> str:
    """Return the line as markup: `write_piece` returns a piece without its marks, `tags` both tags of a mark."""
    out: list[str] = []
    open_marks: list[Mark] = []
    for piece in line:
        same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(open_marks, piece.marks, strict=False)))
        while len(open_marks) > same:
            out.append(tags(open_marks.pop())[1])
        for mark in piece.marks[same:]:
            out.append(tags(mark)[0])
            open_marks.append(mark)
        out.append(write_piece(piece))
    while open_marks:
        out.append(tags(open_marks.pop())[1])
    return "".join(out)
