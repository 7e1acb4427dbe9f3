"""The worker process of an evaluation: extracts and scores the pages of a site, and reports every step to its parent.

All messages on the pipe are tuples: ("phase", place, what) before every step that may hang, ("outcome", place, outcome)
after each page, ("unready", why) instead of all outcomes, ("done",) at the end. An exception of a candidate is an
outcome; the parent notices the death of the process.

The parent kills a worker that is late. `PageLimits` are enforced even without a parent: the kernel limits memory, and
an alarm without a handler ends a worker whose parent is gone.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeAlias

import msgspec

from posterity.dom import Document, parse
from posterity.errors import PosterityError
from posterity.evaluate.candidates import Candidate, function_of, rival_named
from posterity.evaluate.datasets import Prediction, Sample, SampleSite, prediction_of
from posterity.evaluate.measures import Score, page_scores
from posterity.extraction.method import MAX_SITE_PAGES, Context, Need
from posterity.extraction.wc_multi import middle
from posterity.model import Post, RuleSet, sure_part

_ORPHAN_GRACE_S = 10  # a worker ends by itself this long after its parent should have killed it


class PageLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits for one page. Preparing a site may take `time_s` per page of the site."""

    time_s: float = 30.0
    # Address space of the whole worker; interpreter and libraries alone take about 300 MB.
    memory_mb: int = 3072


def restrict_memory(limits: PageLimits) -> None:
    """Limit this process's memory if the system supports it, and disable core dumps."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = limits.memory_mb * 1024 * 1024
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        # macOS refuses an address-space limit; time is still limited.
        return


def set_alarm(seconds: float) -> None:
    """Set the alarm that ends this process some time after the limit of the current page; 0 removes it."""
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(seconds) + _ORPHAN_GRACE_S if seconds else 0)


# Returns the posts of the site's n-th page.
PageExtractor: TypeAlias = "Callable[[int], tuple[Post, ...]]"


def extractor_for(
    candidate: Candidate, site: SampleSite, *, alone: bool = False, without_feed: bool = False
) -> tuple[PageExtractor, float]:
    """Return the function that extracts the site's pages, and the CPU seconds that preparing the site took."""
    if candidate.kind == "rival":
        rival = rival_named(candidate.name)
        return (lambda place: (rival(site.samples[place].html, site.samples[place].url),)), 0.0
    method, options = function_of(candidate), candidate.options
    demanded = candidate.min_confidence
    needs = candidate.needs - (frozenset({"reference", "site"}) if alone else frozenset())
    start = time.process_time()
    known = _SiteContext(site, needs - (frozenset({"rules"}) if without_feed else frozenset()), candidate)
    ready_s = time.process_time() - start

    def extract_page(place: int) -> tuple[Post, ...]:
        sample = site.samples[place]
        reference = known.reference(place)
        context = Context(rules=known.rules, reference=reference, site=known.pages, index=sample.index, options=options)
        found = method(parse(sample.html, sample.url), context)
        return tuple(sure for post in found if (sure := sure_part(post, demanded)) is not None)

    return extract_page, ready_s


class _SiteContext:
    """The context shared by the pages of a site: rules, a sample of its pages, and references."""

    def __init__(self, site: SampleSite, needs: frozenset[Need], candidate: Candidate) -> None:
        self._site = site
        self._documents: dict[int, Document | None] = {}
        self.rules = learned(site, candidate) if "rules" in needs else None
        self.pages = self._spread() if "site" in needs and len(site.samples) > 1 else ()
        self._with_reference = "reference" in needs
        self._sizes = [len(sample.html) for sample in site.samples]

    def reference(self, place: int) -> Document | None:
        """Return the page of median size among the others; None if the method needs no reference or there are none."""
        others = [index for index in range(len(self._sizes)) if index != place]
        if not self._with_reference or not others:
            return None
        chosen = middle([self._sizes[index] for index in others])
        return None if chosen is None else self._document(others[chosen])

    def _spread(self) -> tuple[Document, ...]:
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


