"""The profile of a blog: its rules, the pattern of its post URLs, its scope, the entries of its feeds.

The feeds' pages are the training pages. Without a usable feed, pages that look like posts take their place. Rules
improve extraction but are not required: if none can be learned, every page is classified and extracted without rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from posterity.blog.entrance import Entrance, doubtful_entries, list_pages, section_feeds
from posterity.blog.page_parts import anchored_posts, links_to_anchors
from posterity.blog.page_source import PageSource
from posterity.classify import page_kind
from posterity.classify.page_kind import is_static_page, is_surely_index, kind_of_page, names_a_day, names_its_day
from posterity.config import LearnSettings
from posterity.discover.links import page_links, sibling_sections, translated_posts
from posterity.discover.without_feed import entries_from_pages, post_groups
from posterity.dom import Document
from posterity.errors import NoBlog
from posterity.extraction import Context, blog_fields, extract_posts
from posterity.extraction.feed import facts_of_pages, learn
from posterity.extraction.hybrid.title import site_frame
from posterity.learning.evidence import matched_pages
from posterity.model import Blog, Feed, FeedEntry, Page, Post, RuleSet
from posterity.model.page import NO_FEED
from posterity.render.page_feed import FORMAT as PAGE_DATA
from posterity.urls import PostPattern, Scope, blog_id, canonical_url, place_key, post_pattern
from posterity.urls.kinds import is_front, is_in_section, is_language, is_listing, is_service_page, is_trap

_Item = TypeVar("_Item")
MAX_FEED_PAGES = 40
_MAX_SAMPLE = 12
_GROUPS, _PAGES_PER_GROUP = 4, 6
_LIST_PAGES = 5
# Enough to find the posts of a moved blog under other URLs, and a bound on memory.
_MAX_COMPARED = 400
_MOST_MOVES = 3  # the home page as a folder, the folder that contains it, the whole host
_MIN_COPIED = 3
# Posts that are recognised without rules have .54 to 1.0 on 38 real blogs, nine in ten of them more than this.
_SURELY_A_POST = 0.75
_SURELY_NO_POST = 0.9
# A blog has two or three languages or columns, or a folder for each category; more are probably something else.
_MAX_SECTIONS, _MAX_TRIED = 8, 3


class EvidencePage(NamedTuple):
    """A page with its feed entry; without a feed, the entry is made from the page itself."""

    page: Page
    document: Document
    entry: FeedEntry
    listed_url: str = ""


class BlogProfile(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to crawl a blog and to extract records from its pages.

    `entries` are the entries of the feeds, by URL key. `has_anchored_posts`: several posts share a page, and the feeds
    link to anchors. `problem` is why there are no rules, if there are none. `aliases` are other folders whose pages
    belong to this blog, with their current folder: where it was before it moved, or the original of a copy. `sitemap`
    are the URLs in its sitemaps, and whether they are listed as posts.
    """

    home_url: str
    rules: RuleSet
    pattern: PostPattern
    scope: Scope
    feeds: tuple[Feed, ...] = ()
    entries: dict[str, FeedEntry] = {}
    evidence: tuple[EvidencePage, ...] = ()
    is_sample: bool = False
    has_anchored_posts: bool = False
    title: str | None = None
    language: str | None = None
    problem: str | None = None
    aliases: dict[str, str] = {}
    sitemap: dict[str, bool] = {}

    def own_url(self, url: str) -> str:
        """Return the URL on the blog's own host, if it is on one of its aliases; else unchanged."""
        return _own_url(url, self.aliases)

    @property
    def feed(self) -> Feed | None:
        """Return the main feed."""
        return self.feeds[0] if self.feeds else None

    def anchored_posts(self, page: Page, document: Document, blog: str) -> list[Post]:
        """Return the posts that share this page, on a blog whose feeds link to anchors, or that has no other pages."""
        if not self.has_anchored_posts:
            return []
        is_in_feed = place_key(page.url) in self.entries
        return anchored_posts(page, document, blog=blog, has_feed=bool(self.feeds), is_in_feed=is_in_feed)

    def blog(self, home: Page | None) -> Blog:
        """Return the blog's record."""
        url = canonical_url(self.home_url)
        feed = self.feed
        return Blog(
            id=blog_id(url),
            url=url,
            title=self.title,
            feed_url=feed.url if feed and feed.format != PAGE_DATA else None,
            language=self.language,
            harvested_at=home.fetched_at if home is not None else None,
        )


