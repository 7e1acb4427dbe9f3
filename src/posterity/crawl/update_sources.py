"""Asks the two places that tell of news, the feed and the sitemap, and compares them with the last time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin

import msgspec

from posterity.archive.history import is_same_content
from posterity.blog.entrance import find_entrance
from posterity.crawl.update_state import KnownBlog, KnownPost
from posterity.discover.feed import feed_on, looks_like_feed, read_feed
from posterity.discover.links import page_links
from posterity.discover.sitemap import Sitemap, read_sitemap
from posterity.dom import Document, parse
from posterity.errors import BrokenFeed, PosterityError, Unreachable, UnreadablePage
from posterity.extraction import Context, extract_posts
from posterity.model import Feed, FeedEntry, Page, Post, RuleSet
from posterity.urls import canonical_url, place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from posterity.crawl.downloading import ConditionalClient, ConditionalResponse
    from posterity.crawl.web_source import WebSource


_MAX_PARTS = 20

Dated = dict[str, str | None]


class SitemapChanges(msgspec.Struct, frozen=True, kw_only=True):
    """URLs with their last change, as the files that were asked for name them now, and what became of them."""

    named: Dated = {}
    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()

    @property
    def are_news(self) -> bool:
        """Tell whether the sitemaps say anything else than before."""
        return bool(self.new or self.edited or self.vanished)


async def sitemap_changes(client: ConditionalClient, roots: Sequence[str], *, feed_has_news: bool) -> SitemapChanges:
    """Return what has changed in these sitemaps; when the feed has no news, only the first of them is asked for."""
    now: Dated = {}
    before: Dated = {}
    waiting = [(url, True) for url in (roots if feed_has_news else roots[:1])]
    asked = 0
    while waiting and asked < _MAX_PARTS:
        url, is_root = waiting.pop(0)
        answer = await _answer(client, url)
        asked += 1
        if answer is None:
            continue
        if is_root and _sitemap_on(answer.page).sitemaps:
            waiting += [(part, False) for part in _parts_to_ask(answer, feed_has_news=feed_has_news)]
        elif answer.is_modified or is_root:
            now |= _listed_on(answer.page)
            before |= _listed_on(answer.previous) if answer.previous else {}
    return SitemapChanges(
        named=now,
        new=tuple(url for url in now if url not in before),
        edited=tuple(url for url, changed in now.items() if url in before and changed and before[url] != changed),
        # A file that names nothing at all is a broken file, not a blog without posts.
        vanished=tuple(url for url in before if url not in now) if now else (),
    )


async def _answer(client: ConditionalClient, url: str) -> ConditionalResponse | None:
    """The response, if it is a sitemap: a blog whose sitemap is broken can still be followed by its feed."""
    try:
        answer = await client.ask(url)
    except PosterityError:
        return None
    return answer if answer.page.status == 200 and read_sitemap(answer.page.body) is not None else None


def _parts_to_ask(answer: ConditionalResponse, *, feed_has_news: bool) -> list[str]:
    """The parts whose date in the index is another one; those without a date, when anything else has changed."""
    now = _listed_on(answer.page)
    before = _listed_on(answer.previous) if answer.previous else {}
    stirred = feed_has_news or answer.is_modified
    return [url for url, changed in now.items() if (before.get(url) != changed if changed else stirred)]


def _listed_on(page: Page) -> Dated:
    """The pages of a sitemap with their last change; of an index, its parts."""
    sitemap = _sitemap_on(page)
    return {**sitemap.pages, **sitemap.sitemaps}


def _sitemap_on(page: Page) -> Sitemap:
    return read_sitemap(page.body) or Sitemap()


_SAID = ("title", "authors", "content", "summary", "tags")


class FeedChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The entries by the places that they link to; each set names such places."""

    entries: dict[str, FeedEntry] = {}
    edited: frozenset[str] = frozenset()
    commented: frozenset[str] = frozenset()
    vanished: frozenset[str] = frozenset()

    @property
    def are_news(self) -> bool:
        """Tell whether an entry of before is different now."""
        return bool(self.edited or self.commented or self.vanished)


