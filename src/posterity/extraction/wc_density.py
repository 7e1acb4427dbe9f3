"""The amount of text per structural tag of each element, and the target node by this density.

Section 2.3 of document 002: `addStatToDOMTree` counts characters, tags and structural tags below every element,
`getTargetNode` (Algorithm 1) descends from <body>. Both are recursive there; here the first is one pass from the last
node to the first, the second a loop.

Where the thesis leaves a choice:

- Structural tags "correspond with block elements of HTML" (footnote) and include <br> (2.5). The list is not printed.
  Ours is HTML 4's block elements, the parts of lists and tables, <br>, and HTML 5's block elements, without <tbody>,
  which the parser adds to sources that omit it.
- An element is in its own subtree and counts itself.
- The density of an element without structural tags would be a division by zero; it counts as one.
- Algorithm 1 requires more than half of the characters, the sentence after it at least half. We follow the algorithm.
- Of several children with the same density, the first wins.
- The characters of a text node are counted after stripping, inner white space unchanged.
- Elements that are never rendered were removed by precleaning (2.1) and are neither counted nor entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

import msgspec

from posterity.dom import Document, Tree, text_of
from posterity.dom.tree import TEXT
from posterity.errors import InputError
from posterity.extraction.record import post_from
from posterity.model import Post, Provenance
from posterity.text.normal_form import one_line

MIN_SHARE = 0.5  # Algorithm 1: descend while a child contains more than half the characters
SPARSE_DENSITY = 10  # appendix, wclib.py
STRUCTURE_TAGS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hgroup", "hr", "legend", "li", "main", "menu", "nav", "noframes", "ol", "p", "pre",
    "section", "summary", "table", "td", "th", "tr", "ul",
})  # fmt: skip


class Statistics(NamedTuple):
    """Per node of a tree: characters, tags and structural tags of its subtree, the node itself counted."""

    chars: list[int]
    tags: list[int]
    s_tags: list[int]

    def density(self, node: int) -> float:
        """Return the characters per structural tag."""
        return self.chars[node] / max(1, self.s_tags[node])


def statistics(tree: Tree) -> Statistics:
    """Return the counts of every node."""
    size = len(tree)
    found = Statistics([0] * size, [0] * size, [0] * size)
    chars, tags, s_tags = found
    unseen, names, texts, parents = tree.unseen, tree.tag, tree.text, tree.parent
    for node in range(size - 1, -1, -1):
        if unseen[node]:
            continue
        name = names[node]
        if name == TEXT:
            chars[node] = len(texts[node].strip())
        else:
            tags[node] += 1
            s_tags[node] += name in STRUCTURE_TAGS
        parent = parents[node]
        if parent >= 0:
            chars[parent] += chars[node]
            tags[parent] += tags[node]
            s_tags[parent] += s_tags[node]
    return found


def body_of(tree: Tree) -> int:
    """Return the <body>, or the root of a page without one (frames)."""
    return tree.tag.index("body") if "body" in tree.tag else 0


def target_node(tree: Tree, found: Statistics) -> int:
    """Return the node where Algorithm 1 ends: it descends to the densest child while that has most of the text."""
    node = body_of(tree)
    while True:
        elements = [child for child in tree.children(node) if tree.tag[child] != TEXT and not tree.unseen[child]]
        if not elements:
            return node
        densest = max(elements, key=found.density)
        if not found.chars[densest] > MIN_SHARE * found.chars[node]:
            return node
        node = densest


def is_sparse(found: Statistics, node: int) -> bool:
    """Return whether the node contains tables and lists rather than text."""
    return found.density(node) < SPARSE_DENSITY


class WcOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of wc-single and wc-multi. Any of them can be combined, as in Table 3.3."""

    # wc-multi cleans like wc-single, without a reference page.
    singlemode: bool = False
    # WCC2, WCC^R: a page with little text per structural element (tables, lists of links) gives no post.
    sparse: bool = False
    # WCC^P: a page built differently from the reference page is cleaned as a single page.
    prune: bool = False
    # WCC^F: only the target node is cleaned, against the target node of the reference page.
    fromtarget: bool = False
    # The page's main headline becomes the first line of the text.
    addtitle: bool = False


class Flag(msgspec.Struct, frozen=True):
    """One flag of `wc.py`: its letter and long name there, its name on our command line, and its effect.

    `option` is the key in `Context.options`, or None if the flag does not affect the methods.
    """

    letter: str
    thesis_name: str
    name: str
    option: str | None
    does: str


FLAGS: tuple[Flag, ...] = (
    Flag("i", "input", "PAGE", None, "the page to clean"),
    Flag("d", "directory", "PAGE", None, "a folder of pages, all of them cleaned"),
    Flag(
        "s",
        "singlemode",
        "--singlemode",
        "singlemode",
        "clean each page alone (wc-single); comparing is the default of wc-multi",
    ),
    Flag(
        "r",
        "sparse",
        "--sparse",
        "sparse",
        "leave out pages of tables and lists, with little text per structural element",
    ),
    Flag("e", "reference", "--reference", None, "the page of the same site that wc-multi compares with"),
    Flag("t", "addtitle", "--addtitle", "addtitle", "put the page's main headline at the beginning of the text"),
    Flag("p", "prune", "--prune", "prune", "clean pages that are built differently from the reference page alone"),
    Flag("v", "verbose", "--explain", None, "print what was done with each page"),
    Flag("f", "fromtarget", "--fromtarget", "fromtarget", "compare the target nodes of the two pages only"),
    Flag("c", "clave", "--clave", None, "begin every document with a line <doc> (--format cleaneval)"),
)


def wc_options(options: Mapping[str, object]) -> WcOptions:
    """Return the options of these methods; those of other methods are ignored.

    A value that is not a bool raises `InputError`: the text "false" must not enable anything.
    """
    known = {name: options[name] for name in WcOptions.__struct_fields__ if name in options}
    for name, value in known.items():
        if not isinstance(value, bool):
            raise InputError(f"The option {name!r} is a switch: give true or false, not {value!r}.")
    return WcOptions(**known)  # type: ignore[arg-type]


HEADLINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# The thesis gives no figure; docs/methods/002-wc-cleaner.md has the share of correct titles on real pages.
TITLE_CONFIDENCE = 0.5


def post_of(document: Document, fields: dict[str, Any], provenance: Provenance, options: WcOptions) -> tuple[Post, ...]:
    """Return the page's only post, or nothing if no text is left."""
    if not fields.get("text"):
        return ()
    title = main_headline(document.tree)
    named = {"text": provenance}
    if title:
        if options.addtitle and not one_line(fields["text"]).startswith(title):
            fields = fields | {
                "text": f"{title}\n\n{fields['text']}",
                "html": f"<h1>{escape(title, quote=False)}</h1>{fields['html']}",
                "markdown": f"# {title}\n\n{fields['markdown']}",
            }
        fields = fields | {"title": title}
        named["title"] = Provenance(method=provenance.method, rule="main headline", confidence=TITLE_CONFIDENCE)
    return (post_from(document, fields, named),)


def main_headline(tree: Tree) -> str | None:
    """Return the text of the first visible heading with text, else of <title>, else None."""
    for node, tag in enumerate(tree.tag):
        if tag in HEADLINE_TAGS and not tree.unseen[node] and (text := one_line(text_of(tree, node))):
            return text
    if "title" in tree.tag:
        return one_line(tree.plain(tree.tag.index("title"))) or None
    return None
