"""A node as Markdown (CommonMark with tables, footnotes and TeX between dollars).

What Markdown has no form for is HTML inside it: tables with spans or blocks in cells, lists of definitions, <details>,
<sub>, <sup>, <kbd>, <mark> and the like.

One pass over the walk, with a stack of the containers that are open. Text between blocks becomes a paragraph; an
inline element with a block inside it (<a><div>) is no emphasis and no link, but a container like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from posterity.dom.elements import (
    ArticleElements,
    Emoji,
    Leaf,
    NoteLink,
    TaskBox,
    article_elements,
)
from posterity.dom.embeds import Embed
from posterity.dom.formulas import IN_TEXT, CodeBlock, Formula, language_of_code
from posterity.dom.metadata import image_url, link_target
from posterity.dom.plain_text import LINE_TAGS, NO_ELEMENTS, PARAGRAPH_TAGS, html_of_steps, steps
from posterity.dom.tree import TEXT, Attributes, Tree
from posterity.text.normal_form import single_spaced

_BLOCK_TAGS = LINE_TAGS | PARAGRAPH_TAGS
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol"})
_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
# Inline elements that are HTML inside Markdown.
_INLINE_HTML = frozenset("sub sup kbd mark ins abbr ruby rt rp q u samp var dfn small".split())
_INLINE_MARKS = frozenset({*_EMPHASIS, *_INLINE_HTML, "a"})
# What leaves a trace in Markdown; of anything else only the content is written.
_WRITTEN = _BLOCK_TAGS | _INLINE_MARKS | {"br", "code", "img"}
# Blocks that are nothing but paragraphs of their own, or wrappers around them.
_FLOW_BLOCKS = _BLOCK_TAGS - _HEADINGS - _LISTS - {"blockquote", "details", "dl", "hr", "li", "pre", "table"}
# What would be read as markup inside a line, and at its beginning.
_MARKUP = [(char, f"\\{char}") for char in "`*_[]<>"]
_ENTITY, _STRIKE = re.compile(r"&(?=#?\w+;)"), re.compile("~(?=~)")
_BACKTICKS = re.compile("`+")
_MAY_START = frozenset("0123456789#+-=")
_LINE_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[#+-](?:#{0,5})(?:\s|$))|(?=[=-]+\s*$))", re.MULTILINE)
# Stands for a hard break until the spaces around it are folded. Python takes it for white space, as it should be
# at the edges of emphasis, and no page has it.
_BREAK = "\x1c"
_STARTS_BLOCK = re.compile(r"(?:- |\d+\. |```|> |<(?:dl|table|details)\b)")
_MIN_COLUMNS = 2  # of a table; one column only places things
# What is not in a definition but places definitions: a gallery, a page.
_IN_NO_DEFINITION = frozenset({"img", "table", "pre", "dl", "div", "blockquote", "figure", *_HEADINGS})
_LIST = re.compile(r"- |\d+\. ")
_STARTS_ITEM = re.compile(r"- |\d+\. |```")
# What no link can be put around, blocks that have one already, and those that are one picture.
_NO_LINK_TEXT = re.compile(r"- |\d+\. |```|> |\||<|---$")
_LINKED, _PICTURE = re.compile(r"\]\("), re.compile(r"!\[[^\]]*\]\([^()\s]*\)")
_EMPTY_LINES = re.compile(r"\n\n+")
_VERSE = re.compile(r"(?:^|[\s_-])(?:verse|poem|poetry)(?:[\s_-]|$)", re.IGNORECASE)
_HEADING_MARK = re.compile(r"#{1,6} ")
_SOFT_HYPHEN = "\xad"
_MAX_TABLES = 20  # one inside the other; what is deeper comes as plain lines
_MAX_CONTAINERS = 20  # quotations and lists inside each other; every level is a mark in front of every line below it


def markdown_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as Markdown."""
    elements = article_elements(tree, base_url, node, skip)
    return markdown_of_steps(tree, steps(tree, node, skip, elements), base_url, elements)


def markdown_of_steps(
    tree: Tree, walked: Sequence[int], base_url: str = "", elements: ArticleElements = NO_ELEMENTS
) -> str:
    """Return what was walked as Markdown."""
    if not walked:
        return ""
    writer = _Writer(tree, base_url, elements)
    markdown = "\n\n".join([*writer.blocks(walked), *writer.definitions])
    return markdown.replace(_SOFT_HYPHEN, "") if _SOFT_HYPHEN in markdown else markdown


