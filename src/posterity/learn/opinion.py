"""All that one page says about a blog's markup, so that its tree can be let go before the next page is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.learn.author import author_scores
from posterity.learn.date import date_scores
from posterity.learn.near_article import closeness
from posterity.learn.tags import tags_ballot
from posterity.learn.title import title_scores
from posterity.learn.vote import Ballot, ballot, names_on, united
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from posterity.dom import Tree
    from posterity.model import FeedEntry, Rule


class Opinion(msgspec.Struct, frozen=True):
    """Ballots by field, and for the rules among them the text they give on this page."""

    ballots: dict[str, Ballot]
    texts: "dict[Rule, str]"


def opinion(
    tree: Tree, entry: FeedEntry, authors: Sequence[str], article: int, languages: Sequence[str], now: datetime | None
) -> Opinion:
    """Return what the page of this entry says about every field but the article."""
    near, present = closeness(tree, article), names_on(tree)
    ballots: dict[str, Ballot] = {}
    texts: dict[Rule, str] = {}
    if entry.title:
        ballots["title"] = ballot(tree, title_scores(tree, entry.title), present=present)
    if authors:
        by_text, by_content = author_scores(tree, authors, near, article)
        ballots["author"] = _read(tree, {None: by_text, "content": by_content}, texts, present)
    if entry.published:
        ballots["date"] = _read(tree, date_scores(tree, entry.published, near, languages, now), texts, present)
    if entry.tags:
        ballots["tags"] = tags_ballot(tree, entry.tags)
    return Opinion(ballots, texts)


def _read(
    tree: Tree, places: Mapping[str | None, Mapping[int, float]], texts: dict[Rule, str], present: frozenset[str]
) -> Ballot:
    """One ballot over the text and the attributes of nodes, remembering what each rule gives."""
    ballots = []
    for attribute, scores in places.items():
        page = ballot(tree, scores, attribute, present)
        ballots.append(page)
        texts.update(_texts(tree, page.scores, attribute))
    return united(ballots)


def _texts(tree: Tree, rules: Iterable[Rule], attribute: str | None) -> dict[Rule, str]:
    from posterity.dom.rule_match import first_match

    found = {}
    for rule in rules:
        node = first_match(tree, rule)
        if node is not None:
            found[rule] = tree.attrs[node].get(attribute) or "" if attribute else one_line(tree.plain(node))
    return found
