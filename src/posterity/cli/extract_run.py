"""The pages of a crawl site by site, each told of the others: rules from the site's own feed, references, templates.

Sites are extracted by all processors. What a process sends back is a few hundred posts at a time, and they come in the
order of the sites however many processes there are.
"""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from posterity.blog.page_source import StoredPages, StoredResponse
from posterity.blog.stored import stored_profile
from posterity.classify import PageKind
from posterity.cli.extract_sources import GivenPage, given_page
from posterity.errors import InputError, NoBlog, NothingLearned, PosterityError, UnreadablePage, UsageError
from posterity.extraction import page_kind
from posterity.extraction.method import NEEDS, Context
from posterity.extraction.wc_multi import middle
from posterity.importer.grouping import BUCKETS, Spool, processors
from posterity.importer.importing import home_of, responses_by_host
from posterity.model import Post, sure_part
from posterity.urls import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from posterity.cli.extract_sources import Sources
    from posterity.dom import Document
    from posterity.extraction.method import Method
    from posterity.importer.grouping import Grouped
    from posterity.model import FeedEntry, RuleSet


_log = logging.getLogger(__name__)


class PageResult(msgspec.Struct, frozen=True):
    """What a page gave: its posts, or what is wrong with it. `kind` is what it looks like, where somebody asks."""

    name: str
    posts: tuple[Post, ...] = ()
    problem: PosterityError | None = None
    kind: tuple[PageKind, float] | None = None


def outcome_of(page: GivenPage, chosen: Chosen, context: Context) -> PageResult:
    """Return the posts of the page; `context` is what the method may know besides."""
    try:
        posts = _stored_records(page, chosen, context)
        return PageResult(page.name, posts, kind=page_kind(page.body, page.url) if chosen.explain else None)
    except PosterityError as problem:
        return PageResult(page.name, problem=problem)


def sure_outcome(outcome: PageResult, demands: dict[str, float]) -> PageResult:
    """Return the outcome with what is sure enough of its posts."""
    sure = (sure_part(post, demands) for post in outcome.posts)
    return msgspec.structs.replace(outcome, posts=tuple(post for post in sure if post is not None))


def _stored_records(page: GivenPage, chosen: Chosen, context: Context) -> tuple[Post, ...]:
    from posterity.dom import parse
    from posterity.dom.encoding import is_binary

    if not page.body.strip():
        raise UnreadablePage(f"{page.name} is empty.")
    if is_binary(page.body):
        raise UnreadablePage(f"{page.name} is not a page: its bytes are not text.")
    try:
        document = parse(page.body, page.url, page.content_type)
        found = chosen.run(document, context)
    except PosterityError:
        raise
    except Exception as problem:
        # The boundary around one page: a bug that one page shows must not cost the others.
        _log.exception("The method %s failed on %s", chosen.name, page.name)
        raise PosterityError(f"{page.name} met a bug in posterity ({problem!r}). Please report it.") from problem
    return tuple(_signed(post, page, number) for number, post in enumerate(found, start=1))


def _signed(post: Post, page: GivenPage, number: int) -> Post:
    """Return the post with the id of its input line, and with the WARC record that it was read from."""
    changes: dict[str, Any] = {}
    if page.id is not None:
        changes["id"] = page.id if number == 1 else f"{page.id}#{number}"
    if page.warc:
        changes["provenance"] = {
            field: msgspec.structs.replace(source, warc=page.warc, at=page.fetched_at)
            for field, source in post.provenance.items()
        }
    return msgspec.structs.replace(post, **changes) if changes else post


# Plenty to tell a template by, and a bound on what is held in memory.
MAX_SITE_PAGES = 40


class GivenSite(msgspec.Struct, frozen=True):
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
        site = self._sites.get(page.site, GivenSite())
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


