"""A node as plain text and as clean HTML, and the walk over a subtree that both are made from.

The text is what a browser renders: a line per block, an empty line between paragraphs. The walk is a sequence of
elements that open and close, without skipped and unseen parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import unquote

from posterity.dom.elements import ArticleElements, Emoji, Leaf, NoteLink, TaskBox, article_elements
from posterity.dom.formulas import CodeBlock, Formula, language_of_code
from posterity.dom.media import Embed, absolute, image_url, link_target
from posterity.dom.tree import TEXT, UNSEEN_TAGS, Tree
from posterity.text.normal_form import one_line, single_spaced, words

LINE_TAGS = frozenset(
    (
        "address article aside body caption center dd details div dl dt fieldset figcaption figure footer "
        "header hgroup html li main nav section summary tr"
    ).split()
)
PARAGRAPH_TAGS = frozenset({"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"})
CELL_TAGS = frozenset({"td", "th"})
_LINE_ENDS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS | {"br"}


_NEW_LINE, _NEW_PARAGRAPH, _CODE, _BREAK, _CELL = range(1, 6)
_KINDS = {
    **dict.fromkeys(LINE_TAGS, _NEW_LINE),
    **dict.fromkeys(PARAGRAPH_TAGS, _NEW_PARAGRAPH),
    **dict.fromkeys(CELL_TAGS, _CELL),
    "pre": _CODE,
    "br": _BREAK,
}


NO_ELEMENTS = ArticleElements()
_SOFT_HYPHEN = "\xad"


def text_of(tree: Tree, node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the visible text of the subtree. Code keeps its indentation; other white space is folded."""
    return text_of_steps(tree, steps(tree, node, skip))


def text_of_steps(tree: Tree, walked: Sequence[int], elements: ArticleElements = NO_ELEMENTS) -> str:
    """Return the visible text of a walk. Formulas are TeX between dollars; embeds have no text."""
    lines, leaves, lined = _LineBuilder(), elements.leaves, elements.lined
    line, tags, texts, kinds = lines.line, tree.tag, tree.text, _KINDS
    for step in walked:
        # A negative step, ~node, closes an element.
        tag = tags[step] if step >= 0 else tags[~step]
        if tag is TEXT:
            # Half of all text nodes are white space between blocks. Only a line of code may start with it.
            if lined and step in lined:
                lines.add_lines(texts[step])
            elif line or lines.verbatim or not texts[step].isspace():
                line.append(texts[step])
        elif leaves and step in leaves:
            _write_leaf(lines, tree, step, leaves[step])
        elif kind := kinds.get(tag):
            lines.handle_tag(kind, opens=step >= 0)
    if line:
        lines.end()
    text = "\n".join(lines.done)
    return text.replace(_SOFT_HYPHEN, "") if _SOFT_HYPHEN in text else text


def _write_leaf(lines: _LineBuilder, tree: Tree, node: int, leaf: Leaf) -> None:
    if isinstance(leaf, Formula):
        kind = _KINDS.get(tree.tag[node])
        for part in (None, leaf.in_dollars, None):
            if part:
                lines.line.append(part)
            elif kind:
                lines.handle_tag(kind, opens=False)
    elif isinstance(leaf, NoteLink):
        lines.line.append(tree.plain(node).strip())
    elif isinstance(leaf, Emoji):
        lines.line.append(leaf.text)
    elif isinstance(leaf, TaskBox):
        lines.line.append("[x] " if leaf.checked else "[ ] ")
    elif isinstance(leaf, CodeBlock):
        lines.handle_tag(_CODE, opens=True)
        lines.line.append(leaf.code)
        lines.handle_tag(_CODE, opens=False)


