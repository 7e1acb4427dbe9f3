"""A node as clean HTML: content elements only, no scripts, styles or event handlers, addresses in full."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from posterity.dom.links import absolute, media_source
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
_SHOWING = frozenset({"img", "audio", "video", "source"})
_WITH_ATTRIBUTES = _SHOWING.union(_ATTRIBUTES)


def html_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as HTML that can stand on its own. Wrappers become <div>, unknown elements their content."""
    return html_of_steps(tree, steps(tree, node, skip), base_url)


def html_of_steps(tree: Tree, walked: Sequence[int], base_url: str = "") -> str:
    """Return what was walked as HTML."""
    out: list[str] = []
    tags, texts, attrs = tree.tag, tree.text, tree.attrs
    for step in walked:
        if step < 0:
            out.append(_CLOSING.get(tags[~step], ""))
        elif text := texts[step]:
            out.append(escape(text, quote=False) if "&" in text or "<" in text or ">" in text else text)
        elif attrs[step] and tags[step] in _WITH_ATTRIBUTES:
            out.append(f"<{tags[step]}{_attributes(tree, step, base_url)}>")
        else:
            out.append(_OPENING.get(tags[step], ""))
    return "".join(out).strip()


def _attributes(tree: Tree, node: int, base_url: str) -> str:
    tag, attrs = tree.tag[node], tree.attrs[node]
    source = attrs.get("href") if tag == "a" else media_source(tree, node) if tag in _SHOWING else None
    url = absolute(base_url, source) if source else None
    written = f' {"href" if tag == "a" else "src"}="{_value(url)}"' if url else ""
    for name in _ATTRIBUTES.get(tag, ()):
        if value := attrs.get(name):
            written += f' {name}="{_value(value)}"'
    return written


def _value(text: str) -> str:
    # Searches take less time than the five replacements that `escape` tries.
    return escape(text) if "&" in text or '"' in text or "'" in text or "<" in text or ">" in text else text
