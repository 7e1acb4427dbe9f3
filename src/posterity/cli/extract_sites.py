"""The other pages of a site, for methods that compare pages: gathered before the first page is extracted.

All pages are looked at once for their size, and only those that a method will be shown are parsed and kept: some
spread over the site (`Context.site`), and the one of median size with its neighbour (`Context.reference`; 002,
section 2.4). Pages in crawl files come site by site and have their own way (`extract_crawl`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from posterity.cli.extract_sources import GivenPage
from posterity.errors import InputError, PosterityError
from posterity.extract.method import NEEDS, Context
from posterity.extract.wc_reference import middle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.cli.extract_rules import Chosen
    from posterity.cli.extract_sources import Sources
    from posterity.dom import Document

# Plenty to tell a template by, and a bound on what is held in memory.
MAX_SITE_PAGES = 40


class Site(msgspec.Struct, frozen=True):
    """What is kept of one site: pages spread over it, and those that can be references, the best first."""

    spread: "tuple[Document, ...]" = ()
    references: "tuple[tuple[int, Document], ...]" = ()


class Sites:
    """What every page is told: rules, its feed entry, and the pages around it."""

    def __init__(self, chosen: Chosen, sources: Sources, *, index: bool, reference: str | None) -> None:
        self._chosen, self._index = chosen, index
        self._reference = reference_document(reference) if reference else None
        needs = NEEDS.get(chosen.name, frozenset())
        if reference:
            needs -= {"reference"}
        self._sites = _gathered(sources, needs) if needs & {"site", "reference"} else {}

    def context(self, place: int, page: GivenPage) -> Context:
        """Return what the method may know besides the page, which is the n-th of all."""
        site = self._sites.get(page.site, Site())
        other = (document for number, document in site.references if number != place)
        return Context(
            rules=self._chosen.rules,
            reference=self._reference or next(other, None),
            site=site.spread,
            entry=self._chosen.entries.get(page.url),
            fetched_at=page.fetched_at,
            index=self._index,
            options=self._chosen.options,
        )


def _gathered(sources: Sources, needs: frozenset[str]) -> dict[str, Site]:
    sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, page in enumerate(sources.given()):
        if isinstance(page, GivenPage):
            sizes[page.site].append((place, len(page.body)))
    several = {site: pages for site, pages in sizes.items() if len(pages) > 1}
    wide = {site: spread_over(pages) for site, pages in several.items()} if "site" in needs else {}
    near = {site: middles(pages) for site, pages in several.items()} if "reference" in needs else {}
    documents = _parsed(sources, {place for places in (*wide.values(), *near.values()) for place in places})
    return {
        site: Site(
            tuple(documents[place] for place in wide.get(site, ()) if place in documents),
            tuple((place, documents[place]) for place in near.get(site, ()) if place in documents),
        )
        for site in several
    }


def spread_over(pages: list[tuple[int, int]]) -> list[int]:
    """Return the places of some pages from all over a site; pages are places with sizes."""
    return [place for place, _ in pages[:: -(-len(pages) // MAX_SITE_PAGES)]]


def middles(pages: list[tuple[int, int]]) -> list[int]:
    """Return the place of the page of median size, and of the one that is it without that page.

    No page is compared with itself.
    """
    found: list[int] = []
    left = list(pages)
    while left and len(found) < 2:
        best = middle([size for _, size in left])
        assert best is not None
        found.append(left.pop(best)[0])
    return found


def _parsed(sources: Sources, wanted: Iterable[int]) -> dict[int, Document]:
    from posterity.dom import parse

    wanted, documents = set(wanted), {}
    for place, page in enumerate(sources.given()):
        if place in wanted and isinstance(page, GivenPage):
            try:
                documents[place] = parse(page.body, page.url, page.content_type)
            except PosterityError:
                continue  # it is named when its own turn comes
    return documents


def reference_document(file: str) -> Document:
    """Return the page in a file, to compare others with."""
    from posterity.cli.extract_sources import Sources
    from posterity.dom import parse

    with Sources([file]) as sources:
        page = next(sources.pages(), None)
    if page is None:
        raise InputError(f"The reference page cannot be used: {file} holds no page.")
    if not isinstance(page, GivenPage):
        raise InputError(f"The reference page cannot be used: {page.problem}") from page.problem
    return parse(page.body, page.url, page.content_type)
