"""One plugin of every kind: an extraction method, an export format, a search service, a store, a page behaviour."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from posterity.export.formats import Format
from posterity.model import Post, Provenance
from posterity.urls import post_id

if TYPE_CHECKING:
    from posterity import Archive, Document
    from posterity.crawl.find_blogs import SearchHit
    from posterity.export.selection import Source
    from posterity.extraction import Context
    from posterity.model import Page
    from posterity.render.rendered import BehaviourResult


def longest_paragraph(document: Document, context: Context) -> tuple[Post, ...]:  # noqa: ARG001
    """Return a post whose text is the longest paragraph of the page: pure, document and context in, posts out."""
    texts = [node.plain(0).strip() for node in document.all("p")]
    text = max(texts, key=len, default="")
    if not text:
        return ()
    origin = Provenance(method="longest-paragraph", confidence=0.5)
    return (Post(id=post_id(document.url), url=document.url, text=text, provenance={"text": origin}),)


def write_titles(source: Source, out: BinaryIO) -> None:
    """Write a title a line, for a table of contents."""
    out.writelines(f"{post.title or post.url}\n".encode() for post in source.posts)


TITLES = Format("posterity_example:write_titles", "stream", ".titles", "a title a line")


class FixedSearch:
    """A search service that finds the same page for every query; a real one would fetch `address` with the query."""

    def __init__(self, address: str, fetch: Callable[[str], Page]) -> None:
        self.address, self.fetch = address, fetch

    def hits(self, query: str, count: int) -> Iterator[SearchHit]:  # noqa: ARG002
        """Yield the hits of a query, best first."""
        from posterity.crawl.find_blogs import SearchHit

        yield SearchHit(self.address, title=query)


def open_named(location: str, *, create: bool = False) -> Archive:
    """Open the archive with this name below $POSTERITY_ARCHIVES; a real store would open a database of its own."""
    from posterity import open_archive

    folder = Path(os.environ["POSTERITY_ARCHIVES"]) / location.removeprefix("named://")
    return open_archive(str(folder), create=create)


async def open_details(page: Any, quiet: Any, settings: Any, deadline: float) -> BehaviourResult:  # noqa: ARG001
    """Open what is folded on the page."""
    from posterity.render.rendered import BehaviourResult

    count = await page.evaluate(
        "() => { const all = document.querySelectorAll('details:not([open])');"
        " all.forEach(one => { one.open = true }); return all.length }"
    )
    return BehaviourResult("open-details", count)


# A test in JavaScript of whether the page has anything for it, and the function.
OPEN_DETAILS = ("document.querySelector('details:not([open])')", open_details)
