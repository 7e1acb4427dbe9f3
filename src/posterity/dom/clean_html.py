"""A node as clean HTML: content elements only, no scripts, styles or event handlers, addresses in full."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from posterity.dom.links import absolute, image_source
from posterity.dom.walk import CHARS, OPEN, walk

if TYPE_CHECKING:
    from posterity.dom.document import Attributes, Tree

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


def html_of(tree: Tree, base_url: str = "", node: int = 0, skip: frozenset[int] = frozenset()) -> str:
    """Return the subtree as HTML that can stand on its own. Wrappers become <div>, unknown elements their content."""
    out: list[str] = []
    for event, index in walk(tree, node, skip):
        if event is CHARS:
            out.append(escape(tree.text[index], quote=False))
            continue
        tag = _written_tag(tree.tag[index])
        if tag is None:
            continue
        if event is OPEN:
            out.append(f"<{tag}{_attributes(tag, tree.attrs[index], base_url)}>")
        elif tag not in _VOID:
            out.append(f"</{tag}>")
    return "".join(out).strip()


def _written_tag(tag: str) -> str | None:
    if tag in _KEPT:
        return tag
    return "div" if tag in _BLOCKS else None


def _attributes(tag: str, attrs: Attributes, base_url: str) -> str:
    if not attrs:
        return ""
    kept = [(name, value) for name in _ATTRIBUTES.get(tag, ()) if (value := attrs.get(name))]
    if tag == "a" and (url := absolute(base_url, attrs.get("href"))):
        kept.insert(0, ("href", url))
    elif tag in ("img", "audio", "video", "source") and (url := absolute(base_url, image_source(attrs))):
        kept.insert(0, ("src", url))
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)
