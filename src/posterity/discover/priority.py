"""Which page to visit next: a distance-weighted k-nearest-neighbour estimate of the new posts it links to.

Section 2.3 of the BlogForever paper. Whenever a page has been visited, its address and the number of unseen posts it
linked to become an example; the estimate for a new address is the weighted mean over the most similar examples. An
address is compared by its parts, with digits made equal, so that /page/2/ teaches about /page/3/.
"""

from __future__ import annotations

import re
from collections import deque
from urllib.parse import urlsplit

_K = 5
# Old examples fade: pages of one kind yield less as the blog gets known.
_REMEMBERED = 12
_LIST_LIKE = re.compile(
    r"/page/?\d|[?&](?:page|paged|offset|start)=|/archives?\b|/(?:19|20)\d{2}(?:/\d{1,2})?/?(?:index\.html?)?$|"
    r"/(?:tags?|categor(?:y|ies)|topics?|labels?|author|blog|posts|index)\b|/older\b|/sitemap",
    re.IGNORECASE,
)
# What is expected of an address before any example of its kind: a list of posts, or just a page.
_LIST_PRIOR, _PAGE_PRIOR = 4.0, 0.5
_PRIOR_WEIGHT = 0.3


class LinkEstimate:
    """Learns as the crawl goes."""

    def __init__(self) -> None:
        self._examples: dict[frozenset[str], deque[int]] = {}

    def learn(self, url: str, new_posts: int) -> None:
        """A visited page linked to this many posts that nobody had named before."""
        self._examples.setdefault(_parts(url), deque(maxlen=_REMEMBERED)).append(new_posts)

    def of(self, url: str) -> float:
        """Return how many unseen posts the page probably links to."""
        parts = _parts(url)
        nearest = sorted(((_likeness(parts, known), known) for known in self._examples), key=lambda pair: -pair[0])[:_K]
        weight, total = _PRIOR_WEIGHT, _PRIOR_WEIGHT * (_LIST_PRIOR if _LIST_LIKE.search(url) else _PAGE_PRIOR)
        for likeness, known in nearest:
            if likeness > 0:
                values = self._examples[known]
                weight += likeness**2
                total += likeness**2 * sum(values) / len(values)
        return total / weight


def _parts(url: str) -> frozenset[str]:
    """The folders with their depth, digits made equal, and the names of the parameters."""
    parts = urlsplit(url)
    folders = [re.sub(r"\d+", "0", folder) for folder in parts.path.split("/") if folder]
    marks = {f"{depth}:{folder}" for depth, folder in enumerate(folders)}
    marks |= {f"?{parameter.partition('=')[0]}" for parameter in parts.query.split("&") if parameter}
    return frozenset(marks | {f"#{len(folders)}"})


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right)