def feed_changes(now: Feed, before: Feed | None) -> FeedChanges:
    """Return what has changed; without an earlier feed, nothing has.

    An entry that slid out at the end of the feed has not vanished: only one that is younger than the feed's oldest has.
    """
    entries = _by_place(now)
    earlier = _by_place(before) if before is not None else {}
    both = entries.keys() & earlier.keys()
    dates = [entry.published for entry in entries.values() if entry.published]
    return FeedChanges(
        entries=entries,
        edited=frozenset(place for place in both if _is_edited(entries[place], earlier[place])),
        commented=frozenset(
            place for place in both if (entries[place].comment_count or 0) > (earlier[place].comment_count or 0)
        ),
        vanished=frozenset(
            place
            for place, entry in earlier.items()
            if place not in entries and entry.published and dates and entry.published > min(dates)
        ),
    )


def _by_place(feed: Feed) -> dict[str, FeedEntry]:
    found: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            found.setdefault(place_key(canonical_url(entry.link)), entry)
    return found


def _is_edited(entry: FeedEntry, earlier: FeedEntry) -> bool:
    """Feeds that do not tell when an entry was edited still show another text."""
    if entry.updated != earlier.updated and entry.updated is not None:
        return True
    return any(getattr(entry, name) != getattr(earlier, name) for name in _SAID)


Why = Literal["comments", "edited", "again", "back", "vanished", "sample"]

# A visit costs the blog a request; what is left over comes up again as a sample.
MAX_EDITED, MAX_VANISHED = 100, 20
# Generators that date every page with the moment of the build say nothing about single pages.
_REBUILT_SHARE, _REBUILT_LEAST = 0.5, 20
_EVERY = timedelta(days=30)  # even a blog without news is sampled this often: edits need no announcement


class Revisit(msgspec.Struct, frozen=True, kw_only=True):
    """A post to ask for again; `entry` is what the feed says of it now, or said when it was stored."""

    post: KnownPost
    why: Why
    entry: FeedEntry | None = None


class SourceChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What feed and sitemaps say that is new since the last update."""

    feed: FeedChanges = FeedChanges()
    sitemap: SitemapChanges = SitemapChanges()
    since: datetime | None = None


def reasoned_visits(known: KnownBlog, changes: SourceChanges) -> list[Revisit]:
    """Return the posts that there is a reason to ask for, each once."""
    feed, sitemap = changes.feed, changes.sitemap
    reasons: list[tuple[Why, Iterable[str]]] = [
        ("comments", sorted(feed.commented)),
        ("edited", sorted(place for place in feed.edited if _is_since(changes, place))),
        ("edited", _edited_by_sitemap(known, changes)[:MAX_EDITED]),
        ("again", [post.place for post in known if post.is_pending and not post.is_gone]),
        ("back", [post.place for post in known if post.is_gone and _is_named(post, changes)]),
        ("vanished", [*sorted(feed.vanished), *map(place_key, sitemap.vanished)][:MAX_VANISHED]),
    ]
    chosen: dict[str, Revisit] = {}
    for why, places in reasons:
        for place in places:
            post = known.at(place)
            if post is not None and (not post.is_gone or why == "back"):
                chosen.setdefault(
                    post.id, Revisit(post=post, why=why, entry=feed.entries.get(post.place) or post.entry)
                )
    return list(chosen.values())


def sampled_visits(known: KnownBlog, changes: SourceChanges, size: int, but: Iterable[Revisit]) -> list[Revisit]:
    """Return posts to ask for without a reason: half of them the newest, half those that nobody asked for longest."""
    visited = {visit.post.id for visit in but}
    free = [post for post in known if post.id not in visited and is_after(changes.since, post.published)]
    newest = sorted(free, key=lambda post: (-_timestamp(post.published), post.id))[: (size + 1) // 2]
    chosen = {post.id: post for post in newest}
    for post in sorted(free, key=lambda post: (post.visited_at, post.id)):
        if len(chosen) >= size:
            break
        chosen.setdefault(post.id, post)
    entries = changes.feed.entries
    return [Revisit(post=post, why="sample", entry=entries.get(post.place) or post.entry) for post in chosen.values()]


def is_sample_overdue(known: KnownBlog, now: datetime) -> bool:
    """Tell whether no post has been asked for in so long that some should be, news or not."""
    latest = max((post.visited_at for post in known), default=None)
    return latest is not None and now - latest >= _EVERY


def is_after(since: datetime | None, *moments: datetime | None) -> bool:
    """Tell whether one of the moments is not before `since`, or none is known."""
    known = [moment for moment in moments if moment is not None]
    return since is None or not known or any(moment >= since for moment in known)


def moment_of(lastmod: str | None) -> datetime | None:
    """Return the moment that a sitemap gives: W3C date and time, or only a year, month or day."""
    text = (lastmod or "").strip()
    padded = text + "0000-01-01"[len(text) :] if len(text) in (4, 7) else text
    try:
        moment = datetime.fromisoformat(padded)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _edited_by_sitemap(known: KnownBlog, changes: SourceChanges) -> list[str]:
    """Places of posts with a new date of last change, the latest change first."""
    sitemap = changes.sitemap
    edited = [url for url in sitemap.edited if known.at(place_key(url))]
    total = sum(known.at(place_key(url)) is not None for url in sitemap.named)
    if total >= _REBUILT_LEAST and len(edited) > total * _REBUILT_SHARE:
        return []
    dated = [(moment_of(sitemap.named[url]), url) for url in edited]
    due = [(moment, url) for moment, url in dated if is_after(changes.since, moment)]
    return [place_key(url) for moment, url in sorted(due, key=lambda pair: (-_timestamp(pair[0]), pair[1]))]


def _is_since(changes: SourceChanges, place: str) -> bool:
    entry = changes.feed.entries[place]
    return is_after(changes.since, entry.published, entry.updated)


def _is_named(post: KnownPost, changes: SourceChanges) -> bool:
    """Tell whether the blog names a post again that was gone."""
    return post.place in changes.feed.entries or any(place_key(url) == post.place for url in changes.sitemap.new)


def _timestamp(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0


_USUAL_SITEMAPS = ("/sitemap.xml", "/wp-sitemap.xml", "/sitemap_index.xml")
# Answers that say "not here" rather than "not now": the feed may have moved.
_NOT_HERE = (403, 404, 410)


class UpdateSources(msgspec.Struct, frozen=True, kw_only=True):
    """What the blog offers today: its feed, or the links of its home page, and what has changed."""

    feed: Feed | None = None
    links: tuple[str, ...] = ()
    new_entries: tuple[tuple[str, FeedEntry], ...] = ()
    changes: SourceChanges = SourceChanges()

    @property
    def has_gap(self) -> bool:
        """Tell whether there may be new posts between the oldest that the feed still names and what is stored."""
        if self.feed is None:
            return True
        return bool(self.new_entries) and len(self.new_entries) >= len(self.changes.feed.entries)

    def addresses(self, first: int) -> Iterator[str]:
        """Yield URLs that may be new posts' and that are not among the first so many new entries of the feed."""
        changes = self.changes
        yield from (url for url, _ in self.new_entries[first:])
        yield from (
            url for url in changes.sitemap.new if is_after(changes.since, moment_of(changes.sitemap.named[url]))
        )
        yield from self.links