def _own_url(url: str, aliases: Mapping[str, str]) -> str:
    place = url.partition("://")[2] if aliases else ""
    return next((own + place[len(old) :] for old, own in aliases.items() if place.startswith(old)), url)


async def learn_profile(
    source: PageSource, entrance: Entrance, urls: dict[str, bool], *, settings: LearnSettings = LearnSettings()
) -> BlogProfile:
    """Return the profile of the blog; `urls` are those in its sitemaps. Raise `NoBlog` if it has no posts."""
    problem: str | None = str(entrance.problem) if entrance.problem else None
    evidence: list[EvidencePage] = []
    if entrance.feeds:
        evidence = await _evidence_from_feeds(source, entrance)
        rules, problem = _rules_from(evidence, entrance.feed, settings)
        if rules is not None:
            return _profile(source, entrance, evidence, rules, urls)
    scope = Scope.of(entrance.home_url)
    sample, aliases = await _sample(source, entrance, scope, urls), dict[str, str]()
    for move in _moves_of_links(source, entrance) if not sample and not evidence else ():
        aliases = dict([move])
        if sample := await _sample(source, entrance, scope, urls, aliases):
            break
    shared = await _shared_pages(source, entrance, scope) if len(sample) < 2 and not evidence else []
    if not sample and not evidence and any(entry.content for entry in entrance.entries()):
        return _profile(source, entrance, (), RuleSet(), urls, problem=problem)  # the pages are gone, not the feed
    if shared:
        entrance = msgspec.structs.replace(entrance, feeds=())
        profile = _profile(source, entrance, shared, RuleSet(), urls, problem=problem)
        return msgspec.structs.replace(profile, has_anchored_posts=True)
    if not sample and not evidence:
        raise entrance.problem or NoBlog(_why_no_blog(entrance))
    if not evidence:  # a feed none of whose pages could be fetched does not describe the sample
        entrance = msgspec.structs.replace(entrance, feeds=())
    rules, missing = _rules_from(sample, None, settings, home_url=entrance.home_url) if sample else (None, problem)
    known = {place_key(each.page.url) for each in evidence}
    pages = [*evidence, *(each for each in sample if place_key(each.page.url) not in known)]
    profile = _profile(source, entrance, pages, rules or RuleSet(), urls, problem=None if rules else problem or missing)
    return msgspec.structs.replace(profile, aliases=aliases or profile.aliases)


def profile_from_rules(rules: RuleSet, home_url: str, post_urls: Iterable[str]) -> BlogProfile:
    """Return a profile with rules learned earlier, for a blog whose stored pages no longer give any."""
    urls = list(post_urls)
    return BlogProfile(
        home_url=home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened_scope(Scope.of(home_url), urls),
    )


def widened_scope(scope: Scope, urls: Iterable[str]) -> Scope:
    """Return the scope, widened to posts outside the home page's folder or on another host."""
    for url in urls:
        if not scope.includes(url):
            scope = Scope(scope.with_host(url).hosts)
    return scope


async def with_sections(source: PageSource, profile: BlogProfile, home: Page | None) -> BlogProfile:
    """Return the profile with scope and pattern widened to the sections of the blog, if it has any."""
    document = source.document(home) if home is not None else None
    links = [profile.own_url(url) for url in page_links(document)] if document is not None else []
    folder = profile.scope.folders[0]
    own = profile.pattern.prefix if profile.is_sample and not is_language(folder) else folder
    # If one language of a site was requested, others count only if the home page links to their posts.
    asked = urlsplit(home.requested_url).path if home is not None else "/"
    one_language = is_front(asked) and is_in_section(f"{asked}/post")
    named = links if one_language else [*map(profile.own_url, profile.sitemap), *links]
    candidates = sibling_sections(own, profile.scope, profile.pattern, links, named)
    posts = [canonical_url(each.page.url) for each in profile.evidence]
    documents = [each.document for each in profile.evidence] if not one_language else []
    translated = translated_posts(documents, profile.scope, profile.pattern, profile.own_url).values()
    parts = [*candidates.items(), *((post_pattern(some).prefix, some) for some in translated)]
    for folder, some in parts[:_MAX_SECTIONS]:
        document = await _first_post(source, profile, some)
        if document is not None:
            posts += some
            is_another = bool(profile.feeds) and not one_language  # feeds of translations are those of separate blogs
            feeds = await section_feeds(source, document, profile.feeds, folder) if is_another else []
            entries = {place_key(entry.link): entry for feed in feeds for entry in feed.entries if entry.link}
            profile = msgspec.structs.replace(
                profile, scope=profile.scope.with_folder(folder), pattern=post_pattern(posts),
                feeds=(*profile.feeds, *feeds), entries=entries | profile.entries,
            )  # fmt: skip
    return profile


