"""A node as Markdown (CommonMark with tables): headings, lists, quotes, code, links, images, emphasis.

One pass over the walk, with a stack of the containers that are open. Text between blocks becomes a paragraph; an
inline element with a block inside it (<a><div>) is no emphasis and no link, but a container like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from posterity.dom.metadata import absolute, media_source
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS, steps
from posterity.dom.tree import TEXT, Attributes, Tree
from posterity.text.normal_form import single_spaced

_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol"})
_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
_INLINE_MARKS = frozenset({*_EMPHASIS, "a"})
# What leaves a trace in Markdown; of anything else only the content is written.
_WRITTEN = _BLOCK_TAGS | _INLINE_MARKS | {"br", "code", "img"}
# Blocks that are nothing but paragraphs of their own, or wrappers around them.
_FLOW_BLOCKS = _BLOCK_TAGS - _HEADINGS - _LISTS - {"blockquote", "hr", "pre", "table"}
# What would be read as markup inside a line, and at its beginning.
_MARKUP = [(char, f"\\{char}") for char in "`*_[]<>"]
_ENTITY, _STRIKE = re.compile(r"&(?=#?\w+;)"), re.compile("~(?=~)")
_BACKTICKS = re.compile("`+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#-]+)")
_MAY_START = frozenset("0123456789#+-=")
_LINE_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[#+-](?:#{0,5})(?:\s|$))|(?=[=-]+\s*$))", re.MULTILINE)
# Stands for a hard break until the spaces around it are folded. Python takes it for white space, as it should be
# at the edges of emphasis, and no page has it.
_BREAK = "\x1c"
_STARTS_ITEM = re.compile(r"- |\d+\. |```")
_MAX_TABLES = 20  # one inside the other; what is deeper comes as plain lines


def markdown_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as Markdown."""
    return markdown_of_steps(tree, steps(tree, node, skip), base_url)


def markdown_of_steps(tree: Tree, walked: Sequence[int], base_url: str = "") -> str:
    """Return what was walked as Markdown."""
    if not walked:
        return ""
    return "\n\n".join(_Writer(tree, base_url).blocks(walked))


class _OpenContainer:
    """A container that is open: its finished blocks, and the inline text that waits for the end of its paragraph."""

    __slots__ = ("blocks", "flows", "holds_items", "item", "kind", "loose", "node", "run")

    def __init__(self, node: int, kind: str, *, item: bool = False) -> None:
        self.node, self.kind, self.item = node, kind, item
        self.holds_items = kind in _LISTS  # whatever stands in a list is an item
        self.flows = kind != "heading" and not self.holds_items  # blocks inside are paragraphs
        self.loose = False
        self.blocks: list[str] = []
        self.run: list[str] = []

    def end_paragraph(self) -> None:
        if self.run:
            paragraph = _folded("".join(self.run))
            self.run.clear()
            if paragraph:
                self.blocks.append(paragraph)


