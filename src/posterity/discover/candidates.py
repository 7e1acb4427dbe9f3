"""Blogs that might be worth a harvest: which address each has, and in which order to look at them.

A link leads to some page; the blog's home is guessed from it and proved later, by asking for a feed. Links count by
where they stand: a blogroll is a recommendation, a link in a post an answer, the address of a commenter an address.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import msgspec

from posterity.discover.other_sites import is_other_site
from posterity.urls import canonical_url, is_http_url, place_key

if TYPE_CHECKING:
    from collections.abc import Iterable

Place = Literal["blogroll", "post", "comment", "search"]

# A blogroll has one entry for each of its blogs, posts may link a hundred times: many links from one blog count by
# their logarithm, those from several blogs add up.
_WEIGHTS: dict[Place, float] = {"blogroll": 3.0, "post": 1.0, "comment": 0.5}
# Reciprocal rank fusion; 60 is the constant of Cormack, Clarke and Buettcher (2009), who found it robust.
_RANK_OFFSET = 60
_BLOG_FOLDERS = frozenset("blog weblog journal".split())
_FOLDERS_OF_BLOGS = frozenset("blogs users people members".split())


class Mention(msgspec.Struct, frozen=True):
    """That a blog links to an address: which blog, from where. For a search: which query, and the place of the hit."""

    source: str
    place: Place
    url: str
    rank: int = 0


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A site that may be a blog: its home as far as links tell, one of the pages that were linked, and why."""

    home: str
    example: str
    score: float
    # How many blogs or queries brought it, and how many links of each place.
    sources: int
    mentions: dict[str, int]


def ranked_candidates(mentions: Iterable[Mention], known: Iterable[str] = ()) -> list[Candidate]:
    """Return the sites behind the mentions, the best first; those in `known`, and known non-blogs, are left out."""
    unwanted = {place_key(url) for url in known}
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        home = blog_home(mention.url)
        if home is not None and not _holds(place_key(home), unwanted):
            found[place_key(home)].append(mention)
    candidates = [_candidate(some) for some in found.values()]
    return sorted(candidates, key=lambda one: (-one.score, one.home))


def blog_home(url: str) -> str | None:
    """Return where the blog of a page seems to begin, or None for an address that is no blog's.

    That is the root of its host, or the folder of one of many authors on it.
    """
    if not is_http_url(url):
        return None
    parts = urlsplit(canonical_url(url))
    if is_other_site(parts.netloc) or "." not in parts.netloc:
        return None
    names = [name for name in parts.path.split("/") if name]
    depth = 0
    if names and (names[0].startswith(("~", "@")) or names[0].lower() in _BLOG_FOLDERS):
        depth = 1
    elif len(names) > 1 and names[0].lower() in _FOLDERS_OF_BLOGS:
        depth = 2
    return f"{parts.scheme}://{parts.netloc}/" + "".join(f"{name}/" for name in names[:depth])


def _candidate(mentions: list[Mention]) -> Candidate:
    homes = Counter(home for mention in mentions if (home := blog_home(mention.url)))
    examples = Counter(mention.url for mention in mentions)
    return Candidate(
        home=max(homes, key=lambda home: (homes[home], home)),
        example=max(examples, key=lambda url: (examples[url], url)),
        score=round(_score(mentions), 4),
        sources=len({mention.source for mention in mentions}),
        mentions=dict(Counter(str(mention.place) for mention in mentions)),
    )


def _score(mentions: list[Mention]) -> float:
    counts = Counter((mention.source, mention.place) for mention in mentions if mention.place != "search")
    links = sum(_WEIGHTS[place] * math.log2(1 + count) for (_, place), count in counts.items())
    # One query may bring several pages of a blog; the best of them tells how well it fits.
    best: dict[str, int] = {}
    for mention in mentions:
        if mention.place == "search":
            best[mention.source] = min(mention.rank, best.get(mention.source, mention.rank))
    return links + sum(1 / (_RANK_OFFSET + rank) for rank in best.values())


def _holds(place: str, known: set[str]) -> bool:
    """Tell whether a place is a known blog, or the site that one is a part of."""
    return any(one == place or one.startswith(f"{place}/") for one in known)
