"""A post as CleanEval writes it: every block on a line of its own behind `<h>`, `<l>` or `<p>`.

Follows the thesis on web cleaning, section 2.5: headings become h, list items l, everything else p. A post without
HTML, as some rivals give it, has paragraphs only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.model import Post

_MARK = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "<h>") | dict.fromkeys(("li", "dt", "dd"), "<l>")
_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS


def marked_text(post: Post) -> str:
    """Return the article's text with a mark at the start of every line."""
    if not post.html:
        return "\n".join(f"<p>{line}" for line in post.text.splitlines() if line.strip())
    blocks = ((mark, " ".join(text.split())) for mark, text in _blocks(parse(post.html).tree))
    return "\n".join(mark + text for mark, text in blocks if text)


def _blocks(tree: Tree) -> list[tuple[str, str]]:
    """The mark and the text of every block; text goes to the innermost block around it."""
    block, mark = [0] * len(tree), ["<p>"] * len(tree)
    found: list[tuple[str, list[str]]] = []
    last = -1
    for node, tag in enumerate(tree.tag):
        parent = max(tree.parent[node], 0)
        block[node] = node if tag in _BLOCK_TAGS else block[parent]
        # A paragraph inside a list item is the item's text, not another paragraph.
        mark[node] = _MARK.get(tag, mark[parent])
        if tag == "br":
            last = -1
        elif tree.text[node] and not tree.unseen[node]:
            if block[node] != last:
                found.append((mark[node], []))
                last = block[node]
            found[-1][1].append(tree.text[node])
    return [(kind, "".join(parts)) for kind, parts in found]
