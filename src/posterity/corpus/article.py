"""An article as blocks and lines: what formats with rules of their own about what may stand in what are written from.

HTML lets nearly everything stand in everything, and pages use it. Here a paragraph holds text and nothing else, a list
holds items, a table rows of cells. Text is a flat row of pieces; each knows its marks (bold, a link), so no mark is
ever open across the end of a block.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

MarkKind = Literal["bold", "italic", "code", "deleted", "inserted", "sub", "sup", "quote", "link"]


class Mark(msgspec.Struct, frozen=True):
    """How a piece of text is marked; `url` is where a link leads."""

    kind: MarkKind
    url: str | None = None


class Text(msgspec.Struct, frozen=True):
    """A piece of text, white space folded except in code."""

    text: str
    marks: tuple[Mark, ...] = ()


class Break(msgspec.Struct, frozen=True):
    """A line break inside a paragraph."""

    marks: tuple[Mark, ...] = ()


class Image(msgspec.Struct, frozen=True):
    """A picture, sound or film in the text; `tag` is img, audio or video."""

    url: str
    alt: str = ""
    tag: str = "img"
    marks: tuple[Mark, ...] = ()


Piece: TypeAlias = Text | Break | Image
Line: TypeAlias = tuple[Piece, ...]


class Heading(msgspec.Struct, frozen=True):
    """A heading of level 1 to 6."""

    level: int
    line: Line


class Paragraph(msgspec.Struct, frozen=True):
    """Running text; what captions and terms of definitions say is one too."""

    line: Line


class Code(msgspec.Struct, frozen=True):
    """Text whose spaces and line breaks count."""

    text: str


class Rule(msgspec.Struct, frozen=True):
    """A line across the page."""


class Quote(msgspec.Struct, frozen=True):
    """What somebody else said."""

    blocks: tuple[Block, ...]


class Items(msgspec.Struct, frozen=True):
    """A list."""

    ordered: bool
    items: tuple[tuple[Block, ...], ...]


class Table(msgspec.Struct, frozen=True):
    """Rows of cells."""

    rows: tuple[tuple[Line, ...], ...]


Block: TypeAlias = Heading | Paragraph | Code | Rule | Quote | Items | Table


def plain(line: Line) -> str:
    """Return the text of a line; a break is a line feed."""
    parts = ["\n" if isinstance(piece, Break) else piece.text for piece in line if not isinstance(piece, Image)]
    return "".join(parts)