async def _first_post(source: PageSource, profile: BlogProfile, urls: Sequence[str]) -> Document | None:
    """Return the first of a folder's pages that is a post by the blog's rules, or None after some that are none."""
    for url in urls[:_MAX_TRIED]:
        page = next(iter(await source.pages([url])), None)
        document = source.document(page) if page is not None else None
        if document is not None and page_kind(document, profile.rules, post_pattern(urls)) == "post":
            return document
    return None


def _profile(
    source: PageSource,
    entrance: Entrance,
    evidence: Sequence[EvidencePage],
    rules: RuleSet,
    sitemap: dict[str, bool],
    *,
    problem: str | None = None,
) -> BlogProfile:
    feed, home = entrance.feed, entrance.home
    document = source.document(home) if home is not None else None
    urls = [each.page.url for each in evidence] or [entry.link for entry in entrance.entries() if entry.link]
    aliases = _aliases(evidence, entrance, sitemap)
    linked = [(entry.link, entry) for entry in entrance.entries() if entry.link]
    entries = {place_key(url): entry for link, entry in linked for url in (link, _own_url(link, aliases))}
    entries |= {place_key(each.page.url): each.entry for each in evidence if feed is not None}
    own_title = next((tree.plain(0).strip() for tree in document.all("title")), None) if document is not None else None
    return BlogProfile(
        home_url=entrance.home_url,
        rules=rules,
        pattern=post_pattern(map(canonical_url, urls)),
        scope=widened_scope(Scope.of(entrance.home_url), urls),
        feeds=entrance.feeds,
        entries=entries,
        evidence=tuple(evidence),
        is_sample=not entrance.feeds,
        has_anchored_posts=links_to_anchors(entrance.feeds),
        title=feed.title if feed else own_title,
        language=(feed.language if feed else None) or (document.language if document is not None else None),
        problem=problem,
        aliases=aliases,
        sitemap=sitemap,
    )


def _aliases(evidence: Sequence[EvidencePage], entrance: Entrance, named: Collection[str]) -> dict[str, str]:
    """Return folders in feed or sitemap of which most posts are at the same paths below a folder of the own host."""
    here = {place_key(each.page.url) for each in evidence}
    scope = Scope.of(entrance.home_url)
    agreed: dict[str, str] = {}
    for listed in (
        [each.listed_url for each in evidence if each.listed_url],
        [url for url in named if not scope.is_on_host(url)],
    ):
        moved = Counter(
            move for there in listed for move in _moves(there, entrance) if place_key(_move_url(there, move)) in here
        )
        least = min(len(listed), len(here)) / 2
        agreed |= {old: own for (old, own), count in moved.most_common() if count > least}
    return dict(sorted(agreed.items(), key=lambda pair: -len(pair[0])))


def _moves(link: str, entrance: Entrance) -> list[tuple[str, str]]:
    """Return the folders from and to which a listed post may have moved: that of the home page, or the whole host.

    A home page without a trailing slash may be a page or a folder.
    """
    there, own = urlsplit(link), urlsplit(canonical_url(entrance.home_url))
    old_home = urlsplit((entrance.feed.home if entrance.feed else None) or "")
    path = old_home.path if old_home.netloc == there.netloc else "/"
    here = _folder(own.path)
    return [
        (f"{there.netloc}{old}", f"{own.scheme}://{own.netloc}{new}")
        for old, new in dict.fromkeys(((f"{path.rstrip('/')}/", here), (_folder(path), here), ("/", "/")))
        if there.path.startswith(old) and there.netloc != own.netloc
    ]


def _moves_of_links(source: PageSource, entrance: Entrance) -> list[tuple[str, str]]:
    """Return the folders from and to which a copy may have moved, if most links of its home page are on one host."""
    home = source.document(entrance.home) if entrance.home is not None else None
    links = page_links(home) if home is not None else []
    hosts = Counter(urlsplit(url).netloc for url in links)
    host, count = hosts.most_common(1)[0] if hosts else ("", 0)
    first = next(url for url in links if urlsplit(url).netloc == host) if host else ""
    return _moves(first, entrance) if count >= _MIN_COPIED and 2 * count > len(links) else []


