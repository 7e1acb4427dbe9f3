"""Rules from evidence: what the feed says, found again on the pages it links to."""

from posterity.callable_module import answer_calls
from posterity.learn.rule_set import learn

__all__ = ["learn"]

answer_calls(__name__, learn)
