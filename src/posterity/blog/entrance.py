"""From a blog's URL to its home page and its feeds.

Every feed that the home page declares is read and judged by its entries: they should be several pages of this site, not
comments and not the home page. The best one is the main feed; the others add their entries. Usual feed URLs are tried
only if no declared feed is usable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.blog.page_source import PageSource
from posterity.classify.interstitials import name_of_page
from posterity.discover.feed import (
    COMMENT_FEED,
    declared_feeds,
    entry_text,
    feed_on,
    looks_like_feed,
    read_feed,
    usual_feeds,
)
from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.dom.media import absolute
from posterity.errors import BrokenFeed, EmptyFeed, NoBlog, NoFeed, PosterityError, Unreachable
from posterity.lexicon import any_of, url_words
from posterity.model import Feed, FeedEntry, Page
from posterity.text.normal_form import words
from posterity.urls import Scope, canonical_url, place_key
from posterity.urls.kinds import is_listing, is_service_page

_MAX_DECLARED = 12
_MAX_HELD = 20
_ADVICE = {
    401: "It requires a login, which Posterity does not have",
    403: "The server refuses programs, or requires a login. Try --render always, or ask its owner",
    429: "Try again later",
}
_FEW_LINKS = 10  # of a home page; one with more is not just a cover around a frame
_FRAMES = "frameset frame[src], frame-set iframe[src]"  # the second where the page has content in <noframes>
_LIST_PAGES = 4
_MENU = 12  # the most pages that a feed lists if it is the menu of a site
_YEAR = re.compile(r"/(?:19|20)\d\d(?:/|\.\w{3,5})?$")
_FIRST_FOLDER = re.compile(r"^/[^/.]+/(?:index\.html?)?$")
# Usual names of pages that list posts.
_LIST_NAME = re.compile(
    rf"/(?:{any_of(url_words('section.posts'))}|all|(?:19|20)\d\d)(?:[-_](?:index|list|archive))?(?:/|\.\w{{3,5}})?$",
    re.IGNORECASE,
)
_TEXT_OF_POST = 25  # words of an entry; descriptions of lists by generators are shorter
_COMMENT_LINK = re.compile(r"#(?:comment|respond|c)[-\d]|/comment-page-\d|[?&]showcomment=", re.IGNORECASE)
_COMMENT_TITLE = re.compile(
    r"^(?:comments? (?:on|for|to)\b|kommentare (?:zu|für)\b|commentaires (?:sur|pour)\b)", re.IGNORECASE
)


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """The entry points of a blog: its home page if there is one, its feeds, the main one first, or the problem.

    `unread` are sentences about feeds of the blog's own host at which the server failed: they may list more posts.
    """

    home_url: str
    home: Page | None = None
    feeds: tuple[Feed, ...] = ()
    problem: PosterityError | None = None
    unread: tuple[str, ...] = ()

    @property
    def feed(self) -> Feed | None:
        """Return the main feed."""
        return self.feeds[0] if self.feeds else None

    def entries(self) -> list[FeedEntry]:
        """Return the entries of all feeds, each post once, the main feed's first."""
        found: dict[str, FeedEntry] = {}
        for feed in self.feeds:
            for entry in feed.entries:
                key = place_key(entry.link) if entry.link else f"{entry.guid} {entry.title}"
                known = found.setdefault(key, entry)
                if known.content is None and entry.content is not None:
                    found[key] = msgspec.structs.replace(known, content=entry.content)
        return list(found.values())


def doubtful_entries(feeds: Iterable[Feed]) -> set[str]:
    """Return the URL keys of entries that may not be posts: generators list all pages of a site in its feed.

    An entry without a date is doubtful if most others have one, or if entries with dates are in other folders. So is
    one without a text whose URL is that of a list, such as /tags/x, among others; a further feed may have all tags.
    With a text, /2014/08/08/ is the post of a day, and /2021 one that looks back on a year. The home page is
    doubtful among others, and so is /about/ without a date.
    """
    found: set[str] = set()
    has_others = False
    for feed in feeds:
        linked = [entry for entry in feed.entries if entry.link]
        folders = {urljoin(entry.link.rstrip("/"), ".") for entry in linked if entry.link and entry.published}
        undated = [entry for entry in linked if entry.published is None]
        service = [entry for entry in undated if is_service_page(entry.link or "")]
        has_posts = 2 * len(service) < len(linked)
        if 2 * len(undated) >= len(linked):
            undated = [entry for entry in undated if urljoin((entry.link or "").rstrip("/"), ".") not in folders]
        lists = [entry for entry in linked if is_listing(entry.link or "") and not _has_text(entry)]
        has_others = has_others or 2 * len(lists) < len(linked)
        homes = [entry for entry in linked if place_key(entry.link or "") == place_key(feed.home or feed.url)]
        is_one_page = 2 * len(homes) >= len(linked)
        kinds = ((undated, bool(folders)), (lists, has_others), (homes, not is_one_page), (service, has_posts))
        for odd, is_odd in kinds:
            found.update(place_key(entry.link or "") for entry in odd if is_odd)
    return found


