"""Requests the sources of news (feed, sitemap, the platform's list of changes) and compares them with earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from typing import Literal
from urllib.parse import urljoin

import msgspec

from posterity.archive.history import visible_changes
from posterity.blog.entrance import find_entrance
from posterity.classify.interstitials import may_be_interstitial, rejected_interstitial
from posterity.crawl.downloading import ConditionalClient, ConditionalResponse, WebSource
from posterity.crawl.quiet_update import SAMPLE_EVERY, USUAL_SITEMAPS
from posterity.crawl.update_state import KnownBlog, KnownPost
from posterity.discover.feed import feed_on, looks_like_feed, read_feed
from posterity.discover.links import page_links
from posterity.discover.platforms import change_lists
from posterity.discover.schedule import rotation_size
from posterity.discover.sitemap import Sitemap, lists_posts, sitemap_on
from posterity.dom import Document, readable_document
from posterity.errors import BrokenFeed, PosterityError, Unreachable
from posterity.extraction import Context, extract_posts
from posterity.learning.layouts import is_same_theme
from posterity.model import Feed, FeedEntry, Page, Post, RuleSet
from posterity.text.normal_form import letters_and_digits
from posterity.urls import canonical_url, place_key
from posterity.urls.kinds import site_host

_MAX_PARTS = 20

Dated = dict[str, str | None]


class SitemapChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The URLs in the requested sitemaps with their dates of last change, and the differences from before."""

    named: Dated = {}
    posts: frozenset[str] = frozenset()  # those in a sitemap for posts alone
    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()

    @property
    def are_news(self) -> bool:
        """Return whether the sitemaps differ from before."""
        return bool(self.new or self.edited or self.vanished)


async def sitemap_changes(client: ConditionalClient, roots: Sequence[str], *, feed_has_news: bool) -> SitemapChanges:
    """Return what has changed in these sitemaps; if the feed has no news, only the first is requested."""
    now: Dated = {}
    before: Dated = {}
    posts: set[str] = set()
    waiting = [(url, True) for url in (roots if feed_has_news else roots[:1])]
    asked = 0
    while waiting and asked < _MAX_PARTS:
        url, is_root = waiting.pop(0)
        response = await _response(client, url)
        asked += 1
        if response is None:
            continue
        if is_root and _sitemap_of(response.page).sitemaps:
            waiting += [(part, False) for part in _parts_to_ask(response, feed_has_news=feed_has_news)]
        elif response.is_modified or is_root:
            listed = _sitemap_of(response.page).pages
            now |= listed
            posts.update(listed if not is_root and lists_posts(url) else ())
            before |= _sitemap_of(response.previous).pages
    return SitemapChanges(
        named=now,
        posts=frozenset(posts),
        new=tuple(url for url in now if url not in before),
        edited=tuple(url for url, changed in now.items() if url in before and changed and before[url] != changed),
        # A file without any URL is broken, and does not mean that the blog has no posts.
        vanished=tuple(url for url in before if url not in now) if now else (),
    )


async def _response(client: ConditionalClient, url: str) -> ConditionalResponse | None:
    """Return the response if it is a sitemap; a blog whose sitemap is broken can still be followed by its feed."""
    try:
        response = await client.ask(url)
    except PosterityError:
        return None
    return response if response.page.status == 200 and sitemap_on(response.page) is not None else None


def _parts_to_ask(response: ConditionalResponse, *, feed_has_news: bool) -> list[str]:
    """Return the parts whose date in the index has changed; those without a date if anything else has."""
    now, before = _sitemap_of(response.page), _sitemap_of(response.previous).sitemaps
    anything_new = feed_has_news or response.is_modified
    changes = ((url, now.sitemaps[url]) for url in now.parts_with_posts)
    return [url for url, changed in changes if (before.get(url) != changed if changed else anything_new)]


def _sitemap_of(page: Page | None) -> Sitemap:
    return (sitemap_on(page) if page is not None else None) or Sitemap()


_CONTENT_FIELDS = ("title", "authors", "content", "summary", "tags")


class FeedChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The entries by the URL keys of their links; the sets contain such keys."""

    entries: dict[str, FeedEntry] = {}
    edited: frozenset[str] = frozenset()
    commented: frozenset[str] = frozenset()
    vanished: frozenset[str] = frozenset()

    @property
    def are_news(self) -> bool:
        """Return whether an earlier entry has changed."""
        return bool(self.edited or self.commented or self.vanished)


def feed_changes(now: Feed, before: Feed | None) -> FeedChanges:
    """Return what has changed; without an earlier feed, nothing has.

    An entry that dropped out at the end of the feed has not vanished: only one newer than the feed's oldest has.
    """
    entries = _by_place(now)
    earlier = _by_place(before) if before is not None else {}
    both = entries.keys() & earlier.keys()
    dates = [entry.published for entry in entries.values() if entry.published]
    gone = ((place, entry.published) for place, entry in earlier.items() if place not in entries)
    return FeedChanges(
        entries=entries,
        edited=frozenset(place for place in both if _is_edited(entries[place], earlier[place])),
        commented=frozenset(
            place for place in both if (entries[place].comment_count or 0) > (earlier[place].comment_count or 0)
        ),
        vanished=frozenset(place for place, date in gone if date and dates and date > min(dates)),
    )


def _by_place(feed: Feed) -> dict[str, FeedEntry]:
    found: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            found.setdefault(place_key(canonical_url(entry.link)), entry)
    return found


def _is_edited(entry: FeedEntry, earlier: FeedEntry) -> bool:
    """Return whether an entry was edited; without a date of the edit, by its content."""
    if entry.updated != earlier.updated and entry.updated is not None:
        return True
    return any(getattr(entry, name) != getattr(earlier, name) for name in _CONTENT_FIELDS)


Why = Literal["comments", "edited", "again", "back", "vanished", "moved", "rotation", "sample"]

# A visit costs the blog a request; the rest is requested later as part of the samples.
MAX_EDITED, MAX_VANISHED, MAX_MOVED = 100, 20, 200
# Generators that date every page with the time of the build do not know when single pages changed.
_REBUILT_SHARE, _REBUILT_LEAST = 0.5, 20


class Revisit(msgspec.Struct, frozen=True, kw_only=True):
    """A post to request again; `entry` is its current feed entry, or that from when it was stored."""

    post: KnownPost
    why: Why
    entry: FeedEntry | None = None


class SourceChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What has changed in feed and sitemaps since the last update, and `changed` posts by the platform's list."""

    feed: FeedChanges = FeedChanges()
    sitemap: SitemapChanges = SitemapChanges()
    changed: tuple[str, ...] = ()
    since: datetime | None = None


def reasoned_visits(known: KnownBlog, changes: SourceChanges) -> list[Revisit]:
    """Return the posts that there is a reason to request, each once."""
    feed, sitemap = changes.feed, changes.sitemap
    listed = {*feed.entries, *map(place_key, sitemap.new)}
    reasons: list[tuple[Why, Iterable[str]]] = [
        ("comments", sorted(feed.commented)),
        ("edited", sorted(place for place in feed.edited if _is_since(changes, place))),
        ("edited", _edited_by_sitemap(known, changes)[:MAX_EDITED]),
        ("edited", [place_key(url) for url in changes.changed[:MAX_EDITED]]),
        ("again", [post.place for post in known if post.is_pending and not post.is_gone]),
        ("back", [post.place for post in known if post.is_gone and post.place in listed]),
        ("moved", _left_behind(known)[:MAX_MOVED]),
        ("vanished", [*sorted(feed.vanished), *map(place_key, sitemap.vanished)][:MAX_VANISHED]),
    ]
    chosen: dict[str, Revisit] = {}
    for why, places in reasons:
        for place in places:
            post = known.at(place)
            if post is not None and (not post.is_gone or why == "back"):
                chosen.setdefault(post.id, _revisit(post, why, changes))
    return list(chosen.values())


def _left_behind(known: KnownBlog) -> list[str]:
    """Return the URL keys of posts on hosts that the blog has left, least recently requested first."""
    former = {site_host(url) for url in known.blog.former_urls} - {site_host(known.blog.url)}
    left = [post for post in known if site_host(post.url) in former and not post.is_gone] if former else []
    return [post.place for post in sorted(left, key=lambda post: (post.visited_at, post.id))]


