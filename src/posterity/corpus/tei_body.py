"""An article as the body of a TEI text: sections by heading, paragraphs, lists, quotations, tables, figures.

TEI allows a heading only at the beginning of a <div>, so every heading opens one, inside that of the heading above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.article import (
    Block,
    Break,
    Code,
    Heading,
    Image,
    Items,
    Line,
    Mark,
    Paragraph,
    Piece,
    Quote,
    Rule,
    Table,
    Text,
)
from posterity.corpus.marked_text import marked_text
from posterity.corpus.strict_address import any_address
from posterity.corpus.xml_text import attributes, written

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAGS = {
    "bold": ('<hi rend="bold">', "</hi>"),
    "italic": ('<hi rend="italic">', "</hi>"),
    "code": ("<code>", "</code>"),
    "deleted": ("<del>", "</del>"),
    "inserted": ('<hi rend="underline">', "</hi>"),
    "sub": ('<hi rend="sub">', "</hi>"),
    "sup": ('<hi rend="sup">', "</hi>"),
    "quote": ("<q>", "</q>"),
}


def tei_sections(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield the lines that go into the <div> of an article."""
    open_levels: list[int] = []
    for block in blocks:
        if not isinstance(block, Heading):
            yield _block(block)
            continue
        while open_levels and open_levels[-1] >= block.level:
            open_levels.pop()
            yield "</div>"
        open_levels.append(block.level)
        yield f'<div type="section"><head>{_line(block.line)}</head>'
    yield from ("</div>" for _ in open_levels)


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f'<ab type="heading">{_line(block.line)}</ab>'
        case Paragraph():
            return f"<p>{_line(block.line)}</p>"
        case Code():
            return f'<ab type="code" xml:space="preserve"><code>{written(block.text)}</code></ab>'
        case Rule():
            return '<milestone unit="section" rend="rule"/>'
        case Quote():
            return f"<quote>{_blocks(block.blocks)}</quote>"
        case Items():
            kind = "numbered" if block.ordered else "bulleted"
            return f'<list rend="{kind}">{"".join(f"<item>{_item(item)}</item>" for item in block.items)}</list>'
        case Table():
            rows = ("".join(f"<cell>{_line(cell)}</cell>" for cell in row) for row in block.rows)
            return f"<table>{''.join(f'<row>{row}</row>' for row in rows)}</table>"


def _blocks(blocks: tuple[Block, ...]) -> str:
    return "".join(map(_block, blocks))


def _item(blocks: tuple[Block, ...]) -> str:
    if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
        return _line(blocks[0].line)
    return _blocks(blocks)


def _line(line: Line) -> str:
    return marked_text(tuple(map(_with_code_inside, line)), _leaf, _tags)


def _with_code_inside(piece: Piece) -> Piece:
    """In TEI nothing but text stands in <code>, so it is the innermost mark, and of text only."""
    code = Mark("code")
    if code not in piece.marks:
        return piece
    others = tuple(mark for mark in piece.marks if mark != code)
    return msgspec.structs.replace(piece, marks=(*others, code) if isinstance(piece, Text) else others)


def _leaf(piece: Piece) -> str:
    if isinstance(piece, Break):
        return "<lb/>"
    if isinstance(piece, Image):
        if piece.tag != "img":
            return f"<ref{attributes(type=piece.tag, target=any_address(piece.url))}>{written(piece.alt)}</ref>"
        about = f"<figDesc>{written(piece.alt)}</figDesc>" if piece.alt else ""
        return f"<figure><graphic{attributes(url=any_address(piece.url))}/>{about}</figure>"
    return written(piece.text)


def _tags(mark: Mark) -> tuple[str, str]:
    if mark.kind == "link":
        return f"<ref{attributes(target=any_address(mark.url or ''))}>", "</ref>"
    return _TAGS[mark.kind]
