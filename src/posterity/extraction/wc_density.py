"""The amount of text per structural tag of each element, and the target node by this density.

Section 2.3 of document 002: `addStatToDOMTree` counts characters, tags and structural tags below every element,
`getTargetNode` (Algorithm 1) goes down from <body>. There both are recursive; here the first is one pass from the
last node to the first, the second a loop.

Where the text leaves a choice:

- Structural tags "correspond with block elements of HTML" (footnote) and include <br> (2.5). The list itself is not
  printed. Ours is HTML 4's block elements, the parts of lists and tables, <br>, and the block elements that came
  with HTML 5. <tbody> is not in it, because the parser adds it where the source has none.
- An element is in its own subtree and counts itself.
- Density without any structural tag would be a division by zero; such an element counts as one.
- Algorithm 1 asks for more than half of the characters, the sentence after it for at least half. The algorithm is
  taken at its word.
- Of several children with the same density, the first.
- The characters of a text node are counted after trimming, inner white space as it is, none for white space
  alone.
- What a reader never sees was removed by precleaning (2.1) and is neither counted nor entered.
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

MIN_SHARE = 0.5  # Algorithm 1: go down while a child holds more than half the characters
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
    """Return the counts of every node, children added to their parents from the last node to the first."""
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
    """Return the <body>, or the root of a page that has none (frames)."""
    return tree.tag.index("body") if "body" in tree.tag else 0


def target_node(tree: Tree, found: Statistics) -> int:
    """Return the node where Algorithm 1 ends: the densest child, again and again, while it holds most of the text."""
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
    """Return whether the node holds tables and lists rather than text."""
    return found.density(node) < SPARSE_DENSITY


class WcOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How wc-single and wc-multi clean. Any of them can be combined, as in Table 3.3."""

    # wc-multi cleans as wc-single does. The reference page is not looked at.
    singlemode: bool = False
    # WCC2, WCC^R: a page of little text per structural element (tables, lists of links) gives no post.
    sparse: bool = False
    # WCC^P: a page built differently from the reference page is cleaned as a single page.
    prune: bool = False
    # WCC^F: only the target node is cleaned, against the target node of the reference page.
    fromtarget: bool = False
    # The page's main headline becomes the first line of the text.
    addtitle: bool = False


class Flag(msgspec.Struct, frozen=True):
    """One flag of `wc.py`: its letter and long name there, its name on our command line, and what it does.

    `option` is the key in `Context.options`, or None when the flag does not concern the methods.
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
    """Return the options that these methods know; others belong to other methods and are passed over.

    A value that is neither true nor false raises `InputError`: the text "false" must not switch anything on.
    """
    known = {name: options[name] for name in WcOptions.__struct_fields__ if name in options}
    for name, value in known.items():
        if not isinstance(value, bool):
            raise InputError(f"The option {name!r} is a switch: give true or false, not {value!r}.")
    return WcOptions(**known)  # type: ignore[arg-type]


HEADLINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# The thesis gives no figure; the share of right titles on real pages is in docs/methods/002-wc-cleaner.md.
TITLE_CONFIDENCE = 0.5


def post_of(document: Document, fields: dict[str, Any], provenance: Provenance, options: WcOptions) -> tuple[Post, ...]:
    """Return the page's one post, or nothing when no text is left."""
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
    """Return the text of the first visible heading that has any, else of <title>, else None."""
    for node, tag in enumerate(tree.tag):
        if tag in HEADLINE_TAGS and not tree.unseen[node] and (text := one_line(text_of(tree, node))):
            return text
    if "title" in tree.tag:
        return one_line(tree.plain(tree.tag.index("title"))) or None
    return None
