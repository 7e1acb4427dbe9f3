"""Method `hybrid`, the default: each field gets the best-supported answer of page, site and feed."""
