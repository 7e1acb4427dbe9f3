"""Rules learned from evidence: the texts of a feed, found again on the pages it links to."""

from posterity.learning.rule_set import learn

__all__ = ["learn"]
