"""The URL queue: the URLs to visit, the visits in progress, and whether the next one is worth a request.

`UrlQueue` estimates what a visit will bring from earlier visits to similar URLs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.archive import Archive
from posterity.archive.captures import Capture, captures_of_blog
from posterity.archive.database import date_key
from posterity.blog.profile import BlogProfile
from posterity.crawl.crawl_stats import CrawlStats
from posterity.extraction.blog_fields import ListedDates
from posterity.lexicon import any_of, url_words
from posterity.model import Rejected
from posterity.urls import place_key
from posterity.urls.kinds import IgnoredCase, is_in_section, is_listing, is_trap
from posterity.urls.post_pattern import GrowingPattern, UrlPattern

NOTHING_NEW = "further pages brought no new posts"


class CrawlQueue:
    """Hands out URLs: at most `at_once` posts at a time, and one other page, after which others may not be worth it."""

    def __init__(
        self,
        profile: BlogProfile,
        crawl_stats: CrawlStats,
        is_barred: Callable[[str], bool],
        at_once: int,
        case: IgnoredCase,
    ) -> None:
        self._scope, self._crawl_stats, self._is_barred = profile.scope, crawl_stats, is_barred
        self.dates = ListedDates(profile.rules, profile.own_url)
        self.pattern = GrowingPattern(profile.pattern)
        self.waiting = UrlQueue(self.pattern)
        self.waiting.posts = len(profile.evidence)
        self._at_once = at_once
        self._case = case
        self._posts_under_way = 0
        self._search: str | None = None
        self._may_search = False
        self._settled: set[str] = set()  # URLs for which another link changes nothing

    def search(self) -> None:
        """Start to look for posts that no source has named, after all sources have been read."""
        self._may_search = True
        self.waiting.estimate.knows_list = any(self._crawl_stats.listed_by(name) for name in ("sitemap", "platform"))

    def offer(self, urls: Iterable[str], *, linked: bool) -> int:
        """Add URLs, named by a source or `linked` by a page; return how many new posts they may be."""
        expected = 0
        for url in urls:
            if url in self._settled or self._was_visited_in_other_case(url):
                continue
            if not self._crawl_stats.is_named(url) and (not self._scope.includes(url) or is_trap(url)):
                self._settled.add(url)
                if not linked:
                    self._crawl_stats.rejected(
                        Rejected(url=url, reason="notPost", detail="its URL is that of a copy, or not of a page")
                    )
            elif self._crawl_stats.discover(url):
                expected += 0 if self._is_barred(url) else self._add(url, linked=linked)
            elif linked:
                self.waiting.see_again(url)
                self._settled.add(url)
        return expected

    def _add(self, url: str, *, linked: bool) -> int:
        stats = self._crawl_stats
        in_list = linked and stats.is_in_post_list(url) and not is_listing(url)
        if in_list or (linked and self.pattern.fits(url)):
            stats.add_listed(url, "links")
        return self.waiting.add(url, linked=linked, is_expected=in_list or stats.is_named(url))

    def next_urls(self) -> Iterator[str]:
        """Yield the URLs to visit now."""
        while self._posts_under_way < self._at_once and (url := self._choose(self.waiting.next_post)):
            self._posts_under_way += 1
            yield url
        if self._may_search and not self._posts_under_way and self._search is None:
            self._search = self._choose(self.waiting.next_url) or self._list_with_dates()
            if self._search is not None:
                yield self._search

    def _list_with_dates(self) -> str | None:
        """Return a list that is worth a visit only because the posts do not show their dates."""
        if (url := self.dates.next_list_to_visit(self.waiting.given_up())) is not None:
            self.waiting.take(url)
        return url

    def _choose(self, choose: Callable[[], str | None]) -> str | None:
        """Return the next URL whose post has not been found at another URL meanwhile."""
        while (url := choose()) and (self._crawl_stats.has_post(url) or self._was_visited_in_other_case(url)):
            pass
        return url

    def _was_visited_in_other_case(self, url: str) -> bool:
        """Return whether the host ignores case and the page is known; if so, record that it is the same."""
        if (known := self._case.first_spelling(url)) is not None:
            self._crawl_stats.moved(url, known)
        return known is not None

    @property
    def is_idle(self) -> bool:
        """Whether all sources have been read and no visit is in progress."""
        return self._may_search and not self._posts_under_way and self._search is None

    def visit_again(self, urls: Iterable[str]) -> None:
        """Put URLs back into the queue, such as those of posts at which the server failed."""
        for url in urls:
            self.waiting.add(url, linked=False, is_expected=True)

    def came_back(self, url: str) -> None:
        """Record that the visit to this URL is over."""
        if url == self._search:
            self._search = None
        else:
            self._posts_under_way -= 1


# After a week the pages may have changed, so the harvest starts anew.
RESUME_WITHIN = timedelta(days=7)
# Responses that may be better on the next try are requested again.
_PASSING = (0, 403, 408, 425, 429)
_MEDIA = tuple("image/ audio/ video/ font/ text/css application/pdf application/font application/x-font".split())


class Frontier:
    """The start of one harvest, and the responses that an interrupted one left behind, by URL."""

    def __init__(self, archive: Archive, blog_id: str, now: datetime, *, retries: bool = False) -> None:
        """`retries`: continue the last harvest, however it ended, and request again what it could not get."""
        self._archive, self._blog_id, self._retries = archive, blog_id, retries
        last = archive.report(blog_id) if retries else None
        begun = archive.unfinished_since(blog_id) or (last.started_at if last is not None else None)
        self.resumes = begun is not None and (retries or now - begun < RESUME_WITHIN)
        self.started_at = begun if begun and self.resumes else now
        self.responses: dict[str, Capture] = self._since(blog_id) if self.resumes else {}
        archive.mark_unfinished(blog_id, self.started_at)

    @property
    def spent(self) -> tuple[int, int]:
        """The numbers of requests for pages and for media in earlier runs of this harvest."""
        media = sum((one.mime or "").startswith(_MEDIA) for one in self.responses.values())
        return len(self.responses) - media, media

    def finished(self) -> None:
        """Mark the harvest as finished, so that the next one starts anew."""
        self._archive.mark_unfinished(self._blog_id, None)

    def _since(self, blog_id: str) -> dict[str, Capture]:
        with self._archive.database.reading() as connection:
            found = captures_of_blog(connection, blog_id)
        begun = date_key(self.started_at)
        usable = [one for one in found if one.fetched_at >= begun and one.kind in ("response", "revisit")]
        usable.sort(key=lambda one: one.fetched_at)
        least_failure = 400 if self._retries else 500
        return {one.url: one for one in usable if one.status < least_failure and one.status not in _PASSING}


Role: TypeAlias = Literal["post", "near", "list", "page"]

# Words of lists are kept; other words below the first folder are names that vary.
_LIST_WORD = re.compile(rf"(?:{any_of(url_words('listing.term', 'listing.queue_word'))})(?:\.\w+)?", re.IGNORECASE)
_LIST_FOLDER = re.compile(
    rf"/(?:{any_of(url_words('listing.queue_folder'))})|[?&](?:{any_of(url_words('listing.queue_parameter'))})=",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.\w+$")


class UrlKind(msgspec.Struct, frozen=True):
    """The role of a URL, and the features that URLs of its kind share."""

    role: Role
    marks: frozenset[str]

    def likeness(self, other: UrlKind) -> float:
        """Return the share of common features, from 0.0 to 1.0; a post's URL is no evidence about a list's."""
        if (self.role in _OF_POSTS) != (other.role in _OF_POSTS):
            return 0.0
        return len(self.marks & other.marks) / len(self.marks | other.marks)


_OF_POSTS = ("post", "near")


def url_kind(url: str, pattern: UrlPattern, *, is_record: bool = False) -> UrlKind:
    """Return the kind of a URL on a blog whose posts have this pattern; `is_record`: a list links to it as a record."""
    parts = urlsplit(url)
    folders = [re.sub(r"\d+", "0", folder) for folder in parts.path.split("/") if folder]
    marks = {f"{depth}:{_mark(folder, depth, len(folders))}" for depth, folder in enumerate(folders)}
    marks |= {f"?{parameter.partition('=')[0]}" for parameter in parts.query.split("&") if parameter}
    role = _role(url, pattern)
    if is_record and role in ("near", "page"):
        marks.add("record")
    return UrlKind(role, frozenset(marks | {f"#{len(folders)}"}))


def _mark(folder: str, depth: int, folders: int) -> str:
    """Return the folder if it is typical of its kind, else a wildcard with its extension."""
    if folder == "0" or _LIST_WORD.fullmatch(folder) or (depth == 0 and folders > 1):
        return folder
    ending = _ENDING.search(folder)
    return f"*{ending.group()}" if ending else "*"


def _role(url: str, pattern: UrlPattern) -> Role:
    if pattern.fits(url):
        return "post"
    if pattern.is_near(url):
        return "near"
    local = url.partition("://")[2].partition("/")[2]
    return "list" if is_listing(url) or _LIST_FOLDER.search(f"/{local}") else "page"


# The number of examples used, most similar kinds first; if there are as many of the same kind, others do not count.
_K = 8
# The factor by which the weight of earlier examples of a kind shrinks with each new one.
_FADING = 0.9
# Posts expected without examples: a post is one, a near URL is one in half of the cases; lists name some, pages few.
_PRIOR: dict[Role, float] = {"post": 1.0, "near": 0.5, "list": 4.0, "page": 0.5}
# The weight of that, in examples: the URL of a post is a better reason than a word such as "archive". It shrinks
# like that of an example as others of the same kind come.
_PRIOR_WEIGHT: dict[Role, float] = {"post": 3.0, "near": 2.0, "list": 0.4, "page": 0.4}
# This many links to known posts halve what is expected of lists. A feed and a front page both name the latest posts,
# so their agreement means little. Agreement with a sitemap means more.
_LIKE_THE_FEED, _LIKE_A_LIST = 10, 3


class LinkEstimate:
    """Estimates the new posts of a visit. `knows_list`: the blog lists all its posts, not only the latest."""

    def __init__(self) -> None:
        self.knows_list = False
        # For every kind, the number of examples and the sum of what they were worth, both with faded weights; and the
        # remaining weight of the prior.
        self._examples: dict[UrlKind, tuple[float, float]] = {}
        self._prior_left: dict[UrlKind, float] = {}
        self._new_links = self._known_links = 0

    def learn(self, kind: UrlKind, worth: int) -> None:
        """Record how many new posts a visit to a URL of this kind brought."""
        count, total = self._examples.get(kind, (0.0, 0.0))
        self._examples[kind] = (count * _FADING + 1, total * _FADING + worth)
        self._prior_left[kind] = self._prior_left.get(kind, 1.0) * _FADING

    def has_seen(self, kind: UrlKind) -> bool:
        """Return whether a URL of this kind was visited."""
        return kind in self._examples

    def see_link(self, *, is_new: bool) -> None:
        """Record a link to a post: to one that nothing had named before, or the second link to one."""
        if is_new:
            self._new_links += 1
        else:
            self._known_links += 1

    def of(self, kind: UrlKind) -> float:
        """Return how many new posts a visit to a URL of this kind will probably bring."""
        weight = _PRIOR_WEIGHT[kind.role] * self._prior_left.get(kind, 1.0)
        total = weight * _PRIOR[kind.role] * self._share_of_news(kind.role)
        likenesses = ((_likeness(kind, known), known) for known in self._examples)
        missing: float = _K
        for likeness, known in sorted((pair for pair in likenesses if pair[0] > 0), key=lambda pair: -pair[0]):
            count, worth = self._examples[known]
            taken = min(count, missing)
            weight += likeness**2 * taken
            total += likeness**2 * worth * taken / count
            missing -= taken
            if missing <= 0:
                break
        return total / weight

    def _share_of_news(self, role: Role) -> float:
        """Return the share of links to posts that lead to new ones; few links change it little."""
        if role in ("post", "near"):
            return 1.0
        doubt = self._new_links + (_LIKE_A_LIST if self.knows_list else _LIKE_THE_FEED)
        return doubt / (doubt + self._known_links)


@lru_cache(maxsize=65536)  # the same kinds are compared again and again
def _likeness(left: UrlKind, right: UrlKind) -> float:
    return left.likeness(right)


# URLs of posts are visited as long as one in ten is one: a blog that has moved may name thousands that are gone.
_LEAST_OF_POSTS = 0.1
# After that, this many samples in a row, spread over the waiting URLs, must fail before a kind is given up; each
# further URL adds a fraction of a sample.
_PROBES, _PROBES_PER_URL, _GOLDEN = 12, 0.25, 0.618
# A server that returns one post at every URL, with links to ever more of them, is left after this many copies in a row.
_MAX_COPIES = 50
# Other pages are visited as long as one of so many brings a post: 4 on a small blog, one more for every ten posts, at
# most 33. Chosen on 36 real blogs: 6 or more cost requests and found nothing, 3 lost posts.
_PAGES_PER_POST, _POSTS_PER_PAGE, _MOST_PAGES = 4, 10, 33


# A kind of URL of which a sitemap or lists name so many is sampled this often, spread out, before it is given up.
_MANY_LISTED, _FEW_LISTED, _SAMPLES = 10, 1, 4
_SPREAD = (0.0, 0.5, 0.999, 0.25, 0.75)


# The first folder of a post's URL key, unless it is a year; this many posts in it make it a section.
_SECTION = re.compile(r"([^/]*/(?!(?:19|20)\d\d/)[^/?]+)/.")
_INDEX = re.compile(r"/index\.\w+$")
_MIN_SECTION = 3
_SLASHES = 4  # of http://host/folder/index.html


class UrlQueue:
    """The waiting URLs of one blog; each is added once."""

    def __init__(self, pattern: GrowingPattern) -> None:
        self.pattern = pattern
        self.posts = 0
        self.estimate = LinkEstimate()
        self._waiting: dict[UrlKind, deque[str]] = {}
        self._taken: Counter[UrlKind] = Counter()
        self._seen_again: set[str] = set()
        self._expected: deque[str] = deque()
        self._listed: set[str] = set()
        self._records: set[str] = set()
        self._probed: set[str] = set()
        self._dead_probes: dict[UrlKind, float] = defaultdict(float)
        self._copies: Counter[UrlKind] = Counter()
        self._sections: Counter[str] = Counter()

    def add(self, url: str, *, linked: bool, is_expected: bool = False) -> int:
        """Add a new URL; return the number of posts that it is expected to be.

        `linked`: a page links to it, otherwise a sitemap lists it; `is_expected`: the blog itself lists it as a post.
        """
        if is_expected:
            self._expected.append(url)
            if linked and self.pattern.fits(url):
                self.estimate.see_link(is_new=True)
            return 1
        if not linked:
            self._listed.add(url)
        kind = self._kind(url)
        self._waiting.setdefault(kind, deque()).append(url)
        if self._dead_probes[kind] > 0:
            self._dead_probes[kind] -= _PROBES_PER_URL
        if kind.role == "post" and linked:
            self.estimate.see_link(is_new=True)
        return int(kind.role == "post" or (kind.role == "near" and self.estimate.of(kind) >= 0.5))

    def accept(self, url: str) -> bool:
        """Record that a URL is a post's; return whether that extended the pattern, by which waiting URLs are sorted."""
        has_grown = self.pattern.accept(url)
        if has_grown:
            waiting = [each for urls in self._waiting.values() for each in urls]
            self._waiting.clear()
            for each in waiting:
                self._waiting.setdefault(self._kind(each), deque()).append(each)
        return has_grown

    def see_again(self, url: str) -> None:
        """Record a link to a known URL; the first one per URL shows how complete the known URLs are."""
        place = place_key(url)
        if place not in self._seen_again and self.pattern.fits(url):
            self._seen_again.add(place)
            self.estimate.see_link(is_new=False)

    def learn(self, url: str, *, is_post: bool, named: int) -> None:
        """Record the result of a visit: whether it brought a new post, and how many its links named."""
        self.posts += is_post
        if is_post and (section := _SECTION.match(place_key(url))):
            self._sections[section[1]] += 1
        kind = self._kind(url)
        if url in self._probed:
            self._dead_probes[kind] = 0 if is_post else self._dead_probes[kind] + 1
        # URLs that look like posts must be posts: odd URLs that link to each other would keep a crawl running forever.
        self.estimate.learn(kind, is_post if kind.role in ("post", "near") else is_post + named)

    def count_copy(self, url: str, *, is_copy: bool) -> None:
        """Record whether a page was a copy of a known post: too many in a row end the visits to its kind."""
        kind = self._kind(url)
        self._copies[kind] = self._copies[kind] + 1 if is_copy else 0

    def next_post(self) -> str | None:
        """Return the next URL that looks like a post's, as long as such URLs are posts."""
        if self._expected:  # what the blog itself lists is requested, whatever the results of similar URLs
            return self._expected.popleft()
        kinds = [kind for kind in self._live_kinds() if kind.role == "post"]
        return self._best_of(kinds, _LEAST_OF_POSTS) or self._probe(kinds)

    def _probe(self, kinds: list[UrlKind]) -> str | None:
        """Return a URL of a kind that seems to be dead, from anywhere in its queue: only a part of it may be dead."""
        for kind in kinds:
            if self._dead_probes[kind] < _PROBES:
                waiting = self._waiting[kind]
                place = int((len(self._probed) * _GOLDEN % 1.0) * len(waiting))
                url = waiting[place]
                del waiting[place]
                self._probed.add(url)
                return url
        return None

    def next_url(self) -> str | None:
        """Return the next URL to visit, or None if no waiting URL is worth it."""
        least = 1 / min(_MOST_PAGES, _PAGES_PER_POST + self.posts / _POSTS_PER_PAGE)
        return self.next_post() or self._best_of(self._live_kinds(), least) or self._front_of_section()

    def _live_kinds(self) -> list[UrlKind]:
        return [kind for kind, urls in self._waiting.items() if urls and self._copies[kind] < _MAX_COPIES]

    def _front_of_section(self) -> str | None:
        """Return the page of a folder that contains several posts: it lists them, whatever other lists have brought."""
        lists = (urls for kind, urls in self._waiting.items() if kind.role in ("list", "page"))
        fronts = (url for urls in lists for url in urls if url.count("/") <= _SLASHES)
        front = next((url for url in fronts if self._sections[_INDEX.sub("", place_key(url))] >= _MIN_SECTION), None)
        if front is not None:
            self.take(front)
        return front

    def take(self, url: str) -> None:
        """Remove a waiting URL that is visited for another reason than new posts."""
        self._waiting[self._kind(url)].remove(url)

    def note_records(self, urls: Iterable[str]) -> None:
        """Record URLs that a list links to as its records: they differ in kind from other links of posts and menus.

        A mirror may have posts, images and pages at URLs of one shape.
        """
        for url in urls:
            waits = url not in self._records and url in self._waiting.get(self._kind(url), ())
            if waits:
                self.take(url)
            self._records.add(url)
            if waits:
                self._waiting.setdefault(self._kind(url), deque()).append(url)

    def given_up(self) -> list[str]:
        """Return the URLs that still wait."""
        return [*self._expected, *(url for urls in self._waiting.values() for url in urls)]

    def never_sampled(self) -> int:
        """Return the number of waiting URLs from sitemaps, except lists, of whose kinds no page was visited."""
        kinds = (urls for kind, urls in self._waiting.items() if not self.estimate.has_seen(kind))
        return sum(url in self._listed and not is_listing(url) for urls in kinds for url in urls)

    def _best_of(self, kinds: list[UrlKind], least: float) -> str | None:
        estimates = [(self._worth(kind, least), kind) for kind in kinds]
        worth, best = max(estimates, key=lambda pair: pair[0], default=(0.0, None))
        if best is None or worth < least:
            return None
        self._taken[best] += 1
        waiting = self._waiting[best]
        if best.role in ("near", "page") and self._taken[best] <= _SAMPLES:
            place = int(_SPREAD[self._taken[best] % len(_SPREAD)] * len(waiting))
            url = waiting[place]
            del waiting[place]
            return url
        # From both ends in turn, because known posts may end in the middle of a series of months. Of odd URLs, the
        # latest: the first come from the menu, and posts among them from the lists visited since.
        from_end = best.role == "near" or (best.role != "post" and self._taken[best] % 2 == 0)
        return waiting.pop() if from_end else waiting.popleft()

    def _worth(self, kind: UrlKind, least: float) -> float:
        """Return what a visit is worth; a kind with many listed URLs is sampled before it is given up."""
        worth, waiting = self.estimate.of(kind), self._waiting[kind]
        is_list = kind.role == "list" and is_listing(waiting[0])  # and not only in a folder such as /blog/
        if worth >= least or kind.role == "post" or is_list or self._taken[kind] >= _SAMPLES:
            return worth
        listed = sum(url in self._listed or url in self._records for url in waiting) + self._taken[kind]
        # In a folder of another language, or called "notes", a single URL is enough to take a sample.
        return least if listed >= (_FEW_LISTED if is_in_section(waiting[0]) else _MANY_LISTED) else worth

    def _kind(self, url: str) -> UrlKind:
        return url_kind(url, self.pattern, is_record=url in self._records)
