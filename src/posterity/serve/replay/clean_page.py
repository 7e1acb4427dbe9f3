"""A page of somebody else's as HTML that can be shown: its words, its structure and its inline styles, nothing else.

Written anew from the tree with an allow-list, never cut out of the source: no scripts, no event handlers, no forms,
frames or plug-ins, no address but that of pictures in the archive. It is served in a sandbox besides (`headers`).
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from posterity.dom.document import TEXT
from posterity.dom.links import absolute, media_source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from posterity.dom import Document, Tree
    from posterity.serve.replay.parts import Part

_KEPT = frozenset(
    (
        "a abbr address article aside b blockquote body br caption center cite code col colgroup dd del details dfn "
        "div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd label li main mark nav "
        "ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead "
        "time tr tt u ul var"
    ).split()
)
_DROPPED = frozenset(
    (
        "script noscript template head link meta base title iframe frame frameset object embed applet param svg math "
        "audio video source track canvas map area input select textarea button option datalist dialog portal style"
    ).split()
)
_VOID = frozenset({"br", "col", "hr", "img"})
_ATTRIBUTES = frozenset(
    (
        "class id style title alt width height colspan rowspan lang dir datetime start align valign border "
        "cellpadding cellspacing bgcolor color face size span open"
    ).split()
)
_MAX_STYLES = 500_000  # characters


def clean_page(
    document: Document,
    parts: list[Part],
    source: Callable[[str], str | None],
    *,
    style: str,
    script: str = "",
    nonce: str = "",
    numbered: bool = False,
) -> str:
    """Return the page with its parts outlined.

    `source` gives the archive's own address of a picture, or None. `numbered` elements say which node they are, so that
    a click can be told to the server. `style` and `script` are ours.
    """
    tree = document.tree
    body = next(iter(tree.nodes_by_tag.get("body", [])), 0)
    marks = {part.node: part for part in parts}
    inner = "".join(_written(tree, body, marks, source, document.base_url, numbered=numbered))
    language = escape(document.language or "", quote=True)
    ours = f'<script nonce="{nonce}">{script}</script>' if script else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Archived page</title>'
        f"<style>{_page_styles(tree)}</style><style>{style}</style></head>{inner}{ours}</html>"
    )


def _written(
    tree: Tree,
    start: int,
    marks: Mapping[int, Part],
    source: Callable[[str], str | None],
    base_url: str,
    *,
    numbered: bool,
) -> list[str]:
    out: list[str] = []
    open_nodes: list[tuple[int, str]] = []
    node, stop = start, tree.end[start]
    while node < stop:
        while open_nodes and tree.end[open_nodes[-1][0]] <= node:
            out.append(open_nodes.pop()[1])
        tag = tree.tag[node]
        if tag == TEXT:
            out.append(escape(tree.text[node], quote=False))
        elif tag in _DROPPED:
            node = tree.end[node]
            continue
        else:
            written = tag if tag in _KEPT else "span"
            attributes = _attributes(tree, node, written, source, base_url)
            if node in marks:
                part = marks[node]
                attributes += f' data-part="{part.kind}" data-note="{escape(part.note)}"'
            if numbered:
                attributes += f' data-node="{node}"'
            out.append(f"<{written}{attributes}>")
            if written not in _VOID:
                open_nodes.append((node, f"</{written}>"))
        node += 1
    out += [closing for _, closing in reversed(open_nodes)]
    return out


def _attributes(tree: Tree, node: int, tag: str, source: Callable[[str], str | None], base_url: str) -> str:
    attrs = tree.attrs[node]
    kept = [(name, value or "") for name, value in attrs.items() if name in _ATTRIBUTES]
    if tag == "img":
        address = absolute(base_url, media_source(tree, node))
        stored = source(address) if address else None
        if stored:
            kept.insert(0, ("src", stored))
        else:
            kept.append(("data-missing", ""))
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)


def _page_styles(tree: Tree) -> str:
    """The page's own style sheets, those that stand in it; one that holds a tag might end ours and is left out."""
    styles = (tree.plain(node) for node in tree.nodes_by_tag.get("style", []))
    return "\n".join(text for text in styles if "<" not in text)[:_MAX_STYLES]
