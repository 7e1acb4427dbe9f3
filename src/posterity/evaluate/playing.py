"""A contestant at work on the pages of one site, with what it may know besides the page.

Rules are learned once per blog. Other pages of the site are parsed once, and the same tuple goes along with every page,
so that a method that learns from it needs to do so only once. The reference page of wc-multi is the one of median
size among the others (thesis on web cleaning, 2.4).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

from posterity.dom import parse
from posterity.errors import PosterityError
from posterity.evaluate.contestant import function_of
from posterity.evaluate.rivals import rival_named
from posterity.extract.method import Context
from posterity.extract.wc_reference import middle
from posterity.model import sure_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.dom import Document
    from posterity.evaluate.contestant import Contestant
    from posterity.evaluate.sample import Site
    from posterity.extract.method import Need
    from posterity.model import Post, RuleSet

# The posts of the site's n-th page.
Play: TypeAlias = "Callable[[int], tuple[Post, ...]]"

# Plenty to tell a template by, and a bound on what one worker holds in memory.
MAX_SITE_PAGES = 40


def playing(
    contestant: Contestant, site: Site, *, alone: bool = False, without_feed: bool = False
) -> tuple[Play, float]:
    """Return what extracts the site's pages, and the CPU seconds that getting ready for this site took."""
    if contestant.kind == "rival":
        rival = rival_named(contestant.name)
        return (lambda place: (rival(site.samples[place].html, site.samples[place].url),)), 0.0
    method, options = function_of(contestant), contestant.options
    demanded = contestant.min_confidence
    needs = contestant.needs - (frozenset({"reference", "site"}) if alone else frozenset())
    start = time.process_time()
    known = _Known(site, needs - (frozenset({"rules"}) if without_feed else frozenset()))
    ready_s = time.process_time() - start

    def play(place: int) -> tuple[Post, ...]:
        sample = site.samples[place]
        context = Context(
            rules=known.rules, reference=known.reference(place), site=known.pages, index=sample.index, options=options
        )
        found = method(parse(sample.html, sample.url), context)
        return tuple(sure for post in found if (sure := sure_part(post, demanded)) is not None)

    return play, ready_s


class _Known:
    """What the pages of a site have in common, made when the site begins."""

    def __init__(self, site: Site, needs: frozenset[Need]) -> None:
        self._site = site
        self._documents: dict[int, Document | None] = {}
        self.rules = learned(site) if "rules" in needs else None
        self.pages = self._spread() if "site" in needs and len(site.samples) > 1 else ()
        self._with_reference = "reference" in needs
        self._sizes = [len(sample.html) for sample in site.samples]

    def reference(self, place: int) -> Document | None:
        """The page of median size among the others, if there are others and the method wants one."""
        others = [index for index in range(len(self._sizes)) if index != place]
        if not self._with_reference or not others:
            return None
        chosen = middle([self._sizes[index] for index in others])
        return None if chosen is None else self._document(others[chosen])

    def _spread(self) -> tuple[Document, ...]:
        """Pages evenly spread over the site."""
        step = -(-len(self._site.samples) // MAX_SITE_PAGES)
        documents = map(self._document, range(0, len(self._site.samples), step))
        return tuple(document for document in documents if document is not None)

    def _document(self, place: int) -> Document | None:
        if place not in self._documents:
            sample = self._site.samples[place]
            try:
                self._documents[place] = parse(sample.html, sample.url)
            except PosterityError:
                self._documents[place] = None
        return self._documents[place]


def learned(site: Site) -> RuleSet | None:
    """Return the rules that the blog's feed teaches; None without a feed, or when it teaches nothing."""
    if site.evidence is None:
        return None
    from posterity.learn import learn

    try:
        return learn(site.evidence.feed, site.evidence.pages)
    except PosterityError:
        return None
