"""An article as XHTML that holds to its rules, for books: what browsers forgive, a checker of EPUB does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
)
from posterity.corpus.marked_text import marked_text
from posterity.corpus.strict_address import web_address
from posterity.corpus.xml_text import attributes, written

if TYPE_CHECKING:
    from collections.abc import Callable

    # From the address of a post or a picture to its place in the book; None when it is not in it.
    Inside = Callable[[str], str | None]

_TAGS = {
    "bold": "strong", "italic": "em", "code": "code", "deleted": "del", "inserted": "ins", "sub": "sub", "sup": "sup",
    "quote": "q",
}  # fmt: skip
_NO_ALT = "picture"


class XhtmlWriter:
    """Writes blocks; `post` and `picture` tell where a post or a picture is in the book."""

    def __init__(self, post: Inside, picture: Inside, first_level: int = 2) -> None:
        self._post, self._picture, self._first_level = post, picture, first_level

    def blocks(self, blocks: tuple[Block, ...]) -> str:
        """Return the blocks, one after the other."""
        return "\n".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        match block:
            case Heading():
                level = min(6, block.level - 1 + self._first_level)
                return f"<h{level}>{self._line(block.line)}</h{level}>"
            case Paragraph():
                return f"<p>{self._line(block.line)}</p>"
            case Code():
                return f"<pre><code>{written(block.text)}</code></pre>"
            case Rule():
                return "<hr/>"
            case Quote():
                return f"<blockquote>{self.blocks(block.blocks)}</blockquote>"
            case Items():
                tag = "ol" if block.ordered else "ul"
                return f"<{tag}>{''.join(f'<li>{self.blocks(item)}</li>' for item in block.items)}</{tag}>"
            case Table():
                rows = ("".join(f"<td>{self._line(cell)}</td>" for cell in row) for row in block.rows)
                return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _line(self, line: Line) -> str:
        return marked_text(line, self._leaf, self._tags)

    def _leaf(self, piece: Piece) -> str:
        if isinstance(piece, Break):
            return "<br/>"
        if not isinstance(piece, Image):
            return written(piece.text)
        place = self._picture(piece.url) if piece.tag == "img" else None
        if place is not None:
            return f'<img{attributes(src=place)} alt="{written(piece.alt).replace(chr(34), "&quot;")}"/>'
        shown = written(f"[{piece.alt or (_NO_ALT if piece.tag == 'img' else piece.tag)}]")
        link = web_address(piece.url)
        in_link = any(mark.kind == "link" for mark in piece.marks)
        return f"<a{attributes(href=link)}>{shown}</a>" if link and not in_link else shown

    def _tags(self, mark: Mark) -> tuple[str, str]:
        if mark.kind != "link":
            return f"<{_TAGS[mark.kind]}>", f"</{_TAGS[mark.kind]}>"
        link = self._post(mark.url or "") or web_address(mark.url or "")
        return (f"<a{attributes(href=link)}>", "</a>") if link else ("<span>", "</span>")
