"""Rules for a blog from its feed and the pages that the feed links to.

Sections 1.2 to 1.5 of the BlogForever paper. Pages are read one at a time, so memory is bounded by the largest page
and not by their sum: most once where the feed has whole articles, three times where it has beginnings or less. A blog
that changed its theme gets rules for every layout.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from posterity.config import LearnSettings
from posterity.discover.feed import read_feed
from posterity.dom.metadata import declared_address
from posterity.errors import EmptyFeed, NothingLearned
from posterity.learn.evidence import documents, page_key, witnesses_of
from posterity.learn.fields import declared_author_rules, standing_rules, with_affixes, zone_of
from posterity.learn.layouts import alike
from posterity.learn.out_rules import WHOLE_FEED_F1, out_rules_by_feed, out_rules_by_template
from posterity.learn.page_evidence import Testimony, authors_of
from posterity.learn.rule_selection import elect, without
from posterity.model import Feed, FeedEntry, RuleSet
from posterity.model.rules import Layout
from posterity.text.dates import day_order_of, mentions
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Document
    from posterity.learn.evidence import Witness
    from posterity.learn.out_rules import Account
    from posterity.learn.page_evidence import Opinion
    from posterity.model import FieldRule, Rule


# So many pages tell whether a rule names a paragraph.
_SAMPLE = 6


class ArticleRules(NamedTuple):
    """The rules, where each page has its article, and whether the feed's texts decided it."""

    rules: tuple[FieldRule, ...]
    accounts: Mapping[str, Account]
    whole: bool


def article_rules(witnesses: Sequence[Witness], testimony: Testimony, min_confidence: float) -> ArticleRules:
    """Return the rules of the article, none when the pages do not agree on any."""
    by_feed = _by_feed(witnesses, testimony, min_confidence)
    if by_feed is not None and by_feed.rules[0].confidence >= WHOLE_FEED_F1:
        return by_feed
    accounts = testimony.by_own_text(witnesses)
    rules = elect([account.ballot for account in accounts.values()], min_confidence)
    # The node has more than the feed's texts, the comments maybe; that it is the same tells that these are whole.
    if by_feed is not None and rules and by_feed.rules[0].rule == rules[0].rule:
        return by_feed
    return ArticleRules(rules, accounts, whole=False)


def _by_feed(witnesses: Sequence[Witness], testimony: Testimony, min_confidence: float) -> ArticleRules | None:
    """The rules by the feed's texts; None where most are not whole, or are those of a paragraph."""
    whole = [witness for witness in witnesses if witness.promise.whole]
    if len(whole) * 2 < len(witnesses):
        return None
    accounts = testimony.by_feed(witnesses)
    telling = [accounts[witness.url] for witness in whole if witness.url in accounts]
    rules = elect([account.ballot for account in telling], min_confidence)
    return ArticleRules(rules, accounts, whole=True) if rules and not _is_a_paragraph(rules[0].rule, telling) else None


def _is_a_paragraph(rule: Rule, accounts: Sequence[Account]) -> bool:
    """Tell whether the rule names one paragraph among others: then the feed gives beginnings of articles."""
    served = [account for account in accounts[:_SAMPLE] if rule in account.ballot.scores]
    return sum(rule in account.paragraphs for account in served) * 2 > len(served)


# The format of a feed that was made of pages' own accounts of themselves: it knows no more than the pages.
_NO_FEED = "none"
# So many entries of one and the same second were built in it, not written.
_BUILT = 3


def told_entries(feed: Feed, witnesses: Iterable[Witness]) -> dict[str, FeedEntry]:
    """Return what the feed says of each page, by the page's key; texts are left out, they would outweigh the rules."""
    if feed.format == _NO_FEED:
        return {}
    built = {when for when, count in Counter(entry.published for entry in feed.entries).items() if count >= _BUILT}
    told: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            told.setdefault(page_key(entry.link), _short(entry, built))
    return told | {page_key(witness.url): _short(witness.entry, built) for witness in witnesses}


def entry_about(document: Document, rules: RuleSet) -> FeedEntry | None:
    """Return what the feed said of this page when the rules were learned, or None when it did not list it."""
    entries = rules.entries
    if not entries or not document.url:
        return None
    if entry := entries.get(page_key(document.url)):
        return entry
    declared = declared_address(document)
    if declared and declared != canonical_url(document.url) and (entry := entries.get(page_key(declared))):
        return entry
    path = page_key(document.url, by_path=True)
    # Few addresses end alike, and a look at the end takes less time than taking each apart.
    same = [entry for key, entry in entries.items() if key.endswith(path) and f"/{key.partition('/')[2]}" == path]
    return same[0] if len(same) == 1 and path != "/" else None


