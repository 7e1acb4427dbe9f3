"""All that one page says about a blog's markup, so that its tree can be let go before the next page is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.learn.author import author_scores
from posterity.learn.date import date_scores
from posterity.learn.near_article import closeness
from posterity.learn.tags import tags_ballot
from posterity.learn.title import title_scores
from posterity.learn.vote import Ballot, ballot, first_names
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.learn.account import Account
    from posterity.learn.page_names import PageNames
    from posterity.model import FeedEntry, Rule


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