class _Writer:
    """Writes blocks as a list of strings, each a whole Markdown block without the empty lines around it."""

    def __init__(self, tree: Tree, base_url: str, tables: int = 0) -> None:
        self.tree, self.base_url, self.tables = tree, base_url, tables

    def blocks(self, walked: Sequence[int]) -> list[str]:
        """The blocks of a walk over one node."""
        tags, texts = self.tree.tag, self.tree.text
        frame = _OpenContainer(walked[0], "root")
        self.frames = [frame]
        self.open_inline: list[tuple[int, int]] = []  # inline elements that are open, and where their text begins
        self.containers = _inline_containers(self.tree, walked)
        rest = iter(walked[1:-1])
        for step in rest:
            if step >= 0 and (text := texts[step]):
                # No paragraph begins with the white space between blocks.
                if frame.run or not text.isspace():
                    frame.run.append(_plain(text))
                continue
            node = step if step >= 0 else ~step
            tag = tags[node]
            if tag in _FLOW_BLOCKS and frame.flows and frame.node != node:
                if frame.run:
                    frame.end_paragraph()
            elif tag in _WRITTEN or self._is_container(node, tag):
                if step < 0:
                    self._close(node, tag)
                elif self._open(node, tag):
                    self._write_whole(node, tag, [node, *iter(rest.__next__, ~node), ~node])
                frame = self.frames[-1]
        frame.end_paragraph()
        return frame.blocks

    def _is_container(self, node: int, tag: str) -> bool:
        """Tell whether an element that is nothing by itself holds blocks, or stands where an item of a list should."""
        frame = self.frames[-1]
        return node in self.containers or frame.node == node or (frame.holds_items and tag is not TEXT)

    def _open(self, node: int, tag: str) -> bool:
        """Begin an element; true when it is to be written whole: code, a table."""
        frame = self.frames[-1]
        if frame.holds_items:
            frame.run.clear()  # text between the items of a list is white space
            self.frames.append(_OpenContainer(node, "item", item=True))
        elif tag in _BLOCK_TAGS and frame.kind != "heading":
            frame.end_paragraph()
            return self._open_block(node, tag)
        elif node in self.containers and frame.kind != "heading":
            frame.end_paragraph()
        elif tag == "br":
            frame.run.append(_BREAK)
        elif tag == "img":
            frame.run.append(self._image(node))
        elif tag in _INLINE_MARKS:
            self.open_inline.append((node, len(frame.run)))
        return tag == "code" and not frame.holds_items and node not in self.containers

    def _open_block(self, node: int, tag: str) -> bool:
        if tag in _LISTS or tag == "blockquote":
            self.frames.append(_OpenContainer(node, tag))
        elif tag in _HEADINGS:
            self.frames.append(_OpenContainer(node, "heading"))
        elif tag == "hr":
            self.frames[-1].blocks.append("---")
        return tag in ("pre", "table")

    def _write_whole(self, node: int, tag: str, walked: Sequence[int]) -> None:
        frame = self.frames[-1]
        if tag == "pre":
            frame.blocks += self._code(node, self._verbatim(walked).strip("\r\n").rstrip())
        elif tag == "table":
            frame.blocks += self._table(walked)
        elif code := " ".join(self._verbatim(walked).split()):
            frame.run.append(_code_span(code))

    def _close(self, node: int, tag: str) -> None:
        frame = self.frames[-1]
        if frame.node == node:
            self.frames.pop()
            self._end(frame, tag)
        elif self.open_inline and self.open_inline[-1][0] == node:
            _, start = self.open_inline.pop()
            inner = "".join(frame.run[start:])
            frame.run[start:] = [self._marked_up(node, tag, inner)]
        elif frame.kind != "heading" and (tag in _BLOCK_TAGS or node in self.containers):
            frame.end_paragraph()

    def _end(self, frame: _OpenContainer, tag: str) -> None:
        """Give what a finished container holds to the one around it."""
        outer = self.frames[-1]
        if frame.kind == "heading":
            heading = _folded("".join(frame.run)).replace("\n", " ")
            outer.blocks += [f"{'#' * int(tag[1])} {heading}"] if heading else []
            return
        frame.end_paragraph()
        if not frame.blocks:
            return
        if frame.item:
            outer.blocks.append(self._item(frame, outer))
        elif frame.kind == "blockquote":
            lines = "\n\n".join(frame.blocks).split("\n")
            outer.blocks.append("\n".join(f"> {line}".rstrip() for line in lines))
        else:
            outer.blocks.append(("\n\n" if frame.loose else "\n").join(frame.blocks))

    def _item(self, item: _OpenContainer, of_list: _OpenContainer) -> str:
        mark = "- "
        if of_list.kind == "ol":
            mark = f"{_start(self.tree.attrs[of_list.node]) + len(of_list.blocks)}. "
        # Two paragraphs in a row need an empty line between them; a list or code below its paragraph does not.
        loose = any(not _STARTS_ITEM.match(block) for block in item.blocks[1:])
        of_list.loose = of_list.loose or loose
        return mark + ("\n\n" if loose else "\n").join(item.blocks).replace("\n", "\n" + " " * len(mark))

    def _marked_up(self, node: int, tag: str, inner: str) -> str:
        if tag != "a":
            return _marked(inner, _EMPHASIS[tag])
        url = absolute(self.base_url, self.tree.attrs[node].get("href")) if inner.strip() else None
        return f"[{inner.strip()}]({_escaped(url)})" if url else inner

    def _code(self, node: int, code: str) -> list[str]:
        tree = self.tree
        open_inline = " ".join(tree.attrs[n].get("class", "") or "" for n in range(node, min(node + 3, tree.end[node])))
        language = _LANGUAGE.search(open_inline)
        fence = "`" * max(3, _longest_run(code) + 1)
        return [f"{fence}{language.group(1) if language else ''}\n{code}\n{fence}"] if code else []

    def _table(self, walked: Sequence[int]) -> list[str]:
        if self.tables >= _MAX_TABLES:
            plain = _folded(_plain(self._verbatim(walked)))
            return [plain] if plain else []
        inner = _Writer(self.tree, self.base_url, self.tables + 1)
        rows = [[inner.blocks(cell) for cell in row] for row in _rows(self.tree.tag, walked)]
        width = max(map(len, rows), default=0)
        # A table of one column is a layout, not data, and so is one with several blocks in a cell.
        if width < 2 or any(len(cell) > 1 for row in rows for cell in row):
            return [block for row in rows for cell in row for block in cell]
        lines = [_row(row, width) for row in rows]
        return ["\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])]

    def _image(self, node: int) -> str:
        url = absolute(self.base_url, media_source(self.tree, node))
        alt = " ".join((self.tree.attrs[node].get("alt") or "").split())
        return f"![{_plain(alt)}]({_escaped(url)})" if url else ""

    def _verbatim(self, walked: Sequence[int]) -> str:
        """The text of a walk as it stands in the source."""
        tags, texts = self.tree.tag, self.tree.text
        return "".join([texts[step] or ("\n" if tags[step] == "br" else "") for step in walked if step >= 0])


def _inline_containers(tree: Tree, walked: Sequence[int]) -> set[int]:
    """The inline elements that hold a block."""
    tags, parents, root = tree.tag, tree.parent, walked[0]
    containers: set[int] = set()
    for node in {parents[step] for step in walked if step > root and tags[step] in _BLOCK_TAGS}:
        outer = node
        while outer > root and tags[outer] not in _BLOCK_TAGS and outer not in containers:
            containers.add(outer)
            outer = parents[outer]
    return containers


def _rows(tags: Sequence[str], walked: Sequence[int]) -> list[list[Sequence[int]]]:
    """The walks over the cells of the table's own rows; rows of a table inside a cell belong to that one."""
    rows: list[list[Sequence[int]]] = []
    place = 1
    while place < len(walked):
        step = walked[place]
        if step >= 0 and tags[step] == "tr":
            rows.append([])
        elif step >= 0 and tags[step] in ("td", "th"):
            end = walked.index(~step, place)
            rows = rows or [[]]
            rows[-1].append(walked[place : end + 1])
            place = end
        place += 1
    return [row for row in rows if row]


def _start(attrs: Attributes) -> int:
    """Return the number of a list's first item."""
    start = attrs.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 10 else 1


def _row(cells: list[list[str]], width: int) -> str:
    texts = [" ".join(blocks).replace("\n", " ").replace("|", "\\|") for blocks in cells]
    return "| " + " | ".join(texts + [""] * (width - len(texts))) + " |"


def _code_span(code: str) -> str:
    """Code that holds backticks stands between more of them."""
    fence = "`" * (_longest_run(code) + 1)
    gap = " " if "`" in (code[0], code[-1]) else ""
    return f"{fence}{gap}{code}{gap}{fence}"


def _longest_run(code: str) -> int:
    return max(map(len, _BACKTICKS.findall(code))) if "`" in code else 0


def _escaped(url: str) -> str:
    return url.replace(" ", "%20").replace(")", "%29")


def _marked(inner: str, mark: str) -> str:
    """Emphasis must touch its text: spaces at the edges move outside."""
    core = inner.strip()
    if not core:
        return inner
    start = inner[: len(inner) - len(inner.lstrip())]
    return f"{start}{mark}{core}{mark}{inner[len(inner.rstrip()) :]}"


def _plain(text: str) -> str:
    """Return text in which nothing is read as markup."""
    # Ten searches for one character take a twentieth of one search for a pattern.
    if (
        "*" in text or "_" in text or "[" in text or "]" in text or "`" in text
        or "<" in text or ">" in text or "&" in text or "~" in text or "\\" in text
    ):  # fmt: skip
        return _escaped_markup(text)
    return text


def _escaped_markup(text: str) -> str:
    text = text.replace("\\", "\\\\")
    text = _STRIKE.sub(r"\\~", _ENTITY.sub(r"\\&", text))
    for char, escaped in _MARKUP:
        if char in text:
            text = text.replace(char, escaped)
    return text


def _folded(text: str) -> str:
    """Single spaces, hard breaks kept, a line that would start a list or heading by accident escaped."""
    if _BREAK in text:
        folded = "  \n".join(map(single_spaced, text.split(_BREAK))).strip()
        return _LINE_START.sub(_with_backslash, folded)
    folded = single_spaced(text)
    return _LINE_START.sub(_with_backslash, folded) if folded[:1] in _MAY_START else folded


def _with_backslash(found: re.Match[str]) -> str:
    return f"{found.group()}\\"