def learned(site: SampleSite, candidate: Candidate) -> RuleSet | None:
    """Return the rules learned from the blog's feed; None without a feed, or if nothing can be learned."""
    if site.evidence is None:
        return None
    from posterity.extraction.blogforever import learn_rules
    from posterity.extraction.feed import learn

    feed, pages = site.evidence.feed, site.evidence.pages
    try:
        if candidate.base == "blogforever":
            return learn_rules(feed, pages, options=candidate.options)
        return learn(feed, pages)
    except PosterityError:
        return None


# Rivals load models and compile patterns on their first page, which must not count for a real page.
_WARM_UP = "<html><head><title>Title</title></head><body><article><h1>Title</h1>" + "<p>Some words to read.</p>" * 20


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Pages of one site for one candidate."""

    candidate: Candidate
    site: SampleSite
    # The number of the site in the data set.
    number: int = 0
    places: tuple[int, ...]
    limits: PageLimits
    alone: bool = False
    without_feed: bool = False


class PageOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one page. After a failure, the prediction is empty and is scored as such."""

    prediction: Prediction = Prediction()
    scores: dict[str, Score] = {}
    # CPU time of parsing and extraction; `ready_s` is that of preparing the site, counted for its first page.
    seconds: float = 0.0
    ready_s: float = 0.0
    failure: str | None = None


def failed_outcome(sample: Sample, why: str, seconds: float = 0.0) -> PageOutcome:
    """Return the outcome of a page without a prediction."""
    return PageOutcome(scores=page_scores(sample.gold, Prediction()), seconds=seconds, failure=why)


def work(pipe: Connection, limits: PageLimits) -> None:
    """Run tasks from the pipe until None arrives or the parent is gone: the main function of the process."""
    # Suppress output, logs and warnings of other extractors; Ctrl-C is handled by the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    restrict_memory(limits)
    warm: set[str] = set()
    try:
        while (task := pipe.recv()) is not None:
            _do(task, pipe, warm)
    except (EOFError, OSError):
        return


def _do(task: Task, pipe: Connection, warm: set[str]) -> None:
    pipe.send(("phase", None, "getting ready"))
    set_alarm(task.limits.time_s * (1 + len(task.site.samples)))
    try:
        if task.candidate.kind == "rival" and task.candidate.name not in warm:
            warm.add(task.candidate.name)
            rival_named(task.candidate.name)(_WARM_UP, "http://page.invalid/")
        extract, ready_s = extractor_for(task.candidate, task.site, alone=task.alone, without_feed=task.without_feed)
    except Exception as problem:  # noqa: BLE001 - the boundary around other people's code
        pipe.send(("unready", _sentence(problem)))
        return
    for place in task.places:
        sample = task.site.samples[place]
        pipe.send(("phase", place, "extracting"))
        set_alarm(task.limits.time_s)
        outcome = _run_page(extract, place, sample)
        if outcome.failure is None:
            pipe.send(("phase", place, "scoring"))
            set_alarm(task.limits.time_s)
            scores = page_scores(sample.gold, outcome.prediction)
            outcome = msgspec.structs.replace(outcome, scores=scores, ready_s=ready_s)
        pipe.send(("outcome", place, outcome))
        ready_s = 0.0
        if outcome.failure and outcome.failure.startswith("MemoryError"):
            # Python does not return all freed memory to the system, so a fresh process continues.
            os._exit(0)
    set_alarm(0)
    pipe.send(("done",))


def _run_page(extract_page: PageExtractor, place: int, sample: Sample) -> PageOutcome:
    start = time.process_time()
    try:
        posts = extract_page(place)
        seconds = time.process_time() - start
        return PageOutcome(prediction=prediction_of(posts, sample.gold), seconds=seconds)
    except Exception as problem:  # noqa: BLE001 - the boundary around other people's code
        return failed_outcome(sample, _sentence(problem), time.process_time() - start)


def _sentence(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"[:300].rstrip(": ")
