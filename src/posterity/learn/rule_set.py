"""Rules for a blog from its feed and the pages that the feed links to.

Sections 1.2 to 1.5 of the BlogForever paper. Pages are read one at a time, so memory is bounded by the largest page
and not by their sum: first for the article, then for the fields around it, then for what does not belong into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.config import LearnSettings
from posterity.discover.feed import read_feed
from posterity.dom.rule_match import first_match
from posterity.errors import EmptyFeed, NothingLearned
from posterity.learn.article import article_rules
from posterity.learn.author import is_role, with_affixes
from posterity.learn.date import zone_of
from posterity.learn.declared_author import declared_author_rules
from posterity.learn.evidence import documents, witnesses_of
from posterity.learn.foreign_parts import out_rules
from posterity.learn.opinion import Opinion, opinion
from posterity.learn.vote import elect
from posterity.model import Feed, RuleSet
from posterity.text.dates import day_order_of, mentions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.learn.evidence import Witness
    from posterity.model import FeedEntry, FieldRule

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
    article, whole = article_rules(witnesses, pages, settings.min_confidence)
    if not article:
        raise NothingLearned(
            f"None of the {len(witnesses)} pages that the feed {feed.url} links to holds the text of its entry, "
            "so no rule can be trusted."
        )
    languages = _languages(feed, witnesses, pages)
    opinions = _opinions(witnesses, pages, article, feed, languages, now)
    fields = {"article": article, **_elected(opinions, settings.min_confidence)}
    fields["author"] = _with_words_around(fields.get("author", ()), opinions, feed)
    if not fields["author"] and not any(authors_of(entry, feed) for entry in feed.entries):
        fields["author"] = declared_author_rules(witnesses, pages, feed.title)
    fields["out"] = out_rules(witnesses, pages, fields, whole=whole)
    dates = _date_examples(fields.get("date", ()), opinions)
    return RuleSet(
        feed_url=feed.url,
        evidence=tuple(witness.url for witness in witnesses),
        languages=languages,
        date_order=day_order_of(dates, languages),
        zone_minutes=_zone(dates, languages),
        only_author=None if fields["author"] else _only_author(feed),
        fields={name: rules for name, rules in fields.items() if rules},
    )


def _languages(feed: Feed, witnesses: Sequence[Witness], pages: Mapping[str, bytes | str]) -> tuple[str, ...]:
    declared = [document.language for document, _ in documents(witnesses[:3], pages)]
    return tuple(dict.fromkeys(language for language in (*declared, feed.language) if language))


def authors_of(entry: FeedEntry, feed: Feed) -> tuple[str, ...]:
    """Return whom the feed names for an entry: its own authors, else the feed's."""
    return tuple(name for name in (entry.authors or feed.authors) if not is_role(name))


def article_node(tree: Tree, rules: Sequence[FieldRule]) -> int | None:
    """Return the article's node on a page by the first rule that names one."""
    found = (first_match(tree, rule.rule) for rule in rules)
    return next((node for node in found if node is not None), None)


def _opinions(
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    article: Sequence[FieldRule],
    feed: Feed,
    languages: Sequence[str],
    now: datetime | None,
) -> list[tuple[FeedEntry, Opinion]]:
    found = []
    for document, witness in documents(witnesses, pages):
        node = article_node(document.tree, article)
        entry = witness.entry
        if node is not None:
            found.append((entry, opinion(document.tree, entry, authors_of(entry, feed), node, languages, now)))
    return found


def _elected(opinions: Sequence[tuple[FeedEntry, Opinion]], min_confidence: float) -> dict[str, tuple[FieldRule, ...]]:
    fields = {}
    for field in ("title", "author", "date", "tags"):
        ballots = [page.ballots[field] for _, page in opinions if field in page.ballots]
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