def _folder(path: str) -> str:
    return path[: path.rfind("/") + 1] or "/"


def _move_url(url: str, move: tuple[str, str]) -> str:
    old, own = move
    return own + url.partition("://")[2][len(old) :]


def _rules_from(
    evidence: Sequence[EvidencePage], feed: Feed | None, settings: LearnSettings, home_url: str = ""
) -> tuple[RuleSet | None, str | None]:
    """Return the rules learned from these pages, or why there are none."""
    if not evidence:
        return None, "None of the pages that the feed links to could be fetched."
    base = feed or Feed(url=home_url, format=NO_FEED, home=home_url)
    told = msgspec.structs.replace(base, entries=tuple(each.entry for each in evidence))
    owner = blog_fields.feed_owner(told, [each.document for each in evidence]) if feed is not None else None
    if owner is not None:
        entries = tuple(msgspec.structs.replace(entry, authors=()) for entry in told.entries)
        told = msgspec.structs.replace(told, authors=(), entries=entries)
    documents: dict[str, bytes | str | Document] = {each.page.url: each.document for each in evidence}
    try:
        rules = learn(told, documents, now=evidence[0].page.fetched_at, settings=settings)
    except NoBlog as problem:
        return None, str(problem)
    pages = [(each.document, entry) for each, entry in zip(evidence, told.entries, strict=True)]
    sure = blog_fields.with_sure_article(blog_fields.with_inner_article(rules, pages), pages)
    if sure is None:
        return None, "The rules miss most of the text that the pages show as their articles."
    if sure.rules_for("text") != rules.rules_for("text"):  # by the place of the article, bylines are beside it or not
        sure = msgspec.structs.replace(sure, **facts_of_pages(sure, [document for document, _ in pages]))
    # Without a feed, the entries are what was extracted without rules, which would always win.
    untitled = tuple(each.document for each in evidence if not each.entry.title)
    alike = untitled if 2 * len(untitled) >= len(evidence) else tuple(each.document for each in evidence)
    sure = msgspec.structs.replace(sure, title_frame=site_frame(alike))
    sure = blog_fields.without_repeated_titles(sure, pages)
    sure = blog_fields.without_inferior_rules(sure, pages, blog_fields.ALL_FIELDS if feed is not None else ("tags",))
    return blog_fields.with_agreed_fields(msgspec.structs.replace(sure, feed_owner=owner), told, pages), None


async def _evidence_from_feeds(source: PageSource, entrance: Entrance) -> list[EvidencePage]:
    """Return the pages that the feeds link to; if there are none, stored pages that match by path and title."""
    linked = [entry for entry in _interleave_entries(entrance) if entry.link]
    entries = [entry for entry in linked if not is_trap(canonical_url(entry.link or ""))]
    doubtful = doubtful_entries(entrance.feeds)
    sure = [entry for entry in entries if place_key(entry.link or "") not in doubtful]
    entries = sure if len(sure) > 1 else entries
    # The latest entries and a spread of the others: older posts may have another layout or kind.
    latest = MAX_FEED_PAGES * 3 // 5
    entries = [*entries[:latest], *_spread(entries[latest:], MAX_FEED_PAGES - latest)]
    pages = await _pages_of(source, entries, entrance)
    found: list[EvidencePage] = []
    seen = {place_key(entrance.home_url)}
    for entry, page in zip(entries, pages, strict=False):
        document = source.document(page) if page is not None else None
        if page is None or document is None or place_key(page.url) in seen:
            continue
        if is_service_page(page.url) and not is_service_page(entry.link or ""):
            continue  # a locked post leads to the login page
        seen.add(place_key(page.url))
        own = msgspec.structs.replace(entry, link=page.url)
        found.append(EvidencePage(page, document, own, canonical_url(entry.link or "")))
    found = found or await _found_elsewhere(source, entrance)
    posts = [each for each in found if not is_surely_index(each.document, _SURELY_NO_POST)]
    return posts if len(posts) > 1 else found


