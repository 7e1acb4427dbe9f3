"""Learns a blog's rules again when its new posts show that it looks different now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.errors import NoBlog
from posterity.extract.agreed_fields import with_agreed_fields
from posterity.learn.drift import agreement, with_former
from posterity.learn.rule_set import learn
from posterity.model import FeedEntry, Page
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.config import LearnSettings
    from posterity.learn.drift import Agreement
    from posterity.model import Feed, RuleSet

Evidence = tuple[Page, FeedEntry]
MAX_PAGES = 12


def agreement_on(rules: RuleSet, feed: Feed, evidence: Sequence[Evidence]) -> Agreement:
    """Return how far the rules give on these pages what the feed says of them."""
    return agreement(rules, _feed_of(feed, evidence), _bodies(evidence))


def further_pages(feed: Feed, evidence: Sequence[Evidence]) -> list[FeedEntry]:
    """Return entries of the feed whose pages would help to learn, as far as they are not there yet."""
    have = {canonical_url(entry.link or "") for _, entry in evidence}
    others = [entry for entry in feed.entries if entry.link and canonical_url(entry.link) not in have]
    return others[: max(0, MAX_PAGES - len(evidence))]


def relearned_rules(
    rules: RuleSet, feed: Feed, fresh: Sequence[Evidence], others: Sequence[Evidence], settings: LearnSettings
) -> RuleSet | None:
    """Return rules that agree better with the fresh pages than the present ones do, which they keep; None if none do.

    All pages of today teach first. Where only the newest wear the new layout, these few are outvoted: then they teach
    alone.
    """
    best, most = None, _score(agreement_on(rules, feed, fresh))
    for evidence in ([*fresh, *others], fresh):
        for learned in _learned(feed, evidence, settings):
            candidate = with_former(learned, rules)
            score = _score(agreement_on(candidate, feed, fresh))
            if score > most:
                best, most = candidate, score
    return best


def _learned(feed: Feed, evidence: Sequence[Evidence], settings: LearnSettings) -> Iterator[RuleSet]:
    """The rules that the pages teach; nothing when they teach none."""
    if not evidence:
        return
    try:
        rules = learn(_feed_of(feed, evidence), _bodies(evidence), now=evidence[0][0].fetched_at, settings=settings)
    except NoBlog:
        return
    yield with_agreed_fields(rules, feed, evidence)


def _score(found: Agreement) -> int:
    return found.pages - len(found.failing)


def _feed_of(feed: Feed, evidence: Sequence[Evidence]) -> Feed:
    """The feed with these entries only, each linked to where its page was found."""
    entries = tuple(msgspec.structs.replace(entry, link=page.url) for page, entry in evidence)
    return msgspec.structs.replace(feed, entries=entries)


def _bodies(evidence: Sequence[Evidence]) -> dict[str, bytes | str]:
    return {page.url: page.body for page, _ in evidence}
