"""Rules learned from evidence: the texts of a feed, located on the pages it links to."""
