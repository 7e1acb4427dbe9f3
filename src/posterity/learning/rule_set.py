"""Learns the rules of a blog from its feed and the pages that the feed links to.

Follows sections 1.2 to 1.5 of the BlogForever paper. Pages are parsed one at a time, so memory is bounded by the
largest page, not by their sum. Most are parsed once where the feed has whole articles, three times where it has only
summaries or titles. A blog that changed its theme gets rules for every layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from posterity.config import LearnSettings
from posterity.discover.feed import read_feed
from posterity.dom import Document
from posterity.dom.document import declared_url
from posterity.errors import EmptyFeed, NothingLearned
from posterity.learning.evidence import TrainingPage, documents, matched_training_pages, page_key
from posterity.learning.fields import constant_text_rules, declared_author_rules, displayed_zone, with_affixes, zone_of
from posterity.learning.layouts import group_by_theme
from posterity.learning.out_rules import WHOLE_FEED_F1, ArticleEvidence, out_rules_by_feed, out_rules_by_template
from posterity.learning.page_evidence import PageEvidence, PageEvidenceCache, authors_of
from posterity.learning.rule_selection import select_rules, without
from posterity.learning.spans import MIN_GAIN, MIN_SPAN_F1, boundary_rules
from posterity.model import Feed, FeedEntry, FieldRule, Rule, RuleSet
from posterity.model.page import NO_FEED
from posterity.model.rules import Layout
from posterity.text.dates import day_order_of, mentions
from posterity.text.language import detect_language
from posterity.text.normal_form import letters_and_digits
from posterity.urls import canonical_url

_MINUTE = timedelta(minutes=1)
# Pages checked to see whether rules name a paragraph.
_SAMPLE = 6
_MIN_PAGES = 3


class ArticleRules(NamedTuple):
    """The rules of the article, each page's evidence, and whether the feed's full texts decided.

    `boundaries` are OUT rules for what precedes and follows an article without an element of its own.
    """

    rules: tuple[FieldRule, ...]
    evidences: Mapping[str, ArticleEvidence]
    whole: bool
    boundaries: tuple[FieldRule, ...] = ()


def article_rules(
    training_pages: Sequence[TrainingPage], evidence_cache: PageEvidenceCache, min_confidence: float
) -> ArticleRules:
    """Return the rules of the article; its `rules` are empty when the pages agree on none."""
    by_feed = _by_feed(training_pages, evidence_cache, min_confidence)
    by_spans = _by_spans(training_pages, evidence_cache, by_feed, min_confidence)
    if by_spans is not None:
        return by_spans
    if by_feed is not None and by_feed.rules[0].confidence >= WHOLE_FEED_F1:
        return by_feed
    evidences = evidence_cache.by_own_text(training_pages)
    rules = select_rules([evidence.rule_scores for evidence in evidences.values()], min_confidence)
    # The node holds more than the feed's text, maybe comments; that both ways agree on it shows that the text is whole.
    if by_feed is not None and rules and by_feed.rules[0].rule == rules[0].rule:
        return by_feed
    return ArticleRules(rules, evidences, whole=False)


def _by_feed(
    training_pages: Sequence[TrainingPage], evidence_cache: PageEvidenceCache, min_confidence: float
) -> ArticleRules | None:
    """The rules by the feed's texts; None if most texts are not whole, or match only a paragraph."""
    whole = [training_page for training_page in training_pages if training_page.feed_text.whole]
    if len(whole) * 2 < len(training_pages):
        return None
    evidences = evidence_cache.by_feed(training_pages)
    dated = [evidences[training_page.url] for training_page in whole if training_page.url in evidences]
    rules = select_rules([evidence.rule_scores for evidence in dated], min_confidence)
    return ArticleRules(rules, evidences, whole=True) if rules and not _name_paragraphs(rules, dated) else None


