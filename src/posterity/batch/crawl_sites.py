"""Extraction of the pages of crawl files, site by site, with the rules and reference pages of each site.

Sites are extracted on all processors, in portions of at most `PORTION` pages. The results are in the order of the
sites, regardless of the number of processes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cached_property, lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import msgspec

from posterity.batch import method
from posterity.batch.sources import crawled_pages, given_page
from posterity.blog.page_source import PARSED_PAGES, StoredPages, StoredResponse
from posterity.blog.stored import data_feed, stored_profile
from posterity.classify.page_kind import kind_of_page
from posterity.discover.feed import feed_on
from posterity.dom import Document
from posterity.engine import collect_rarely, processors
from posterity.errors import NoBlog, UnreadablePage
from posterity.extraction.method import NEEDS
from posterity.importer.grouping import BUCKETS, Grouped, Spool
from posterity.importer.importing import home_of, responses_by_host
from posterity.model import FeedEntry, RuleSet
from posterity.urls import place_key

# Pages per task: limits the data sent between processes, and how long one task delays the results of others.
PORTION = 200

# Pages examined to distinguish a blog from other sites, and the links that declare a feed.
_SAMPLE = 12
_FEEDS = tuple(f'link[rel~="alternate"][type="application/{kind}"]' for kind in ("rss+xml", "atom+xml", "feed+json"))
_FEED_TYPE = re.compile(rb"(?:rss|atom)\+xml|feed\+json", re.IGNORECASE)

# All responses of one host.
Responses: TypeAlias = "list[StoredResponse]"
# A task: the bucket, a host in it, and the number of the first page.
Portion: TypeAlias = tuple[int, str, int]


class ExtractJob(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a worker process: where the pages are stored, and how to extract them."""

    folder: Path
    dropped: frozenset[int]
    chosen: method.MethodChoice
    index: bool
    reference: str | None


