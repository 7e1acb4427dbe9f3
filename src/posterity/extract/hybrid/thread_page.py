"""Whether a page is a thread of a forum, or a question with its answers: told by its address and by what it declares.

On such a page all messages are the content; below a blog post they are comments. The markup of both is the same, and so
is the text: only the page as a whole tells which it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from posterity.dom import Document, Tree

# Parts of addresses that forums and nobody else use: forum.example/t/7, example.org/threads/7/, /viewtopic.php?t=7.
_PLACES = frozenset(
    "forum forums foren foro foros thread threads viewtopic showthread question questions discussion discussions board "
    "boards discuss".split()
)
_TYPES = ("DiscussionForumPosting", "QAPage")  # of schema.org; FAQPage is a list by the page's own author


def is_thread(document: Document) -> bool:
    """Tell whether the messages of many people are what this page is for."""
    return _is_forum_address(document.url) or _declares_thread(document.tree)


def _is_forum_address(url: str) -> bool:
    try:
        parts = urlsplit(url.lower())
    except ValueError:  # an address that nobody could open: http://[::1
        return False
    *folders, page = parts.path.split("/")
    names = {*parts.netloc.split(".")[:-1], *folders}
    if page.endswith(".php"):
        names.add(page.removesuffix(".php"))
    return not _PLACES.isdisjoint(names)


def _declares_thread(tree: Tree) -> bool:
    if any(declared.endswith(_TYPES) for _, declared in tree.named.typed):
        return True
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            declared = tree.plain(node)
            if any(f'"{name}"' in declared for name in _TYPES):
                return True
    return False
