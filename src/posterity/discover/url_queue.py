"""Which URL to visit next, and when no visit is worth it any more.

URLs wait by kind. Posts come first; then whatever will probably bring most new posts, judged anew at every step by
what the last visits brought. The crawl ends when the best that waits is not worth a request: a blog of few posts is not
searched as long as one of many.

What the blog itself names as a post, in its feed or by its interface, is one whatever its URL looks like.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from functools import lru_cache
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.lexicon import any_of, url_words
from posterity.urls import place_key
from posterity.urls.kinds import is_in_section, is_listing
from posterity.urls.post_pattern import GrowingPattern, UrlPattern

Role: TypeAlias = Literal["post", "near", "list", "page"]

# Words of lists stay what they are; other words below the first folder are names that vary.
_LIST_WORD = re.compile(rf"(?:{any_of(url_words('listing.term', 'listing.queue_word'))})(?:\.\w+)?", re.IGNORECASE)
_LIST_FOLDER = re.compile(
    rf"/(?:{any_of(url_words('listing.queue_folder'))})|[?&](?:{any_of(url_words('listing.queue_parameter'))})=",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.\w+$")


class UrlKind(msgspec.Struct, frozen=True):
    """What a URL lists (`role`), and the features that URLs of its kind share."""

    role: Role
    marks: frozenset[str]

    def likeness(self, other: UrlKind) -> float:
        """Return how many features both have, from 0.0 to 1.0; a post's URL says nothing about a list's."""
        if (self.role in _OF_POSTS) != (other.role in _OF_POSTS):
            return 0.0
        return len(self.marks & other.marks) / len(self.marks | other.marks)


_OF_POSTS = ("post", "near")


def url_kind(url: str, pattern: UrlPattern) -> UrlKind:
    """Return the kind of a URL on a blog whose posts have this pattern."""
    parts = urlsplit(url)
    folders = [re.sub(r"\d+", "0", folder) for folder in parts.path.split("/") if folder]
    marks = {f"{depth}:{_mark(folder, depth, len(folders))}" for depth, folder in enumerate(folders)}
    marks |= {f"?{parameter.partition('=')[0]}" for parameter in parts.query.split("&") if parameter}
    return UrlKind(_role(url, pattern), frozenset(marks | {f"#{len(folders)}"}))


def _mark(folder: str, depth: int, folders: int) -> str:
    """The folder itself where it says something about its kind, else how it ends."""
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


# So many examples are asked; once there are as many of the very kind, others have no say.
_K = 8
# The weight of all earlier examples of a kind when a new one comes.
_FADING = 0.9
# Before any example: a post is a post, an odd URL one in two times; a list names some, another page hardly any.
_PRIOR: dict[Role, float] = {"post": 1.0, "near": 0.5, "list": 4.0, "page": 0.5}
# How many examples that counts for: the URL of a post is a better reason than a word such as "archive". It fades
# like an example as others of the same kind come.
_PRIOR_WEIGHT: dict[Role, float] = {"post": 3.0, "near": 2.0, "list": 0.4, "page": 0.4}
# So many links to known posts halve what is expected of lists. A feed names the latest posts, and so does a front page:
# that these agree says little. That they agree with a sitemap says more.
_LIKE_THE_FEED, _LIKE_A_LIST = 10, 3


class LinkEstimate:
    """Learns as the crawl goes. `knows_list`: the blog lists its posts itself, not only the latest."""

    def __init__(self) -> None:
        self.knows_list = False
        # For every kind, how many examples there are and what they were worth together, both faded; and how much of
        # the prior is left.
        self._examples: dict[UrlKind, tuple[float, float]] = {}
        self._prior_left: dict[UrlKind, float] = {}
        self._new_links = self._known_links = 0

    def learn(self, kind: UrlKind, worth: int) -> None:
        """A visit to a URL of this kind brought so many new posts."""
        count, total = self._examples.get(kind, (0.0, 0.0))
        self._examples[kind] = (count * _FADING + 1, total * _FADING + worth)
        self._prior_left[kind] = self._prior_left.get(kind, 1.0) * _FADING

    def see_link(self, *, is_new: bool) -> None:
        """A page links to a post, which nobody had named before or which a page links to for the second time."""
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
        """How many of the links to posts lead to new ones: little evidence counts little."""
        if role in ("post", "near"):
            return 1.0
        doubt = self._new_links + (_LIKE_A_LIST if self.knows_list else _LIKE_THE_FEED)
        return doubt / (doubt + self._known_links)


@lru_cache(maxsize=65536)  # the same kinds wait for long and are compared again and again
def _likeness(left: UrlKind, right: UrlKind) -> float:
    return left.likeness(right)


# URLs of posts are visited while one in ten is one: a blog that moved names thousands that are gone.
_LEAST_OF_POSTS = 0.1
# After that, so many samples over the whole length of those that wait must be dead, one after the other; a few more
# when further URLs come up.
_PROBES, _PROBES_PER_URL, _GOLDEN = 12, 0.25, 0.618
# Other pages are visited while so many of them bring a post: 4 on a small blog, one more for every ten posts, at
# most 33. Chosen on 36 real blogs: 6 or more cost requests and found nothing, 3 lost posts.
_PAGES_PER_POST, _POSTS_PER_PAGE, _MOST_PAGES = 4, 10, 33


# A kind of URL of which a sitemap lists so many is sampled so often, over its whole length, before it is given up.
_MANY_LISTED, _FEW_LISTED, _SAMPLES = 10, 2, 4
_SPREAD = (0.0, 0.5, 0.999, 0.25, 0.75)


class UrlQueue:
    """The URLs of one blog that wait for a visit; each is added once."""

    def __init__(self, pattern: GrowingPattern) -> None:
        self.pattern = pattern
        self.posts = 0
        self.estimate = LinkEstimate()
        self._waiting: dict[UrlKind, deque[str]] = {}
        self._taken: Counter[UrlKind] = Counter()
        self._seen_again: set[str] = set()
        self._expected: deque[str] = deque()
        self._listed: set[str] = set()
        self._probed: set[str] = set()
        self._dead_probes: dict[UrlKind, float] = defaultdict(float)

    def add(self, url: str, *, linked: bool, is_expected: bool = False) -> int:
        """A URL comes up for the first time; return how many posts that is.

        `linked`: a page links to it, else a sitemap lists it; `is_expected`: the blog itself lists it as a post.
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
        """The page at this URL is a post: several of a new shape widen the pattern, and what waits is sorted again."""
        has_grown = self.pattern.accept(url)
        if has_grown:
            waiting = [each for urls in self._waiting.values() for each in urls]
            self._waiting.clear()
            for each in waiting:
                self._waiting.setdefault(self._kind(each), deque()).append(each)
        return has_grown

    def see_again(self, url: str) -> None:
        """A page links to a URL that was known; the first time, this says how complete our knowledge is."""
        place = place_key(url)
        if place not in self._seen_again and self.pattern.fits(url):
            self._seen_again.add(place)
            self.estimate.see_link(is_new=False)

    def learn(self, url: str, *, is_post: bool, named: int) -> None:
        """A visit is over: it brought a new post or not, and its links named so many."""
        self.posts += is_post
        kind = self._kind(url)
        if url in self._probed:
            self._dead_probes[kind] = 0 if is_post else self._dead_probes[kind] + 1
        # What looks like a post must be one: odd URLs that name each other would keep the crawl going for ever.
        self.estimate.learn(kind, is_post if kind.role in ("post", "near") else is_post + named)

    def next_post(self) -> str | None:
        """Return the next URL that looks like a post's, as long as such URLs are posts."""
        if self._expected:  # what the blog itself lists is asked for, however many of its neighbours are dead
            return self._expected.popleft()
        kinds = [kind for kind, urls in self._waiting.items() if urls and kind.role == "post"]
        return self._best_of(kinds, _LEAST_OF_POSTS) or self._probe(kinds)

    def _probe(self, kinds: list[UrlKind]) -> str | None:
        """Return a URL of a kind that seems to be dead, from anywhere among those that wait: a stretch may be over."""
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
        """Return the next URL to visit, or None when nothing that waits is worth it."""
        kinds = [kind for kind, urls in self._waiting.items() if urls]
        return self.next_post() or self._best_of(kinds, self._least())

    def take(self, url: str) -> None:
        """A URL that waits is visited for another reason than new posts."""
        self._waiting[self._kind(url)].remove(url)

    def given_up(self) -> list[str]:
        """Return the URLs that still wait."""
        return [*self._expected, *(url for urls in self._waiting.values() for url in urls)]

    def _least(self) -> float:
        return 1 / min(_MOST_PAGES, _PAGES_PER_POST + self.posts / _POSTS_PER_PAGE)

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
        # From both ends in turn: what is known may end in the middle of a row of months. Odd URLs from the latest:
        # those that came first are the menu's, posts among them come from the lists visited since.
        from_end = best.role == "near" or (best.role != "post" and self._taken[best] % 2 == 0)
        return waiting.pop() if from_end else waiting.popleft()

    def _worth(self, kind: UrlKind, least: float) -> float:
        """What a visit is worth. A kind of which a sitemap lists many URLs is sampled before it is given up."""
        worth = self.estimate.of(kind)
        if worth >= least or kind.role not in ("near", "page") or self._taken[kind] >= _SAMPLES:
            return worth
        waiting = self._waiting[kind]
        listed = sum(url in self._listed for url in waiting) + self._taken[kind]
        # A folder of another language, or called "notes", needs no more than a few URLs to be looked at.
        return least if listed >= (_FEW_LISTED if is_in_section(waiting[0]) else _MANY_LISTED) else worth

    def _kind(self, url: str) -> UrlKind:
        return url_kind(url, self.pattern)
