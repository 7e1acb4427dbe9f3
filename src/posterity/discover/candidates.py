"""Candidates for new blogs: ranked by the links to them and by search results, with the queries to search for.

A link leads to some page; the blog's home is guessed from it and checked later, by looking for a feed. Links count by
where they stand: a blogroll is a recommendation, a link in a post a reply, the URL of a commenter just a URL.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.lexicon import any_of, hosts_without_blogs, url_words, words_for
from posterity.text.normal_form import one_line
from posterity.urls import Scope, canonical_url, is_http_url, place_key


def is_other_site(host: str) -> bool:
    """Tell whether the host, or one that it belongs to, is known to be no blog."""
    hosts = hosts_without_blogs()
    labels = host.lower().partition(":")[0].removeprefix("www.").split(".")
    return any(".".join(labels[place:]) in hosts for place in range(len(labels) - 1))


Place = Literal["blogroll", "post", "comment", "search"]

# A blogroll has one entry for each of its blogs, posts may link a hundred times: many links from one blog count by
# their logarithm, those from several blogs add up.
_WEIGHTS: dict[Place, float] = {"blogroll": 3.0, "post": 1.0, "comment": 0.5}
# Reciprocal rank fusion; 60 is the constant of Cormack, Clarke and Buettcher (2009), who found it robust.
_RANK_OFFSET = 60
_BLOG_FOLDERS = frozenset(url_words("blog.folder"))
_FOLDERS_OF_BLOGS = frozenset(url_words("blog.folder_of_many"))


class Mention(msgspec.Struct, frozen=True):
    """That a blog links to a URL: which blog, from where. For a search: which query, and the place of the hit."""

    source: str
    place: Place
    url: str
    rank: int = 0


class BlogCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A site that may be a blog: its home as far as links tell, one of the pages that were linked, and why."""

    home: str
    example: str
    score: float
    # How many blogs or queries brought it, and how many links of each place.
    sources: int
    mentions: dict[str, int]


def ranked_candidates(mentions: Iterable[Mention], known: Iterable[str] = ()) -> list[BlogCandidate]:
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
    """Return where the blog of a page seems to begin, or None for a URL that is no blog's.

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


def _candidate(mentions: list[Mention]) -> BlogCandidate:
    homes = Counter(home for mention in mentions if (home := blog_home(mention.url)))
    examples = Counter(mention.url for mention in mentions)
    return BlogCandidate(
        home=max(homes, key=lambda home: (homes[home], home)),
        example=max(examples, key=lambda url: (examples[url], url)),
        score=round(_score(mentions), 4),
        sources=len({mention.source for mention in mentions}),
        mentions=dict(Counter(str(mention.place) for mention in mentions)),
    )


def _score(mentions: list[Mention]) -> float:
    counts = Counter((mention.source, mention.place) for mention in mentions if mention.place != "search")
    links = sum(_WEIGHTS[place] * math.log2(1 + count) for (_, place), count in counts.items())
    # One query may bring several pages of a blog; the best of them counts.
    best: dict[str, int] = {}
    for mention in mentions:
        if mention.place == "search":
            best[mention.source] = min(mention.rank, best.get(mention.source, mention.rank))
    return links + sum(1 / (_RANK_OFFSET + rank) for rank in best.values())


def _holds(place: str, known: set[str]) -> bool:
    """Tell whether a place is a known blog, or the site that one is a part of."""
    return any(one == place or one.startswith(f"{place}/") for one in known)


# Pages that are nothing but recommendations, in the languages in which they were met.
_LINK_PAGE = re.compile(rf"(?:{any_of(words_for('url.link_page'))})(?:\.\w+)?/?$", re.IGNORECASE)


def recommended_links(document: Document, home_url: str, in_posts: AbstractSet[str] = frozenset()) -> list[str]:
    """Return the page's links to other hosts; `in_posts` are the places that posts link to, which are no blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if not scope.is_on_host(link) and place_key(link) not in in_posts]


def link_pages(document: Document, home_url: str) -> list[str]:
    """Return the pages of the blog that a page links to and that seem to hold its blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if scope.includes(link) and _LINK_PAGE.search(link)]


# With only a few texts to compare, "the" and "and" look distinctive; in alphabetic scripts, short words seldom are.
_MIN_LETTERS = 4
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# A run of Chinese or Japanese characters is cut into pairs, the usual index terms of languages without spaces.
_TERM = re.compile(rf"[{_CJK}]{{2}}|[^\W_{_CJK}]+(?:[-'’][^\W_{_CJK}]+)*")
# Search services cut long queries or find nothing for them.
MAX_QUERY_WORDS = 12


class NewsItem(msgspec.Struct, frozen=True, kw_only=True):
    """A text that somebody wrote about something: what blogs may have written about too."""

    title: str = ""
    text: str = ""


def queries(items: Sequence[NewsItem], distinctive: int = 4, also: str = "") -> list[str]:
    """Return one query for each item: the words of its title, then its most distinctive ones; equal ones come once.

    `also` is added to each. An item without words gives none.
    """
    weights = _weights([item.title + "\n" + item.text for item in items])
    found = []
    for item, words in zip(items, weights, strict=True):
        title = _terms(one_line(item.title))
        known = {word.casefold() for word in title}
        more = [word for word in key_words(words, distinctive + len(known)) if word not in known][:distinctive]
        chosen = [*title[: MAX_QUERY_WORDS - len(more)], *more]
        if chosen:
            found.append(" ".join([*chosen, *also.split()]))
    return list(dict.fromkeys(found))


def key_words(weights: dict[str, float], count: int) -> list[str]:
    """Return the words that weigh most, the heaviest first."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:count]


def _weights(texts: Sequence[str]) -> list[dict[str, float]]:
    """The TF-IDF weight of every word in each text: (1 + log tf) * log((1 + N) / df)."""
    counts = [Counter(word.casefold() for word in _terms(text) if _is_distinctive(word)) for text in texts]
    in_texts = Counter(word for count in counts for word in count)
    return [
        {word: (1 + math.log(number)) * math.log((1 + len(texts)) / in_texts[word]) for word, number in count.items()}
        for count in counts
    ]


def _terms(text: str) -> list[str]:
    return _TERM.findall(text)


def _is_distinctive(word: str) -> bool:
    is_pair = len(word) == 2 and "\u3040" <= word[0] <= "\u9fff"
    is_acronym = len(word) > 1 and word.isupper()
    return is_pair or is_acronym or (len(word) >= _MIN_LETTERS and not word.isdigit())
