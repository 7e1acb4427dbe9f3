"""The article's rules of a blog: by its feed's texts if they are whole, else by the pages' own texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from posterity.learn.account import WHOLE_FEED_F1
from posterity.learn.vote import elect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.learn.account import Account
    from posterity.learn.evidence import Witness
    from posterity.learn.testimony import Testimony
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
