"""Rules for a blog from its feed and the pages that the feed links to.

Sections 1.2 to 1.5 of the BlogForever paper. Pages are read one at a time, so memory is bounded by the largest
page and not by their sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.config import LearnSettings
from posterity.discover.feed import read_feed
from posterity.errors import EmptyFeed, NothingLearned
from posterity.learn.article import own_text_scores, whole_text_scores
from posterity.learn.evidence import documents, matched_pages
from posterity.learn.own_text import template_of
from posterity.learn.promised_text import promised_text
from posterity.learn.title import title_scores
from posterity.learn.vote import Ballot, ballot, elect
from posterity.model import Feed, RuleSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.model import FeedEntry, FieldRule

# Below this mean word F1 the feed's text is not the article but a part of it.
_WHOLE_FEED_F1 = 0.7


def learn(
    feed: bytes | Feed,
    pages: Mapping[str, bytes | str],
    *,
    feed_url: str = "",
    settings: LearnSettings = LearnSettings(),
) -> RuleSet:
    """Return the rules that the feed teaches about these pages, or raise `EmptyFeed` or `NothingLearned`."""
    if not isinstance(feed, Feed):
        feed = read_feed(feed, feed_url)
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url or feed_url} has no entries, so there is nothing to learn from.")
    pairs = matched_pages(feed.entries, pages)[: settings.max_pages]
    fields = {
        "article": _article_rules(pairs, pages, settings),
        "title": _title_rules(pairs, pages, settings),
    }
    if not fields["article"]:
        raise NothingLearned(
            f"None of the {len(pairs)} pages that the feed {feed.url} links to holds the text of its entry, "
            "so no rule can be trusted."
        )
    return RuleSet(
        feed_url=feed.url,
        evidence=tuple(url for url, _ in pairs),
        fields={name: rules for name, rules in fields.items() if rules},
    )


def _article_rules(
    pairs: list[tuple[str, FeedEntry]], pages: Mapping[str, bytes | str], settings: LearnSettings
) -> tuple[FieldRule, ...]:
    whole = [(url, entry) for url, entry in pairs if promised_text(entry).whole]
    if len(whole) * 2 >= len(pairs):
        rules = elect(_whole_text_ballots(whole, pages), settings.min_confidence)
        if rules and rules[0].confidence >= _WHOLE_FEED_F1:
            return rules
    return elect(_own_text_ballots(pairs, pages), settings.min_confidence)


def _whole_text_ballots(pairs: list[tuple[str, FeedEntry]], pages: Mapping[str, bytes | str]) -> list[Ballot]:
    return [
        ballot(document.tree, whole_text_scores(document.tree, promised_text(entry).text))
        for document, entry in documents(pairs, pages)
    ]


def _own_text_ballots(pairs: list[tuple[str, FeedEntry]], pages: Mapping[str, bytes | str]) -> list[Ballot]:
    template = template_of(document.tree for document, _ in documents(pairs, pages))
    return [
        ballot(document.tree, own_text_scores(document.tree, template, len(pairs), promised_text(entry).text))
        for document, entry in documents(pairs, pages)
    ]


def _title_rules(
    pairs: list[tuple[str, FeedEntry]], pages: Mapping[str, bytes | str], settings: LearnSettings
) -> tuple[FieldRule, ...]:
    titled = [(url, entry) for url, entry in pairs if entry.title]
    ballots = [
        ballot(document.tree, title_scores(document.tree, entry.title or ""))
        for document, entry in documents(titled, pages)
    ]
    return elect(ballots, settings.min_confidence)
