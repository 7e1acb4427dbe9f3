"""What a visit is worth: a distance-weighted k-nearest-neighbour estimate of the new posts that it brings.

Section 2.3 of the BlogForever paper. Whenever a page has been visited, the kind of its address and the number of new
posts it brought (itself, or named by its links) become an example; the estimate for an address is the weighted mean
over the examples of the most similar kinds. Two things are added. Examples fade, since pages of one kind bring less as
the blog gets known. And before any example of its kind, a list is expected to bring less the more of the posts that
pages link to were known already: when all links lead to what a sitemap or an archive page has named, little is left.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.discover.address_kind import AddressKind, Role

# So many examples are asked; once there are as many of the very kind, others have no say.
_K = 8
# The weight of all earlier examples of a kind when a new one comes.
_FADING = 0.9
# Before any example: a post is a post, an odd address one in two times; a list names some, another page hardly any.
_PRIOR: dict[Role, float] = {"post": 1.0, "near": 0.5, "list": 4.0, "page": 0.5}
# How many examples that counts for: the address of a post is a better reason than a word such as "archive". It fades
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
        self._examples: dict[AddressKind, tuple[float, float]] = {}
        self._prior_left: dict[AddressKind, float] = {}
        self._new_links = self._known_links = 0

    def learn(self, kind: AddressKind, worth: int) -> None:
        """A visit to an address of this kind brought so many new posts."""
        count, total = self._examples.get(kind, (0.0, 0.0))
        self._examples[kind] = (count * _FADING + 1, total * _FADING + worth)
        self._prior_left[kind] = self._prior_left.get(kind, 1.0) * _FADING

    def see_link(self, *, is_new: bool) -> None:
        """A page links to a post, which nobody had named before or which a page links to for the second time."""
        if is_new:
            self._new_links += 1
        else:
            self._known_links += 1

    def of(self, kind: AddressKind) -> float:
        """Return how many new posts a visit to an address of this kind will probably bring."""
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
def _likeness(left: AddressKind, right: AddressKind) -> float:
    return left.likeness(right)
