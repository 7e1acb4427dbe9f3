"""A node as clean HTML: content elements only, no scripts, styles or event handlers, addresses in full."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from posterity.dom.links import absolute, media_source
from posterity.dom.tree import TEXT
from posterity.dom.walk import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom.tree import Tree

_KEPT = frozenset(
    (
        "a abbr audio b blockquote br caption cite code dd del dfn dl dt em figcaption figure h1 h2 h3 h4 h5 "
        "h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp small source strong sub sup table "
        "tbody td tfoot th thead time tr u ul var video"
    ).split()
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "center", "details", "div", "footer", "header", "main", "section", "summary"}
)
_VOID = frozenset({"br", "hr", "img", "source"})
_ATTRIBUTES = {
    "a": ("title",),
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
_WITH_ATTRIBUTES = frozenset({*_ATTRIBUTES, "audio", "video", "source"})


def html_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as HTML that can stand on its own. Wrappers become <div>, unknown elements their content."""
    return html_of_steps(tree, steps(tree, node, skip), base_url)


def html_of_steps(tree: Tree, walked: Sequence[int], base_url: str = "") -> str:
    """Return what was walked as HTML."""
    out: list[str] = []
    append, tags, texts, attrs = out.append, tree.tag, tree.text, tree.attrs
    for step in walked:
        if step < 0:
            append(_CLOSING.get(tags[~step], ""))
            continue
        tag = tags[step]
        if tag is TEXT:
            text = texts[step]
            append(escape(text, quote=False) if "&" in text or "<" in text or ">" in text else text)
        elif tag in _WITH_ATTRIBUTES and attrs[step]:
            append(f"<{tag}{_attributes(tree, step, base_url)}>")
        else:
            append(_OPENING.get(tag, ""))
    return "".join(out).strip()


def _attributes(tree: Tree, node: int, base_url: str) -> str:
    tag, attrs = tree.tag[node], tree.attrs[node]
    kept = [(name, value) for name in _ATTRIBUTES.get(tag, ()) if (value := attrs.get(name))]
    if tag == "a" and (url := absolute(base_url, attrs.get("href"))):
        kept.insert(0, ("href", url))
    elif tag in ("img", "audio", "video", "source") and (url := absolute(base_url, media_source(tree, node))):
        kept.insert(0, ("src", url))
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)