class _OpenContainer:
    """A container that is open: its finished blocks, and the inline text that waits for the end of its paragraph."""

    __slots__ = (
        "blocks", "empty_items", "flows", "holds_items", "item", "kind", "links", "loose", "node", "run", "stray_items",
        "strays",
    )  # fmt: skip

    def __init__(self, node: int, kind: str, *, item: bool = False) -> None:
        self.node, self.kind, self.item = node, kind, item
        self.holds_items = kind in _LISTS  # whatever is in a list is an item
        self.flows = kind != "heading" and not self.holds_items  # blocks inside are paragraphs
        self.loose = False
        self.links: list[tuple[int, int]] = []  # open links around blocks, and where their blocks begin
        self.empty_items = 0  # behind the last item with content
        self.stray_items = 0  # blocks up to the last item that stands outside of a list
        self.strays: dict[int, list[str]] = {}  # further items of such a list, by the place of its first
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
    """Writes blocks as a list of strings, each a whole Markdown block without the empty lines around it."""

    def __init__(self, tree: Tree, base_url: str, elements: ArticleElements, tables: int = 0) -> None:
        self.tree, self.base_url, self.elements, self.tables = tree, base_url, elements, tables
        self.definitions: list[str] = []  # of footnotes, which are at the end

    def blocks(self, walked: Sequence[int]) -> list[str]:
        """The blocks of a walk over one node."""
        tags, texts, lined = self.tree.tag, self.tree.text, self.elements.lined
        leaves, notes = self.elements.leaves, self.elements.notes
        frame = _OpenContainer(walked[0], "root")
        self.frames = [frame]
        self.open_inline: list[tuple[int, int]] = []  # inline elements that are open, and where their text begins
        self.containers = _inline_containers(self.tree, walked)
        rest = iter(walked[1:-1])
        for step in rest:
            if step >= 0 and (text := texts[step]):
                # No paragraph begins with the white space between blocks.
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
        """Whether an element that is nothing by itself holds blocks, or is where an item of a list should."""
        frame = self.frames[-1]
        if node in self.containers or frame.node == node or (frame.holds_items and tag is not TEXT):
            return True
        return node in self.elements.notes

    def _open(self, node: int, tag: str) -> bool:
        """Begin an element; true when it is to be written whole: code, a table."""
        frame = self.frames[-1]
        if node in self.elements.notes and frame.kind != "heading":
            self._open_note(node, frame)
        elif frame.holds_items:
            frame.run.clear()  # text between the items of a list is white space
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
        """Begin a footnote. One in the margin of a paragraph must not end the paragraph."""
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
        if len(self.frames) > _MAX_CONTAINERS and tag not in _HEADINGS:
            pass
        elif tag in _LISTS or tag == "blockquote":
            self.frames.append(_OpenContainer(node, tag))
        elif tag in _HEADINGS:
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
                frame.run[start - 1] = f"{frame.run[start - 1][:-1]}\\!"  # or the link would be an image
            frame.run[start:] = [marked]
        elif frame.kind != "heading" and (tag in _BLOCK_TAGS or node in self.containers):
            frame.end_paragraph()
            if frame.links and frame.links[-1][0] == node:
                self._link_block(node, frame.blocks, frame.links.pop()[1])

    def _link_block(self, node: int, blocks: list[str], start: int) -> None:
        """Link the first of the blocks in a link that can be linked, one with text before one that is a picture."""
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
        """Give what a finished container holds to the one around it."""
        outer = self.frames[-1]
        if frame.kind == "heading":
            heading = _fold("".join(frame.run)).replace("\n", " ")
            if heading.endswith("#") and not heading.endswith("\\#"):
                heading = f"{heading[:-1]}\\#"  # number signs at the end would close the heading
            outer.blocks += [f"{'#' * int(tag[1])} {heading}"] if heading else []
            return
        if not frame.finish():
            outer.empty_items += frame.item and outer.holds_items and bool(outer.blocks)
            return
        if frame.kind == "note":
            label, text = self.elements.notes[frame.node], "\n\n".join(frame.blocks)
            self.definitions.append(f"[^{label}]: " + text.replace("\n", "\n    ").replace("\n    \n", "\n\n"))
        elif frame.item and outer.holds_items:
            for _ in range(outer.empty_items):  # one that is left out would change the numbers of those behind it
                outer.blocks.append(self._mark(outer).rstrip())
            outer.empty_items = 0
            outer.blocks.append(self._item(frame, outer))
        elif frame.item:
            self._end_stray_item(frame, outer)
        elif frame.kind == "blockquote":
            quoted = "> " + "\n\n".join(frame.blocks).replace("\n", "\n> ")
            outer.blocks.append(quoted.replace("\n> \n", "\n>\n").replace("\n> \n", "\n>\n"))  # of two in a row, one
        else:
            if outer.blocks and _LIST.match(outer.blocks[-1]) and not outer.item:
                outer.blocks.append("<!-- -->")  # two lists in a row would be read as one
            outer.blocks.append(("\n\n" if frame.loose else "\n").join(frame.blocks))

    def _end_stray_item(self, item: _OpenContainer, outer: _OpenContainer) -> None:
        """An item that no list is around; those side by side are one list."""
        text = self._item(item, outer)
        if outer.blocks and outer.stray_items == len(outer.blocks):
            outer.strays.setdefault(len(outer.blocks) - 1, []).append(text)
        else:
            outer.blocks.append(text)
        outer.stray_items = len(outer.blocks)

    def _mark(self, of_list: _OpenContainer) -> str:
        """The mark of the next item of a list."""
        if of_list.kind != "ol":
            return "- "
        return f"{_start(self.tree.attrs[of_list.node]) + len(of_list.blocks)}. "

    def _item(self, item: _OpenContainer, of_list: _OpenContainer) -> str:
        mark = self._mark(of_list)
        # Two paragraphs in a row need an empty line between them; a list or code below its paragraph does not.
        loose = any(not _STARTS_ITEM.match(block) for block in item.blocks[1:])
        of_list.loose = of_list.loose or loose
        if item.blocks[0] == "---":
            item.blocks[0] = "***"  # "- ---" is a rule, and no item
        return mark + ("\n\n" if loose else "\n").join(item.blocks).replace("\n", "\n" + " " * len(mark))

    def _marked_up(self, node: int, tag: str, inner: str) -> str:
        attrs = self.tree.attrs[node]
        if tag in _INLINE_HTML:
            title = f' title="{escape(attrs["title"] or "")}"' if tag in ("abbr", "dfn") and attrs.get("title") else ""
            return f"<{tag}{title}>{inner}</{tag}>" if inner.strip() else inner
        if tag != "a":
            mark = _EMPHASIS[tag]
            core = inner.strip()
            # Twice emphasised is emphasised: the marks of both would be those of <strong>.
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
        """HTML in a block of its own: an empty line would end it, and four spaces in front would be code."""
        html = html_of_steps(self.tree, walked, self.base_url, self.elements)
        return "\n".join(line.strip() for line in html.splitlines() if line.strip())

    def _definitions(self, walked: Sequence[int]) -> list[str]:
        """A list of definitions as HTML; one that only places things, such as a gallery, as its content."""
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
        """The text of a walk as it is in the source."""
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
    """Code that holds backticks is between more of them."""
    fence = "`" * (_longest_run(code) + 1)
    gap = " " if "`" in (code[0], code[-1]) else ""
    return f"{fence}{gap}{code}{gap}{fence}"