def _has_text(entry: FeedEntry) -> bool:
    return len(words(entry_text(entry))) >= _TEXT_OF_POST


async def find_entrance(source: PageSource, url: str, *, feed_url: str | None = None) -> Entrance:
    """Return the home page and the feeds of the blog at this URL; raise if there is neither a page nor a feed."""
    try:
        page = await source.page(url)
    except Unreachable as failure:
        copied = await _copied_home(source, url, failure.url)
        if copied is None and not source.held():
            # The home page of a blog that moved may redirect to a host that is gone, while its posts are still here.
            own = await _usual_feed(source, url) if failure.url and _on_own_host(failure.url, url) else None
            if own is None:
                raise
            left = f"its home page leads to {failure.url}, which could not be reached"
            return Entrance(home_url=url, feeds=(own,), unread=(left,))
        if copied is None:
            return await _entrance_by_held_feeds(source, url, feed_url)
        page = copied
    if page.status >= 400:
        return await _entrance_by_feed_alone(source, page, url)
    if looks_like_feed(page.body):
        return await _entrance_by_feed(source, page)
    if "html" not in page.content_type.lower() and b"<html" not in page.body[:2000].lower():
        kind = page.content_type or "unknown"
        raise NoBlog(
            f"{page.url} is not a web page (its type is {kind}). Give the URL of the blog's home page or feed."
        )
    page = await _main_frame(source, page)
    unread: list[str] = []
    feeds, problem = await _find_feeds(source, page, feed_url, unread=unread)
    return Entrance(home_url=page.url, home=page, feeds=feeds, problem=problem, unread=tuple(unread))


async def _copied_home(source: PageSource, url: str, failed_url: str) -> Page | None:
    """Return the home page of a copy whose first page redirects to the original: the same path on the copy's host."""
    copied = _on_own_host(failed_url, url) if failed_url else None
    return await _home_page(source, copied) if copied else None


def _on_own_host(url: str, home_url: str) -> str | None:
    """Return the same path on the host of the home page; None if the URL is already on that host."""
    there, own = urlsplit(url), urlsplit(home_url)
    return there._replace(scheme=own.scheme, netloc=own.netloc).geturl() if there.netloc != own.netloc else None


async def _main_frame(source: PageSource, page: Page) -> Page:
    """Return the page, or its frame with more links if it is a frameset or shows its list in a frame."""
    document = source.document(page)
    if document is None:
        return page
    is_set = document.has(_FRAMES)
    if not is_set and _link_count(source, page) >= _FEW_LINKS:
        return page
    frames = document.attributes(_FRAMES if is_set else "iframe[src]", "src")
    urls = [url for src in frames if (url := absolute(document.base_url, src)) and (is_set or _is_beside(url, page))]
    pages = [found for found in await source.pages(urls) if found is not None] if urls else []
    return max((page, *pages), key=lambda found: _link_count(source, found))


def _is_beside(url: str, page: Page) -> bool:
    return urlsplit(url).netloc == urlsplit(page.url).netloc


def _link_count(source: PageSource, page: Page) -> int:
    """Return the number of links to the page's own host; a widget in a frame links to others."""
    document = source.document(page)
    return sum(_is_beside(url, page) for url in page_links(document)) if document is not None else 0


async def _entrance_by_feed(source: PageSource, page: Page) -> Entrance:
    feed = _with_entries(read_feed(page.body, page.url, page.content_type))
    home = await _home_page(source, feed.home) if feed.home else None
    for place in dict.fromkeys((urljoin(page.url, "."), urljoin(page.url, "/"))) if home is None else ():
        # The feed of a copy names the home page of its original; the home page of the copy declares this feed.
        found = await _home_page(source, place)
        document = source.document(found) if found is not None else None
        if document is not None and place_key(page.url) in map(place_key, declared_feeds(document)):
            home = found
            break
    home_url = home.url if home is not None else feed.home or page.url
    return Entrance(home_url=home_url, home=home, feeds=(feed,))


