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
CONTAINERS = (
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
    total, names = _candidates(document)
    places = [place for place in CONTAINERS if place in names and document.count(place) == 1]
    if not total:
        # Only a place that is named as theirs can hold comments without names.
        return document.first(places[0]) if places else None
    for place in places:
        if _candidates(document, f"{place} ")[0] == total:
            return document.first(place)
    return document.tree


def _candidates(document: Document, within: str = "") -> tuple[int, set[str]]:
    """How many elements can be comments, and what containers can be there, as CSS writes their names.

    Each question costs the parser a walk over the page, so two are asked and names are sifted here; in lower case,
    since in pages without a doctype capitals make no difference.
    """
    ids = document.attributes(f"{within}[id]", "id")
    classes = document.elements(f'{within}:is([class*="comment" i], .posterity-frame)')
    # The last character tells of most ids that they have no number, sooner than a pattern does.
    total = sum(name[-1].isdecimal() and COMMENT_ID.search(name) is not None for name in ids)
    names = {f"#{name.lower()}" for name in ids}
    for tag, attrs in classes:
        tokens = (attrs["class"] or "").split()
        names.update(f".{token.lower()}" for token in tokens)
        # Highlighted code is full of <span class="comment">.
        total += tag != "span" and not COMMENT_CLASSES.isdisjoint(tokens)
    return total, names