def _short(entry: FeedEntry, built: set[datetime | None]) -> FeedEntry:
    return FeedEntry(
        title=entry.title,
        authors=entry.authors,
        published=None if entry.published in built else entry.published,
        updated=None if entry.updated in built else entry.updated,
        tags=entry.tags,
    )


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
    testimony = Testimony(feed, pages, _languages(feed, witnesses, pages), now)
    common = _learned(witnesses, testimony, settings.min_confidence)
    groups = alike({url: names.look for url, names in testimony.names.items()})
    if len(groups) > 1:
        taught = (_layout(group, witnesses, testimony, settings.min_confidence) for group in groups)
        layouts = tuple(layout for layout in taught if layout)
        if layouts:
            return msgspec.structs.replace(common.rules, layouts=layouts, fields=_one_after_the_other(layouts))
    return _with_out_rules(common, witnesses, testimony)


def _one_after_the_other(layouts: Sequence[Layout]) -> dict[str, tuple[FieldRule, ...]]:
    """The rules of all layouts, for those who ask for a field without a page: the first that names something serves."""
    fields: dict[str, dict[Rule, FieldRule]] = {}
    for layout in layouts:
        for field, rules in layout.fields.items():
            for rule in rules:
                fields.setdefault(field, {}).setdefault(rule.rule, rule)
    return {field: tuple(rules.values()) for field, rules in fields.items()}


class _Learned(NamedTuple):
    """Rules for all but what does not belong into the article, and how those of the article were found."""

    rules: RuleSet
    article: ArticleRules


def _learned(witnesses: Sequence[Witness], testimony: Testimony, min_confidence: float) -> _Learned:
    """The rules of these pages, whatever layouts they have."""
    feed, languages = testimony.feed, testimony.languages
    article = article_rules(witnesses, testimony, min_confidence)
    if not article.rules:
        raise NothingLearned(
            f"None of the {len(witnesses)} pages that the feed {feed.url} links to holds the text of its entry, "
            "so no rule can be trusted."
        )
    opinions = testimony.opinions(witnesses, article.accounts)
    fields = {"article": article.rules, **_elected(opinions, min_confidence)}
    fields["author"] = _with_words_around(fields["author"], opinions, feed)
    if testimony.declared:
        declared = [testimony.declared[witness.url] for witness in witnesses if witness.url in testimony.declared]
        fields["author"] = declared_author_rules(declared, feed.title)
    dates = _date_examples(fields["date"], opinions)
    known = [witness.entry.published for witness in witnesses if witness.entry.published]
    rules = RuleSet(
        feed_url=feed.url,
        evidence=tuple(witness.url for witness in witnesses),
        scores={url: round(each.score, 4) for url, each in article.accounts.items() if each.article is not None},
        since=min(known, default=None),
        until=max(known, default=None),
        languages=languages,
        date_order=day_order_of(dates, languages),
        zone_minutes=_zone(dates, languages),
        only_author=None if fields["author"] else _only_author(feed),
        entries=told_entries(feed, witnesses),
        fields={name: rules for name, rules in fields.items() if rules},
    )
    return _Learned(rules, article)


def _with_out_rules(learned: _Learned, witnesses: Sequence[Witness], testimony: Testimony) -> RuleSet:
    """The rules with those for what stands in the article and does not belong into it."""
    fields, (_, accounts, whole) = learned.rules.fields, learned.article
    if whole:
        out = out_rules_by_feed(witnesses, testimony.pages, fields, accounts)
    else:
        out = out_rules_by_template(witnesses, testimony.pages, fields, testimony.template(witnesses))
    return msgspec.structs.replace(learned.rules, fields={**fields, "out": out} if out else fields)


def _layout(
    urls: Sequence[str], witnesses: Sequence[Witness], testimony: Testimony, min_confidence: float
) -> Layout | None:
    """The rules of the pages that look alike; None when they teach no article on their own."""
    own = [witness for witness in witnesses if witness.url in set(urls)]
    try:
        learned = _learned(own, testimony, min_confidence)
    except NothingLearned:
        return None
    rules = _with_out_rules(learned, own, testimony)
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
    """The rules of the author, each with what stands around the name, and for as many nodes as there are authors.

    A class that names the author first may go on with the address of the post and its licence.
    """
    most = max((len(authors_of(entry, feed)) for entry, _ in opinions), default=1)
    return tuple(
        with_affixes(
            msgspec.structs.replace(rule, per_page=min(rule.per_page, most)),
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
