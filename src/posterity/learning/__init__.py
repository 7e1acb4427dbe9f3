"""Rules learned from evidence: the texts of a feed, found again on the pages it links to."""
