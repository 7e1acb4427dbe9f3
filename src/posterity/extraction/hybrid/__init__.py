"""Method `hybrid`, the default: each field gets the best-supported value of page, site and feed."""
