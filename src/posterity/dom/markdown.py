"""A node as Markdown (CommonMark with tables, footnotes and TeX between dollars).

Elements without a Markdown form stay HTML: tables with spans or blocks in cells, definition lists, <details>, <sub>,
<sup>, <kbd>, <mark> and the like.

One pass over the walk with a stack of open containers. Text between blocks becomes a paragraph; an inline element
that contains a block (<a><div>) is not written as emphasis or a link but treated as a container.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from posterity.dom.elements import HEADINGS, ArticleElements, Emoji, Leaf, NoteLink, TaskBox, article_elements
from posterity.dom.formulas import IN_TEXT, CodeBlock, Formula, language_of_code
from posterity.dom.media import Embed, image_url, link_target
from posterity.dom.plain_text import LINE_TAGS, NO_ELEMENTS, PARAGRAPH_TAGS, html_of_steps, steps
from posterity.dom.tree import TEXT, Attributes, Tree
from posterity.text.normal_form import single_spaced

_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS
_LISTS = frozenset({"ul", "ol"})
_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
# Inline elements that are written as HTML.
_INLINE_HTML = frozenset("sub sup kbd mark ins abbr ruby rt rp q u samp var dfn small".split())
_INLINE_MARKS = frozenset({*_EMPHASIS, *_INLINE_HTML, "a"})
# Elements with a Markdown form; of all others only the content is written.
_WRITTEN = _BLOCK_TAGS | _INLINE_MARKS | {"br", "code", "img"}
# Blocks that only separate paragraphs.
_FLOW_BLOCKS = _BLOCK_TAGS - HEADINGS - _LISTS - {"blockquote", "details", "dl", "hr", "li", "pre", "table"}
# Characters and patterns that would be read as markup, inside a line and at its start.
_MARKUP = [(char, f"\\{char}") for char in "`*_[]<>"]
_ENTITY, _STRIKE = re.compile(r"&(?=#?\w+;)"), re.compile("~(?=~)")
_BACKTICKS = re.compile("`+")
_MAY_START = frozenset("0123456789#+-=")
_LINE_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[#+-](?:#{0,5})(?:\s|$))|(?=[=-]+\s*$))", re.MULTILINE)
# Marks a hard break until white space is folded. `str.strip` treats it as white space, as needed at the edges of
# emphasis, and HTML pages do not contain it.
_BREAK = "\x1c"
_STARTS_BLOCK = re.compile(r"(?:- |\d+\. |```|> |<(?:dl|table|details)\b)")
_MIN_COLUMNS = 2  # of a data table; one column is layout
# Elements found in a <dl> used for layout, such as a gallery, but not in definitions.
_IN_NO_DEFINITION = frozenset({"img", "table", "pre", "dl", "div", "blockquote", "figure", *HEADINGS})
_LIST = re.compile(r"- |\d+\. ")
_STARTS_ITEM = re.compile(r"- |\d+\. |```")
# Blocks that cannot be wrapped in a link, blocks that contain one already, and blocks that are a single image.
_NO_LINK_TEXT = re.compile(r"- |\d+\. |```|> |\||<|---$")
_LINKED, _PICTURE = re.compile(r"\]\("), re.compile(r"!\[[^\]]*\]\([^()\s]*\)")
_EMPTY_LINES = re.compile(r"\n\n+")
_VERSE = re.compile(r"(?:^|[\s_-])(?:verse|poem|poetry)(?:[\s_-]|$)", re.IGNORECASE)
_HEADING_MARK = re.compile(r"#{1,6} ")
_SOFT_HYPHEN = "\xad"
_MAX_TABLES = 20  # nested; deeper ones are written as plain text
_MAX_CONTAINERS = 20  # nested quotations and lists; every level prefixes all its lines


def markdown_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as Markdown."""
    elements = article_elements(tree, base_url, node, skip)
    return markdown_of_steps(tree, steps(tree, node, skip, elements), base_url, elements)


def markdown_of_steps(
    tree: Tree, walked: Sequence[int], base_url: str = "", elements: ArticleElements = NO_ELEMENTS
) -> str:
    """Return the Markdown of a walk."""
    if not walked:
        return ""
    writer = _Writer(tree, base_url, elements)
    markdown = "\n\n".join([*writer.blocks(walked), *writer.definitions])
    return markdown.replace(_SOFT_HYPHEN, "") if _SOFT_HYPHEN in markdown else markdown