async def read_sources(
    source: WebSource, client: ConditionalClient, known: KnownBlog, since: datetime | None
) -> UpdateSources:
    """Return what has changed, for two requests if nothing has."""
    blog = known.blog
    if blog.feed_url is None:
        home = await client.ask(blog.url)
        links = _links(_good(home))
        sitemap = await _sitemap(source, client, known, feed_has_news=home.is_modified)
        return UpdateSources(links=links, changes=SourceChanges(sitemap=sitemap, since=since))
    feed, before = await _feeds(source, client, known)
    changes = feed_changes(feed, before)
    new = tuple(_new_entries(feed, client, known))
    sitemap = await _sitemap(source, client, known, feed_has_news=bool(new) or changes.are_news)
    return UpdateSources(feed=feed, new_entries=new, changes=SourceChanges(feed=changes, sitemap=sitemap, since=since))


async def _feeds(source: WebSource, client: ConditionalClient, known: KnownBlog) -> tuple[Feed, Feed | None]:
    """The feed of today and that of the last time; one that is no longer there is looked for again."""
    assert known.blog.feed_url is not None
    answer = await client.ask(known.blog.feed_url)
    page = answer.page
    if page.status not in _NOT_HERE:
        _good(answer)
        if looks_like_feed(page.body):
            return read_feed(page.body, page.url, page.content_type), feed_on(answer.previous)
    entrance = await find_entrance(source, known.blog.url)
    if entrance.feed is None:
        raise entrance.problem or BrokenFeed(f"{known.blog.feed_url} is no longer a feed.", problem="not a feed")
    return entrance.feed, feed_on(answer.previous)


def _good(answer: ConditionalResponse) -> ConditionalResponse:
    status = answer.page.status
    if status >= 400:
        raise Unreachable(f"{answer.page.requested_url} returned status {status}. Try again later.", status=status)
    return answer


def _links(home: ConditionalResponse) -> tuple[str, ...]:
    page = home.page
    return tuple(page_links(parse(page.body, page.url, page.content_type)))


def _new_entries(feed: Feed, client: ConditionalClient, known: KnownBlog) -> list[tuple[str, FeedEntry]]:
    """Entries whose posts are not stored, and whose URLs nobody has followed to something that is no post."""
    entries = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
    return [
        (url, entry) for url, entry in entries.items()
        if known.at_url(url) is None and not client.was_asked(url) and not client.archive.is_forgotten(url)
    ]  # fmt: skip


async def _sitemap(
    source: WebSource, client: ConditionalClient, known: KnownBlog, *, feed_has_news: bool
) -> SitemapChanges:
    """The changes in the sitemaps that robots.txt names, else in the one that the harvest found."""
    named = source.sitemaps(known.blog.url)
    usual = [urljoin(known.blog.url, place) for place in _USUAL_SITEMAPS]
    roots = named or [url for url in usual if client.was_good(url)][:1]
    try:
        return await sitemap_changes(client, roots, feed_has_news=feed_has_news)
    except PosterityError:
        return SitemapChanges()


def says_the_same(visit: Revisit, answer: ConditionalResponse, document: Document, rules: RuleSet) -> bool:
    """Tell whether the post on the page is the one that it held before.

    Both pages are read by the rules of today: rules that were learned anew, or a newer version of this program, give
    another text of the same page, and that is no edit.
    """
    # A page that is the same to the byte is the same post, unless the feed has a new date of change for it.
    if not answer.is_modified and visit.why != "edited":
        return True
    if answer.previous is None:
        return False
    before = _post_on(_parsed(answer.previous), answer.previous, visit.post.entry, rules)
    now = _post_on(document, answer.page, visit.entry, rules)
    return before is not None and now is not None and is_same_content(before, now)


def _post_on(document: Document | None, page: Page, entry: FeedEntry | None, rules: RuleSet) -> Post | None:
    if document is None:
        return None
    context = Context(rules=rules, entry=entry, fetched_at=page.fetched_at)
    found = extract_posts(document, context=context)
    return found[0] if found else None


def _parsed(page: Page) -> Document | None:
    try:
        return parse(page.body, page.url, page.content_type)
    except UnreadablePage:
        return None