async def _home_page(source: PageSource, url: str) -> Page | None:
    try:
        found = await source.page(url)
    except PosterityError:
        return None
    return found if found.status < 400 and not looks_like_feed(found.body) else None


async def _entrance_by_feed_alone(source: PageSource, page: Page, url: str) -> Entrance:
    """Return the entrance of a blog without a home page: a feed at a usual URL; raise if there is none."""
    advice = _ADVICE.get(page.status, "Try again later" if page.status >= 500 else "Check the URL")
    gone = Unreachable(f"{url} returned status {page.status}. {advice}.", status=page.status)
    if page.status not in (403, 404, 410):
        raise gone
    feed = await _usual_feed(source, page.url)
    if feed is None:
        raise gone
    return Entrance(home_url=page.url, feeds=(feed,))


async def _usual_feed(source: PageSource, url: str) -> Feed | None:
    """Return the first feed at a usual URL of the blog."""
    for place in usual_feeds(url):
        if (feed := await _feed_or_none(source, place)) is not None:
            return feed
    return None


async def _entrance_by_held_feeds(source: PageSource, url: str, feed_url: str | None) -> Entrance:
    feeds, problem = await _find_feeds(source, None, feed_url, home_url=url)
    return Entrance(home_url=url, feeds=feeds, problem=problem)


async def _find_feeds(
    source: PageSource, home: Page | None, feed_url: str | None, home_url: str = "", unread: list[str] | None = None
) -> tuple[tuple[Feed, ...], PosterityError | None]:
    """Return the usable feeds, best first, and what is wrong with the declared ones if there is none.

    Sentences about declared feeds at which the server failed are added to `unread`.
    """
    home_url = home.url if home is not None else home_url
    document = source.document(home) if home is not None else None
    named = [feed_url] if feed_url else []
    named += declared_feeds(document)[:_MAX_DECLARED] if document is not None else []
    named += _held_feeds(source, Scope.of(home_url))
    found: list[Feed] = []
    problems: list[PosterityError] = []
    for url in dict.fromkeys(named):
        try:
            found.append(await _feed_at(source, url))
        except PosterityError as problem:
            problems.append(problem)
            found += await _copied_feed(source, url, home_url)
            if unread is not None and _is_failure(problem) and _on_own_host(url, home_url) is None:
                unread.append(f"a feed could not be read: {str(problem).removesuffix('.')}")
    good = _rank_feeds(found, home_url)
    for url in usual_feeds(home_url) if not good or _is_poor(good[0], home_url) else ():
        feed = await _feed_or_none(source, url) if url not in named else None
        good = _rank_feeds([*found, feed], home_url) if feed is not None else good
        if feed in good:
            break
    if document is not None and (not good or _is_poor(good[0], home_url) or _lists_pages(good[0])):
        more = await _feeds_of_lists(source, document, good, home_url)
        good = _without_sections(_rank_feeds([*good, *more], home_url))
    if good:
        return _inside_folder([_with_all_states(feed, source) for feed in good], home_url), None
    # The first problem of a declared feed explains most.
    first = next((problem for problem in problems if isinstance(problem, NoBlog)), None)
    title = name_of_page(document) if document is not None else ""
    shown = f' ("{title}")' if title else ""
    return (), first or NoFeed(
        f"{home_url}{shown} offers no feed that can be read, and its links do not look like a blog's posts either. "
        "Is it a blog? If its feed is somewhere else, give the feed's URL instead."
    )


def _is_failure(problem: PosterityError) -> bool:
    """Return whether the server failed; a feed that is missing or invalid lists nothing."""
    return isinstance(problem, Unreachable) and (problem.status >= 500 or problem.status in (0, 429))


async def _copied_feed(source: PageSource, url: str, home_url: str) -> list[Feed]:
    """Return the feed at the same path of the blog's own host: pages of a copy declare the feed of the original."""
    copied = _on_own_host(url, home_url)
    feed = await _feed_or_none(source, copied) if copied else None
    return [feed] if feed is not None else []


