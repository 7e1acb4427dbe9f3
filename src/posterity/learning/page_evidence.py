"""Evidence from a blog's pages about its markup, cached so that each page is parsed as few times as possible.

To bound memory, `TrainingDocuments` keeps some documents, and the others are parsed one at a time and dropped. The
evidence kept here is small: scores, and numbers in place of names and texts. It is kept by URL, because pages of one
layout are first used among all others and then by themselves, with the same scores.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec

from posterity.dom import Document, Tree
from posterity.learning import fields
from posterity.learning.article import MARGIN, near_best, own_text_scores, seen_text, text_keys, whole_text_scores
from posterity.learning.evidence import TrainingPage, documents
from posterity.learning.out_rules import ArticleEvidence, article_evidence, beside_feed, best_of
from posterity.learning.rule_selection import NameBits, PageNames, RuleScores, first_names, names_on, rule_scores
from posterity.learning.spans import Children, article_spans
from posterity.model import Feed, FeedEntry, Rule
from posterity.text.bigrams import BigramBits
from posterity.text.normal_form import is_account_name, one_line

SpansByRule: TypeAlias = "dict[Rule, Children]"


class PageEvidence(msgspec.Struct, frozen=True):
    """Rule scores by field, and the texts that author and date rules match on this page."""

    page_rule_scores: dict[str, RuleScores]
    texts: dict[Rule, str]


def page_evidence(
    tree: Tree,
    entry: FeedEntry,
    authors: Sequence[str],
    evidence: ArticleEvidence,
    languages: Sequence[str],
    now: datetime | None,
) -> PageEvidence:
    """Return the scores of this entry's page for every field except the article."""
    article, names = evidence.article or 0, evidence.rule_scores.names
    near = fields.proximity_weights(tree, article)
    page_rule_scores: dict[str, RuleScores] = {}
    texts: dict[Rule, str] = {}
    if entry.title:
        page_rule_scores["title"] = rule_scores(tree, fields.title_scores(tree, entry.title), names)
    if authors:
        by_text, by_content = fields.author_scores(tree, authors, near, article)
        page_rule_scores["authors"] = _read(tree, names, {None: by_text, "content": by_content}, texts)
    if entry.published:
        dates = fields.date_scores(tree, entry.published, near, languages, now)
        page_rule_scores["published"] = _read(tree, names, dates, texts)
    if entry.tags:
        page_rule_scores["tags"] = fields.tag_rule_scores(tree, entry.tags)
    return PageEvidence(page_rule_scores, texts)


def _read(
    tree: Tree, names: PageNames | None, places: Mapping[str | None, Mapping[int, float]], texts: dict[Rule, str]
) -> RuleScores:
    """Rule scores for the texts and attributes of nodes; adds the text that each rule matches to `texts`."""
    scores_by_rule: dict[Rule, tuple[float, int, int]] = {}
    for attribute, scores in places.items():
        given = {
            node: tree.attrs[node].get(attribute) or "" if attribute else one_line(tree.plain(node)) for node in scores
        }
        for rule, node, count in first_names(tree, scores):
            read = msgspec.structs.replace(rule, attribute=attribute) if attribute else rule
            scores_by_rule[read] = (scores[node], tree.end[node] - node, count)
            texts[read] = given[node]
    return RuleScores(scores_by_rule, names)