def _gathered(sources: Sources, needs: frozenset[str]) -> dict[str, GivenSite]:
    sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, page in enumerate(sources.given()):
        if isinstance(page, GivenPage):
            sizes[page.site].append((place, len(page.body)))
    several = {site: pages for site, pages in sizes.items() if len(pages) > 1}
    wide = {site: spread_over(pages) for site, pages in several.items()} if "site" in needs else {}
    near = {site: middles(pages) for site, pages in several.items()} if "reference" in needs else {}
    documents = _parsed(sources, {place for places in (*wide.values(), *near.values()) for place in places})
    return {
        site: GivenSite(
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


# How many pages a process takes at once: a bound on what travels between processes, and on who waits for whom.
PORTION = 200
_OK = 200

# All answers of one host.
Responses: TypeAlias = "list[StoredResponse]"
# Pages of one host for one process: the bucket, the host in it, and the number of the first page.
Portion: TypeAlias = tuple[int, str, int]


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """What a process must know to extract: where the pages lie, and what to do with each."""

    folder: "Path"
    dropped: frozenset[int]
    chosen: "Chosen"
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

    rules: "RuleSet | None" = None
    entries: "dict[str, FeedEntry]" = {}
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


# Learning reads all of them at once. A feed has some tens of entries, and a page for each is enough.
_MAX_LEARNED_PAGES = 1_000


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """A method and what it is told about every page."""

    name: str
    run: "Method"
    options: dict[str, object] = {}
    rules: "RuleSet | None" = None
    # By page: what the feed says of it.
    entries: "dict[str, FeedEntry]" = {}
    # Is somebody going to ask what kind of page each is?
    explain: bool = False


def chosen_method(method: str | None, rules_file: str | None, feed: str | None, sources: Sources) -> Chosen:
    """Return the method that the options name or imply, ready to run, or raise `UsageError` or `InputError`."""
    from posterity.evaluate.candidates import Candidate
    from posterity.extraction.in_out_rules import in_out_rules
    from posterity.extraction.in_out_rules import posts as in_out_posts
    from posterity.extraction.method import DEFAULT_METHOD, method_named

    wanted = Candidate(method, "method") if method else None
    name, options = (wanted.base, wanted.options) if wanted else (None, {})
    if name:
        method_named(name)  # a wrong name is told before anything is read or fetched
    rules, entries = _from_feed(feed, sources) if feed else (None, {})
    if rules_file:
        kind, content = _read_rules(rules_file)
        if kind == "in-out":
            with _named(rules_file):
                in_out_rules(content)
            _expect(name, (), rules_file, "IN/OUT rules are a method of their own: leave --method out")
            return Chosen(name="in-out", run=in_out_posts, options={"rules_text": content}, entries=entries)
        if kind == "learned":
            from posterity.model import RuleSet, from_json

            _expect(name, ("feed", "hybrid"), rules_file, "learned rules are for --method hybrid or feed")
            with _named(rules_file):
                rules = from_json(content, RuleSet)
        else:
            _expect(name, ("blogbuster",), rules_file, "rules in TOML are for --method blogbuster")
            name, options = "blogbuster", {**options, kind: content}
    name = name or DEFAULT_METHOD
    return Chosen(name=name, run=method_named(name), options=options, rules=rules, entries=entries)


@contextmanager
def _named(file: str) -> Iterator[None]:
    """Say which file it is that holds no rules."""
    try:
        yield
    except InputError as problem:
        raise InputError(f"The rules {file} cannot be used. {problem}") from problem


def _expect(name: str | None, fitting: tuple[str, ...], file: str, hint: str) -> None:
    if name is not None and name not in fitting:
        raise UsageError(f"The rules in {file} do not fit --method {name}: {hint}.")


def _read_rules(file: str) -> tuple[str, str]:
    """Return what kind of rules the file holds, and its text. The package's own rule files go by their names."""
    from posterity.extraction.blogbuster_rules import RULE_FILES, rules_from_toml

    if file in RULE_FILES and not Path(file).exists():
        return "rules", file
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise InputError(f"The rules {file} cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"The rules {file} are not text: {problem}.") from problem
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.startswith("{"):
        return "learned", text
    if first.startswith("("):
        return "in-out", text
    with _named(file):
        rules_from_toml(text)
    return "rules_text", text


def _from_feed(feed: str, sources: Sources) -> tuple[RuleSet, dict[str, FeedEntry]]:
    """Learn from the feed and the given pages; what the feed says of a page goes along with it."""
    from posterity.cli.extract_sources import GivenPage, file_of
    from posterity.discover.feed import read_feed
    from posterity.learning import learn
    from posterity.learning.evidence import matched_pages

    body, url = _feed_body(feed)
    parsed = read_feed(body, url)
    for folder in sources.folders:
        for entry in parsed.entries:
            file = file_of(entry.link, folder) if entry.link else None
            if file is not None and entry.link:
                sources.known_urls[file] = entry.link
    pages: dict[str, bytes | str] = {}
    for page in sources.pages():
        if isinstance(page, GivenPage):
            pages[page.url] = page.body
        if len(pages) >= _MAX_LEARNED_PAGES:
            break
    entries = dict(matched_pages(parsed.entries, pages))
    if not entries:
        raise NothingLearned(
            f"The feed {feed} links to none of the given pages. Pages are known by their addresses: give --url, or the "
            "folder that holds them as a mirror does."
        )
    return learn(parsed, pages), entries


def _feed_body(feed: str) -> tuple[bytes, str]:
    if feed.lower().startswith(("http://", "https://")):
        from posterity.cli.fetch_page import fetch_feed

        page = fetch_feed(feed)
        return page.body, page.url
    try:
        return Path(feed).read_bytes(), ""
    except OSError as problem:
        raise InputError(f"The feed {feed} cannot be read: {problem.strerror}.") from problem
