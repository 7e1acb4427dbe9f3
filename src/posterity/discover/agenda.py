"""Which address to visit next, and when no visit is worth it any more.

Addresses wait by kind. Posts come first; then whatever will probably bring most new posts, judged anew at every step by
what the last visits brought. The crawl ends when the best that waits is not worth a request: a blog of few posts is not
searched as long as one of many.

What the blog itself names as a post, in its feed or by its interface, is one whatever its address looks like.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

from posterity.discover.address_kind import AddressKind, address_kind
from posterity.discover.priority import LinkEstimate
from posterity.urls import place_key

if TYPE_CHECKING:
    from posterity.urls import PostPattern

# Addresses of posts are visited while one in ten is one: a blog that moved names thousands that are gone.
_LEAST_OF_POSTS = 0.1
# Other pages are visited while so many of them bring a post: 4 on a small blog, one more for every ten posts, at
# most 33. Chosen on 36 real blogs: 6 or more cost requests and found nothing, 3 lost posts.
_PAGES_PER_POST, _POSTS_PER_PAGE, _MOST_PAGES = 4, 10, 33


class Agenda:
    """The addresses of one blog that wait for a visit; each is added once."""

    def __init__(self, pattern: PostPattern) -> None:
        self.pattern = pattern
        self.posts = 0
        self.estimate = LinkEstimate()
        self._waiting: dict[AddressKind, deque[str]] = {}
        self._taken: Counter[AddressKind] = Counter()
        self._seen_again: set[str] = set()
        self._named: set[str] = set()

    def add(self, url: str, *, linked: bool, is_named: bool = False) -> int:
        """An address comes up for the first time; return how many posts that is.

        `linked`: a page links to it; `is_named`: the blog lists it as a post.
        """
        if is_named:
            self._named.add(url)
        kind = self._kind(url)
        self._waiting.setdefault(kind, deque()).append(url)
        if kind.role == "post" and linked:
            self.estimate.see_link(is_new=True)
        return int(kind.role == "post" or (kind.role == "near" and self.estimate.of(kind) >= 0.5))

    def see_again(self, url: str) -> None:
        """A page links to an address that was known; the first time, this says how complete our knowledge is."""
        place = place_key(url)
        if place not in self._seen_again and self.pattern.fits(url):
            self._seen_again.add(place)
            self.estimate.see_link(is_new=False)

    def learn(self, url: str, *, is_post: bool, named: int) -> None:
        """A visit is over: it brought a new post or not, and its links named so many."""
        self.posts += is_post
        kind = self._kind(url)
        # What looks like a post must be one: odd addresses that name each other would keep the crawl going for ever.
        self.estimate.learn(kind, is_post if kind.role in ("post", "near") else is_post + named)

    def next_post(self) -> str | None:
        """Return the next address that looks like a post's, as long as such addresses are posts."""
        kinds = [kind for kind, urls in self._waiting.items() if urls and kind.role == "post"]
        return self._best_of(kinds, _LEAST_OF_POSTS)

    def next_address(self) -> str | None:
        """Return the next address to visit, or None when nothing that waits is worth it."""
        kinds = [kind for kind, urls in self._waiting.items() if urls]
        return self.next_post() or self._best_of(kinds, self._least())

    def take(self, url: str) -> None:
        """An address that waits is visited for another reason than new posts."""
        self._waiting[self._kind(url)].remove(url)

    def given_up(self) -> list[str]:
        """Return the addresses that still wait."""
        return [url for urls in self._waiting.values() for url in urls]

    def _least(self) -> float:
        return 1 / min(_MOST_PAGES, _PAGES_PER_POST + self.posts / _POSTS_PER_PAGE)

    def _best_of(self, kinds: list[AddressKind], least: float) -> str | None:
        estimates = [(self.estimate.of(kind), kind) for kind in kinds]
        worth, best = max(estimates, key=lambda pair: pair[0], default=(0.0, None))
        if best is None or worth < least:
            return None
        self._taken[best] += 1
        # From both ends in turn: what is known may end in the middle of a row of months. Odd addresses from the latest:
        # those that came first are the menu's, posts among them come from the lists visited since.
        from_end = best.role == "near" or (best.role != "post" and self._taken[best] % 2 == 0)
        return self._waiting[best].pop() if from_end else self._waiting[best].popleft()

    def _kind(self, url: str) -> AddressKind:
        kind = address_kind(url, self.pattern)
        return AddressKind("post", kind.marks) if url in self._named else kind
