"""Candidates for new blogs, ranked by the links to them and by search results, and the search queries.

The home page of a blog is guessed from a linked page and checked later, by looking for a feed. Links are weighted by
their place: a blogroll is a recommendation, a link in a post a reply, a commenter's URL says little.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.lexicon import any_of, hosts_without_blogs, url_words, words_for, words_in
from posterity.text.language import detect_language
from posterity.text.normal_form import one_line
from posterity.urls import Scope, canonical_url, is_http_url, place_key


def is_other_site(host: str) -> bool:
    """Return whether the host or a parent domain is known not to be a blog."""
    hosts = hosts_without_blogs()
    labels = host.lower().partition(":")[0].removeprefix("www.").split(".")
    return any(".".join(labels[place:]) in hosts for place in range(len(labels) - 1))


Place = Literal["blogroll", "post", "comment", "search"]

# A blogroll links to a blog once, but posts may link to it a hundred times: links from one blog count by their
# logarithm, and the counts of several blogs are summed.
_WEIGHTS: dict[Place, float] = {"blogroll": 3.0, "post": 1.0, "comment": 0.5}
# Reciprocal rank fusion; 60 is the constant of Cormack, Clarke and Buettcher (2009), who found it robust.
_RANK_OFFSET = 60
_BLOG_FOLDERS = frozenset(url_words("blog.folder"))
_FOLDERS_OF_BLOGS = frozenset(url_words("blog.folder_of_many"))


class Mention(msgspec.Struct, frozen=True):
    """A link from a blog to a URL, or a search result: `source` is then the query and `rank` the position."""

    source: str
    place: Place
    url: str
    rank: int = 0


class BlogCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A site that may be a blog: its probable home page, one of the linked pages, and its score."""

    home: str
    example: str
    score: float
    # The number of blogs or queries that lead to it, and of links by place.
    sources: int
    mentions: dict[str, int]


def ranked_candidates(mentions: Iterable[Mention], known: Iterable[str] = ()) -> list[BlogCandidate]:
    """Return the sites behind the mentions, best first, without those in `known` and known non-blogs."""
    unwanted = {place_key(url) for url in known}
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        home = blog_home(mention.url)
        if home is not None and not _holds(place_key(home), unwanted):
            found[place_key(home)].append(mention)
    candidates = [_candidate(some) for some in found.values()]
    return sorted(candidates, key=lambda one: (-one.score, one.home))


def blog_home(url: str) -> str | None:
    """Return the probable home page of the blog that a page belongs to, or None if the URL cannot be a blog's.

    It is the root of the host, or a folder on hosts with many authors.
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
    # A query may return several pages of a blog; only the best counts.
    best: dict[str, int] = {}
    for mention in mentions:
        if mention.place == "search":
            best[mention.source] = min(mention.rank, best.get(mention.source, mention.rank))
    return links + sum(1 / (_RANK_OFFSET + rank) for rank in best.values())


def _holds(place: str, known: set[str]) -> bool:
    """Whether a place is a known blog, or a site that contains one."""
    return any(one == place or one.startswith(f"{place}/") for one in known)


# Pages that consist of recommendations, in the languages of the lexicon.
_LINK_PAGE = re.compile(rf"(?:{any_of(words_for('url.link_page'))})(?:\.\w+)?/?$", re.IGNORECASE)


def recommended_links(document: Document, home_url: str, in_posts: AbstractSet[str] = frozenset()) -> list[str]:
    """Return the page's links to other hosts, without the places in `in_posts`: links in posts are not a blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if not scope.is_on_host(link) and place_key(link) not in in_posts]


def link_pages(document: Document, home_url: str) -> list[str]:
    """Return the linked pages of the same blog that may contain its blogroll."""
    scope = Scope.of(home_url)
    return [link for link in page_links(document) if scope.includes(link) and _LINK_PAGE.search(link)]


# Among only a few texts, "the" and "and" look distinctive; in alphabetic scripts, short words rarely are.
_MIN_LETTERS = 4
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# Runs of Chinese or Japanese characters are cut into pairs, the usual index terms for scripts without spaces.
_TERM = re.compile(rf"[{_CJK}]{{2}}|[^\W_{_CJK}]+(?:[-'’][^\W_{_CJK}]+)*")
# Search services truncate long queries or find nothing for them.
MAX_QUERY_WORDS = 12
_MAX_NAME_WORDS = 4  # longer runs are headlines


class NewsItem(msgspec.Struct, frozen=True, kw_only=True):
    """A news text whose subject blogs may have written about."""

    title: str = ""
    text: str = ""


class Background(msgspec.Struct, frozen=True):
    """Document frequencies of words, by which common words count as less distinctive."""

    texts: int = 0
    in_texts: dict[str, int] = {}