class _OpenContainer:
    """An open container: its finished blocks, and the inline text of its current paragraph."""

    __slots__ = (
        "blocks", "empty_items", "flows", "holds_items", "item", "kind", "links", "loose", "node", "run", "stray_items",
        "strays",
    )  # fmt: skip

    def __init__(self, node: int, kind: str, *, item: bool = False) -> None:
        self.node, self.kind, self.item = node, kind, item
        self.holds_items = kind in _LISTS  # every child of a list is an item
        self.flows = kind != "heading" and not self.holds_items  # blocks inside only separate paragraphs
        self.loose = False
        self.links: list[tuple[int, int]] = []  # open links around blocks, with the index of their first block
        self.empty_items = 0  # after the last item with content
        self.stray_items = 0  # number of blocks when the last item outside a list ended
        self.strays: dict[int, list[str]] = {}  # further items of such a list, by the index of its first
        self.blocks: list[str] = []
        self.run: list[str] = []

    def finish(self) -> list[str]:
        """End the last paragraph and return all blocks."""
        self.end_paragraph()
        for place, items in self.strays.items():
            self.blocks[place] = "\n".join([self.blocks[place], *items])
        self.strays.clear()
        return self.blocks

    def end_paragraph(self) -> None:
        if self.run:
            paragraph = _fold("".join(self.run))
            self.run.clear()
            if paragraph:
                self.blocks.append(paragraph)


