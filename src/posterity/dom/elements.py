"""Special elements of an article: formulas, footnotes, embeds, highlighted code, theme markup.

They are found in one pass before text, HTML and Markdown are written, so that all three agree. A leaf is written as a
unit; the walk does not descend into it. Elements that come from the theme and not from the author are left out:
heading permalinks, footnote back links, line numbers, copy buttons.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from posterity.dom import formulas
from posterity.dom.media import Embed, absolute, card_at, embed_at, facade_at, image_source, media_source
from posterity.dom.tree import TEXT, Tree, is_layout_table
from posterity.lexicon import any_of, part_names
from posterity.text.normal_form import Remembered


class NoteLink(NamedTuple):
    """A link to a footnote."""

    label: str


class TaskBox(NamedTuple):
    """The checkbox of a task list item."""

    checked: bool


class Emoji(NamedTuple):
    """An image that replaces a character, as blog software does with emoji and smileys."""

    text: str


Leaf: TypeAlias = formulas.Formula | Embed | NoteLink | formulas.CodeBlock | TaskBox | Emoji


class ArticleElements:
    """The special elements of one article, by node."""

    __slots__ = ("anchors", "cards", "dissolved", "leaves", "left_out", "lined", "notes", "opened")

    def __init__(self) -> None:
        self.leaves: dict[int, Leaf] = {}
        self.left_out: set[int] = set()
        self.notes: dict[int, str] = {}  # footnotes, with their labels
        self.cards: dict[int, Embed] = {}  # quotations that become embeds and keep their text
        self.opened: set[int] = set()  # <noscript> with media not shown before it
        self.anchors: dict[int, str] = {}  # elements that the article links to, with the fragment
        self.lined: set[int] = set()  # text nodes whose line breaks are rendered, such as verse
        self.dissolved: set[int] = set()  # layout tables and their parts


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_EMBEDS = frozenset({"iframe", "object", "embed", "video", "audio"})
_INLINE = frozenset("a abbr b big cite code em font i ins label mark q s small span strong sub sup u".split())
# The text of a permalink beside a heading: a sign, a word for "link", or none.
_PERMALINK_TEXT = re.compile(
    r"[\s¶#§\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f🔗⚓∞†]*|"
    r"\s*(?:perma)?link(?: to (?:this )?(?:heading|section))?\s*|\s*direct link to .*",
    re.IGNORECASE | re.DOTALL,
)
_PERMALINK_CLASS = re.compile(
    r"(?:^|[\s_-])(?:header-?link|heading-?link|anchor(?:-?link)?|hash-?link|permalink|headerlink)(?:[\s_-]|$)",
    re.IGNORECASE,
)
_ARROW_TEXT = re.compile(
    r"[\s\[\]()↩↑↵⏎⤴⮐⮌⬆▲^«‹←\u21a9\ufe0e\ufe0f]*+(?:back|return|top)?+[\s\[\]()↩↑^\ufe0e\ufe0f\d]*+", re.IGNORECASE
)
_ARROW_CLASS = re.compile(
    r"back-?ref|back-?link|footnote-?(?:back|return)|reversefootnote|to-?top|fn-?back", re.IGNORECASE
)
_NOTE_HINT = re.compile(
    r"foot-?note|noteref|note-?ref|(?:^|[\s_:.#-])(?:fn|ftn|sn|en)(?:[\s_:.\d-]|ref|$)|side-?note|end-?note|cite_note",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[\[(]?\s*(\d{1,3}|[a-z]|[ivxlc]{1,5}|[*†‡§]{1,3})\s*[\])]?\.?", re.IGNORECASE)
_NOTE_BLOCKS = frozenset({"li", "p", "div", "dd", "aside", "tr", "td", "section", "table", "blockquote", "dt"})
_COPY = re.compile(
    r"(?:^|[\s_-])(?:copy|clipboard|copybtn|copycode|copy-?to-?clipboard|btn-clipboard|code-?copy)(?:[\s_-]|$)",
    re.IGNORECASE,
)
_LANGUAGE_LABEL = re.compile(r"(?:^|\s)(?:code-?)?lang(?:uage)?(?:-?(?:label|name))?(?:\s|$)", re.IGNORECASE)
_HIGHLIGHTER = re.compile(r"(?:^|\s)(?:syntaxhighlighter|crayon-syntax|mermaid|plantuml)(?:\s|$)")
_CARD = re.compile(
    r"tweet|twitter-video|instagram-media|mastodon-embed|bluesky-embed|tiktok-embed|reddit-(?:card|embed)|fb-(?:post|video)"
)
_FACADE = re.compile(r"youtube|lyte|vimeo|sqs-video-wrapper|(?:^|[\s_-])yt(?:[\s_-]|$)", re.IGNORECASE)
_TEX = re.compile(r"(?:^|\s)(?:math(?:\s|-)(?:inline|display|block)|latex-rendered)")
_SIDENOTE = re.compile(r"(?:^|\s)(?:side-?note|margin-?note)(?:\s|$)")
_PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.IGNORECASE)
_TABLE_PARTS = frozenset({"tr", "tbody", "thead", "tfoot", "td", "th"})
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_NOT_COPIED = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)  # Chroma's line numbers without classes
_EMOJI = re.compile(r"(?:^|\s)(?:emoji|wp-smiley|twemoji|emojione|joypixels)(?:\s|$)")
_MAX_EMOJI_CHARS = 16
_SITE_ICON = re.compile(r"/s2/favicons\?|/favicon\.ico(?:$|\?)|//favicons?\.|icons\.duckduckgo\.com/ip")
# A row of share buttons; one with text is left out by rules or by the selection of blocks.
_SHARE = re.compile(rf"(?:^|[\s_-])(?:{any_of(part_names('block.share'))})(?:[\s_-]|$)", re.IGNORECASE)
_UNSEEN = re.compile(r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text)(?:\s|$)")
_MAX_COPY_CHARS = 24
_MAX_FORM_CHARS = 1_000  # some systems put a whole page into a form
_MAX_BRACKETS = 8  # characters around the label of a footnote
_MAX_PERMALINK_CHARS = 200
(
    _RENDERED_KIND, _GUTTER_KIND, _COPY_KIND, _HIGHLIGHTER_KIND, _CARD_KIND, _FACADE_KIND, _TEX_KIND, _SIDENOTE_KIND,
    _SHARE_KIND, _UNSEEN_KIND, _LANGUAGE_KIND,
) = range(1, 12)  # fmt: skip
_KINDS = (
    (formulas.RENDERED, _RENDERED_KIND),
    (formulas.GUTTER, _GUTTER_KIND),
    (_COPY, _COPY_KIND),
    (_HIGHLIGHTER, _HIGHLIGHTER_KIND),
    (_CARD, _CARD_KIND),
    (_FACADE, _FACADE_KIND),
    (_TEX, _TEX_KIND),
    (_SIDENOTE, _SIDENOTE_KIND),
    (_SHARE, _SHARE_KIND),
    (_UNSEEN, _UNSEEN_KIND),
    (_LANGUAGE_LABEL, _LANGUAGE_KIND),
)
# Cached, because most elements of a blog share a few class values.
_KIND_OF_CLASS: Remembered[str, int] = Remembered(
    lambda names: next((kind for pattern, kind in _KINDS if pattern.search(names)), 0)
)


def article_elements(
    tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()
) -> ArticleElements:
    """Return the special elements of the article at a node, without the subtrees of `skip`."""
    return _Finder(tree, base_url, node, skip).found


class _Finder:
    def __init__(self, tree: Tree, base_url: str, root: int, skip: frozenset[int]) -> None:
        self.tree, self.base_url, self.root, self.skip = tree, base_url, root, skip
        self.found = ArticleElements()
        self.links: list[tuple[int, str]] = []  # links to fragments of this page, with the fragment
        self.sidenotes: list[int] = []
        self.tried: set[int] = set()  # cells and tables already checked for line numbers
        self.lined_to = 0  # end of the last element whose line breaks are rendered
        self.repeated: dict[Embed, list[int]] = {}  # embeds, with their nodes in opened <noscript> elements
        self.has_source: dict[int, bool] = {}
        self.led_to: dict[int, list[int]] = {}
        self.page = base_url.partition("#")[0]
        self._search()
        if self.links:
            self._read_links()
        for number, node in enumerate(self.sidenotes, start=len(set(self.found.notes.values())) + 1):
            self._read_sidenote(node, number)

    def _search(self) -> None:
        tree, skip, leaves, left_out = self.tree, self.skip, self.found.leaves, self.found.left_out
        tags, attrs, ends = tree.tag, tree.attrs, tree.end
        index, stop = self.root, ends[self.root]
        while index < stop:
            tag = tags[index]
            if tag is TEXT:
                index += 1
                continue
            if tag == "form":
                self._visit_form(index)
            if index in skip and index != self.root:
                index = ends[index]
                continue
            if tag in _TAGS or "-" in tag:
                self._visit(index, tag)
            own = attrs[index]
            if own and (style := own.get("style")):
                self._visit_style(index, style)
            if own and (names := own.get("class")) and (kind := _KIND_OF_CLASS[names]) and index not in leaves:
                self._visit_class(index, names, kind)
            index = ends[index] if index in leaves or index in left_out else index + 1

    def _visit(self, node: int, tag: str) -> None:
        leaf: Leaf | None = None
        if tag == "a":
            self._visit_link(node)
        elif tag == "noscript":
            self._visit_noscript(node)
        elif tag == "table":
            self._visit_table(node)
        elif tag in _EMBEDS:
            if node not in self.tree.hidden:
                leaf = embed_at(self.tree, node, self.base_url)
                self._remove_repeated(node, leaf)
        elif tag == "img":
            leaf = self._formula_or_pixel(node)
        else:
            leaf = self._rare_leaf(node, tag)
        if leaf is not None:
            self.found.leaves[node] = leaf

    def _formula_or_pixel(self, node: int) -> formulas.Formula | Emoji | None:
        """Return the formula or emoji that an image shows; leave out tracking pixels and favicons."""
        own = self.tree.attrs[node]
        if (names := own.get("class")) and _EMOJI.search(names) and (alt := (own.get("alt") or "").strip()):
            return Emoji(alt) if len(alt) <= _MAX_EMOJI_CHARS else None
        if formulas.IMAGE_CLASS.search(own.get("class") or "") or formulas.IMAGE_URL.search(own.get("src") or ""):
            return formulas.formula_in_image(self.tree, node)
        is_pixel = own.get("width") in ("0", "1") and own.get("height") in ("0", "1")
        if is_pixel or _SITE_ICON.search(own.get("src") or ""):
            self.found.left_out.add(node)
        return None

    def _rare_leaf(self, node: int, tag: str) -> Leaf | None:
        tree = self.tree
        if tag == "script":
            kind = (tree.attrs[node].get("type") or "").lower()
            is_math = kind.startswith("math/tex")
            return formulas.formula_in_script(tree, node, kind) if is_math else embed_at(tree, node, self.base_url)
        if tag == "math":
            return formulas.formula_in_math(tree, node)
        if tag == "mjx-container":
            return formulas.formula_rendered(tree, node)
        if tag == "input":
            is_task = tree.attrs[node].get("type") == "checkbox" and self._is_task(node)
            return TaskBox("checked" in tree.attrs[node]) if is_task else None
        return facade_at(tree, node, self.base_url)

    def _remove_repeated(self, node: int, leaf: Embed | None) -> None:
        """Drop the copy of a lazily loaded frame from the <noscript> after it."""
        if leaf is None or not self.found.opened:
            return
        opened = next((each for each in self._ancestors(node) if each in self.found.opened), None)
        same = self.repeated.pop(leaf, [])
        for inner in same:
            if opened is None or inner < opened:
                self.found.leaves.pop(inner, None)
        if opened is not None:
            self.repeated[leaf] = [*(inner for inner in same if inner > opened), node]

    def _ancestors(self, node: int) -> Iterator[int]:
        """Yield the ancestors of a node within the article, innermost first."""
        while (node := self.tree.parent[node]) >= self.root:
            yield node

    def _is_task(self, node: int) -> bool:
        parent = self.tree.parent[node]
        while parent > self.root and self.tree.tag[parent] in {*_INLINE, "p"}:
            parent = self.tree.parent[parent]
        return self.tree.tag[parent] == "li"

    def _visit_noscript(self, node: int) -> None:
        """Open a <noscript> if the element before it does not show its images or frames already."""
        tree = self.tree
        inside = range(node + 1, tree.end[node])
        media = [inner for inner in inside if tree.tag[inner] == "img" or tree.tag[inner] in _EMBEDS]
        if not media:
            return
        # Scripts replace the image, frame or facade before it.
        before = self._before(node)
        if any(tree.tag[each] in ("img", "picture", "iframe") or each in self.found.leaves for each in before):
            return
        shown = [inner for each in before for inner in range(each, tree.end[each]) if tree.tag[inner] == "img"]
        sources = {_file_name(media_source(tree, image)) for image in shown}
        names = (_file_name(image_source(tree.attrs[each])) for each in media if tree.tag[each] == "img")
        if not shown or not all(name in sources for name in names):
            self.found.opened.add(node)

    def _visit_style(self, node: int, style: str) -> None:
        if _KEEPS_LINES.search(style):
            self._visit_lines(node)
        if _NOT_COPIED.search(style) and any(self.tree.tag[each] == "pre" for each in self._ancestors(node)):
            self._visit_code_part(node, _GUTTER_KIND)

    def _visit_lines(self, node: int) -> None:
        """Record the text nodes of an element whose CSS keeps line breaks; <pre> keeps them anyway."""
        if node < self.lined_to:
            return
        texts, tags = self.tree.text, self.tree.tag
        each = node
        self.lined_to = stop = self.tree.end[node]
        while each < stop and tags[node] not in ("pre", "code"):
            if "\n" in texts[each] and not texts[each].isspace():
                self.found.lined.add(each)
            each = self.tree.end[each] if tags[each] == "pre" else each + 1

    def _visit_table(self, node: int) -> None:
        """Record a layout table and its parts, without the tables nested in it."""
        if self.tree.tag[self.tree.parent[node]] in ("pre", "code"):
            self._visit_numbered_lines(node)
        if not is_layout_table(self.tree, node):
            return
        self.found.dissolved.add(node)
        each = node + 1
        while each < self.tree.end[node]:
            if self.tree.tag[each] in _TABLE_PARTS:
                self.found.dissolved.add(each)
            each = self.tree.end[each] if self.tree.tag[each] == "table" else each + 1

    def _visit_form(self, node: int) -> None:
        """Leave out the heading of a form for comments ("Say something"), as the form is left out."""
        areas = self.tree.nodes_by_tag.get("textarea", ())
        first = bisect_left(areas, node)
        if first < len(areas) and areas[first] < self.tree.end[node] and self.tree.text_sizes[node] < _MAX_FORM_CHARS:
            self.found.left_out.update(each for each in self._before(node) if self.tree.tag[each] in HEADINGS)

    def _before(self, node: int) -> list[int]:
        """Return the previous sibling element in a list; empty if there is none or text comes between."""
        before = self.tree.previous[node]
        while before >= 0 and self.tree.text[before].isspace():
            before = self.tree.previous[before]
        return [before] if before >= 0 and self.tree.tag[before] is not TEXT else []

    def _visit_class(self, node: int, names: str, kind: int) -> None:
        found = self.found
        if kind in (_GUTTER_KIND, _COPY_KIND, _LANGUAGE_KIND):
            if node != self.root:
                self._visit_code_part(node, kind)
        elif kind == _SIDENOTE_KIND:
            self.sidenotes.append(node)
        elif self._is_superfluous(node, kind):
            found.left_out.add(node)
        elif kind == _CARD_KIND:
            if embed := card_at(self.tree, node, self.base_url):
                found.cards[node] = embed
        elif kind not in (_SHARE_KIND, _UNSEEN_KIND) and (leaf := self._leaf_by_class(node, names, kind)) is not None:
            found.leaves[node] = leaf

    def _is_superfluous(self, node: int, kind: int) -> bool:
        """Return whether a formula is rendered beside its source, or an element only shares or names what follows."""
        if kind == _RENDERED_KIND:
            return self._has_source_behind(node)
        if kind == _SHARE_KIND:
            return node != self.root and self._is_row_of_icons(node)
        return kind == _UNSEEN_KIND and self.tree.tag[node] in HEADINGS  # "Footnotes", for screen readers

    def _leaf_by_class(self, node: int, names: str, kind: int) -> Leaf | None:
        if kind == _RENDERED_KIND:
            return formulas.formula_rendered(self.tree, node)
        if kind == _TEX_KIND:
            return formulas.formula_in_class(self.tree, node, names)
        if kind == _HIGHLIGHTER_KIND:
            return formulas.highlighted(self.tree, node)
        return facade_at(self.tree, node, self.base_url)

    def _visit_code_part(self, node: int, kind: int) -> None:
        """Leave out line numbers, copy buttons and names of languages beside the code."""
        tree = self.tree
        if kind == _GUTTER_KIND:
            if formulas.is_numbers(tree, node):
                self.found.left_out.add(node)
                self._visit_numbered_code(node)
        elif tree.tag[node] == "pre" or len(tree.plain(node).strip()) > _MAX_COPY_CHARS or self._has_media(node):
            return
        elif kind == _COPY_KIND or any(tree.tag[each] == "pre" for each in tree.children(tree.parent[node])):
            self.found.left_out.add(node)

    def _visit_numbered_code(self, gutter: int) -> None:
        """Make a code block of a highlighter's table, with line numbers in one cell and code in another."""
        tree = self.tree
        cell = gutter
        while cell > self.root and tree.tag[cell] != "td":
            cell = tree.parent[cell]
        table = cell
        while table > self.root and tree.tag[table] != "table":
            table = tree.parent[table]
        if table <= self.root or cell in self.tried or table in self.tried:
            return
        self.tried.add(cell)
        if not formulas.is_numbers(tree, cell):
            return
        self.tried.add(table)
        code = [each for each in range(tree.end[cell], tree.end[table]) if tree.tag[each] == "pre"]
        if len(code) == 1 and sum(tag == "tr" for tag in tree.tag[table : tree.end[table]]) == 1:
            inside = range(code[0], tree.end[code[0]])
            lines = "".join("\n" if tree.tag[each] == "br" else tree.text[each] for each in inside)
            text, language = lines.strip("\r\n").rstrip(), formulas.language_of_code(tree, code[0])
            self.found.leaves[table] = formulas.CodeBlock(text, language)

    def _is_row_of_icons(self, node: int) -> bool:
        """Return whether an element contains only images, all linked, and none of them to an image file."""
        tree, inside = self.tree, range(node, self.tree.end[node])
        if tree.plain(node).strip() or any(tree.tag[each] in _EMBEDS for each in inside):
            return False
        pictures = [each for each in inside if tree.tag[each] == "img"]
        return bool(pictures) and all(
            any(
                tree.tag[each] == "a" and (href := tree.attrs[each].get("href")) and not _PICTURE_FILE.search(href)
                for each in self._ancestors(picture)
                if each >= node
            )
            for picture in pictures
        )

    def _visit_numbered_lines(self, node: int) -> None:
        """Make a code block of a table inside code with one row per line: its number and its code."""
        tree = self.tree
        rows = [list(tree.children(each)) for each in range(node, tree.end[node]) if tree.tag[each] == "tr"]
        pre = tree.parent[node] if tree.tag[tree.parent[node]] == "pre" else tree.parent[tree.parent[node]]
        if tree.tag[pre] == "pre" and rows and all(len(row) == 2 and formulas.is_numbers(tree, row[0]) for row in rows):
            lines = "\n".join(tree.plain(row[1]).rstrip("\r\n") for row in rows)
            text, language = lines.strip("\n").rstrip(), formulas.language_of_code(tree, pre)
            self.found.leaves[pre] = formulas.CodeBlock(text, language)

    def _has_media(self, node: int) -> bool:
        return any(tag == "img" or tag in _EMBEDS for tag in self.tree.tag[node : self.tree.end[node]])

    def _has_source_behind(self, node: int) -> bool:
        """Return whether the TeX of an element rendered by MathJax is in a script after it."""
        tree = self.tree
        passed, after, stop = [node], tree.end[node], tree.end[max(0, tree.parent[node])]
        found = False
        while after < stop:
            if after in self.has_source:
                found = self.has_source[after]
                break
            if tree.tag[after] == "script":
                found = (tree.attrs[after].get("type") or "").startswith("math/tex")
                break
            if not tree.text[after].isspace() and "MathJax" not in (tree.attrs[after].get("class") or ""):
                break
            passed.append(after)
            after = tree.end[after]
        self.has_source |= dict.fromkeys(passed, found)
        return found

    def _visit_link(self, node: int) -> None:
        tree = self.tree
        attrs = tree.attrs[node]
        href = (attrs.get("href") or "").strip()
        if "#" not in href and not _PERMALINK_CLASS.search(attrs.get("class") or ""):
            return
        if self._is_permalink(node):
            self.found.left_out.add(node)
            return
        url, _, name = href.partition("#")
        if name and (not url or absolute(self.base_url, url) == self.page):
            self.links.append((node, unquote(name)))

    def _is_permalink(self, node: int) -> bool:
        """Return whether the link is a heading's permalink, added by the theme beside the heading's text."""
        tree = self.tree
        heading = node
        for _ in range(3):
            heading = tree.parent[heading]
            if heading < 0 or tree.tag[heading] in HEADINGS:
                break
        if heading < 0 or tree.tag[heading] not in HEADINGS:
            return False
        shown = tree.plain(node)
        if len(shown) > _MAX_PERMALINK_CHARS or not _PERMALINK_TEXT.fullmatch(shown):
            return False
        return tree.text_sizes[heading] > tree.text_sizes[node] and not any(
            tree.tag[inner] == "img" and image_source(tree.attrs[inner]) for inner in range(node, tree.end[node])
        )

    def _read_links(self) -> None:
        """Sort the fragment links into footnote links, back links and links to other anchors."""
        tree, found = self.tree, self.found
        places = self._places()
        to_notes: dict[int, tuple[int, str]] = {}
        linked_from: dict[int, dict[int, str]] = {}
        for link, name in self.links:
            target = places.get(name)
            if target is None:
                continue
            linked_from.setdefault(target, {})[link] = name
            label = _LABEL.fullmatch(tree.plain(link).strip())
            if (
                label
                and target > link
                and (note := self._note_at(target, link)) is not None
                and self._is_note_link(link, name, note, places)
            ):
                to_notes[link] = (note, label.group(1))
        labels = _labels(to_notes)
        for link, (note, _) in to_notes.items():
            found.leaves[self._with_wrappers(link)] = NoteLink(labels[note])
            found.notes[note] = labels[note]
        self._leave_out_arrows({note for note, _ in to_notes.values()}, set(to_notes), places)
        for target, links in linked_from.items():
            if not links.keys() & to_notes.keys() and links.keys() - found.left_out:
                found.anchors[target] = next(iter(links.values()))

    def _places(self) -> dict[str, int]:
        """Return the link targets in the article, by id or name."""
        places: dict[str, int] = {}
        tree, wanted = self.tree, {name for _, name in self.links}
        for node in range(self.root + 1, tree.end[self.root]):
            if attrs := tree.attrs[node]:
                for key in ("id", "name"):
                    if (name := attrs.get(key)) and name in wanted:
                        places.setdefault(name, node)
        return places

    def _note_at(self, target: int, link: int) -> int | None:
        """Return the footnote at a link target: the smallest enclosing block, unless it contains the link itself."""
        tree = self.tree
        node = target
        while node > self.root and tree.tag[node] not in _NOTE_BLOCKS:
            node = tree.parent[node]
        while tree.tag[tree.parent[node]] in ("td", "tr") or (
            tree.tag[tree.parent[node]] == "li" and self._is_first(node)
        ):
            node = tree.parent[node]
        if tree.tag[node] == "table" and tree.end[node] - node < 3:
            return None
        return node if node > self.root and not node <= link < tree.end[node] and tree.text_sizes[node] else None

    def _is_first(self, node: int) -> bool:
        before = (child for child in self.tree.children(self.tree.parent[node]) if child <= node)
        return all(child == node or self.tree.text[child].isspace() for child in before)

    def _is_note_link(self, link: int, name: str, note: int, places: dict[str, int]) -> bool:
        tree = self.tree
        attrs, around = tree.attrs[link], tree.parent[link]
        hints = " ".join(filter(None, (*map(attrs.get, ("class", "rel", "role", "epub:type")), name)))
        if _NOTE_HINT.search(hints) or tree.tag[around] == "sup" or "sup" in tree.tag[link : tree.end[link]]:
            return True
        led_to = self._led_to(note, places)
        first = bisect_left(led_to, max(0, around))
        return first < len(led_to) and led_to[first] < tree.end[link]

    def _led_to(self, note: int, places: dict[str, int]) -> list[int]:
        """Return the targets of the links in a note, in document order."""
        if note not in self.led_to:
            end = self.tree.end[note]
            inside = self.links[bisect_left(self.links, (note, "")) : bisect_left(self.links, (end, ""))]
            self.led_to[note] = sorted({places[name] for _, name in inside if name in places})
        return self.led_to[note]

    def _with_wrappers(self, link: int) -> int:
        """Return the outermost <sup>, <span> or <small> that contains only the link, or the link."""
        tree = self.tree
        node, text = link, tree.plain(link).strip()
        while (parent := tree.parent[node]) > self.root and tree.tag[parent] in ("sup", "span", "small"):
            if tree.text_sizes[parent] > tree.text_sizes[link] + _MAX_BRACKETS or tree.plain(parent).strip(
                " []()\n\t"
            ) != text.strip(" []()"):
                break
            node = parent
        return node

    def _leave_out_arrows(self, notes: set[int], to_notes: set[int], places: dict[str, int]) -> None:
        """Leave out the back links of footnotes, their repeated labels and the rules above the notes."""
        tree, found = self.tree, self.found
        for link, name in self.links:
            if link in to_notes:
                continue
            target, shown = places.get(name), tree.plain(link).strip()
            is_back = target is not None and target < link
            named = " ".join(tree.attrs[link].get(key) or "" for key in ("class", "rev", "role"))
            leads_back = (is_back or _ARROW_CLASS.search(named)) and not notes.isdisjoint(self._ancestors(link))
            if leads_back and (_ARROW_TEXT.fullmatch(shown) or _LABEL.fullmatch(shown)):
                found.left_out.add(self._with_wrappers(link))
        for before, note in {tree.parent[note]: note for note in sorted(notes)}.items():
            for rule in self._before(tree.parent[before]):
                if tree.tag[rule] == "hr" and "footnote" in (tree.attrs[rule].get("class") or ""):
                    found.left_out.add(rule)
            for child in tree.children(tree.parent[before]) if tree.tag[before] in ("ol", "ul") else ():
                if tree.tag[child] == "hr" and child < note:
                    found.left_out.add(child)

    def _read_sidenote(self, node: int, number: int) -> None:
        """Make a footnote of a margin note; the label before it becomes its link."""
        before = self._before(node)
        tree = self.tree
        for _ in range(2):
            if before and tree.tag[before[0]] == "input":
                before = self._before(before[0])
        if (
            before
            and tree.tag[before[0]] in ("label", "sup")
            and (tree.attrs[before[0]].get("for") or tree.tag[before[0]] == "sup")
        ):
            self.found.leaves[before[0]] = NoteLink(str(number))
            self.found.notes[node] = str(number)


_TAGS = _EMBEDS | {"a", "script", "math", "img", "input", "noscript", "table"}


def _labels(to_notes: dict[int, tuple[int, str]]) -> dict[int, str]:
    """Return each note's label: the text of its first link, or numbers for all if a label repeats or is a symbol."""
    labels: dict[int, str] = {}
    for note, label in to_notes.values():
        labels.setdefault(note, label)
    if len(set(labels.values())) < len(labels) or any(not label.isalnum() for label in labels.values()):
        return {note: str(number) for number, note in enumerate(labels, start=1)}
    return labels


def _file_name(url: str | None) -> str:
    return (url or "").partition("?")[0].rpartition("/")[2]