def background_of(texts: Iterable[str]) -> Background:
    """Return the document frequencies in these texts."""
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        number += 1
        counts.update({word.casefold() for word in _terms(text)})
    return Background(number, dict(counts))


def queries(
    items: Sequence[NewsItem], distinctive: int = 4, also: str = "", background: Background | None = None
) -> list[str]:
    """Return a query for each item: the words of its title, then its most distinctive terms; duplicates are dropped.

    Function words of the item's language are left out. Names and phrases of several words are quoted. `also` is added
    to each query. Items without words give no query.
    """
    texts = [f"{item.title}\n{item.text}" for item in items]
    small = [_function_words(text) for text in texts]
    weights = _weights(texts, small, background or Background())
    found = []
    for item, skipped, words in zip(items, small, weights, strict=True):
        title = [word for word in _terms(one_line(item.title)) if word.casefold() not in skipped]
        known = {word.casefold() for word in title}
        terms = _named_terms(item, skipped, words)
        more: list[str] = []
        for term in key_words(words | terms, distinctive + len(words)):
            parts = set(term.split())
            if len(more) < distinctive and not parts <= known:
                more.append(f'"{term}"' if len(parts) > 1 else term)
                known |= parts
        room = MAX_QUERY_WORDS - sum(len(term.split()) for term in more)
        chosen = [*title[: max(1, room)], *more]
        if chosen:
            found.append(" ".join([*chosen, *also.split()]))
    return list(dict.fromkeys(found))


def key_words(weights: dict[str, float], count: int) -> list[str]:
    """Return the `count` terms with the highest weights, highest first."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:count]


def _function_words(text: str) -> frozenset[str]:
    """The function words of the text's language, or of English if the text is too short to detect it."""
    found = detect_language(text)
    return words_in(found.language.partition("-")[0] if found else "en", "text.function_word")


def _weights(texts: Sequence[str], small: Sequence[frozenset[str]], background: Background) -> list[dict[str, float]]:
    """The TF-IDF weight of every word in each text, against the other texts and the background.

    (1 + log tf) * log((1 + N) / df)
    """
    counts = [
        Counter(word.casefold() for word in _terms(text) if _is_distinctive(word) and word.casefold() not in skipped)
        for text, skipped in zip(texts, small, strict=True)
    ]
    in_texts = Counter(word for count in counts for word in count)
    number, also_in = 1 + len(texts) + background.texts, background.in_texts
    rarity = {word: math.log(number / (count + also_in.get(word, 0))) for word, count in in_texts.items()}
    return [{word: (1 + math.log(times)) * rarity[word] for word, times in count.items()} for count in counts]


_SENTENCE = re.compile(r"[.!?\n\u3002]+")


def _named_terms(item: NewsItem, skipped: AbstractSet[str], weights: dict[str, float]) -> dict[str, float]:
    """Names and phrases of two to four words, weighted by their highest word weight and their frequency.

    A name is a run of capitalised words within a sentence; a phrase is a repeated pair of words.
    """
    names: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for sentence in _SENTENCE.split(item.text):
        words = _terms(sentence)
        names.update(" ".join(run).casefold() for run in _capitalised_runs(words, skipped))
        folded = [word.casefold() for word in words]
        weighted = ((left, right) for left, right in pairwise(folded) if left in weights and right in weights)
        pairs.update(f"{left} {right}" for left, right in weighted if left != right)
    known = "\n".join(names)
    found = names + Counter({pair: count for pair, count in pairs.items() if count > 1 and pair not in known})
    highest = {term: max((weights.get(word, 0.0) for word in term.split()), default=0.0) for term in found}
    return {term: (1 + math.log(count)) * highest[term] for term, count in found.items()}


def _capitalised_runs(words: Sequence[str], skipped: AbstractSet[str]) -> Iterable[list[str]]:
    """Runs of two to four words. A run at the start of a sentence is also yielded without its first word."""
    run: list[str] = []
    for place, word in enumerate((*words, "")):
        if word[:1].isupper() and word.casefold() not in skipped:
            run.append(word)
        else:
            for name in [run, run[1:]] if len(run) == place else [run]:
                if 2 <= len(name) <= _MAX_NAME_WORDS:
                    yield name
            run = []


def _terms(text: str) -> list[str]:
    return _TERM.findall(text)


def _is_distinctive(word: str) -> bool:
    is_pair = len(word) == 2 and "\u3040" <= word[0] <= "\u9fff"
    is_acronym = len(word) > 1 and word.isupper()
    return is_pair or is_acronym or (len(word) >= _MIN_LETTERS and not word.isdigit())