class _LineBuilder:
    """Collects lines; `gap` is true if an empty line must precede the next one."""

    __slots__ = ("done", "gap", "line", "verbatim")

    def __init__(self) -> None:
        self.done: list[str] = []
        self.line: list[str] = []
        self.gap = False
        self.verbatim = 0

    def handle_tag(self, kind: int, *, opens: bool) -> None:
        """Handle the start or end of an element."""
        if kind == _CELL:
            if opens:
                self.line.append("\t" if self.verbatim else " ")
            return
        if self.line:
            self.end()
        if kind == _NEW_PARAGRAPH:
            self.gap = True
        elif kind == _CODE:
            self.gap = True
            self.verbatim += 1 if opens else -1

    def add_lines(self, text: str) -> None:
        """Add text whose line breaks are rendered."""
        first, *others = text.split("\n")
        self.line.append(first)
        for other in others:
            self.gap = self.gap or not "".join(self.line).strip()
            self.end()
            self.line.append(other)

    def end(self) -> None:
        """Finish the current line."""
        raw = "".join(self.line)
        self.line.clear()
        line = raw.strip("\r\n").rstrip() if self.verbatim else single_spaced(raw)
        if line:
            if self.gap and self.done:
                self.done.append("")
            self.done.append(line)
            self.gap = False


