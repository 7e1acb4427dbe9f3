"""Thread pages: forum threads and pages of questions and answers, made of the messages of many people."""

from __future__ import annotations

from urllib.parse import urlsplit

from posterity.dom import Document, Tree
from posterity.lexicon import declarations, url_words

# Parts of URLs that forums and nobody else use: forum.example/t/7, example.org/threads/7/, /viewtopic.php?t=7.
_FORUM_FOLDERS = frozenset(url_words("page.forum"))
_THREAD_TYPES = declarations("type.thread")  # FAQPage is a list by the page's own author


def is_thread(document: Document) -> bool:
    """Tell whether the messages of many people are what this page is for."""
    return _is_forum_url(document.url) or _declares_thread(document.tree)


def _is_forum_url(url: str) -> bool:
    try:
        parts = urlsplit(url.lower())
    except ValueError:  # a URL that cannot be opened: http://[::1
        return False
    *folders, page = parts.path.split("/")
    names = {*parts.netloc.split(".")[:-1], *folders}
    if page.endswith(".php"):
        names.add(page.removesuffix(".php"))
    return not _FORUM_FOLDERS.isdisjoint(names)


def _declares_thread(tree: Tree) -> bool:
    if any(declared.endswith(_THREAD_TYPES) for _, declared in tree.named.typed):
        return True
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            declared = tree.plain(node)
            if any(f'"{name}"' in declared for name in _THREAD_TYPES):
                return True
    return False
