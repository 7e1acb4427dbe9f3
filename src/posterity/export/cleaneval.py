"""The format `cleaneval`: lines that start with <h> for headings, <l> for list items and <p> for all other text.

The format of the CleanEval guidelines (document 002, chapter 1), with the conversion of section 2.5, `convertNode`:
the meaning of a tag in HTML decides, not its appearance. Evaluation and corpus tools read it. In a file of several
documents, each starts with a line <doc> (the flag `--clave` of the thesis).

Where the thesis leaves a choice:

- A tag that divides the page (a structure tag) ends the line, and text directly inside it is a paragraph: text that is
  neither heading nor list item is "treated as <p>" (3.2).
- The thesis calls <br> a structure tag, not a paragraph tag. Here it is a space: as the start of a line, it would make
  every line a paragraph.
- `convertNode` remembers the last tag it wrote. So <li><p>one</p><p>two</p></li> is <l>one, <p>two: a paragraph at the
  start of an item is the item.
- Every <li> becomes <l>, and nothing else does: table cells and the parts of definition lists are paragraphs.
- The format cannot escape a marker. But each line is one piece of text, so a "<p>" inside it is not mistaken for a
  marker by readers that check only the start of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from posterity.dom import Tree, parse
from posterity.dom.plain_text import CELL_TAGS, CHARS, LINE_TAGS, OPEN, PARAGRAPH_TAGS, walk
from posterity.export.selection import Source
from posterity.model import Post

_MARKERS = {"h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h", "li": "l"}
_LINE_ENDS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS


def cleaneval_lines(post: Post) -> str:
    """Return the article as marked lines, without a final line break; empty for an empty post."""
    if post.html:
        return "\n".join(f"<{marker}>{text}" for marker, text in marked_lines(parse(post.html).tree))
    return "\n".join(f"<p>{line}" for raw in post.text.splitlines() if (line := " ".join(raw.split())))


def write_cleaneval(source: Source, out: BinaryIO) -> None:
    """Write all posts to one stream."""
    out.writelines(document.encode("utf-8", "replace") for document in cleaneval_documents(source.posts))


def cleaneval_documents(posts: Iterable[Post]) -> Iterator[str]:
    """Yield each post as one document: the line <doc>, then its lines."""
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
                marker = "p"  # the rest of the same item or heading is not its start
            pieces.clear()
            if tag in _MARKERS:  # another block at the start of an item does not change its marker
                marker = _MARKERS[tag] if event is OPEN else "p"
    if text := " ".join("".join(pieces).split()):
        yield marker, text
