"""What the pages of a blog say about its markup, each asked as seldom as possible.

Pages are parsed one at a time and let go, so memory is bounded by the largest of them. What is kept of a page is
small: its ballots, and numbers in place of names and texts. It is kept by address, because the pages of one layout are
heard among all others and then by themselves, and have the same to say.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from posterity.learn.article import MARGIN, own_text_scores, seen_text, text_keys, whole_text_scores
from posterity.learn.evidence import documents
from posterity.learn.fields import (
    author_scores,
    closeness,
    date_scores,
    declared_names,
    is_role,
    tags_ballot,
    title_scores,
)
from posterity.learn.naming import NumberedNames, names_on
from posterity.learn.out_rules import account_of, beside_feed, best_of
from posterity.learn.rule_selection import Ballot, ballot, first_names
from posterity.learn.similarity_scores import near_best
from posterity.text.bigrams import BigramBits
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.learn.evidence import Witness
    from posterity.learn.naming import PageNames
    from posterity.learn.out_rules import Account
    from posterity.model import Feed, FeedEntry, Rule


class Opinion(msgspec.Struct, frozen=True):
    """Ballots by field, and for the rules among them the text they give on this page."""

    ballots: dict[str, Ballot]
    texts: "dict[Rule, str]"


def opinion(
    tree: Tree,
    entry: FeedEntry,
    authors: Sequence[str],
    account: Account,
    languages: Sequence[str],
    now: datetime | None,
) -> Opinion:
    """Return what the page of this entry says about every field but the article."""
    article, names = account.article or 0, account.ballot.names
    near = closeness(tree, article)
    ballots: dict[str, Ballot] = {}
    texts: dict[Rule, str] = {}
    if entry.title:
        ballots["title"] = ballot(tree, title_scores(tree, entry.title), names)
    if authors:
        by_text, by_content = author_scores(tree, authors, near, article)
        ballots["author"] = _read(tree, names, {None: by_text, "content": by_content}, texts)
    if entry.published:
        ballots["date"] = _read(tree, names, date_scores(tree, entry.published, near, languages, now), texts)
    if entry.tags:
        ballots["tags"] = tags_ballot(tree, entry.tags)
    return Opinion(ballots, texts)


def _read(
    tree: Tree, names: PageNames | None, places: Mapping[str | None, Mapping[int, float]], texts: dict[Rule, str]
) -> Ballot:
    """One ballot over the text and the attributes of nodes, remembering what each rule gives."""
    opinions: dict[Rule, tuple[float, int, int]] = {}
    for attribute, scores in places.items():
        given = {
            node: tree.attrs[node].get(attribute) or "" if attribute else one_line(tree.plain(node)) for node in scores
        }
        for rule, node, count in first_names(tree, scores):
            read = msgspec.structs.replace(rule, attribute=attribute) if attribute else rule
            opinions[read] = (scores[node], tree.end[node] - node, count)
            texts[read] = given[node]
    return Ballot(opinions, names)


class Testimony:
    """Asks pages and keeps what each says; the trees themselves are let go."""

    def __init__(
        self, feed: Feed, pages: Mapping[str, bytes | str], languages: Sequence[str], now: datetime | None
    ) -> None:
        self.feed, self.pages, self.languages, self._now = feed, pages, tuple(languages), now
        self.names: dict[str, PageNames] = {}
        # Whom pages declare as their author, asked only where the feed names nobody.
        self.declared: dict[str, dict[Rule, str]] = {}
        self._feed_names_somebody = any(authors_of(entry, feed) for entry in feed.entries)
        self._numbers, self._bits = NumberedNames(), BigramBits()
        self._by_feed: dict[str, Account] = {}
        self._opinions: dict[tuple[str, int], Opinion] = {}
        self._beginnings: dict[str, int | None] = {}
        self._texts: dict[str, array[int]] = {}

    def by_feed(self, witnesses: Sequence[Witness]) -> dict[str, Account]:
        """Return where the pages have their articles, if it is where the feed's texts are."""
        for tree, witness in self._read(witness for witness in witnesses if witness.url not in self._by_feed):
            seen, target = seen_text(tree), witness.promise.text
            near = near_best(tree, seen, target, MARGIN, self._bits)
            self._beginnings[witness.url] = best_of(near)
            account = account_of(tree, whole_text_scores(tree, seen, near, target), self.names[witness.url])
            # If most pages doubt the feed, their articles are elsewhere; then this page is asked again.
            if account.likely is None or account.doubts_feed:
                self._note_texts(tree, witness)
            else:
                beside = beside_feed(tree.subtree(account.likely), target)
                account = msgspec.structs.replace(account, beside=beside)
                self._note_opinion(tree, witness, account)
            self._by_feed[witness.url] = account
        return {witness.url: self._by_feed[witness.url] for witness in witnesses if witness.url in self._by_feed}

    def by_own_text(self, witnesses: Sequence[Witness]) -> dict[str, Account]:
        """Return where the pages have their articles, if it is where the texts are that no other page has."""
        template, accounts = self.template(witnesses), {}
        for tree, witness in self._read(witnesses):
            beginning, title = self._beginning(tree, witness), witness.entry.title or ""
            scores = own_text_scores(tree, template, len(witnesses), title, beginning)
            account = accounts[witness.url] = account_of(tree, scores, self.names[witness.url])
            self._note_opinion(tree, witness, account)
        return accounts

    def opinions(
        self, witnesses: Sequence[Witness], accounts: Mapping[str, Account]
    ) -> list[tuple[FeedEntry, Opinion]]:
        """Return what the pages say about the other fields, with their articles where these accounts have them."""
        unheard = [each for each in witnesses if each.url in accounts and not self._heard(each, accounts[each.url])]
        for tree, witness in self._read(unheard):
            self._note_opinion(tree, witness, accounts[witness.url])
        said = ((each.entry, self._heard(each, accounts[each.url])) for each in witnesses if each.url in accounts)
        return [(entry, heard) for entry, heard in said if heard]

    def template(self, witnesses: Sequence[Witness]) -> Counter[int]:
        """Return on how many of the pages each text stands."""
        for tree, witness in self._read(witness for witness in witnesses if witness.url not in self._texts):
            self._note_texts(tree, witness)
        counts: Counter[int] = Counter()
        for witness in witnesses:
            counts.update(self._texts.get(witness.url, ()))
        return counts

    def _read(self, witnesses: Iterable[Witness]) -> Iterator[tuple[Tree, Witness]]:
        for document, witness in documents(witnesses, self.pages):
            if witness.url not in self.names:
                self.names[witness.url] = names_on(document.tree, self._numbers)
                if not self._feed_names_somebody:
                    self.declared[witness.url] = declared_names(document)
            yield document.tree, witness

    def _beginning(self, tree: Tree, witness: Witness) -> int | None:
        """The node that is most like the beginning of the article that the feed has, if it has one."""
        if witness.url not in self._beginnings:
            near = near_best(tree, seen_text(tree), witness.promise.text, 0.0, self._bits)
            self._beginnings[witness.url] = best_of(near)
        return self._beginnings[witness.url]

    def _note_texts(self, tree: Tree, witness: Witness) -> None:
        self._texts[witness.url] = array("Q", text_keys(tree))

    def _note_opinion(self, tree: Tree, witness: Witness, account: Account) -> None:
        """Take notice of what a page says; one on which no node can hold the article says nothing."""
        if account.article is not None and not self._heard(witness, account):
            authors = authors_of(witness.entry, self.feed)
            self._opinions[witness.url, account.article] = opinion(
                tree, witness.entry, authors, account, self.languages, self._now
            )

    def _heard(self, witness: Witness, account: Account) -> Opinion | None:
        return None if account.article is None else self._opinions.get((witness.url, account.article))


def authors_of(entry: FeedEntry, feed: Feed) -> tuple[str, ...]:
    """Return whom the feed names for an entry: its own authors, else the feed's."""
    return tuple(name for name in (entry.authors or feed.authors) if not is_role(name))