_KEPT = frozenset(
    (
        "a abbr audio b blockquote br caption cite code dd del dfn dl dt em figcaption figure h1 h2 h3 h4 h5 "
        "h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp small strong sub sup table "
        "tbody td tfoot th thead time tr u ul var video details summary"
    ).split()
)
_BLOCKS = frozenset({"address", "article", "aside", "center", "div", "footer", "header", "main", "section"})
_VOID = frozenset({"br", "hr", "img"})
_ATTRIBUTES = {
    "a": ("title",),
    "abbr": ("title",),
    "blockquote": ("cite",),
    "dfn": ("title",),
    "q": ("cite",),
    "code": ("class",),
    "img": ("alt", "title", "width", "height"),
    "ol": ("start",),
    "pre": ("class",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
    "time": ("datetime",),
}


_WRITTEN = {**{tag: tag for tag in _KEPT}, **dict.fromkeys(_BLOCKS, "div")}
_OPENING = {tag: f"<{written}>" for tag, written in _WRITTEN.items()}
_CLOSING = {tag: f"</{written}>" for tag, written in _WRITTEN.items() if tag not in _VOID}
_SHOWING = frozenset({"img", "audio", "video"})
_URLS = frozenset({"cite"})
_WITH_ATTRIBUTES = _SHOWING.union(_ATTRIBUTES)


def html_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as clean HTML. Sectioning elements become <div>, unknown elements their content."""
    elements = article_elements(tree, base_url, node, skip)
    return html_of_steps(tree, steps(tree, node, skip, elements), base_url, elements)


def html_of_steps(
    tree: Tree, walked: Sequence[int], base_url: str = "", elements: ArticleElements = NO_ELEMENTS
) -> str:
    """Return the HTML of a walk."""
    out: list[str] = []
    tags, texts, attrs = tree.tag, tree.text, tree.attrs
    leaves, named = elements.leaves, {**elements.anchors, **_note_names(elements)}
    lined, dissolved = elements.lined, elements.dissolved
    for step in walked:
        if step < 0:
            is_cell = dissolved and ~step in dissolved
            out.append(("</div>" if tags[~step] in CELL_TAGS else "") if is_cell else _CLOSING.get(tags[~step], ""))
        elif text := texts[step]:
            shown = escape(text, quote=False) if "&" in text or "<" in text or ">" in text else text
            out.append(shown.replace("\n", "<br>\n") if lined and step in lined else shown)
        elif leaves and step in leaves:
            out.append(html_of_leaf(tree, step, leaves[step]))
        elif dissolved and step in dissolved:
            out.append("<div>" if tags[step] in CELL_TAGS else "")
        elif (attrs[step] and tags[step] in _WITH_ATTRIBUTES) or (named and step in named) or tags[step] == "pre":
            out.append(_opening(tree, step, base_url, elements, named))
        else:
            out.append(_OPENING.get(tags[step], ""))
    html = "".join(out).strip()
    return html.replace(_SOFT_HYPHEN, "") if _SOFT_HYPHEN in html else html


def _note_names(elements: ArticleElements) -> dict[int, str]:
    return {node: f"fn-{label}" for node, label in elements.notes.items()}


def html_of_leaf(tree: Tree, node: int, leaf: Leaf) -> str:
    """Return the HTML of a leaf: a formula is <math> with its TeX, an embed a player or a link in a <figure>."""
    match leaf:
        case Formula():
            block = ' display="block"' if leaf.display else ""
            annotation = f'<annotation encoding="application/x-tex">{escape(leaf.tex, quote=False)}</annotation>'
            shown = f"<mrow>{leaf.mathml}</mrow>" if leaf.mathml else ""
            return f"<math{block}><semantics>{shown}{annotation}</semantics></math>"
        case NoteLink():
            label = escape(leaf.label)
            return f'<sup><a href="#fn-{label}">{label}</a></sup>'
        case Emoji():
            return escape(leaf.text, quote=False)
        case TaskBox():
            return f'<input type="checkbox" disabled{" checked" if leaf.checked else ""}>'
        case CodeBlock():
            language = f' class="language-{_value(leaf.language)}"' if leaf.language else ""
            return f"<pre><code{language}>{escape(leaf.code, quote=False)}</code></pre>"
        case Embed():
            return _html_of_embed(tree, node, leaf)


def _html_of_embed(tree: Tree, node: int, embed: Embed) -> str:
    if embed.tag:
        poster = f' poster="{_value(embed.poster)}"' if embed.poster else ""
        title = f' title="{_value(embed.title)}"' if embed.title else ""
        return f'<{embed.tag} src="{_value(embed.url)}"{poster}{title} controls></{embed.tag}>'
    link = f'<a href="{_value(embed.url)}">{escape(embed.label, quote=False)}</a>'
    return link if _is_in_line(tree, node) else f"<figure>{link}</figure>"


_LINES = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "figure", "summary"})


def _is_in_line(tree: Tree, node: int) -> bool:
    """Return whether an element is in a parent that allows no blocks, or already in a figure."""
    parent = tree.parent[node]
    while parent > 0 and tree.tag[parent] not in _KINDS:
        parent = tree.parent[parent]
    return tree.tag[max(0, parent)] in _LINES


def _opening(tree: Tree, node: int, base_url: str, elements: ArticleElements, named: dict[int, str]) -> str:
    tag = _WRITTEN.get(tree.tag[node])
    name = f' id="{_value(named[node])}"' if node in named else ""
    if tag is None:
        return f"<span{name}></span>" if name else ""  # keeps the link target of an element that is not written
    return f"<{tag}{name}{_attributes(tree, node, base_url, elements)}>"


def _attributes(tree: Tree, node: int, base_url: str, elements: ArticleElements) -> str:
    tag, attrs = tree.tag[node], tree.attrs[node]
    if tag == "a":
        href = attrs.get("href")
        url = link_target(base_url, href)
        if url is None and href and href.startswith("#") and unquote(href[1:]) in elements.anchors.values():
            url = href
    else:
        url = image_url(tree, node, base_url) if tag in _SHOWING else None
    written = f' {"href" if tag == "a" else "src"}="{_value(url)}"' if url else ""
    if tag == "pre" and not attrs.get("class") and (language := language_of_code(tree, node)):
        inner = tree.attrs[node + 1].get("class") if node + 1 < tree.end[node] else None
        written += "" if inner else f' class="language-{_value(language)}"'
    for name in _ATTRIBUTES.get(tag, ()):
        if (value := attrs.get(name)) and (name not in _URLS or (value := absolute(base_url, value))):
            written += f' {name}="{_value(value)}"'
    return written


def _value(text: str) -> str:
    # Four substring searches are cheaper than the five replacements of `escape`.
    return escape(text) if "&" in text or '"' in text or "'" in text or "<" in text or ">" in text else text


MIN_WORDS = 120
_NOT_RUNNING = UNSEEN_TAGS | {"a", "button", "input", "label", "legend", "textarea"}
# Hidden fields of frameworks that wrap the whole page in a form.
_WHOLE_PAGE = frozenset({"__viewstate", "javax.faces.viewstate"})


class Line(NamedTuple):
    """A rendered line: its text nodes, and their joined text."""

    runs: list[int]
    text: str


def lines_of(tree: Tree, nodes: Sequence[int], skip: frozenset[int] = frozenset()) -> Iterator[Line]:
    """Yield the rendered lines of these elements, without the subtrees of `skip`."""
    runs: list[int] = []
    before = -1
    known: dict[int, int] = {}
    for run in _runs(tree, nodes, skip):
        block = _block(tree, run, known)
        if runs and (block != before or not _LINE_ENDS.isdisjoint(tree.tag[runs[-1] + 1 : run])):
            yield Line(runs, line_text(tree, runs))
            runs = []
        runs.append(run)
        before = block
    if runs:
        yield Line(runs, line_text(tree, runs))


def line_text(tree: Tree, runs: Sequence[int]) -> str:
    """Return the text of these text nodes as one line."""
    return one_line(" ".join(tree.text[run] for run in runs))


def _runs(tree: Tree, nodes: Sequence[int], skip: frozenset[int]) -> Iterator[int]:
    for top in nodes:
        node, end = top, tree.end[top]
        while node < end:
            if node in skip or tree.unseen[node]:
                node = tree.end[node]
                continue
            if tree.text[node] and not tree.text[node].isspace():
                yield node
            node += 1


def _block(tree: Tree, node: int, known: dict[int, int]) -> int:
    """Return the enclosing element that starts lines; `known` caches it for each element."""
    below = []
    while node > 0 and tree.tag[node] not in _LINE_ENDS:
        if node in known:
            node = known[node]
            break
        below.append(node)
        node = tree.parent[node]
    known.update(dict.fromkeys(below, node))
    return node


def is_real_form(tree: Tree, form: int) -> bool:
    """Return whether this <form> is one to fill in, not a wrapper of an article or page."""
    found = 0
    index, stop = form + 1, tree.end[form]
    while index < stop:
        tag = tree.tag[index]
        if tag == TEXT:
            found += len(words(tree.text[index]))
            if found >= MIN_WORDS:
                return False
        elif tag == "input" and (tree.attrs[index].get("name") or "").lower() in _WHOLE_PAGE:
            return False
        elif tag in _NOT_RUNNING or index in tree.hidden:
            index = tree.end[index]
            continue
        index += 1
    return True


OPEN, CLOSE, CHARS = "open", "close", "chars"
_LEFT_OUT = UNSEEN_TAGS | {"button", "form", "input", "textarea"}


def is_left_out(tree: Tree, node: int) -> bool:
    """Return whether an element is not content: never rendered, hidden, or a form or form control."""
    tag = tree.tag[node]
    if node in tree.hidden:
        return True
    return is_real_form(tree, node) if tag == "form" else tag in _LEFT_OUT


def steps(
    tree: Tree, node: int = 0, skip: frozenset[int] = frozenset(), elements: ArticleElements = NO_ELEMENTS
) -> list[int]:
    """Return the walk over a subtree: `node` opens a node, `~node` closes an element; leaves are not closed.

    The root is included even if its tag would be left out. The walk is a list because text, HTML and Markdown of an
    article reuse it.
    """
    tags, ends, attrs = tree.tag, tree.end, tree.attrs
    leaves, opened = elements.leaves, elements.opened
    if elements.left_out:
        skip = skip | elements.left_out
    walked: list[int] = []
    open_nodes: list[int] = []
    index, stop = node, ends[node]
    next_end = stop
    while index < stop:
        while next_end <= index:
            walked.append(~open_nodes.pop())
            next_end = ends[open_nodes[-1]]
        tag = tags[index]
        if tag is not TEXT:
            own = attrs[index]
            # Avoids calling `is_left_out` for most elements.
            doubtful = tag in _LEFT_OUT or (own and ("style" in own or "hidden" in own))
            if leaves and index in leaves and index not in skip:
                walked.append(index)
                index = ends[index]
                continue
            if index != node and (index in skip or (doubtful and index not in opened and is_left_out(tree, index))):
                index = ends[index]
                continue
            open_nodes.append(index)
            next_end = ends[index]
        elif index in skip and index != node:
            index += 1
            continue
        walked.append(index)
        index += 1
    while open_nodes:
        walked.append(~open_nodes.pop())
    return walked


def walk(
    tree: Tree, node: int = 0, skip: frozenset[int] = frozenset(), elements: ArticleElements = NO_ELEMENTS
) -> Iterator[tuple[str, int]]:
    """Yield (event, node) in document order: the steps with named events."""
    tags = tree.tag
    for step in steps(tree, node, skip, elements):
        if step < 0:
            yield CLOSE, ~step
        else:
            yield (CHARS if tags[step] is TEXT else OPEN), step