def _by_spans(
    training_pages: Sequence[TrainingPage],
    evidence_cache: PageEvidenceCache,
    by_feed: ArticleRules | None,
    min_confidence: float,
) -> ArticleRules | None:
    """The rules of an element that has the articles among its children; None where elements alone do nearly as well."""
    whole = [training_page for training_page in training_pages if training_page.feed_text.whole]
    if len(whole) < _MIN_PAGES or len(whole) * 2 < len(training_pages):
        return None
    reached = _mean_score(by_feed) if by_feed is not None else 0.0
    if reached + MIN_GAIN > 1:
        return None
    found = evidence_cache.by_spans(whole)
    rules = select_rules([evidence.rule_scores for evidence, _ in found.values()], min_confidence)[:1]
    spans = [by_rule[rules[0].rule] for _, by_rule in found.values() if rules and rules[0].rule in by_rule]
    if len(spans) * 2 <= len(whole):
        return None
    boundaries, score = boundary_rules(spans)
    if score < max(MIN_SPAN_F1, reached + MIN_GAIN):
        return None
    return ArticleRules(rules, {url: evidence for url, (evidence, _) in found.items()}, True, boundaries)


def _mean_score(article: ArticleRules) -> float:
    """The mean score of the article's rules on all pages whose feed text is whole; 0 where they name another node."""
    total = 0.0
    for evidence in article.evidences.values():
        scores = evidence.rule_scores
        first = next((rule.rule for rule in article.rules if scores.matches(rule.rule)), None)
        total += scores.scores[first][0] if first in scores.scores else 0.0
    return total / max(1, len(article.evidences))


def _name_paragraphs(rules: Sequence[FieldRule], evidences: Sequence[ArticleEvidence]) -> bool:
    """Return whether the rules name one paragraph among others, so that the feed has only the beginnings of articles.

    Pages with a single paragraph prove nothing and are not counted.
    """
    chosen = [
        (evidence, next((each.rule for each in rules if each.rule in evidence.rule_scores.scores), None))
        for evidence in evidences[:_SAMPLE]
    ]
    among_others = sum(rule in evidence.paragraphs for evidence, rule in chosen)
    others = sum(rule is not None and rule not in evidence.only_paragraphs for evidence, rule in chosen)
    return among_others * 2 > others


def kept_entries(feed: Feed, training_pages: Iterable[TrainingPage]) -> dict[str, FeedEntry]:
    """Return the feed's entries by page key, without their texts, which would be larger than the rules."""
    if feed.format == NO_FEED:  # it is built from the pages' own metadata, and adds nothing to the pages
        return {}
    entries: dict[str, FeedEntry] = {}
    for entry in feed.entries:
        if entry.link:
            entries.setdefault(page_key(entry.link), _short(entry))
    return entries | {page_key(training_page.url): _short(training_page.entry) for training_page in training_pages}


def entry_about(document: Document, rules: RuleSet) -> FeedEntry | None:
    """Return the feed's entry for this page from when the rules were learned, or None if it was not listed."""
    entries = rules.entries
    if not entries or not document.url:
        return None
    if entry := entries.get(page_key(document.url)):
        return entry
    declared = declared_url(document)
    if declared and declared != canonical_url(document.url) and (entry := entries.get(page_key(declared))):
        return entry
    path = page_key(document.url, by_path=True)
    # Few URLs end alike, and `endswith` is cheaper than splitting every key.
    same = [entry for key, entry in entries.items() if key.endswith(path) and f"/{key.partition('/')[2]}" == path]
    return same[0] if len(same) == 1 and path != "/" else None


def _short(entry: FeedEntry) -> FeedEntry:
    return FeedEntry(
        title=entry.title, authors=entry.authors, published=entry.published, updated=entry.updated, tags=entry.tags
    )


# A rule that is right on a smaller share of the pages matches something else.
_MIN_CONFIDENCE = {"authors": 0.55, "published": 0.5, "tags": 0.5}


def learn_fields(
    feed: bytes | Feed,
    pages: Mapping[str, bytes | str | Document],
    *,
    feed_url: str = "",
    now: datetime | None = None,
    settings: LearnSettings = LearnSettings(),
) -> RuleSet:
    """Return the rules of all fields except comments, or raise the same errors as `extraction.feed.learn`."""
    if not isinstance(feed, Feed):
        feed = read_feed(feed, feed_url)
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url or feed_url} has no entries, so there is nothing to learn from.")
    training_pages = matched_training_pages(feed, pages, settings.max_pages)
    evidence_cache = PageEvidenceCache(feed, pages, _languages(feed, training_pages, pages), now)
    common = _learn(training_pages, evidence_cache, settings.min_confidence)
    groups = group_by_theme({url: names.theme_bits for url, names in evidence_cache.names.items()})
    if len(groups) > 1:
        learned = (_layout(group, training_pages, evidence_cache, settings.min_confidence) for group in groups)
        layouts = tuple(layout for layout in learned if layout)
        if layouts:
            return msgspec.structs.replace(common.rules, layouts=layouts, fields=_one_after_the_other(layouts))
    return _with_out_rules(common, training_pages, evidence_cache)


