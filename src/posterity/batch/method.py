"""Choice of the method and its rules, and extraction of single pages with the other pages of their site.

`extract_given_page` returns errors of a page as values.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from posterity.batch.sources import GivenPage, Sources
from posterity.classify import PageKind
from posterity.dom import Document
from posterity.errors import InputError, NothingLearned, PosterityError, UnreadablePage, UsageError
from posterity.extraction import page_kind
from posterity.extraction.method import MAX_SITE_PAGES, NEEDS, Context, Method
from posterity.extraction.wc_multi import middle
from posterity.model import Feed, FeedEntry, Post, RuleSet, sure_part
from posterity.model.post import origins_on

_log = logging.getLogger(__name__)


class PageResult(msgspec.Struct, frozen=True):
    """The posts of a page, or what is wrong with it. `kind` is the kind of page, if `explain` was set."""

    name: str
    posts: tuple[Post, ...] = ()
    problem: PosterityError | None = None
    kind: tuple[PageKind, float] | None = None


def extract_given_page(
    page: GivenPage, chosen: MethodChoice, context: Context, document: Document | None = None
) -> PageResult:
    """Return the posts of the page, or its error; `document` is the page if it is already parsed."""
    try:
        posts = _extract_posts(page, chosen, context, document)
        return PageResult(page.name, posts, kind=page_kind(page.body, page.url) if chosen.explain else None)
    except PosterityError as problem:
        return PageResult(page.name, problem=problem)


def confident_result(result: PageResult, demands: dict[str, float]) -> PageResult:
    """Return the result with only the posts and fields that reach the demanded confidence."""
    sure = (sure_part(post, demands) for post in result.posts)
    return msgspec.structs.replace(result, posts=tuple(post for post in sure if post is not None))


def _extract_posts(
    page: GivenPage, chosen: MethodChoice, context: Context, document: Document | None
) -> tuple[Post, ...]:
    from posterity.dom import parse
    from posterity.dom.source import is_binary

    if not page.body.strip():
        raise UnreadablePage(f"{page.name} is empty.")
    if is_binary(page.body):
        raise UnreadablePage(f"{page.name} is not a page: its bytes are not text.")
    try:
        document = document or parse(page.body, page.url, page.content_type)
        found = chosen.run(document, context)
    except PosterityError:
        raise
    except Exception as problem:
        # The per-page boundary: a bug triggered by one page must not stop the others.
        _log.exception("The method %s failed on %s", chosen.name, page.name)
        raise PosterityError(
            f"{page.name} caused an unexpected error in posterity ({problem!r}). Please report it."
        ) from problem
    return tuple(_with_origin(post, page, number) for number, post in enumerate(found, start=1))


def _with_origin(post: Post, page: GivenPage, number: int) -> Post:
    """Return the post with the id of its input line, and with its WARC record as provenance."""
    changes: dict[str, Any] = {}
    if page.id is not None:
        changes["id"] = page.id if number == 1 else f"{page.id}#{number}"
    if page.warc:
        changes["provenance"] = origins_on(post.provenance, page.warc, page.fetched_at)
    return msgspec.structs.replace(post, **changes) if changes else post


class GivenSite(msgspec.Struct, frozen=True):
    """Pages of one site for comparison: a sample spread over it, and possible reference pages, best first."""

    spread: tuple[Document, ...] = ()
    references: tuple[tuple[int, Document], ...] = ()


def given_results(
    sources: Sources, chosen: MethodChoice, *, index: bool, reference: str | None
) -> Iterator[PageResult]:
    """Yield the results of all given pages except those in crawl files."""
    other_page = reference_document(reference) if reference else None
    needs = NEEDS.get(chosen.name, frozenset()) - ({"reference"} if reference else set())
    sites = _gather_sites(sources, needs) if needs & {"site", "reference"} else {}
    for place, page in enumerate(sources.given()):
        if isinstance(page, GivenPage):
            site, entry = sites.get(page.site, GivenSite()), chosen.entries.get(page.url)
            context = context_in(site, place, page, chosen, entry, index=index, reference=other_page)
            yield extract_given_page(page, chosen, context)
        else:
            yield PageResult(page.name, problem=page.problem)


def context_in(
    site: GivenSite,
    place: int,
    page: GivenPage,
    chosen: MethodChoice,
    entry: FeedEntry | None,
    *,
    index: bool,
    reference: Document | None,
) -> Context:
    """Return the context of the page at this place of its site, so that it is never its own reference."""
    return Context(
        rules=chosen.rules,
        reference=reference or next((document for number, document in site.references if number != place), None),
        site=site.spread,
        entry=entry,
        fetched_at=page.fetched_at,
        index=index,
        options=chosen.options,
        explain=chosen.explain,
    )


def _gather_sites(sources: Sources, needs: frozenset[str]) -> dict[str, GivenSite]:
    sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, page in enumerate(sources.given()):
        if isinstance(page, GivenPage):
            sizes[page.site].append((place, len(page.body)))
    several = {site: pages for site, pages in sizes.items() if len(pages) > 1}
    wide = {site: spread_over(pages) for site, pages in several.items()} if "site" in needs else {}
    near = {site: median_places(pages) for site, pages in several.items()} if "reference" in needs else {}
    documents = _parse_pages(sources, {place for places in (*wide.values(), *near.values()) for place in places})
    return {
        site: GivenSite(
            tuple(documents[place] for place in wide.get(site, ()) if place in documents),
            tuple((place, documents[place]) for place in near.get(site, ()) if place in documents),
        )
        for site in several
    }


def spread_over(pages: list[tuple[int, int]]) -> list[int]:
    """Return the places of evenly spaced pages of a site, at most `MAX_SITE_PAGES`; pages are (place, size)."""
    return [place for place, _ in pages[:: -(-len(pages) // MAX_SITE_PAGES)]]


def median_places(pages: list[tuple[int, int]]) -> list[int]:
    """Return the places of the page of median size and of the median of the rest, which is the former's reference."""
    found: list[int] = []
    left = list(pages)
    while left and len(found) < 2:
        best = middle([size for _, size in left])
        assert best is not None
        found.append(left.pop(best)[0])
    return found


