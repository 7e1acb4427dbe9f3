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

from posterity.batch.method import (
    GivenSite,
    MethodChoice,
    PageResult,
    extract_given_page,
    median_places,
    reference_document,
    spread_over,
)
from posterity.batch.sources import GivenPage, crawled_pages, given_page
from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.blog.stored import stored_profile
from posterity.classify.page_kind import kind_of_page
from posterity.errors import NoBlog, PosterityError
from posterity.extraction.method import NEEDS, Context
from posterity.importer.grouping import BUCKETS, Grouped, Spool, processors
from posterity.importer.importing import home_of, responses_by_host
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from posterity.dom import Document
    from posterity.model import FeedEntry, RuleSet


# How many pages a process takes at once: a bound on what travels between processes, and on who waits for whom.
PORTION = 200

# Pages that are looked at to tell a blog from another site, and what links to its feed.
_SAMPLE = 12
_FEED_LINKS = tuple(
    f'link[rel~="alternate"][type="application/{kind}"]' for kind in ("rss+xml", "atom+xml", "feed+json")
)

# All responses of one host.
Responses: TypeAlias = "list[StoredResponse]"
# Pages of one host for one process: the bucket, the host in it, and the number of the first page.
Portion: TypeAlias = tuple[int, str, int]


class ExtractJob(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker process needs: where the pages are stored, and how to extract each."""

    folder: Path
    dropped: frozenset[int]
    chosen: MethodChoice
    index: bool
    reference: str | None


def extract_crawl(
    grouped: Grouped, chosen: MethodChoice, *, index: bool, reference: str | None
) -> Iterator[PageResult]:
    """Yield the result of every page of the crawl, site after site."""
    spool = grouped.spool
    job = ExtractJob(
        folder=spool.folder, dropped=frozenset(spool.dropped), chosen=chosen, index=index, reference=reference
    )
    workers = min(processors(), -(-grouped.response_count // PORTION))
    portions = _portions(spool)
    if workers <= 1:
        extractor = Extractor(job, spool)
        for portion in portions:
            yield from extractor.results(portion)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(job,)) as pool:
        waiting: deque[Future[list[PageResult]]] = deque()
        while True:
            waiting.extend(
                pool.submit(_extract_portion, portion) for portion in islice(portions, 2 * workers - len(waiting))
            )
            if not waiting:
                break
            yield from waiting.popleft().result()


class Extractor:
    """Extracts portions of sites; the context of a site is kept while portions of the same site follow each other."""

    def __init__(self, job: ExtractJob, spool: Spool) -> None:
        self._job, self._spool = job, spool
        self._reference = reference_document(job.reference) if job.reference else None
        self._bucket: tuple[int, dict[str, Responses]] = (-1, {})
        self._site: tuple[str, Responses, SiteContext] = ("", [], SiteContext())

    def results(self, portion: Portion) -> list[PageResult]:
        """Return the results of the pages of a portion."""
        bucket, host, begin = portion
        pages, known = self._known_site(bucket, host)
        return [self._result(place, pages[place], known) for place in range(begin, min(begin + PORTION, len(pages)))]

    def is_blog(self, bucket: int, host: str) -> bool:
        """Tell whether a host has a blog: a feed with entries is stored, or pages declare one and most are posts."""
        pages, known = self._known_site(bucket, host)
        if known.entries:
            return True
        sample = spread_over([(place, response.size) for place, response in enumerate(pages)])[:_SAMPLE]
        documents = [found for place in sample if (found := self._parse(pages[place])) is not None]
        if not any(document.declared(selector, "href") for document in documents for selector in _FEED_LINKS):
            return False
        return 2 * sum(kind_of_page(document)[0] == "post" for document in documents) > len(documents)

    def host_results(self, bucket: int, host: str, *, posts_only: bool) -> Iterator[PageResult]:
        """Yield the results of all pages of a host, or of those that are posts."""
        pages, known = self._known_site(bucket, host)
        for place, response in enumerate(pages):
            document = self._parse(response) if posts_only else None
            if not posts_only or (document is not None and kind_of_page(document)[0] == "post"):
                yield self._result(place, response, known)

    def _known_site(self, bucket: int, host: str) -> tuple[Responses, SiteContext]:
        if self._bucket[0] != bucket:
            self._bucket = bucket, responses_by_host(self._spool.responses(bucket))
        if self._site[0] != host:
            responses = self._bucket[1][host]
            pages = crawled_pages(responses)
            self._site = host, pages, self._site_context(responses, pages)
        return self._site[1], self._site[2]

    def _result(self, place: int, response: StoredResponse, known: SiteContext) -> PageResult:
        page = given_page(self._spool.page(response), response.url)
        context = known.context(place, page, self._job, self._reference)
        return extract_given_page(page, self._job.chosen, context)

    def _site_context(self, responses: Responses, pages: Responses) -> SiteContext:
        needs = NEEDS.get(self._job.chosen.name, frozenset())
        rules, entries = self._job.chosen.rules, self._job.chosen.entries
        # The profile's rules are those of `feed`; as published, blogforever has rules from its own algorithm only.
        if "rules" in needs and rules is None and self._job.chosen.name != "blogforever":
            rules, entries = _learn_site(StoredPages(responses, self._spool.page))
        if len(pages) < 2:
            return SiteContext(rules=rules, entries=entries)
        sizes = [(place, response.size) for place, response in enumerate(pages)]
        near = median_places(sizes) if "reference" in needs and self._reference is None else []
        wide = spread_over(sizes) if "site" in needs else []
        documents = {place: self._parse(pages[place]) for place in {*near, *wide}}
        site = GivenSite(
            tuple(found for place in wide if (found := documents[place]) is not None),
            tuple((place, found) for place in near if (found := documents[place]) is not None),
        )
        return SiteContext(rules=rules, entries=entries, site=site)

    def _parse(self, response: StoredResponse) -> Document | None:
        from posterity.dom import parse

        page = self._spool.page(response)
        try:
            return parse(page.body, page.url, page.content_type)
        except PosterityError:
            return None  # it is named when its own turn comes


class SiteContext(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a site: its rules, its feed entries by URL key, and pages to compare with."""

    rules: RuleSet | None = None
    entries: dict[str, FeedEntry] = {}
    site: GivenSite = GivenSite()

    def context(self, place: int, page: GivenPage, job: ExtractJob, reference: Document | None) -> Context:
        """Return what the method may know besides the page, which is the n-th of its site."""
        other = (document for number, document in self.site.references if number != place)
        return Context(
            rules=self.rules,
            reference=reference or next(other, None),
            site=self.site.spread,
            entry=self.entries.get(page.url) or self.entries.get(place_key(page.url)),
            fetched_at=page.fetched_at,
            index=job.index,
            options=job.chosen.options,
            explain=job.chosen.explain,
        )


def _learn_site(page_source: StoredPages) -> tuple[RuleSet | None, dict[str, FeedEntry]]:
    """Return rules and feed entries learned from the site's own feed and pages; none when it is no blog."""
    try:
        profile = stored_profile(page_source, home_of(page_source))
    except NoBlog:
        return None, {}
    return profile.rules, profile.entries


def _portions(spool: Spool) -> Iterator[Portion]:
    for bucket in range(BUCKETS):
        for host, responses in responses_by_host(spool.responses(bucket)).items():
            yield from ((bucket, host, begin) for begin in range(0, len(crawled_pages(responses)), PORTION))


_extractor: Extractor | None = None


def _begin(job: ExtractJob) -> None:
    """Set what a process of the pool keeps for all portions."""
    global _extractor  # noqa: PLW0603 - a pool has no other place for what belongs to a process
    _extractor = Extractor(job, Spool(job.folder, job.dropped))


def _extract_portion(portion: Portion) -> list[PageResult]:
    assert _extractor is not None
    return _extractor.results(portion)
