"""Rules from evidence: what the feed says, found again on the pages it links to."""

from posterity.learning.rule_set import learn

__all__ = ["learn"]
