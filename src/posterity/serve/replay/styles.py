"""The stylesheets of an archived page, gathered from the archive and made fit to stand in a frame of ours.

Imports are put in place of where they stand, addresses lead to archived files or nowhere, and nothing in them can end
the element they stand in. The frame's policy lets none of them load anything from elsewhere, whatever they say.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from posterity.dom.css_names import ADDRESS, COMMENT, IMPORT_STATEMENT
from posterity.dom.links import absolute

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.serve.replay.stored_files import StoredFiles

_MAX_CHARS = 2_000_000  # all of a page's together; large themes have some 600,000
_DEEPEST_IMPORT = 2
_CHARSET = re.compile(r"""@charset\s+["'][^"']*["']\s*;""", re.IGNORECASE)
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_NOWHERE = 'url("data:,")'


def style_elements(document: Document, files: StoredFiles, plain: str) -> str:
    """Return the page's stylesheets as elements, in the order of the page; before them `plain`, where they are lost."""
    sheets, is_dressed = _sheets(document, files)
    written, left = [] if is_dressed else [f"<style>{plain}</style>"], _MAX_CHARS
    for media, css, base_url in sheets:
        text = dressed(css, base_url, files)
        left -= len(text)
        if left < 0:
            break
        written.append(f'<style media="{escape(media)}">{text}</style>' if media else f"<style>{text}</style>")
    return "".join(written)


def dressed(css: str, base_url: str, files: StoredFiles, depth: int = 0) -> str:
    """Return a stylesheet in which every address is the archive's, with what it imports."""
    css = _CHARSET.sub("", COMMENT.sub("", css)).replace("\x00", "")
    parts: list[str] = []
    end = 0
    for found in IMPORT_STATEMENT.finditer(css):
        parts += [_moved(css[end : found.start()], base_url, files), _imported(found, base_url, files, depth)]
        end = found.end()
    return "".join([*parts, _moved(css[end:], base_url, files)])


def _imported(found: re.Match[str], base_url: str, files: StoredFiles, depth: int) -> str:
    """What stands in place of an import: the stylesheet itself, if the archive has it."""
    url = absolute(base_url, found[1] or found[2] or found[3])
    text = files.text(url) if url and depth < _DEEPEST_IMPORT else None
    if url is None or text is None:
        return ""
    inner = dressed(text, url, files, depth + 1)
    condition = _TAG.sub("", found[4].strip())
    return f"@media {condition} {{{inner}}}" if condition else inner


def _moved(css: str, base_url: str, files: StoredFiles) -> str:
    """The text with every address in it moved to the archive, and with nothing that looks like a tag."""
    files.know(filter(None, (absolute(base_url, "".join(found).partition("#")[0]) for found in ADDRESS.findall(css))))
    return _TAG.sub(r"\\3c ", ADDRESS.sub(lambda found: _moved_address(found, base_url, files), css))


def _moved_address(found: re.Match[str], base_url: str, files: StoredFiles) -> str:
    named = found[1] or found[2] or found[3] or ""
    if named.startswith(("data:", "#")):
        return found[0]
    address, _, fragment = named.replace('"', "").partition("#")
    stored = files.address(absolute(base_url, address))
    return f'url("{stored}{"#" + fragment if fragment else ""}")' if stored else _NOWHERE


def _sheets(document: Document, files: StoredFiles) -> tuple[list[tuple[str, str, str]], bool]:
    """Medium, text and address of every stylesheet that the page has or names, and whether its clothes are among them.

    A page that names stylesheets of which none is archived shows little of itself by what it has inside.
    """
    tree = document.tree
    found = []
    named = gotten = 0
    for node in sorted([*tree.nodes_by_tag.get("link", []), *tree.nodes_by_tag.get("style", [])]):
        attrs = tree.attrs[node]
        media = attrs.get("media") or ""
        if tree.tag[node] == "style":
            found.append((media, tree.plain(node), document.base_url))
            continue
        kinds = (attrs.get("rel") or "").lower().split()
        url = absolute(document.base_url, (attrs.get("href") or "").partition("#")[0])
        if url is None or "stylesheet" not in kinds or "alternate" in kinds:
            continue
        text = files.text(url)
        named += 1
        if text is not None:
            gotten += 1
            # A common trick to load late: a medium that a script changes when the file has come.
            media = "all" if "onload" in attrs and media == "print" else media
            found.append((media, text, url))
    return found, bool(gotten) if named else bool(found)