def _one_after_the_other(layouts: Sequence[Layout]) -> dict[str, tuple[FieldRule, ...]]:
    """The rules of all layouts in one list per field, for callers without a page: the first that matches applies."""
    fields: dict[str, dict[Rule, FieldRule]] = {}
    for layout in layouts:
        for field, rules in layout.fields.items():
            for rule in rules:
                fields.setdefault(field, {}).setdefault(rule.rule, rule)
    return {field: tuple(rules.values()) for field, rules in fields.items()}


class _Learned(NamedTuple):
    """Rules without the OUT rules, and how those of the article were found."""

    rules: RuleSet
    article: ArticleRules


def _learn(
    training_pages: Sequence[TrainingPage], evidence_cache: PageEvidenceCache, min_confidence: float
) -> _Learned:
    """Learn from these pages, regardless of their layouts."""
    feed, languages = evidence_cache.feed, evidence_cache.languages
    article = article_rules(training_pages, evidence_cache, min_confidence)
    if not article.rules:
        raise NothingLearned(
            f"None of the {len(training_pages)} pages that the feed {feed.url} links to contains the text of its "
            "entry, so no rule can be trusted."
        )
    evidence_of_pages = evidence_cache.evidence_of_pages(training_pages, article.evidences)
    fields = {"text": article.rules, **_select_fields(evidence_of_pages, min_confidence)}
    fields["authors"] = _with_words_around(fields["authors"], evidence_of_pages, feed)
    named = {letters_and_digits(name) for entry, _ in evidence_of_pages for name in authors_of(entry, feed)}
    if named == {letters_and_digits(feed.title or "")}:
        fields["authors"] = ()  # where the author is the blog itself, its name is in menus and links
    if evidence_cache.declared:
        declared = [evidence_cache.declared.get(training_page.url) for training_page in training_pages]
        fields["authors"] = declared_author_rules([each for each in declared if each is not None], feed.title)
    published = ((entry.published, page.texts, fields["published"][:1]) for entry, page in evidence_of_pages)
    dates = [
        (texts[rule.rule], when) for when, texts, first in published for rule in first if when and rule.rule in texts
    ]
    known = [training_page.entry.published for training_page in training_pages if training_page.entry.published]
    rules = RuleSet(
        feed_url=feed.url,
        evidence=tuple(training_page.url for training_page in training_pages),
        scores={url: round(each.score, 4) for url, each in article.evidences.items() if each.article is not None},
        since=min(known, default=None),
        until=max(known, default=None),
        languages=languages,
        date_order=day_order_of(dates, languages),
        zone_minutes=_zone(dates, languages, evidence_of_pages),
        only_author=None if fields["authors"] else _only_author(feed),
        entries=kept_entries(feed, training_pages),
        fields={name: rules for name, rules in fields.items() if rules},
    )
    return _Learned(rules, article)


def _with_out_rules(
    learned: _Learned, training_pages: Sequence[TrainingPage], evidence_cache: PageEvidenceCache
) -> RuleSet:
    """The rules with those for what is in the article and does not belong into it."""
    fields, (_, evidences, whole, boundaries) = learned.rules.fields, learned.article
    pages = evidence_cache.pages
    if whole:
        out = out_rules_by_feed(training_pages, pages, fields, evidences, boundaries)
    else:
        out = out_rules_by_template(training_pages, pages, fields, evidence_cache.template(training_pages))
    return msgspec.structs.replace(learned.rules, fields={**fields, "out": out} if out else fields)


