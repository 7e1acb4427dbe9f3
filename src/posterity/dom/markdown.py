"""A node as Markdown (CommonMark with tables): headings, lists, quotes, code, links, images, emphasis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom.document import TEXT, UNSEEN_TAGS, is_hidden
from posterity.dom.links import absolute, image_source
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.walk import FORM_TAGS

if TYPE_CHECKING:
    from posterity.dom.document import Tree

_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS
_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
_LEFT_OUT = UNSEEN_TAGS | FORM_TAGS
_MARKUP = re.compile(r"([\\`*_\[\]<>])")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#-]+)")
_MAX_NESTING = 200  # Python's own stack; deeper content comes as plain lines


def markdown_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as Markdown."""
    return "\n\n".join(_Writer(tree, base_url, skip).blocks(node, 0))


class _Writer:
    """Writes blocks as a list of strings, each a whole Markdown block without the empty lines around it."""

    def __init__(self, tree: Tree, base_url: str, skip: frozenset[int]) -> None:
        self.tree, self.base_url, self.skip = tree, base_url, skip

    def blocks(self, node: int, nesting: int) -> list[str]:
        """The blocks inside a node; text between them becomes paragraphs of its own."""
        found: list[str] = []
        run: list[int] = []
        for child in self._seen(node):
            if self._is_block(child):
                self._end_paragraph(run, found)
                found += self._block(child, nesting)
            else:
                run.append(child)
        self._end_paragraph(run, found)
        return found

    def _end_paragraph(self, run: list[int], found: list[str]) -> None:
        paragraph = _folded("".join(self._inline(node) for node in run))
        run.clear()
        if paragraph:
            found.append(paragraph)

    def _block(self, node: int, nesting: int) -> list[str]:
        tag = self.tree.tag[node]
        if nesting > _MAX_NESTING:
            plain = _folded(_MARKUP.sub(r"\\\1", self.tree.plain(node)))
            return [plain] if plain else []
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            heading = _folded("".join(self._inline(child) for child in self._seen(node))).replace("\n", " ")
            return [f"{'#' * int(tag[1])} {heading}"] if heading else []
        writer = {
            "pre": self._code,
            "blockquote": self._quote,
            "ul": self._list,
            "ol": self._list,
            "table": self._table,
        }.get(tag)
        if writer:
            return writer(node, nesting)
        return ["---"] if tag == "hr" else self.blocks(node, nesting + 1)

    def _code(self, node: int, _nesting: int) -> list[str]:
        code = self.tree.plain(node).strip("\r\n").rstrip()
        marks = " ".join(
            self.tree.attrs[n].get("class", "") or "" for n in range(node, min(node + 3, self.tree.end[node]))
        )
        language = _LANGUAGE.search(marks)
        fence = "```" if "```" not in code else "````"
        return [f"{fence}{language.group(1) if language else ''}\n{code}\n{fence}"] if code else []

    def _quote(self, node: int, nesting: int) -> list[str]:
        inner = "\n\n".join(self.blocks(node, nesting + 1))
        return ["\n".join(f"> {line}".rstrip() for line in inner.split("\n"))] if inner else []

    def _list(self, node: int, nesting: int) -> list[str]:
        numbered = self.tree.tag[node] == "ol"
        items = []
        for child in self._seen(node):
            blocks = self.blocks(child, nesting + 1) if self.tree.tag[child] != TEXT else []
            if blocks:
                mark = f"{len(items) + 1}. " if numbered else "- "
                indented = "\n".join(blocks).replace("\n", "\n" + " " * len(mark))
                items.append(mark + indented)
        return ["\n".join(items)] if items else []

    def _table(self, node: int, nesting: int) -> list[str]:
        rows = [n for n in range(node + 1, self.tree.end[node]) if self.tree.tag[n] == "tr"]
        cells = [[child for child in self._seen(row) if self.tree.tag[child] in ("td", "th")] for row in rows]
        width = max(map(len, cells), default=0)
        if width < 2:  # a table of one column is a layout, not data
            return [block for row in cells for cell in row for block in self.blocks(cell, nesting + 1)]
        lines = [self._row(row, width, nesting) for row in cells if row]
        return ["\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])]

    def _row(self, cells: list[int], width: int, nesting: int) -> str:
        texts = [" ".join(self.blocks(cell, nesting + 1)).replace("\n", " ").replace("|", "\\|") for cell in cells]
        return "| " + " | ".join(texts + [""] * (width - len(texts))) + " |"

    def _inline(self, node: int, nesting: int = 0) -> str:
        tree = self.tree
        tag = tree.tag[node]
        if tag == TEXT:
            return _MARKUP.sub(r"\\\1", " ".join(f"|{tree.text[node]}|".split())[1:-1])
        if tag == "br":
            return "  \n"
        if tag == "img":
            return self._image(node)
        if tag == "code":
            return f"`{tree.plain(node).strip()}`" if tree.plain(node).strip() else ""
        if nesting > _MAX_NESTING:
            return tree.plain(node)
        inner = "".join(self._inline(child, nesting + 1) for child in self._seen(node))
        if tag == "a" and inner.strip() and (url := absolute(self.base_url, tree.attrs[node].get("href"))):
            return f"[{inner.strip()}]({url.replace(' ', '%20').replace(')', '%29')})"
        return _marked(inner, _EMPHASIS[tag]) if tag in _EMPHASIS else inner

    def _image(self, node: int) -> str:
        attrs = self.tree.attrs[node]
        url = absolute(self.base_url, image_source(attrs))
        return (
            f"![{(attrs.get('alt') or '').replace(']', '')}]({url.replace(' ', '%20').replace(')', '%29')})"
            if url
            else ""
        )

    def _seen(self, node: int) -> list[int]:
        tree, skip = self.tree, self.skip
        return [
            child
            for child in tree.children(node)
            if tree.tag[child] not in _LEFT_OUT and child not in skip and not is_hidden(tree.attrs[child])
        ]

    def _is_block(self, node: int) -> bool:
        """A block, or an inline element around one: <a><div>...</div></a> is legal and common."""
        tags = self.tree.tag
        if tags[node] in _BLOCK_TAGS:
            return True
        return any(tags[inner] in _BLOCK_TAGS for inner in range(node + 1, self.tree.end[node]))


def _marked(inner: str, mark: str) -> str:
    """Emphasis must touch its text: spaces at the edges move outside."""
    core = inner.strip()
    if not core:
        return inner
    start = inner[: len(inner) - len(inner.lstrip())]
    return f"{start}{mark}{core}{mark}{inner[len(inner.rstrip()) :]}"


def _folded(text: str) -> str:
    """Single spaces, hard breaks kept, a line that would start a list or heading by accident escaped."""
    lines = [" ".join(line.split()) for line in text.split("  \n")]
    folded = "  \n".join(lines).strip()
    return re.sub(r"^([#+-]|\d+[.)])(?=\s)", r"\\\1", folded)