def _longest_run(code: str) -> int:
    return max(map(len, _BACKTICKS.findall(code))) if "`" in code else 0


def _fence(code: str, language: str) -> list[str]:
    fence = "`" * max(3, _longest_run(code) + 1)
    return [f"{fence}{language}\n{code}\n{fence}"] if code else []


def _is_block(cell: list[str]) -> bool:
    """Return whether a cell of one block holds what a line of a Markdown table cannot: a list, code, a quotation."""
    return any("\n" in block or _STARTS_BLOCK.match(block) for block in cell)


def _destination(url: str) -> str:
    """A URL as the target of a link: parentheses may be in it in pairs, others are escaped."""
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
    """Emphasis must touch its text: spaces at the edges move outside."""
    core = inner.strip()
    if not core:
        return inner
    start = inner[: len(inner) - len(inner.lstrip())]
    return f"{start}{mark}{core}{mark}{inner[len(inner.rstrip()) :]}"


def _plain(text: str) -> str:
    """Return text in which nothing is read as markup."""
    if ("$" in text or "\\" in text) and IN_TEXT.search(text):
        return _with_formulas(text)
    # Ten searches for one character take a twentieth of one search for a pattern.
    if (
        "*" in text or "_" in text or "[" in text or "]" in text or "`" in text
        or "<" in text or ">" in text or "&" in text or "~" in text or "\\" in text
    ):  # fmt: skip
        return _escaped_markup(text)
    return text


def _with_formulas(text: str) -> str:
    """Text with TeX in it, which is not escaped and is between dollars."""
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
    """Single spaces, hard breaks kept, a line that would start a list or heading by accident escaped."""
    if _BREAK in text:
        lines = "\n".join(map(single_spaced, text.split(_BREAK))).strip()
        # Two breaks in a row are the end of a paragraph.
        folded = "\n\n".join("  \n".join(part.split("\n")) for part in _EMPTY_LINES.split(lines))
        return _LINE_START.sub(_with_backslash, folded)
    folded = single_spaced(text)
    return _LINE_START.sub(_with_backslash, folded) if folded[:1] in _MAY_START else folded


def _with_backslash(found: re.Match[str]) -> str:
    return f"{found.group()}\\"
