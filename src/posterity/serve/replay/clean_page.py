"""A page of somebody else's as HTML that can be shown: its words, its structure and its styles, nothing else.

Written anew from the tree with an allow-list, never cut out of the source: no scripts, no event handlers, no forms,
frames or plug-ins, no address but that of files in the archive. It is served in a sandbox besides (`headers`).
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from posterity.dom.links import absolute, media_source
from posterity.dom.tree import TEXT
from posterity.serve.replay.styles import dressed, style_elements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from posterity.dom import Document, Tree
    from posterity.serve.replay.parts import Part
    from posterity.serve.replay.stored_files import StoredFiles

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
_CANDIDATE = re.compile(r"(\S+)(?:\s+[\d.]+[wx])?\s*(?:,|$)")


def clean_page(
    document: Document,
    parts: list[Part],
    files: StoredFiles,
    *,
    style: str,
    plain_style: str = "",
    script: str = "",
    nonce: str = "",
    numbered: bool = False,
) -> str:
    """Return the page with its parts outlined.

    `files` knows what of the page's pictures and stylesheets is archived. `numbered` elements say which node they are,
    so that a click can be told to the server. `style` and `script` are ours, and so is `plain_style`, for pages that
    come without any of their own.
    """
    tree = document.tree
    body = next(iter(tree.nodes_by_tag.get("body", [])), 0)
    marks = {part.node: part for part in parts}
    files.know(url for node in tree.nodes_by_tag.get("img", []) for url in _sources(tree, node, document.base_url))
    files.know(filter(None, (_target(tree, node, document.base_url) for node in tree.nodes_by_tag.get("a", []))))
    inner = "".join(_written(tree, body, marks, files, document.base_url, numbered=numbered))
    language = escape(document.language or "", quote=True)
    ours = f'<script nonce="{nonce}">{script}</script>' if script else ""
    theirs = style_elements(document, files, plain_style)
    root = next(iter(tree.nodes_by_tag.get("html", [])), 0)
    names = "".join(f' {name}="{escape(tree.attrs[root].get(name) or "")}"' for name in ("class", "id"))
    return (
        f'<!doctype html><html lang="{language}"{names}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Archived page</title>'
        f"{theirs}<style>{style}</style></head>{inner}{ours}</html>"
    )


def _written(
    tree: Tree,
    start: int,
    marks: Mapping[int, Part],
    files: StoredFiles,
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
            attributes = _attributes(tree, node, written, files, base_url)
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


def _attributes(tree: Tree, node: int, tag: str, files: StoredFiles, base_url: str) -> str:
    attrs = tree.attrs[node]
    kept = [(name, value or "") for name, value in attrs.items() if name in _ATTRIBUTES]
    if "(" in (attrs.get("style") or ""):
        kept = [(name, dressed(value, base_url, files) if name == "style" else value) for name, value in kept]
    if tag == "a":
        page = files.address(_target(tree, node, base_url))
        kept += [("href", page)] if page else []
    if tag == "img":
        stored = next(filter(None, map(files.address, _sources(tree, node, base_url))), None)
        if stored:
            kept.insert(0, ("src", stored))
        else:
            kept.append(("data-missing", ""))
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)


def _target(tree: Tree, node: int, base_url: str) -> str | None:
    """The page that a link leads to."""
    return absolute(base_url, (tree.attrs[node].get("href") or "").partition("#")[0])


def _sources(tree: Tree, node: int, base_url: str) -> Iterator[str]:
    """Every address under which the picture may have been kept, the best first."""
    attrs = tree.attrs[node]
    listed = (found for name in ("srcset", "data-srcset") for found in _CANDIDATE.findall(attrs.get(name) or ""))
    for named in (media_source(tree, node), attrs.get("src"), *listed):
        url = absolute(base_url, named)
        if url:
            yield url.partition("#")[0]
