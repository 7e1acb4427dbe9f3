"""Where on a page the comments are, asked of the parser: most pages have none, and their trees need not be read.

Reading the whole tree of a page costs more than all other fields together. Two look-ups tell whether any element
can be a comment at all; if so, the first known container that holds all of them is read, and only if none does, the
whole page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom import Document, Tree

COMMENT_ID = re.compile(r"(?:^|[-_])(?:comment|cmt|reply|isso)[-_]?(\d+)$|^c(\d{4,})$", re.IGNORECASE)
COMMENT_CLASSES = frozenset(
    "comment u-comment comment-item comment_item comment-entry commententry comment-wrap isso-comment gsc-comment "
    "timeline-comment".split()
)
_CONTAINERS = (
    "#comments",
    "#disqus_thread",
    ".comments",
    ".comments-area",
    ".commentlist",
    ".comment-list",
    "#commentlist",
    ".posterity-frame",
)


def comment_tree(document: Document) -> Tree | None:
    """Return a tree with all elements of the page that can be comments, as small as can be had; None for none."""
    total = _candidates(document)
    if not total:
        # Only a place that is named as theirs can hold comments without names.
        return next((document.first(place) for place in _CONTAINERS if document.count(place) == 1), None)
    for container in _CONTAINERS:
        if document.count(container) == 1 and _candidates(document, f"{container} ") == total:
            return document.first(container)
    return document.tree


def _candidates(document: Document, within: str = "") -> int:
    # One simple selector costs the parser a twentieth of a list of precise ones; names are sifted here.
    ids = document.attributes(f"{within}[id]", "id")
    # Highlighted code is full of <span class="comment">.
    classes = document.attributes(f'{within}[class*="comment" i]:not(span)', "class")
    return sum(COMMENT_ID.search(name) is not None for name in ids) + sum(
        not COMMENT_CLASSES.isdisjoint(names.split()) for names in classes
    )