class _Writer:
    """Writes a walk as a list of Markdown blocks, without empty lines around them."""

    def __init__(self, tree: Tree, base_url: str, elements: ArticleElements, tables: int = 0) -> None:
        self.tree, self.base_url, self.elements, self.tables = tree, base_url, elements, tables
        self.definitions: list[str] = []  # of footnotes, written at the end

    def blocks(self, walked: Sequence[int]) -> list[str]:
        """Return the blocks of a walk over one node."""
        tags, texts, lined = self.tree.tag, self.tree.text, self.elements.lined
        leaves, notes = self.elements.leaves, self.elements.notes
        frame = _OpenContainer(walked[0], "root")
        self.frames = [frame]
        self.open_inline: list[tuple[int, int]] = []  # open inline elements, with the index of their text
        self.containers = _inline_containers(self.tree, walked)
        rest = iter(walked[1:-1])
        for step in rest:
            if step >= 0 and (text := texts[step]):
                # A paragraph never starts with white space.
                if frame.run or not text.isspace():
                    frame.run.append(_plain(text).replace("\n", _BREAK) if step in lined else _plain(text))
                continue
            if leaves and step in leaves:
                self._write_leaf(leaves[step], tags[step])
                continue
            node = step if step >= 0 else ~step
            tag = tags[node]
            if tag in _FLOW_BLOCKS and frame.flows and frame.node != node and node not in notes:
                if frame.run:
                    frame.end_paragraph()
            elif tag in _WRITTEN or self._is_container(node, tag):
                if step < 0:
                    self._close(node, tag)
                elif self._open(node, tag):
                    self._write_whole(node, tag, [node, *iter(rest.__next__, ~node), ~node])
                frame = self.frames[-1]
        return frame.finish()

    def _is_container(self, node: int, tag: str) -> bool:
        """Whether an element without a Markdown form contains blocks, or is a list's child."""
        frame = self.frames[-1]
        if node in self.containers or frame.node == node or (frame.holds_items and tag is not TEXT):
            return True
        return node in self.elements.notes

    def _open(self, node: int, tag: str) -> bool:
        """Open an element; return whether it must be written as a whole, such as code or a table."""
        frame = self.frames[-1]
        if node in self.elements.notes and frame.kind != "heading":
            self._open_note(node, frame)
        elif frame.holds_items:
            frame.run.clear()  # text between list items is white space
            self.frames.append(_OpenContainer(node, "item", item=True))
        elif tag in _BLOCK_TAGS and frame.kind != "heading":
            frame.end_paragraph()
            return self._open_block(node, tag)
        elif node in self.containers and frame.kind != "heading":
            frame.end_paragraph()
            if tag == "a":
                frame.links.append((node, len(frame.blocks)))
        elif tag == "br":
            frame.run.append(_BREAK)
        elif tag == "img":
            frame.run.append(self._image(node))
        elif tag in _INLINE_MARKS:
            self.open_inline.append((node, len(frame.run)))
        return tag == "code" and not frame.holds_items and node not in self.containers

    def _open_note(self, node: int, frame: _OpenContainer) -> None:
        """Open a footnote. A margin note inside a paragraph must not end the paragraph."""
        if not frame.holds_items and self.tree.tag[node] in _BLOCK_TAGS:
            frame.end_paragraph()
        self.frames.append(_OpenContainer(node, "note"))

    def _write_leaf(self, leaf: Leaf, tag: str) -> None:
        frame = self.frames[-1]
        if frame.holds_items:
            frame.run.clear()
            self.frames.append(_OpenContainer(-1, "item", item=True))
            self._write_leaf(leaf, tag)
            self._end(self.frames.pop(), "li")
        elif isinstance(leaf, Formula):
            if leaf.display and tag in _BLOCK_TAGS and frame.kind != "heading" and not self.open_inline:
                frame.end_paragraph()
                frame.blocks.append(leaf.in_dollars)
            else:
                frame.run.append(leaf.in_dollars)
        elif isinstance(leaf, NoteLink):
            frame.run.append(f"[^{leaf.label}]")
        elif isinstance(leaf, Emoji):
            frame.run.append(_plain(leaf.text))
        elif isinstance(leaf, TaskBox):
            frame.run.append("[x] " if leaf.checked else "[ ] ")
        elif isinstance(leaf, CodeBlock):
            frame.end_paragraph()
            frame.blocks += _fence(leaf.code, leaf.language)
        elif isinstance(leaf, Embed):
            link = f"[{_plain(leaf.label)}]({_destination(leaf.url)})"
            if self.open_inline or frame.kind == "heading":
                frame.run.append(link)
            else:
                frame.end_paragraph()
                frame.blocks.append(link)

    def _open_block(self, node: int, tag: str) -> bool:
        if len(self.frames) > _MAX_CONTAINERS and tag not in HEADINGS:
            pass
        elif tag in _LISTS or tag == "blockquote":
            self.frames.append(_OpenContainer(node, tag))
        elif tag in HEADINGS:
            self.frames.append(_OpenContainer(node, "heading"))
        elif tag == "li":
            self.frames.append(_OpenContainer(node, "item", item=True))
        elif tag == "hr":
            self.frames[-1].blocks.append("---")
        return tag in ("pre", "table") or (tag in ("dl", "details"))

    def _write_whole(self, node: int, tag: str, walked: Sequence[int]) -> None:
        frame = self.frames[-1]
        if tag == "pre" and _VERSE.search(self.tree.attrs[node].get("class") or ""):
            verse = _fold(_plain(self._verbatim(walked)).strip().replace("\n", _BREAK))
            frame.blocks += [verse] if verse else []
        elif tag == "pre":
            frame.blocks += self._code(node, self._verbatim(walked).strip("\r\n").rstrip())
        elif tag == "table":
            frame.blocks += self._table(walked)
        elif tag == "dl":
            frame.blocks += self._definitions(walked)
        elif tag == "details":
            frame.blocks += self._details(node, walked)
        elif code := self._verbatim(walked):
            frame.run.append(_code_span(" ".join(code.split()) or " "))

    def _close(self, node: int, tag: str) -> None:
        frame = self.frames[-1]
        if frame.node == node:
            self.frames.pop()
            self._end(frame, tag)
        elif self.open_inline and self.open_inline[-1][0] == node:
            _, start = self.open_inline.pop()
            inner = "".join(frame.run[start:])
            marked = self._marked_up(node, tag, inner)
            if start and marked.startswith("[") and frame.run[start - 1].endswith("!"):
                frame.run[start - 1] = f"{frame.run[start - 1][:-1]}\\!"  # else the link would become an image
            frame.run[start:] = [marked]
        elif frame.kind != "heading" and (tag in _BLOCK_TAGS or node in self.containers):
            frame.end_paragraph()
            if frame.links and frame.links[-1][0] == node:
                self._link_block(node, frame.blocks, frame.links.pop()[1])

    def _link_block(self, node: int, blocks: list[str], start: int) -> None:
        """Put the link on its first block with text that can be linked, else on its first image."""
        url = link_target(self.base_url, self.tree.attrs[node].get("href"))
        places = [place for place in range(start, len(blocks)) if not _NO_LINK_TEXT.match(blocks[place])]
        chosen = next((place for place in places if not _LINKED.search(blocks[place])), None)
        if chosen is None:
            chosen = next((place for place in places if _PICTURE.fullmatch(blocks[place])), None)
        if url and chosen is not None:
            mark, text = _HEADING_MARK.match(blocks[chosen]), blocks[chosen]
            lead = mark.group() if mark else ""
            blocks[chosen] = f"{lead}[{text[len(lead) :]}]({_destination(url)})"

    def _end(self, frame: _OpenContainer, tag: str) -> None:
        """Append the content of a finished container to its parent."""
        outer = self.frames[-1]
        if frame.kind == "heading":
            heading = _fold("".join(frame.run)).replace("\n", " ")
            if heading.endswith("#") and not heading.endswith("\\#"):
                heading = f"{heading[:-1]}\\#"  # trailing number signs would close the heading
            outer.blocks += [f"{'#' * int(tag[1])} {heading}"] if heading else []
            return
        if not frame.finish():
            outer.empty_items += frame.item and outer.holds_items and bool(outer.blocks)
            return
        if frame.kind == "note":
            label, text = self.elements.notes[frame.node], "\n\n".join(frame.blocks)
            self.definitions.append(f"[^{label}]: " + text.replace("\n", "\n    ").replace("\n    \n", "\n\n"))
        elif frame.item and outer.holds_items:
            for _ in range(outer.empty_items):  # omitting them would renumber the items after them
                outer.blocks.append(self._mark(outer).rstrip())
            outer.empty_items = 0
            outer.blocks.append(self._item(frame, outer))
        elif frame.item:
            self._end_stray_item(frame, outer)
        elif frame.kind == "blockquote":
            quoted = "> " + "\n\n".join(frame.blocks).replace("\n", "\n> ")
            outer.blocks.append(quoted.replace("\n> \n", "\n>\n").replace("\n> \n", "\n>\n"))  # matches overlap
        else:
            if outer.blocks and _LIST.match(outer.blocks[-1]) and not outer.item:
                outer.blocks.append("<!-- -->")  # adjacent lists would be read as one
            outer.blocks.append(("\n\n" if frame.loose else "\n").join(frame.blocks))

    def _end_stray_item(self, item: _OpenContainer, outer: _OpenContainer) -> None:
        """Write an item that is outside a list; adjacent ones form one list."""
        text = self._item(item, outer)
        if outer.blocks and outer.stray_items == len(outer.blocks):
            outer.strays.setdefault(len(outer.blocks) - 1, []).append(text)
        else:
            outer.blocks.append(text)
        outer.stray_items = len(outer.blocks)

    def _mark(self, of_list: _OpenContainer) -> str:
        """Return the marker of the list's next item."""
        if of_list.kind != "ol":
            return "- "
        return f"{_start(self.tree.attrs[of_list.node]) + len(of_list.blocks)}. "

    def _item(self, item: _OpenContainer, of_list: _OpenContainer) -> str:
        mark = self._mark(of_list)
        # Paragraphs in a row need an empty line between them; a list or code after a paragraph does not.
        loose = any(not _STARTS_ITEM.match(block) for block in item.blocks[1:])
        of_list.loose = of_list.loose or loose
        if item.blocks[0] == "---":
            item.blocks[0] = "***"  # "- ---" would be a thematic break, not an item
        return mark + ("\n\n" if loose else "\n").join(item.blocks).replace("\n", "\n" + " " * len(mark))

    def _marked_up(self, node: int, tag: str, inner: str) -> str:
        attrs = self.tree.attrs[node]
        if tag in _INLINE_HTML:
            title = f' title="{escape(attrs["title"] or "")}"' if tag in ("abbr", "dfn") and attrs.get("title") else ""
            return f"<{tag}{title}>{inner}</{tag}>" if inner.strip() else inner
        if tag != "a":
            mark = _EMPHASIS[tag]
            core = inner.strip()
            # Nested emphasis is written once: two pairs of marks would mean <strong>.
            is_marked = core[:1] == core[-1:] == mark and "*" not in (core[1:2], core[-2:-1])
            return inner if is_marked else _emphasise(inner, mark)
        core = inner.strip()
        url = link_target(self.base_url, attrs.get("href")) if core else None
        if not url:
            return inner
        title = " ".join((attrs.get("title") or "").split())
        shown = f' "{_title(title)}"' if title and title != core else ""
        lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        return f"{lead}[{core}]({_destination(url)}{shown}){trail}"

    def _code(self, node: int, code: str) -> list[str]:
        return _fence(code, language_of_code(self.tree, node))

    def _table(self, walked: Sequence[int]) -> list[str]:
        if self.tables >= _MAX_TABLES:
            plain = _fold(_plain(self._verbatim(walked)))
            return [plain] if plain else []
        inner = _Writer(self.tree, self.base_url, self.elements, self.tables + 1)
        inner.definitions = self.definitions
        rows = [[inner.blocks(cell) for cell in row] for row in _rows(self.tree.tag, walked)]
        width = max(map(len, rows), default=0)
        tags = {self.tree.tag[step] for step in walked[1:] if step >= 0}
        if width < _MIN_COLUMNS or walked[0] in self.elements.dissolved:
            return [block for row in rows for cell in row for block in cell]
        has_blocks = any(len(cell) > 1 or _is_block(cell) for row in rows for cell in row)
        if has_blocks or "caption" in tags or self._has_spans(walked):
            return [self._html(walked)]
        lines = [_row(row, width) for row in rows]
        return ["\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])]

    def _has_spans(self, walked: Sequence[int]) -> bool:
        attrs, tags = self.tree.attrs, self.tree.tag
        cells = (attrs[step] for step in walked if step >= 0 and tags[step] in ("td", "th"))
        return any((cell.get(name) or "1") not in ("0", "1") for cell in cells for name in ("colspan", "rowspan"))

    def _html(self, walked: Sequence[int]) -> str:
        """Return an HTML block without empty lines, which would end it, and indentation, which would make code."""
        html = html_of_steps(self.tree, walked, self.base_url, self.elements)
        return "\n".join(line.strip() for line in html.splitlines() if line.strip())

    def _definitions(self, walked: Sequence[int]) -> list[str]:
        """Write a definition list as HTML; of one used for layout, such as a gallery, only the content."""
        tags = [self.tree.tag[step] for step in walked[1:] if step >= 0]
        if "dt" in tags and "dd" in tags and not any(tag in _IN_NO_DEFINITION for tag in tags):
            return [self._html(walked)]
        inner = _Writer(self.tree, self.base_url, self.elements, self.tables + 1)
        inner.definitions = self.definitions
        return inner.blocks(walked) if self.tables < _MAX_TABLES else [_fold(_plain(self._verbatim(walked)))]

    def _details(self, node: int, walked: Sequence[int]) -> list[str]:
        tree = self.tree
        if self.tables >= _MAX_TABLES:
            return [_fold(_plain(self._verbatim(walked)))]
        summary = next((child for child in tree.children(node) if tree.tag[child] == "summary"), None)
        head = ""
        if summary is not None and summary in walked:
            end = walked.index(~summary)
            head = self._html(walked[walked.index(summary) : end + 1])
            walked = [walked[0], *walked[end + 1 :]]
        inner = _Writer(tree, self.base_url, self.elements, self.tables + 1)
        inner.definitions = self.definitions
        blocks = inner.blocks(walked)
        return [f"<details>\n{head}".rstrip(), *blocks, "</details>"] if blocks or head else []

    def _image(self, node: int) -> str:
        url = image_url(self.tree, node, self.base_url)
        alt = " ".join((self.tree.attrs[node].get("alt") or "").split())
        title = " ".join((self.tree.attrs[node].get("title") or "").split())
        shown = f' "{_title(title)}"' if title and title != alt else ""
        return f"![{_plain(alt)}]({_destination(url)}{shown})" if url else ""

    def _verbatim(self, walked: Sequence[int]) -> str:
        """Return the text of a walk with its white space unchanged."""
        tags, texts = self.tree.tag, self.tree.text
        return "".join([texts[step] or ("\n" if tags[step] == "br" else "") for step in walked if step >= 0])


def _inline_containers(tree: Tree, walked: Sequence[int]) -> set[int]:
    """Return the inline elements that contain a block."""
    tags, parents, root = tree.tag, tree.parent, walked[0]
    containers: set[int] = set()
    for node in {parents[step] for step in walked if step > root and tags[step] in _BLOCK_TAGS}:
        outer = node
        while outer > root and tags[outer] not in _BLOCK_TAGS and outer not in containers:
            containers.add(outer)
            outer = parents[outer]
    return containers


def _rows(tags: Sequence[str], walked: Sequence[int]) -> list[list[Sequence[int]]]:
    """Return the walks over the cells of each row; nested tables stay inside their cells."""
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
    """Return the number of a list's first item, 1 unless declared."""
    start = attrs.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 10 else 1


def _row(cells: list[list[str]], width: int) -> str:
    texts = [" ".join(blocks).replace("\n", " ").replace("|", "\\|") for blocks in cells]
    return "| " + " | ".join(texts + [""] * (width - len(texts))) + " |"


def _code_span(code: str) -> str:
    """Delimit code by more backticks than it contains in a row."""
    fence = "`" * (_longest_run(code) + 1)
    gap = " " if "`" in (code[0], code[-1]) else ""
    return f"{fence}{gap}{code}{gap}{fence}"


def _longest_run(code: str) -> int:
    return max(map(len, _BACKTICKS.findall(code))) if "`" in code else 0


def _fence(code: str, language: str) -> list[str]:
    fence = "`" * max(3, _longest_run(code) + 1)
    return [f"{fence}{language}\n{code}\n{fence}"] if code else []


def _is_block(cell: list[str]) -> bool:
    """Return whether a cell contains a block that a Markdown table cannot: a list, code, a quotation."""
    return any("\n" in block or _STARTS_BLOCK.match(block) for block in cell)


def _destination(url: str) -> str:
    """Return a URL as a link destination; unbalanced parentheses are escaped."""
    url = url.replace(" ", "%20").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    if ("(" in url or ")" in url) and not _is_balanced(url):
        url = url.replace("(", "\\(").replace(")", "\\)")
    return _ENTITY.sub("&amp;", url) if "&" in url and ";" in url else url


def _is_balanced(url: str) -> bool:
    depth = 0
    for char in url:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def _title(title: str) -> str:
    return title.replace("\\", "\\\\").replace('"', '\\"')


def _emphasise(inner: str, mark: str) -> str:
    """Emphasise text; white space at the edges moves outside, because marks must touch the text."""
    core = inner.strip()
    if not core:
        return inner
    start = inner[: len(inner) - len(inner.lstrip())]
    return f"{start}{mark}{core}{mark}{inner[len(inner.rstrip()) :]}"


def _plain(text: str) -> str:
    """Return text with everything escaped that would be read as markup, except TeX."""
    if ("$" in text or "\\" in text) and IN_TEXT.search(text):
        return _with_formulas(text)
    # Ten searches for a character cost a twentieth of one regex search.
    if (
        "*" in text or "_" in text or "[" in text or "]" in text or "`" in text
        or "<" in text or ">" in text or "&" in text or "~" in text or "\\" in text
    ):  # fmt: skip
        return _escaped_markup(text)
    return text


def _with_formulas(text: str) -> str:
    """Escape text but not the TeX in it, which is put between dollars."""
    parts: list[str] = []
    place = 0
    for found in IN_TEXT.finditer(text):
        before = text[place : found.start()]
        parts.append(_escaped_markup(before) if before else "")
        tex = found.group("display") or found.group("bracket")
        inline = found.group("paren") or found.group("inline") or ""
        parts.append(Formula((tex or inline).strip(), display=bool(tex)).in_dollars)
        place = found.end()
    rest = text[place:]
    return "".join([*parts, _escaped_markup(rest) if rest else ""])


def _escaped_markup(text: str) -> str:
    text = text.replace("\\", "\\\\")
    text = _STRIKE.sub(r"\\~", _ENTITY.sub(r"\\&", text))
    for char, escaped in _MARKUP:
        if char in text:
            text = text.replace(char, escaped)
    return text


def _fold(text: str) -> str:
    """Fold white space, keep hard breaks, and escape lines that would start a list or heading."""
    if _BREAK in text:
        lines = "\n".join(map(single_spaced, text.split(_BREAK))).strip()
        # Two breaks in a row end the paragraph.
        folded = "\n\n".join("  \n".join(part.split("\n")) for part in _EMPTY_LINES.split(lines))
        return _LINE_START.sub(_with_backslash, folded)
    folded = single_spaced(text)
    return _LINE_START.sub(_with_backslash, folded) if folded[:1] in _MAY_START else folded


def _with_backslash(found: re.Match[str]) -> str:
    return f"{found.group()}\\"