def _layout(
    urls: Sequence[str],
    training_pages: Sequence[TrainingPage],
    evidence_cache: PageEvidenceCache,
    min_confidence: float,
) -> Layout | None:
    """The rules of the pages of one theme; None when no article rule can be learned from them alone."""
    own = [training_page for training_page in training_pages if training_page.url in set(urls)]
    try:
        learned = _learn(own, evidence_cache, min_confidence)
    except NothingLearned:
        return None
    rules = _with_out_rules(learned, own, evidence_cache)
    return Layout(**{name: getattr(rules, name) for name in Layout.__struct_fields__})


def _languages(
    feed: Feed, training_pages: Sequence[TrainingPage], pages: Mapping[str, bytes | str | Document]
) -> tuple[str, ...]:
    declared = [document.language for document, _ in documents(training_pages[:3], pages)]
    known = tuple(dict.fromkeys(language for language in (*declared, feed.language) if language))
    found = None if known else detect_language(" ".join(page.feed_text.text[:500] for page in training_pages[:3]))
    return (found.language,) if found else known


def _select_fields(
    evidence_of_pages: Sequence[tuple[FeedEntry, PageEvidence]], min_confidence: float
) -> dict[str, tuple[FieldRule, ...]]:
    fields = {}
    for field in ("title", "authors", "published", "tags"):
        of_pages = (page.page_rule_scores.get(field) for _, page in evidence_of_pages)
        page_rule_scores = [scores for scores in of_pages if scores is not None]
        if field == "authors":  # "the first link" or "the first <b>" is the author on these pages only by chance
            rules = {rule for page in page_rule_scores for rule in page.scores}
            chance = {rule for rule in rules if rule.kind == "tag" and not rule.under}
            page_rule_scores = without(page_rule_scores, chance)
        if field == "published":
            examples = ((page.texts, entry.published) for entry, page in evidence_of_pages)
            page_rule_scores = without(page_rule_scores, constant_text_rules(examples))
        fields[field] = select_rules(page_rule_scores, _MIN_CONFIDENCE.get(field, min_confidence))
    return fields


def _with_words_around(
    rules: tuple[FieldRule, ...], evidence_of_pages: Sequence[tuple[FeedEntry, PageEvidence]], feed: Feed
) -> tuple[FieldRule, ...]:
    """The author rules with the words around the name, limited to as many nodes as posts have authors.

    Later elements of the same class may hold the URL of the post and its licence.
    """
    most = max((len(authors_of(entry, feed)) for entry, _ in evidence_of_pages), default=1)
    named = [(page.texts, names) for entry, page in evidence_of_pages if (names := authors_of(entry, feed))]
    found = []
    for rule in rules:
        examples = [(texts[rule.rule], names) for texts, names in named if rule.rule in texts]
        found.append(with_affixes(msgspec.structs.replace(rule, per_page=min(rule.per_page, most)), examples))
    return tuple(rule for rule in found if rule is not None)


def _zone(
    examples: Sequence[tuple[str, datetime]],
    languages: Sequence[str],
    evidence_of_pages: Sequence[tuple[FeedEntry, PageEvidence]],
) -> int | None:
    """The zone of naive moments on the pages, else the zone in which moments in UTC fall on the displayed days."""
    found = [(mentions(text, when, languages=languages), when) for text, when in examples]
    exact = [(date.moment, when) for date, when in found if date and date.precision == "minute"]
    if zone := zone_of([(moment, when) for moment, when in exact if not moment.tzinfo]):
        return zone
    # Some themes write local time and declare it as UTC.
    local = [moment for moment, when in exact if moment.tzinfo and abs(moment - when) >= _MINUTE]
    if 2 * len(local) > len(exact):
        return None
    shown = []
    for entry, page in evidence_of_pages:
        if entry.published is not None and "published" in page.page_rule_scores:
            texts = {page.texts[rule] for rule in page.page_rule_scores["published"].scores}
            readings = (mentions(text, entry.published, languages=languages) for text in texts)
            shown.append((entry.published, [date for date in readings if date is not None]))
    return displayed_zone(shown)


def _only_author(feed: Feed) -> str | None:
    """The blog's single author, for pages that never name one."""
    names = {name for entry in feed.entries for name in authors_of(entry, feed)}
    return names.pop() if len(names) == 1 else None
