"""Records from pages that lie on a disk already: stored ones again, and those of somebody else's crawl or mirror."""

from posterity.rebuild.importing import import_crawls
from posterity.rebuild.reextract import reextract

__all__ = ["import_crawls", "reextract"]