def _inside_folder(feeds: list[Feed], home_url: str) -> tuple[Feed, ...]:
    """Return the feeds without entries of other folders, if the main feed is about the requested folder."""
    scope = Scope.of(home_url)
    if scope.folders == ("/",) or not _quality(feeds[0], home_url)[1]:
        return tuple(feeds)
    found = []
    for feed in feeds:
        own = tuple(entry for entry in feed.entries if not entry.link or scope.includes(entry.link))
        found += [msgspec.structs.replace(feed, entries=own)] if own else []
    return tuple(found)


def is_list_name(url: str) -> bool:
    """Return whether the URL has the name of a list of posts: /blog/, /archive.html, /2019/."""
    return _LIST_NAME.search(urlsplit(url).path) is not None


def list_pages(links: Iterable[str], scope: Scope, home_url: str) -> list[str]:
    """Return the links that seem by their names to lead to a list of posts: /blog/, /archive.html, /posts, /2019/."""
    found = dict.fromkeys(url for url in links if scope.is_on_host(url) and is_list_name(url))
    return sorted((url for url in found if place_key(url) != place_key(home_url)), key=len)


async def _feeds_of_lists(source: PageSource, home: Document, feeds: Sequence[Feed], home_url: str) -> list[Feed]:
    """Return feeds declared by the first folders and pages such as "blog", for a home page without a usable feed.

    Pages in a feed without dates are such lists too: generators put the sections of a site into its feed. If no link
    leads to such a page, for example from a landing page or a copy, the blog may be in the folder /blog/.
    """
    scope, links = Scope.of(home_url), page_links(home)
    named = [entry.link for feed in feeds for entry in feed.entries if entry.link and scope.includes(entry.link)]
    has_texts = any(_has_text(entry) for feed in feeds for entry in feed.entries)
    named = sorted(named, key=is_list_name, reverse=True)[: _LIST_PAGES if has_texts else _MENU]
    lists = [*named, *list_pages(links, scope, home_url)[:_LIST_PAGES]]
    guessed = [] if lists else [urljoin(home_url, "/blog/")]
    folders = [url for url in links if scope.includes(url) and _FIRST_FOLDER.search(urlsplit(url).path)]
    lists += [url for url in folders if url not in lists and not is_service_page(url)][:_LIST_PAGES]
    known = {feed.url for feed in feeds}
    found: list[Feed] = []
    for page in await source.pages(list(dict.fromkeys(map(canonical_url, [*lists, *guessed])))):
        document = source.document(page) if page is not None else None
        if page is None or document is None:
            continue
        declared = declared_feeds(document)[:_MAX_DECLARED]
        for url in declared or (usual_feeds(page.url) if guessed else ()):
            if url in known or (not declared and found):
                continue
            known.add(url)
            feed = await _feed_or_none(source, url)
            found += [feed] if feed is not None else await _copied_feed(source, url, home_url)
    return found


async def section_feeds(source: PageSource, post: Document, known: Iterable[Feed], folder: str) -> list[Feed]:
    """Return the further feeds of posts in another folder, declared by one of its posts or the folder's own page."""
    home_url = urljoin(post.url, folder)
    pages = [source.document(page) for page in await source.pages([home_url]) if page is not None]
    declared = [url for document in (post, *pages) if document is not None for url in declared_feeds(document)]
    new = dict.fromkeys(declared[:_MAX_DECLARED]).keys() - {feed.url for feed in known}
    found = [feed for url in declared if url in new and (feed := await _feed_or_none(source, url)) is not None]
    return [feed for feed in _rank_feeds(found, home_url) if _quality(feed, home_url)[1]]


def _without_sections(feeds: list[Feed]) -> list[Feed]:
    """Return the feeds without entries that are the home page of another feed: those are sections, not posts.

    If the other entries of such a feed are few, or have no texts, it is the menu of a site.
    """
    homes = {place_key(feed.home): feed for feed in feeds if feed.home}
    found: list[Feed] = []
    for feed in feeds:
        places = {place_key(entry.link): entry for entry in feed.entries if entry.link}
        sections = {place for place in places if homes.get(place, feed) is not feed}
        posts = {place_key(entry.link or "") for place in sections for entry in homes[place].entries}
        own = tuple(entry for entry in feed.entries if not entry.link or place_key(entry.link) not in sections)
        is_small = len(own) <= _MENU and 2 * len(own) <= len(posts)
        has_texts = any(map(_has_text, feed.entries))
        is_menu = bool(sections) and posts.isdisjoint(places) and (is_small or not has_texts)
        if own and not is_menu:
            found.append(msgspec.structs.replace(feed, entries=own))
    return found


