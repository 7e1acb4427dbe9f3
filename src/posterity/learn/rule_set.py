"""Rules for a blog from its feed and the pages that the feed links to.

Sections 1.2 to 1.5 of the BlogForever paper. Pages are read one at a time, so memory is bounded by the largest page
and not by their sum: once for the article and the fields around it, once for what does not belong into it. A blog
that changed its theme gets rules for every layout besides the common ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.config import LearnSettings
from posterity.discover.feed import read_feed
from posterity.errors import EmptyFeed, NothingLearned
from posterity.learn.article import article_rules
from posterity.learn.author import with_affixes
from posterity.learn.date import standing_rules, zone_of
from posterity.learn.declared_author import declared_author_rules
from posterity.learn.evidence import documents, witnesses_of
from posterity.learn.foreign_parts import out_rules
from posterity.learn.layouts import alike
from posterity.learn.testimony import Testimony, authors_of
from posterity.learn.told_entries import told_entries
from posterity.learn.vote import elect, without
from posterity.model import Feed, RuleSet
from posterity.model.rules import Layout
from posterity.text.dates import day_order_of, mentions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from posterity.learn.evidence import Witness
    from posterity.learn.opinion import Opinion
    from posterity.model import FeedEntry, FieldRule, Rule

# A rule that gives the right author or date on fewer pages than this gives something else.
_MIN_CONFIDENCE = {"author": 0.55, "date": 0.5, "tags": 0.5}


def learn(
    feed: bytes | Feed,
    pages: Mapping[str, bytes | str],
    *,
    feed_url: str = "",
    now: datetime | None = None,
    settings: LearnSettings = LearnSettings(),
) -> RuleSet:
    """Return the rules that the feed teaches about these pages, or raise `EmptyFeed` or `NothingLearned`.

    `now` is when the pages were fetched: "3 days ago" on a page means nothing without it.
    """
    if not isinstance(feed, Feed):
        feed = read_feed(feed, feed_url)
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url or feed_url} has no entries, so there is nothing to learn from.")
    witnesses = witnesses_of(feed, pages, settings.max_pages)
    testimony = Testimony(feed, _languages(feed, witnesses, pages), now)
    rules = _learned(feed, witnesses, pages, testimony, settings.min_confidence)
    groups = alike(testimony.marks)
    if len(groups) == 1:
        return rules
    taught = (_layout(feed, group, witnesses, pages, rules, settings.min_confidence, now) for group in groups)
    layouts = tuple(layout for layout in taught if layout)
    return msgspec.structs.replace(rules, layouts=layouts, fields=_one_after_the_other(layouts)) if layouts else rules


def _one_after_the_other(layouts: Sequence[Layout]) -> dict[str, tuple[FieldRule, ...]]:
    """The rules of all layouts, for those who ask for a field without a page: the first that names something serves."""
    fields: dict[str, dict[Rule, FieldRule]] = {}
    for layout in layouts:
        for field, rules in layout.fields.items():
            for rule in rules:
                fields.setdefault(field, {}).setdefault(rule.rule, rule)
    return {field: tuple(rules.values()) for field, rules in fields.items()}


def _learned(
    feed: Feed,
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    testimony: Testimony,
    min_confidence: float,
) -> RuleSet:
    """The rules of these pages, whatever layouts they have."""
    article, whole = article_rules(witnesses, pages, min_confidence, testimony)
    if not article:
        raise NothingLearned(
            f"None of the {len(witnesses)} pages that the feed {feed.url} links to holds the text of its entry, "
            "so no rule can be trusted."
        )
    opinions = testimony.opinions
    fields = {"article": article, **_elected(opinions, min_confidence)}
    fields["author"] = _with_words_around(fields["author"], opinions, feed)
    if not fields["author"] and not any(authors_of(entry, feed) for entry in feed.entries):
        fields["author"] = declared_author_rules(witnesses, pages, feed.title)
    fields["out"] = out_rules(witnesses, pages, fields, whole=whole)
    languages = testimony.languages
    dates = _date_examples(fields["date"], opinions)
    known = [witness.entry.published for witness in witnesses if witness.entry.published]
    return RuleSet(
        feed_url=feed.url,
        evidence=tuple(witness.url for witness in witnesses),
        scores=dict(testimony.scores),
        since=min(known, default=None),
        until=max(known, default=None),
        languages=languages,
        date_order=day_order_of(dates, languages),
        zone_minutes=_zone(dates, languages),
        only_author=None if fields["author"] else _only_author(feed),
        entries=told_entries(feed, witnesses),
        fields={name: rules for name, rules in fields.items() if rules},
    )


def _layout(
    feed: Feed,
    urls: Sequence[str],
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    common: RuleSet,
    min_confidence: float,
    now: datetime | None,
) -> Layout | None:
    """The rules of the pages that look alike; None when they teach no article on their own."""
    own = [witness for witness in witnesses if witness.url in set(urls)]
    try:
        rules = _learned(feed, own, pages, Testimony(feed, common.languages, now), min_confidence)
    except NothingLearned:
        return None
    return Layout(**{name: getattr(rules, name) for name in Layout.__struct_fields__})


def _languages(feed: Feed, witnesses: Sequence[Witness], pages: Mapping[str, bytes | str]) -> tuple[str, ...]:
    declared = [document.language for document, _ in documents(witnesses[:3], pages)]
    return tuple(dict.fromkeys(language for language in (*declared, feed.language) if language))


def _elected(opinions: Sequence[tuple[FeedEntry, Opinion]], min_confidence: float) -> dict[str, tuple[FieldRule, ...]]:
    fields = {}
    for field in ("title", "author", "date", "tags"):
        ballots = [page.ballots[field] for _, page in opinions if field in page.ballots]
        if field == "date":
            ballots = without(ballots, standing_rules((page.texts, entry.published) for entry, page in opinions))
        fields[field] = elect(ballots, _MIN_CONFIDENCE.get(field, min_confidence))
    return fields


def _with_words_around(
    rules: tuple[FieldRule, ...], opinions: Sequence[tuple[FeedEntry, Opinion]], feed: Feed
) -> tuple[FieldRule, ...]:
    return tuple(
        with_affixes(
            rule,
            [
                (page.texts[rule.rule], authors_of(entry, feed)[0])
                for entry, page in opinions
                if rule.rule in page.texts and authors_of(entry, feed)
            ],
        )
        for rule in rules
    )


def _date_examples(
    rules: Sequence[FieldRule], opinions: Sequence[tuple[FeedEntry, Opinion]]
) -> list[tuple[str, datetime]]:
    """What the elected rules give on the pages, with the date that the feed has."""
    return [
        (page.texts[rule.rule], entry.published)
        for entry, page in opinions
        for rule in rules[:1]
        if entry.published and rule.rule in page.texts
    ]


def _zone(examples: Sequence[tuple[str, datetime]], languages: Sequence[str]) -> int | None:
    found = [(mentions(text, when, languages=languages), when) for text, when in examples]
    return zone_of(
        [(date.moment, when) for date, when in found if date and date.precision == "minute" and not date.moment.tzinfo]
    )


def _only_author(feed: Feed) -> str | None:
    """The one author of a blog whose pages never name him."""
    names = {name for entry in feed.entries for name in authors_of(entry, feed)}
    return names.pop() if len(names) == 1 else None