def _parse_pages(sources: Sources, wanted: Iterable[int]) -> dict[int, Document]:
    from posterity.dom import parse

    wanted, documents = set(wanted), {}
    for place, page in enumerate(sources.given()):
        if place in wanted and isinstance(page, GivenPage):
            with suppress(PosterityError):  # reported when the page itself is extracted
                documents[place] = parse(page.body, page.url, page.content_type)
    return documents


def reference_document(file: str) -> Document:
    """Return the first page of a file, as the reference for all pages; raise `InputError` if there is none."""
    from posterity.batch.sources import Sources
    from posterity.dom import parse

    with Sources([file]) as sources:
        page = next(sources.pages(), None)
    if page is None:
        raise InputError(f"The reference page cannot be used: {file} contains no page.")
    if not isinstance(page, GivenPage):
        raise InputError(f"The reference page cannot be used: {page.problem}") from page.problem
    return parse(page.body, page.url, page.content_type)


# The methods that use learned rules.
_LEARNING = ("feed", "hybrid", "blogforever")
# Learning holds all pages in memory. A feed has a few dozen entries, and one page for each is enough.
_MAX_LEARNED_PAGES = 1_000


class MethodChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A method with its options, rules and feed entries."""

    name: str
    run: Method
    options: dict[str, object] = {}
    rules: RuleSet | None = None
    # Feed entries by the URL of the page.
    entries: dict[str, FeedEntry] = {}
    # Whether results contain the kind of each page, and provenance contains the reasons for each value.
    explain: bool = False


def choose_method(method: str | None, rules_file: str | None, feed: str | None, sources: Sources) -> MethodChoice:
    """Return the method given or implied by the options; raise `UsageError` or `InputError`."""
    from posterity.evaluate.candidates import Candidate
    from posterity.extraction.in_out_rules import in_out_rules
    from posterity.extraction.in_out_rules import posts as in_out_posts
    from posterity.extraction.method import DEFAULT_METHOD, method_named

    wanted = Candidate(method, "method") if method else None
    name, options = (wanted.base, wanted.options) if wanted else (None, {})
    if name:
        method_named(name)  # report a wrong name before anything is read or fetched
    rules, entries = _from_feed(feed, sources, name, options) if feed else (None, {})
    if rules_file:
        kind, content = _read_rules(rules_file)
        if kind == "in-out":
            with _errors_with_file_name(rules_file):
                in_out_rules(content)
            _expect(name, (), rules_file, "IN/OUT rules are a method of their own: remove --method")
            return MethodChoice(name="in-out", run=in_out_posts, options={"rules_text": content}, entries=entries)
        if kind == "learned":
            from posterity.model import RuleSet, from_json

            _expect(name, _LEARNING, rules_file, "learned rules are for --method hybrid, feed or blogforever")
            with _errors_with_file_name(rules_file):
                rules = from_json(content, RuleSet)
        else:
            _expect(name, ("blogbuster",), rules_file, "rules in TOML are for --method blogbuster")
            name, options = "blogbuster", {**options, kind: content}
    name = name or DEFAULT_METHOD
    return MethodChoice(name=name, run=method_named(name), options=options, rules=rules, entries=entries)


@contextmanager
def _errors_with_file_name(file: str) -> Iterator[None]:
    try:
        yield
    except InputError as problem:
        raise InputError(f"The rules {file} cannot be used. {problem}") from problem


def _expect(name: str | None, fitting: tuple[str, ...], file: str, hint: str) -> None:
    if name is not None and name not in fitting:
        raise UsageError(f"The rules in {file} cannot be used with --method {name}: {hint}.")


def _read_rules(file: str) -> tuple[str, str]:
    """Return the kind of rules in the file, and its text; for a bundled rule file, its name."""
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
    with _errors_with_file_name(file):
        rules_from_toml(text)
    return "rules_text", text


def _from_feed(
    feed: str, sources: Sources, method: str | None, options: dict[str, object]
) -> tuple[RuleSet, dict[str, FeedEntry]]:
    """Learn from the feed and the given pages; return the rules and the feed entry of every page."""
    from posterity.batch.sources import GivenPage, file_of
    from posterity.discover.feed import read_feed
    from posterity.extraction.feed import learn
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
            f"The feed {feed} links to none of the given pages. Pages are matched by URL: use --url, or a "
            "folder with the structure of a mirror."
        )
    if method == "blogforever":
        from posterity.extraction.blogforever import learn_rules

        feeds = _comment_feeds(entries, sources.folders)
        return learn_rules(parsed, pages, comment_feeds=feeds, options=options), entries
    return learn(parsed, pages), entries


def _comment_feeds(entries: dict[str, FeedEntry], folders: Iterable[Path]) -> dict[str, Feed]:
    """Return the comment feeds found in the given folders, by the URL of the page."""
    from posterity.batch.sources import file_of
    from posterity.discover.feed import read_feed

    found = {}
    for url, entry in entries.items():
        for folder in folders:
            file = file_of(entry.comment_feed, folder) if entry.comment_feed else None
            if file is not None:
                found[url] = read_feed(file.read_bytes(), entry.comment_feed or "")
                break
    return found


def _feed_body(feed: str) -> tuple[bytes, str]:
    if feed.lower().startswith(("http://", "https://")):
        from posterity.http_client import fetch_feed

        page = fetch_feed(feed)
        return page.body, page.url
    try:
        return Path(feed).read_bytes(), ""
    except OSError as problem:
        raise InputError(f"The feed {feed} cannot be read: {problem.strerror}.") from problem