def _held_feeds(source: PageSource, scope: Scope) -> list[str]:
    held = (response.url for response in source.held() if response.may_be_feed and scope.includes(response.url))
    urls = (url for url in held if not COMMENT_FEED.search(urlsplit(url).path))
    return sorted(urls, key=lambda url: (len(url), url))[:_MAX_HELD]


def _rank_feeds(feeds: Iterable[Feed], home_url: str) -> list[Feed]:
    """Return the feeds of posts, best first: about the requested folder, then with texts, then in the given order."""
    unique: dict[tuple[str, ...], Feed] = {}
    for feed in feeds:
        posts = _post_places(feed, home_url)
        if posts and not _is_about_comments(feed):
            # RSS and Atom of the same posts are one feed; the one with more text is kept.
            key = tuple(sorted(posts))
            if key not in unique or _texts(feed) > _texts(unique[key]):
                unique[key] = feed
    return sorted(unique.values(), key=lambda feed: _quality(feed, home_url), reverse=True)


def _quality(feed: Feed, home_url: str) -> tuple[bool, bool, bool, int]:
    folder, texts, entries = Scope.of(home_url), _texts(feed), len(feed.entries)
    here = sum(folder.includes(entry.link or "") for entry in feed.entries)
    has_several, has_texts = len(_post_places(feed, home_url)) > 1, 2 * texts >= entries
    return has_several, 2 * here >= entries, has_texts, 0 if has_texts else texts


def _is_poor(feed: Feed, home_url: str) -> bool:
    """Return whether to look for another feed: this one lists one post, pages without dates, or another folder."""
    has_several, is_here, *_ = _quality(feed, home_url)
    return not has_several or not is_here or not any(entry.published for entry in feed.entries)


def _lists_pages(feed: Feed) -> bool:
    """Return whether a page that lists posts is among the feed's entries: a generator put sections into it.

    Posts shown by scripts may all be that page, with a query: /journal.html?post=7.
    """
    links = (entry.link for entry in feed.entries if entry.link and "?" not in entry.link)
    return any(is_list_name(link) and not _YEAR.search(link) for link in links)


def _post_places(feed: Feed, home_url: str) -> set[str]:
    """Return the URL keys that the entries link to, without the home page."""
    places = {place_key(entry.link) for entry in feed.entries if entry.link}
    return places - {place_key(home_url), place_key(feed.home or home_url)}


def _is_about_comments(feed: Feed) -> bool:
    links = [entry.link or "" for entry in feed.entries]
    to_comments = sum(_COMMENT_LINK.search(link) is not None for link in links)
    return 2 * to_comments > len(links) or bool(feed.title and _COMMENT_TITLE.search(feed.title.strip()))


def _texts(feed: Feed) -> int:
    return sum(entry.content is not None for entry in feed.entries)


async def _feed_or_none(source: PageSource, url: str) -> Feed | None:
    try:
        return await _feed_at(source, url)
    except PosterityError:
        return None


async def _feed_at(source: PageSource, url: str) -> Feed:
    page = await source.page(url)
    if page.status >= 400:
        raise Unreachable(f"{url} returned status {page.status}.", status=page.status)
    if not looks_like_feed(page.body):
        raise BrokenFeed(f"{url} is declared as a feed, but it is not a feed.", problem="not a feed")
    return _with_entries(read_feed(page.body, page.url, page.content_type))


def _with_entries(feed: Feed) -> Feed:
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url} has no entries yet. Try again when the blog has posts.")
    return feed


def _with_all_states(feed: Feed, source: PageSource) -> Feed:
    """Return the feed with the entries of its earlier stored states, the latest state of each entry first."""
    earlier = [state for page in source.earlier_states(feed.url) if (state := feed_on(page)) is not None]
    if not earlier:
        return feed
    found: dict[str, FeedEntry] = {}
    for entry in (entry for state in (feed, *earlier) for entry in state.entries):
        found.setdefault(canonical_url(entry.link) if entry.link else f"{entry.guid} {entry.title}", entry)
    return msgspec.structs.replace(feed, entries=tuple(found.values()))