class PageEvidenceCache:
    """Reads pages and keeps the evidence of each, but not the trees."""

    def __init__(
        self, feed: Feed, pages: Mapping[str, bytes | str | Document], languages: Sequence[str], now: datetime | None
    ) -> None:
        self.feed, self.pages, self.languages, self._now = feed, pages, tuple(languages), now
        self.names: dict[str, PageNames] = {}
        # The authors that pages declare, read only if the feed names none.
        self.declared: dict[str, dict[Rule, str]] = {}
        self._feed_has_authors = any(authors_of(entry, feed) for entry in feed.entries)
        self._numbers, self._bits = NameBits(), BigramBits()
        self._by_feed: dict[str, ArticleEvidence] = {}
        self._evidence_of_pages: dict[tuple[str, int], PageEvidence] = {}
        self._beginnings: dict[str, int | None] = {}
        self._texts: dict[str, array[int]] = {}

    def by_feed(self, training_pages: Sequence[TrainingPage]) -> dict[str, ArticleEvidence]:
        """Return the evidence for the articles by the feed's texts, by URL."""
        for tree, training_page in self._read(each for each in training_pages if each.url not in self._by_feed):
            seen, target = seen_text(tree), training_page.feed_text.text
            near = near_best(tree, seen, target, MARGIN, self._bits)
            self._beginnings[training_page.url] = best_of(near)
            scores = whole_text_scores(tree, seen, near, target)
            evidence = article_evidence(tree, scores, self.names[training_page.url])
            # If most pages doubt the feed, the articles are found by unique text and this page is read again.
            if evidence.likely is None or evidence.doubts_feed:
                self._note_texts(tree, training_page)
            else:
                beside = beside_feed(tree.subtree(evidence.likely), target, training_page.url)
                evidence = msgspec.structs.replace(evidence, beside=beside)
                self._note_evidence(tree, training_page, evidence)
            self._by_feed[training_page.url] = evidence
        return {each.url: self._by_feed[each.url] for each in training_pages if each.url in self._by_feed}

    def by_spans(self, training_pages: Sequence[TrainingPage]) -> dict[str, tuple[ArticleEvidence, SpansByRule]]:
        """Return where the feed's texts are as consecutive children of an element, and these by the element's rules."""
        found = {}
        for tree, training_page in self._read(training_pages):
            target = training_page.feed_text.text
            near = near_best(tree, seen_text(tree), target, MARGIN, self._bits)
            spans = article_spans(tree, near, target)
            scores = {node: span.score for node, span in spans.items()}
            evidence = article_evidence(tree, scores, self.names[training_page.url])
            if evidence.article is not None:
                by_rule = {rule: spans[node] for rule, node, _ in first_names(tree, scores)}
                found[training_page.url] = evidence, by_rule
        return found

    def by_own_text(self, training_pages: Sequence[TrainingPage]) -> dict[str, ArticleEvidence]:
        """Return the evidence for the articles by the texts that are on no other page, by URL."""
        template, evidences = self.template(training_pages), {}
        for tree, training_page in self._read(training_pages):
            beginning, title = self._beginning(tree, training_page), training_page.entry.title or ""
            scores = own_text_scores(tree, template, len(training_pages), title, beginning)
            evidence = evidences[training_page.url] = article_evidence(tree, scores, self.names[training_page.url])
            self._note_evidence(tree, training_page, evidence)
        return evidences

    def evidence_of_pages(
        self, training_pages: Sequence[TrainingPage], evidences: Mapping[str, ArticleEvidence]
    ) -> list[tuple[FeedEntry, PageEvidence]]:
        """Return the evidence for the other fields, given that for the articles, without pages that have no article."""
        known = [each for each in training_pages if each.url in evidences]
        unread = [each for each in known if not self._as_evidence(each, evidences[each.url])]
        for tree, training_page in self._read(unread):
            self._note_evidence(tree, training_page, evidences[training_page.url])
        found = ((each.entry, self._as_evidence(each, evidences[each.url])) for each in known)
        return [(entry, evidence) for entry, evidence in found if evidence]

    def template(self, training_pages: Sequence[TrainingPage]) -> Counter[int]:
        """Return the number of pages that contain each text."""
        for tree, training_page in self._read(each for each in training_pages if each.url not in self._texts):
            self._note_texts(tree, training_page)
        counts: Counter[int] = Counter()
        for training_page in training_pages:
            counts.update(self._texts.get(training_page.url, ()))
        return counts

    def _read(self, training_pages: Iterable[TrainingPage]) -> Iterator[tuple[Tree, TrainingPage]]:
        for document, training_page in documents(training_pages, self.pages):
            if training_page.url not in self.names:
                self.names[training_page.url] = names_on(document.tree, self._numbers)
                if not self._feed_has_authors:
                    self.declared[training_page.url] = fields.declared_names(document)
            yield document.tree, training_page

    def _beginning(self, tree: Tree, training_page: TrainingPage) -> int | None:
        """The node most similar to the feed's text, which is the beginning of the article."""
        if training_page.url not in self._beginnings:
            near = near_best(tree, seen_text(tree), training_page.feed_text.text, 0.0, self._bits)
            self._beginnings[training_page.url] = best_of(near)
        return self._beginnings[training_page.url]

    def _note_texts(self, tree: Tree, training_page: TrainingPage) -> None:
        self._texts[training_page.url] = array("Q", text_keys(tree))

    def _note_evidence(self, tree: Tree, training_page: TrainingPage, evidence: ArticleEvidence) -> None:
        """Keep the evidence of a page, unless no node can hold the article."""
        if evidence.article is not None and not self._as_evidence(training_page, evidence):
            authors = authors_of(training_page.entry, self.feed)
            self._evidence_of_pages[training_page.url, evidence.article] = page_evidence(
                tree, training_page.entry, authors, evidence, self.languages, self._now
            )

    def _as_evidence(self, training_page: TrainingPage, evidence: ArticleEvidence) -> PageEvidence | None:
        return None if evidence.article is None else self._evidence_of_pages.get((training_page.url, evidence.article))


def authors_of(entry: FeedEntry, feed: Feed) -> tuple[str, ...]:
    """Return the authors of an entry, else of the feed; names such as "admin" only if there are no others."""
    named = entry.authors or feed.authors
    return tuple(name for name in named if not is_account_name(name)) or named