def _interleave_entries(entrance: Entrance) -> list[FeedEntry]:
    """Return the entries of all feeds in turn, each post once, so that every section is among the first."""
    merged = {place_key(entry.link): entry for entry in entrance.entries() if entry.link}
    if len(entrance.feeds) <= 1:
        return list(merged.values())
    rows = [[place_key(entry.link) for entry in feed.entries if entry.link] for feed in entrance.feeds]
    order = [key for number in range(max(map(len, rows))) for row in rows for key in row[number : number + 1]]
    return [merged[key] for key in dict.fromkeys(order)]


async def _pages_of(source: PageSource, entries: Sequence[FeedEntry], entrance: Entrance) -> list[Page | None]:
    """Return the pages at the entries' links; if missing, those at the same paths below the blog's own folder."""
    links = [canonical_url(entry.link or "") for entry in entries]
    pages = await source.pages(links)
    for number in range(_MOST_MOVES):
        moves = {place: _moves(links[place], entrance)[number:] for place, page in enumerate(pages) if page is None}
        moved = {place: _move_url(links[place], found[0]) for place, found in moves.items() if found}
        for place, page in zip(moved, await source.pages(list(moved.values())), strict=True):
            pages[place] = page
    return pages


async def _found_elsewhere(source: PageSource, entrance: Entrance) -> list[EvidencePage]:
    """Return stored pages that are the feed's posts under other URLs: of a moved blog, or behind a redirector."""
    scope = Scope.of(entrance.home_url)
    held = (response for response in source.held() if response.is_page and scope.includes(response.url))
    pages: dict[str, Page] = {}
    documents: dict[str, bytes | str | Document] = {}
    for response in held:
        page = (await source.pages([response.url]))[0]
        document = source.document(page) if page is not None else None
        if page is not None and document is not None:
            pages[page.url], documents[page.url] = page, document
        if len(pages) >= _MAX_COMPARED:
            break
    pairs = matched_pages(entrance.entries(), documents)[:MAX_FEED_PAGES]
    return [
        EvidencePage(pages[url], parsed, msgspec.structs.replace(entry, link=url))
        for url, entry in pairs
        if isinstance(parsed := documents[url], Document)
    ]


