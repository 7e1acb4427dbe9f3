"""The pages of crawl files site by site, with what the other pages of a site give: rules, references, templates.

Sites are extracted by all processors. What a process sends back is a few hundred posts at a time, and they come in the
order of the sites however many processes there are.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.blog.stored import stored_profile
from posterity.cli.extract_run import (
    Chosen,
    GivenSite,
    PageResult,
    middles,
    outcome_of,
    reference_document,
    spread_over,
)
from posterity.cli.extract_sources import GivenPage, given_page
from posterity.errors import NoBlog, PosterityError
from posterity.extraction.method import NEEDS, Context
from posterity.importer.grouping import BUCKETS, Grouped, Spool, processors
from posterity.importer.importing import home_of, responses_by_host
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from posterity.dom import Document
    from posterity.model import FeedEntry, RuleSet


# How many pages a process takes at once: a bound on what travels between processes, and on who waits for whom.
PORTION = 200
_OK = 200

# All answers of one host.
Responses: TypeAlias = "list[StoredResponse]"
# Pages of one host for one process: the bucket, the host in it, and the number of the first page.
Portion: TypeAlias = tuple[int, str, int]


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """What a process must know to extract: where the pages lie, and what to do with each."""

    folder: Path
    dropped: frozenset[int]
    chosen: Chosen
    index: bool
    reference: str | None


def sites_in(spool: Spool) -> Iterator[Responses]:
    """Yield the answers of every host that sent a page."""
    for bucket in range(BUCKETS):
        yield from responses_by_host(spool.responses(bucket)).values()


def pages_of_site(spool: Spool, responses: Responses) -> Iterator[GivenPage]:
    """Yield the pages among the answers: those with status 200 that are HTML."""
    for response in _pages(responses):
        yield given_page(spool.page(response), response.url)


def crawl_outcomes(grouped: Grouped, chosen: Chosen, *, index: bool, reference: str | None) -> Iterator[PageResult]:
    """Yield what every page of the crawl gave, site after site."""
    spool = grouped.spool
    orders = Orders(
        folder=spool.folder, dropped=frozenset(spool.dropped), chosen=chosen, index=index, reference=reference
    )
    workers = min(processors(), -(-grouped.answers // PORTION))
    portions = _portions(spool)
    if workers <= 1:
        extractor = Extractor(orders, spool)
        for portion in portions:
            yield from extractor.outcomes(portion)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(orders,)) as pool:
        waiting: deque[Future[list[PageResult]]] = deque()
        while True:
            waiting.extend(pool.submit(_extracted, portion) for portion in islice(portions, 2 * workers - len(waiting)))
            if not waiting:
                break
            yield from waiting.popleft().result()


class Extractor:
    """Extracts portions of sites; what it found out about a site serves all portions that follow each other."""

    def __init__(self, orders: Orders, spool: Spool) -> None:
        self._orders, self._spool = orders, spool
        self._reference = reference_document(orders.reference) if orders.reference else None
        self._bucket: tuple[int, dict[str, Responses]] = (-1, {})
        self._site: tuple[str, Responses, SiteContext] = ("", [], SiteContext())

    def outcomes(self, portion: Portion) -> list[PageResult]:
        """Return what the pages of a portion gave."""
        bucket, host, begin = portion
        if self._bucket[0] != bucket:
            self._bucket = bucket, responses_by_host(self._spool.responses(bucket))
        if self._site[0] != host:
            responses = self._bucket[1][host]
            pages = _pages(responses)
            self._site = host, pages, self._looked_at(responses, pages)
        _, pages, known = self._site
        return [self._outcome(place, pages[place], known) for place in range(begin, min(begin + PORTION, len(pages)))]

    def _outcome(self, place: int, response: StoredResponse, known: SiteContext) -> PageResult:
        page = given_page(self._spool.page(response), response.url)
        context = known.context(place, page, self._orders, self._reference)
        return outcome_of(page, self._orders.chosen, context)

    def _looked_at(self, responses: Responses, pages: Responses) -> SiteContext:
        needs = NEEDS.get(self._orders.chosen.name, frozenset())
        rules, entries = self._orders.chosen.rules, self._orders.chosen.entries
        if "rules" in needs and rules is None:
            rules, entries = _taught(StoredPages(responses, self._spool.page))
        if len(pages) < 2:
            return SiteContext(rules=rules, entries=entries)
        sizes = [(place, response.size) for place, response in enumerate(pages)]
        near = middles(sizes) if "reference" in needs and self._reference is None else []
        wide = spread_over(sizes) if "site" in needs else []
        documents = {place: self._parsed(pages[place]) for place in {*near, *wide}}
        site = GivenSite(
            tuple(found for place in wide if (found := documents[place]) is not None),
            tuple((place, found) for place in near if (found := documents[place]) is not None),
        )
        return SiteContext(rules=rules, entries=entries, site=site)

    def _parsed(self, response: StoredResponse) -> Document | None:
        from posterity.dom import parse

        page = self._spool.page(response)
        try:
            return parse(page.body, page.url, page.content_type)
        except PosterityError:
            return None  # it is named when its own turn comes


class SiteContext(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a site: its rules, what its feed says by place, and pages to compare with."""

    rules: RuleSet | None = None
    entries: dict[str, FeedEntry] = {}
    site: GivenSite = GivenSite()

    def context(self, place: int, page: GivenPage, orders: Orders, reference: Document | None) -> Context:
        """Return what the method may know besides the page, which is the n-th of its site."""
        other = (document for number, document in self.site.references if number != place)
        return Context(
            rules=self.rules,
            reference=reference or next(other, None),
            site=self.site.spread,
            entry=self.entries.get(page.url) or self.entries.get(place_key(page.url)),
            fetched_at=page.fetched_at,
            index=orders.index,
            options=orders.chosen.options,
        )


def _taught(page_source: StoredPages) -> tuple[RuleSet | None, dict[str, FeedEntry]]:
    """What the site's own feed and pages teach; nothing, when it is no blog."""
    try:
        profile = stored_profile(page_source, home_of(page_source))
    except NoBlog:
        return None, {}
    return profile.rules, profile.entries


def _pages(responses: Sequence[StoredResponse]) -> Responses:
    return [response for response in responses if response.is_page and response.status == _OK]


def _portions(spool: Spool) -> Iterator[Portion]:
    for bucket in range(BUCKETS):
        for host, responses in responses_by_host(spool.responses(bucket)).items():
            yield from ((bucket, host, begin) for begin in range(0, len(_pages(responses)), PORTION))


_extractor: Extractor | None = None


def _begin(orders: Orders) -> None:
    """Give a process of the pool what it keeps for all portions."""
    global _extractor  # noqa: PLW0603 - a pool has no other place for what belongs to a process
    _extractor = Extractor(orders, Spool(orders.folder, orders.dropped))


def _extracted(portion: Portion) -> list[PageResult]:
    assert _extractor is not None
    return _extractor.outcomes(portion)
