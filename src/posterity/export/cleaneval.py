"""Posts as CleanEval lines: each heading begins with <h>, each list item with <l>, each other piece of text with <p>.

The format of the CleanEval guidelines (document 002, chapter 1) and the conversion of its section 2.5,
`convertNode`: the meaning that HTML gives to a tag decides, never how it looks. Evaluation and corpus tools read
it. Several documents in one file are separated by a line <doc> before each of them (the flag `--clave` of the
thesis).

Where the text leaves a choice:

- A tag that splits the page (a structure tag) ends the line, and text that stands in it directly is a paragraph:
  what is neither heading nor list item is "treated as <p>" (3.2).
- <br> is said to be a structure tag and not a paragraph tag. It does not begin a line, or every line would be a
  paragraph; it is a space.
- `convertNode` knows the last tag it wrote. So <li><p>one</p><p>two</p></li> is <l>one, <p>two: a paragraph at the
  very beginning of an item is the item.
- All <li> become <l>, and nothing else does: the cells of a table and the parts of a definition list are
  paragraphs.
- The format has no way to quote a marker. Each line is one piece of text, so a "<p>" inside it cannot be taken for
  one by a reader who looks at the beginning of lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from posterity.dom import Tree, parse
from posterity.dom.plain_text import CELL_TAGS, CHARS, LINE_TAGS, OPEN, PARAGRAPH_TAGS, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.export.selection import Source
    from posterity.model import Post

_MARKERS = {"h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h", "li": "l"}
_LINE_ENDS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS


def cleaneval_lines(post: Post) -> str:
    """Return the article as marked lines, without a line break at the end; an empty post gives an empty string."""
    if post.html:
        return "\n".join(f"<{marker}>{text}" for marker, text in marked_lines(parse(post.html).tree))
    return "\n".join(f"<p>{line}" for raw in post.text.splitlines() if (line := " ".join(raw.split())))


def write_cleaneval(source: Source, out: BinaryIO) -> None:
    """Write all posts into one stream."""
    out.writelines(document.encode("utf-8", "replace") for document in cleaneval_documents(source.posts))


def cleaneval_documents(posts: Iterable[Post]) -> Iterator[str]:
    """Yield each post as one document: a line <doc>, then its lines, each ended by a line break."""
    for post in posts:
        lines = cleaneval_lines(post)
        yield f"<doc>\n{lines}\n" if lines else "<doc>\n"


def marked_lines(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield (marker, text) for every piece of visible text; the marker is h, l or p."""
    pieces: list[str] = []
    marker = "p"
    for event, node in walk(tree):
        tag = tree.tag[node]
        if event is CHARS:
            pieces.append(tree.text[node])
        elif tag == "br":
            pieces.append(" ")
        elif tag in _LINE_ENDS:
            if text := " ".join("".join(pieces).split()):
                yield marker, text
                marker = "p"  # what follows in the same item or heading is no longer its beginning
            pieces.clear()
            marker = _marker_after(event, tag, marker)
    if text := " ".join("".join(pieces).split()):
        yield marker, text


def _marker_after(event: str, tag: str, marker: str) -> str:
    """Return the marker of the next line; other blocks inside an item without text yet leave its marker as it is."""
    if tag not in _MARKERS:
        return marker
    return _MARKERS[tag] if event is OPEN else "p"