async def _sample(
    source: PageSource,
    entrance: Entrance,
    scope: Scope,
    urls: Collection[str],
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> list[EvidencePage]:
    """Return a sample of the pages that look like posts, each with what it declares; empty if none do.

    Links are grouped by shape, and pages of the most likely groups are taken if they are posts. A home page that links
    to no posts may link to lists of them.
    """
    home = source.document(entrance.home) if entrance.home is not None else None
    links = [_own_url(url, aliases) for url in page_links(home)] if home is not None else []
    lists = list_pages(links, scope, entrance.home_url)
    listed = [_own_url(url, aliases) for url in await _links_on(source, lists[:_LIST_PAGES])]
    further = [url for url in listed if url not in lists]
    named = [_own_url(canonical_url(url), aliases) for url in urls]
    known = [url for url in (*links, *named) if url not in lists]
    # A page called "blog" or "archive" lists posts; the other links of the home page may lead anywhere.
    found = await _sampled_groups(source, entrance, scope, further) if further else []
    if len(found) < 2:
        found = await _sampled_groups(source, entrance, scope, [*known, *further]) or found
    if len(found) < 2:  # lists of years lead to lists of months
        deeper = [url for url in further if scope.is_on_host(url) and is_listing(url) and not is_trap(url)]
        further += [_own_url(url, aliases) for url in await _links_on(source, deeper[:_LIST_PAGES])]
        found = await _sampled_groups(source, entrance, scope, further) or found if deeper else found
    if len(found) < 2:
        others = [url for url in links if scope.is_on_host(url) and not is_trap(url) and url not in lists]
        more = [_own_url(url, aliases) for url in await _links_on(source, others[:_LIST_PAGES])]
        # Only now, because a home page that links only to months has its posts behind them.
        found = await _sampled_groups(source, entrance, scope, [*known, *further, *more], listings=True) or found
    if len(found) < 2:  # links lead nowhere, but there are stored pages
        held = [response.url for response in source.held() if response.is_page and response.url not in lists]
        found = await _sampled_groups(source, entrance, scope, held) or found if held else found
    if len(found) >= 2 or entrance.home is None or home is None:
        return found if len(found) >= 2 else []
    return _home_as_post(entrance.home, home) or await _single_post(source, entrance, scope, links)


async def _shared_pages(source: PageSource, entrance: Entrance, scope: Scope) -> list[EvidencePage]:
    """Return the pages that contain all posts of a handmade blog: its home page, or those called "blog" or a year."""
    home = source.document(entrance.home) if entrance.home is not None else None
    if entrance.home is None or home is None:
        return []
    lists = await source.pages(list_pages(page_links(home), scope, entrance.home_url)[:_LIST_PAGES])
    read = [(page, source.document(page)) for page in (entrance.home, *lists) if page is not None]
    return [
        EvidencePage(page, document, FeedEntry(link=page.url))
        for page, document in read
        if document is not None and anchored_posts(page, document, blog="", has_feed=False)
    ]


async def _single_post(
    source: PageSource, entrance: Entrance, scope: Scope, links: Sequence[str]
) -> list[EvidencePage]:
    """Return the only post of a young blog: a page that is surely a post, with a day in its URL or text."""
    home = place_key(entrance.home_url)
    urls = [url for url in links if scope.includes(url) and place_key(url) != home and not is_service_page(url)]
    pages = await source.pages([url for url in urls if not is_trap(url) and not is_listing(url)][:_PAGES_PER_GROUP])
    read = [(page, document) for page in pages if page is not None and (document := source.document(page))]
    posts = [(page, document) for page, document in read if _is_surely_post(document) and names_its_day(document)]
    entries = entries_from_pages([document for _, document in posts])
    return [EvidencePage(page, document, entry) for (page, document), entry in zip(posts, entries, strict=True)]


def _is_surely_post(document: Document) -> bool:
    kind, confidence = kind_of_page(document)
    return kind == "post" and confidence >= _SURELY_A_POST


async def _links_on(source: PageSource, urls: Sequence[str]) -> list[str]:
    pages = [page for page in await source.pages(urls) if page is not None]
    return [link for page in pages if (document := source.document(page)) for link in page_links(document)]


async def _sampled_groups(
    source: PageSource, entrance: Entrance, scope: Scope, links: Iterable[str], *, listings: bool = False
) -> list[EvidencePage]:
    home = place_key(entrance.home_url)
    usable = [url for url in dict.fromkeys(links) if not is_trap(url) and place_key(url) != home]
    groups = post_groups(scope, usable, listings=listings)
    found: list[list[tuple[Page, Document]]] = []
    for number, group in enumerate(groups[:_GROUPS]):
        size = _MAX_SAMPLE if not number else _PAGES_PER_GROUP
        pages = [page for page in await source.pages(_spread(group, size)) if page is not None]
        read = [(page, document) for page in pages if (document := source.document(page)) is not None]
        posts = [(page, document) for page, document in read if kind_of_page(document)[0] == "post"]
        menu = sum(is_static_page(document) for _, document in read)  # pages and posts may have URLs of one shape
        if 2 * len(posts) > len(pages) - menu or (not number and len(posts) > 1):
            found.append(posts)
        if sum(map(len, found)) >= _MAX_SAMPLE:
            break
    # Either all posts of a blog have dates or none: undated pages beside dated posts are those of a menu.
    dated = [posts for posts in found if 2 * sum(names_a_day(document) for _, document in posts) > len(posts)]
    sample = [pair for posts in dated or found for pair in posts]
    entries = entries_from_pages([document for _, document in sample])
    return [EvidencePage(page, document, entry) for (page, document), entry in zip(sample, entries, strict=True)]


def _spread(items: Sequence[_Item], size: int) -> list[_Item]:
    """Return items spread over the whole sequence, because a list may begin with dead ones."""
    if len(items) <= size:
        return list(items)
    step = (len(items) - 1) / (size - 1)
    return [items[place] for place in sorted({round(number * step) for number in range(size)})]


def _home_as_post(home: Page, document: Document) -> list[EvidencePage]:
    """Return the given page alone if it is surely a post; the front page of a host never is."""
    if not _is_surely_post(document) or not urlsplit(home.url).path.strip("/"):
        return []
    posts = extract_posts(document, context=Context(fetched_at=home.fetched_at))[:1]
    entries = (FeedEntry(link=home.url, title=one.title, content=one.html, published=one.published) for one in posts)
    return [EvidencePage(home, document, entry) for entry in entries]


def _why_no_blog(entrance: Entrance) -> str:
    if entrance.feeds:
        return "None of the pages that the feed links to could be fetched. Try again later."
    return f"{entrance.home_url} does not look like a blog."