def rotated_visits(known: KnownBlog, changes: SourceChanges, updates: int, but: Iterable[Revisit]) -> list[Revisit]:
    """Return the posts whose turn it is: the least recently requested.

    Posts that are requested for another reason anyway have had their turn.
    """
    visited = {visit.post.id for visit in but}
    alive = sorted((post for post in known if not post.is_gone), key=lambda post: (post.visited_at, post.id))
    turn = alive[: rotation_size(len(alive), updates)]
    return [_revisit(post, "rotation", changes) for post in turn if post.id not in visited]


def _revisit(post: KnownPost, why: Why, changes: SourceChanges) -> Revisit:
    return Revisit(post=post, why=why, entry=changes.feed.entries.get(post.place) or post.entry)


def sampled_visits(known: KnownBlog, changes: SourceChanges, size: int, but: Iterable[Revisit]) -> list[Revisit]:
    """Return posts to request without a reason: half of them the newest, half the least recently requested."""
    visited = {visit.post.id for visit in but}
    free = [post for post in known if post.id not in visited and is_after(changes.since, post.published)]
    newest = sorted(free, key=lambda post: (-_timestamp(post.published), post.id))[: (size + 1) // 2]
    chosen = {post.id: post for post in newest}
    for post in sorted(free, key=lambda post: (post.visited_at, post.id)):
        if len(chosen) >= size:
            break
        chosen.setdefault(post.id, post)
    return [_revisit(post, "sample", changes) for post in chosen.values()]


def is_sample_overdue(known: KnownBlog, now: datetime) -> bool:
    """Return whether no post has been requested for so long that some should be, even without news."""
    latest = max((post.visited_at for post in known), default=None)
    return latest is not None and now - latest >= SAMPLE_EVERY


def is_after(since: datetime | None, *moments: datetime | None) -> bool:
    """Return whether one of the times is not before `since`, or none is known."""
    known = [moment for moment in moments if moment is not None]
    return since is None or not known or any(moment >= since for moment in known)


def moment_of(lastmod: str | None) -> datetime | None:
    """Return the time that a sitemap gives: W3C date and time, or only a year, month or day."""
    text = (lastmod or "").strip()
    try:
        moment = datetime.fromisoformat(text + "0000-01-01"[len(text) :] if len(text) in (4, 7) else text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _edited_by_sitemap(known: KnownBlog, changes: SourceChanges) -> list[str]:
    """Return the URL keys of posts with a new date of last change, the latest change first."""
    sitemap = changes.sitemap
    edited = [url for url in sitemap.edited if known.at(place_key(url))]
    total = sum(known.at(place_key(url)) is not None for url in sitemap.named)
    if _is_rebuilt(len(edited), total):
        return []
    dated = [(moment_of(sitemap.named[url]), url) for url in edited]
    due = [(moment, url) for moment, url in dated if is_after(changes.since, moment)]
    return [place_key(url) for moment, url in sorted(due, key=lambda pair: (-_timestamp(pair[0]), pair[1]))]


def _is_rebuilt(changed: int, total: int) -> bool:
    return total >= _REBUILT_LEAST and changed > total * _REBUILT_SHARE


def _is_since(changes: SourceChanges, place: str) -> bool:
    entry = changes.feed.entries[place]
    return is_after(changes.since, entry.published, entry.updated)


def _timestamp(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0


_OK = 200
_TOO_MANY = 429
# Statuses that mean "not here" rather than "not now": the feed may have moved.
_NOT_HERE = (403, 404, 410)


class UpdateSources(msgspec.Struct, frozen=True, kw_only=True):
    """The current sources of a blog: its feed, or its home page if it has none, and what has changed.

    `moved_to` is the URL of its home page if that is on another host now, `changes_url` that of the list of changes.
    """

    feed: Feed | None = None
    moved_to: str | None = None
    changes_url: str | None = None
    home: Document | None = None
    new_entries: tuple[tuple[str, FeedEntry], ...] = ()
    changes: SourceChanges = SourceChanges()

    @property
    def has_gap(self) -> bool:
        """Return whether new posts may be missing between the oldest entry of the feed and the stored posts."""
        if self.feed is None:
            return True
        return bool(self.new_entries) and len(self.new_entries) >= len(self.changes.feed.entries)

    def possible_posts(self, first: int) -> Iterator[str]:
        """Yield URLs that may be those of new posts, without the `first` new entries of the feed."""
        changes = self.changes
        yield from (url for url, _ in self.new_entries[first:])
        sitemap = changes.sitemap
        yield from (url for url in sitemap.new if is_after(changes.since, moment_of(sitemap.named[url])))
        yield from page_links(self.home) if self.home is not None else ()


async def read_sources(
    source: WebSource, client: ConditionalClient, known: KnownBlog, since: datetime | None
) -> UpdateSources:
    """Return what has changed, with two requests if nothing has, and a third if the platform lists changes."""
    blog = known.blog
    changes_url, changed = await _platform_changes(client, known)
    feeds = await _feeds(source, client, known) if blog.feed_url is not None else None
    if feeds is None:
        home = await client.ask(blog.url)
        _check_home(source, home, known)
        document = source.document(_good(home).page)
        sitemap = await _sitemap(source, client, known, feed_has_news=home.is_modified)
        moved_to = _other_host(home.page, blog.url)
        found = SourceChanges(sitemap=sitemap, changed=changed, since=since)
        return UpdateSources(home=document, moved_to=moved_to, changes_url=changes_url, changes=found)
    feed, before = feeds
    changes = feed_changes(feed, before)
    new = tuple(_new_entries(feed, client, known))
    sitemap = await _sitemap(source, client, known, feed_has_news=bool(new) or changes.are_news)
    return UpdateSources(
        feed=feed,
        moved_to=await _moved_to(client, known, feed),
        changes_url=changes_url,
        new_entries=new,
        changes=SourceChanges(feed=changes, sitemap=sitemap, changed=changed, since=since),
    )


def _check_home(source: WebSource, home: ConditionalResponse, known: KnownBlog) -> None:
    """Raise if the server sends an interstitial instead of the home page, which alone lists the posts."""
    document = source.document(home.page) if home.is_new_page else None
    if document is not None and may_be_interstitial(document, known.rules, known.scope, known.blog.title):
        why = rejected_interstitial(known.blog.url, document).detail
        raise Unreachable(f"{known.blog.url} cannot be read: {why}. Try again later.", url=known.blog.url)


async def _platform_changes(client: ConditionalClient, known: KnownBlog) -> tuple[str | None, tuple[str, ...]]:
    """Return the URL of the platform's list of changes, and the posts on it that have changed since the last update.

    A list at which the server fails is kept: changes in the meantime are found when it is back.
    """
    for each in change_lists(known.blog.url):
        if not client.was_good(each.first_page):
            continue
        try:
            response = await client.ask(each.url)
        except PosterityError:
            response = None
        if response is None or response.page.status >= 500 or response.page.status == _TOO_MANY:
            if each.url == known.blog.changes_url:
                return each.url, ()
            continue
        posts = each.read(response.page.body) if response.page.status == _OK else []
        if posts:
            before = response.previous.fetched_at if response.previous is not None else known.completed_at
            changed = [post.url for post in posts if post.updated and (before is None or post.updated > before)]
            return each.url, () if _is_rebuilt(len(changed), len(posts)) else tuple(changed)
    return None, ()


async def _moved_to(client: ConditionalClient, known: KnownBlog, feed: Feed) -> str | None:
    """Return the home page on another host, if most feed entries are there and the old home page redirects there."""
    hosts = Counter(site_host(entry.link) for entry in feed.entries if entry.link)
    host, count = hosts.most_common(1)[0] if hosts else ("", 0)
    if host == site_host(known.blog.url) or known.scope.is_on_host(f"http://{host}/") or 2 * count <= len(feed.entries):
        return None
    try:
        moved_to = _other_host((await client.ask(known.blog.url)).page, known.blog.url)
    except PosterityError:
        return None
    return moved_to if moved_to and site_host(moved_to) == host else None


def _other_host(page: Page, home_url: str) -> str | None:
    """Return the URL that a home page redirects to, if it is on another host; scheme and www. make no difference."""
    url = canonical_url(page.url)
    return url if page.status == _OK and site_host(url) != site_host(home_url) else None


async def _feeds(source: WebSource, client: ConditionalClient, known: KnownBlog) -> tuple[Feed, Feed | None] | None:
    """Return the current and the previous feed; if the feed is no longer there, search for a new one.

    None means that the blog has a home page but no feed any more.
    """
    assert known.blog.feed_url is not None
    response = await client.ask(known.blog.feed_url)
    page = response.page
    if page.status not in _NOT_HERE:
        _good(response)
        if looks_like_feed(page.body):
            return read_feed(page.body, page.url, page.content_type), feed_on(response.previous)
    entrance = await find_entrance(source, known.blog.url)
    if entrance.feed is None and entrance.home is not None and page.status in _NOT_HERE:
        return None
    if entrance.feed is None:
        raise entrance.problem or BrokenFeed(f"{known.blog.feed_url} is no longer a feed.", problem="not a feed")
    return entrance.feed, feed_on(response.previous)


def _good(response: ConditionalResponse) -> ConditionalResponse:
    status = response.page.status
    if status >= 400:
        raise Unreachable(f"{response.page.requested_url} returned status {status}. Try again later.", status=status)
    return response


def _new_entries(feed: Feed, client: ConditionalClient, known: KnownBlog) -> list[tuple[str, FeedEntry]]:
    """Return entries whose posts are not stored and whose URLs are new or pending."""
    entries = {canonical_url(entry.link): entry for entry in feed.entries if entry.link}
    return [
        (url, entry) for url, entry in entries.items()
        if known.at_url(url) is None
        and (known.is_pending(url) or not client.was_requested(url))
        and not client.archive.is_forgotten(url)
    ]  # fmt: skip


async def _sitemap(
    source: WebSource, client: ConditionalClient, known: KnownBlog, *, feed_has_news: bool
) -> SitemapChanges:
    """Return the changes in the sitemaps that robots.txt names, else in the one that the harvest found."""
    named = source.sitemaps(known.blog.url)
    usual = [urljoin(known.blog.url, place) for place in USUAL_SITEMAPS]
    roots = named or [url for url in usual if client.was_good(url)][:1]
    try:
        return await sitemap_changes(client, roots, feed_has_news=feed_has_news)
    except PosterityError:
        return SitemapChanges()


def changes_on(
    visit: Revisit, response: ConditionalResponse, document: Document, rules: RuleSet
) -> tuple[str, ...] | None:
    """Return the fields in which the post on the page differs from that on the previous page; None if unknown.

    Both pages are read with the current rules: new rules, or a newer version of this program, give another text of the
    same page, which is not an edit. Neither is a new theme.
    """
    # A page that is identical byte by byte has the same post, unless the feed has a new date of change for it.
    if not response.is_modified and visit.why != "edited":
        return ()
    last = response.previous
    earlier = readable_document(last.body, last.url, last.content_type) if last is not None else None
    if last is None or earlier is None:
        return None
    before = _post_on(earlier, last, visit.post.entry, rules)
    now = _post_on(document, response.page, visit.entry, rules)
    if before is None or now is None:
        return None
    changes = visible_changes(before, now)
    if not changes or is_same_theme(earlier, document):
        return changes
    return tuple(field for field in changes if not _is_of_theme(field, before, now))


# The number of words at the ends of an article that may be of its theme: "Filed under tides", "Leave a reply".
_WORDS_OF_THEME = 12


def _is_of_theme(field: str, before: Post, now: Post) -> bool:
    """Return whether a difference between a post's versions in two themes may be due to the themes."""
    match field:
        case "title":
            return letters_and_digits(before.title or "") == letters_and_digits(now.title or "")
        case "comments":
            return len(now.comments) <= len(before.comments)
        case "text":
            # Arrows back from footnotes and the like belong to the theme.
            left, right = ([word for word in post.text.split() if letters_and_digits(word)] for post in (before, now))
            same = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
            return max(len(left), len(right)) - same.size <= _WORDS_OF_THEME
    return True


def _post_on(document: Document, page: Page, entry: FeedEntry | None, rules: RuleSet) -> Post | None:
    found = extract_posts(document, context=Context(rules=rules, entry=entry, fetched_at=page.fetched_at))
    return found[0] if found else None
