"""Which page of a site the others are compared with: the one of middle size.

"Searching reference file" in section 2.4 of document 002. Ordinary pages of a site are of similar size; error
pages, site maps and the like are much smaller or larger and end up near the borders of the list when it is sorted
by size. The page in the middle resembles most of the others.

Where the text leaves a choice:

- Size is that of the file there. `middle` takes any sizes, so a caller that has files or WARC records gives their
  bytes; a parsed document no longer knows its bytes and is measured by its elements.
- The page in the middle is no reference for itself, it would lose all its text: its neighbour in the list steps in.
- Of an even number, the later of the two in the middle. Equal sizes keep the order in which the pages came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Document


def middle(sizes: Sequence[int]) -> int | None:
    """Return the position of the entry of median size, or None when there is none."""
    by_size = sorted(range(len(sizes)), key=sizes.__getitem__)
    return by_size[len(by_size) // 2] if by_size else None


def reference_page(pages: Sequence[Document], cleaned: Document | None = None) -> Document | None:
    """Return the page of median size, leaving out the one that is to be cleaned, or None when no page is left.

    This measures every page. Whoever cleans a whole site calls it once and passes the answer on.
    """
    others = [page for page in pages if cleaned is None or not is_same_page(page, cleaned)]
    found = middle([page.count("*") for page in others])
    return None if found is None else others[found]


def is_same_page(left: Document, right: Document) -> bool:
    """Tell whether two documents are one page, by their address when they have one."""
    return left is right or bool(left.url and left.url == right.url)