def extract_crawl(
    grouped: Grouped, chosen: method.MethodChoice, *, index: bool, reference: str | None
) -> Iterator[method.PageResult]:
    """Yield the result of every page of the crawl, site after site."""
    spool = grouped.spool
    dropped = frozenset(spool.dropped)
    job = ExtractJob(folder=spool.folder, dropped=dropped, chosen=chosen, index=index, reference=reference)
    workers = min(processors(), -(-grouped.response_count // PORTION))
    portions = _portions(spool)
    if workers <= 1:
        extractor = Extractor(job, spool)
        for portion in portions:
            yield from extractor.results(portion)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(job,)) as pool:
        waiting: deque[Future[list[method.PageResult]]] = deque()
        while True:
            room = 2 * workers - len(waiting)
            waiting.extend(pool.submit(_extract_portion, portion) for portion in islice(portions, room))
            if not waiting:
                break
            yield from waiting.popleft().result()


class HostPages:
    """The responses of one host. Recently used pages are cached, read and parsed."""

    def __init__(self, responses: Responses, spool: Spool) -> None:
        self.pages = crawled_pages(responses)
        self.read = lru_cache(PARSED_PAGES)(spool.page)  # the same object each time: documents are cached by page
        self._stored = StoredPages(responses, self.read)

    def document(self, response: StoredResponse) -> Document | None:
        """Return the parsed page; None if it cannot be parsed, which is reported when the page itself is extracted."""
        return self._stored.document(self.read(response))

    def forget(self, response: StoredResponse) -> None:
        """Drop the document of a page that is no longer needed."""
        self._stored.forget(self.read(response))

    @cached_property
    def is_blog(self) -> bool:
        """Whether this is a blog: a feed of its posts is stored, or pages declare a feed and most are posts."""
        if self._has_feed and self.learned[1]:
            return True
        sample = [self.pages[place] for place in method.spread_over(self._sizes)[:_SAMPLE]]
        # Most hosts are not blogs, and searching bytes is far faster than parsing them.
        if not any(_may_declare_feed(self.read(response).body) for response in sample):
            return False
        documents = [document for response in sample if (document := self.document(response)) is not None]
        if not any(document.declared(selector, "href") for document in documents for selector in _FEEDS):
            return False
        return 2 * sum(kind_of_page(document)[0] == "post" for document in documents) > len(documents)

    @property
    def _has_feed(self) -> bool:
        """Whether there are feed entries to learn from: in a stored feed, or in data that the home page has fetched."""
        stored = self._stored
        feeds = [response for response in stored.responses() if response.may_be_feed]
        if any((feed := feed_on(stored.read(response))) and feed.entries for response in feeds):
            return True
        home = stored.find(home_of(stored)) if any("json" in response.content_type for response in feeds) else None
        return home is not None and data_feed(stored, stored.document(home)) is not None

    @cached_property
    def learned(self) -> tuple[RuleSet | None, dict[str, FeedEntry]]:
        """The rules and feed entries learned from the host's own feed and pages; none if it is not a blog."""
        try:
            profile = stored_profile(self._stored, home_of(self._stored))
        except NoBlog:
            return None, {}
        return profile.rules, profile.entries

    def context(
        self, chosen: method.MethodChoice, *, has_reference: bool
    ) -> tuple[method.MethodChoice, method.GivenSite]:
        """Return the method with the host's rules and feed entries, and the pages to compare with."""
        needs = NEEDS.get(chosen.name, frozenset())
        # The profile's rules are for `feed`; as published, blogforever only uses rules of its own algorithm.
        if "rules" in needs and chosen.rules is None and chosen.name != "blogforever":
            rules, entries = self.learned
            chosen = msgspec.structs.replace(chosen, rules=rules, entries=entries)
        if len(self.pages) < 2:
            return chosen, method.GivenSite()
        near = method.median_places(self._sizes) if "reference" in needs and not has_reference else []
        wide = method.spread_over(self._sizes) if "site" in needs else []
        documents = {place: self.document(self.pages[place]) for place in {*near, *wide}}
        site = method.GivenSite(
            tuple(found for place in wide if (found := documents[place]) is not None),
            tuple((place, found) for place in near if (found := documents[place]) is not None),
        )
        return chosen, site

    @property
    def _sizes(self) -> list[tuple[int, int]]:
        return [(place, response.size) for place, response in enumerate(self.pages)]


class Extractor:
    """Extracts portions of sites; the context of a site is cached for consecutive portions of that site."""

    def __init__(self, job: ExtractJob, spool: Spool) -> None:
        self._job, self._spool = job, spool
        self._reference = method.reference_document(job.reference) if job.reference else None
        self._bucket: tuple[int, dict[str, Responses]] = (-1, {})
        self._host: tuple[str, HostPages] = ("", HostPages([], spool))
        self._context: tuple[method.MethodChoice, method.GivenSite] | None = None

    def results(self, portion: Portion) -> list[method.PageResult]:
        """Return the results of the pages of a portion."""
        bucket, name, begin = portion
        host = self.host(bucket, name)
        return [self._result(host, place) for place in range(begin, min(begin + PORTION, len(host.pages)))]

    def host(self, bucket: int, name: str) -> HostPages:
        """Return the pages of a host."""
        if self._bucket[0] != bucket:
            self._bucket = bucket, responses_by_host(self._spool.responses(bucket))
        if self._host[0] != name:
            self._host, self._context = (name, HostPages(self._bucket[1][name], self._spool)), None
        return self._host[1]

    def host_results(self, bucket: int, name: str, *, posts_only: bool) -> Iterator[method.PageResult]:
        """Yield the results of all pages of a host; with `posts_only`, of posts and of unreadable pages."""
        host = self.host(bucket, name)
        for place, response in enumerate(host.pages):
            document = host.document(response)
            if posts_only and document is None:
                problem = UnreadablePage(f"{response.url} cannot be read as a page.")
                yield method.PageResult(response.url, problem=problem)
            elif not posts_only or (document is not None and kind_of_page(document)[0] == "post"):
                yield self._result(host, place)
            host.forget(response)

    def _result(self, host: HostPages, place: int) -> method.PageResult:
        if self._context is None:
            self._context = host.context(self._job.chosen, has_reference=self._reference is not None)
        response, (chosen, site) = host.pages[place], self._context
        page = given_page(host.read(response), response.url)
        entry = chosen.entries.get(page.url) or chosen.entries.get(place_key(page.url))
        context = method.context_in(site, place, page, chosen, entry, index=self._job.index, reference=self._reference)
        result = method.extract_given_page(page, chosen, context, host.document(response))
        host.forget(response)
        return result


def _may_declare_feed(body: bytes) -> bool:
    """Return whether the page may link to a feed; a page in UTF-16 always may."""
    return _FEED_TYPE.search(body) is not None or b"\0" in body[:64]


def _portions(spool: Spool) -> Iterator[Portion]:
    for bucket in range(BUCKETS):
        for host, responses in responses_by_host(spool.responses(bucket)).items():
            yield from ((bucket, host, begin) for begin in range(0, len(crawled_pages(responses)), PORTION))


_extractor: Extractor | None = None


def _begin(job: ExtractJob) -> None:
    """Initialize a worker process of the pool."""
    global _extractor  # noqa: PLW0603 - a pool has no other place for the state of a process
    _extractor = Extractor(job, Spool(job.folder, job.dropped))
    collect_rarely()


def _extract_portion(portion: Portion) -> list[method.PageResult]:
    assert _extractor is not None
    return _extractor.results(portion)
