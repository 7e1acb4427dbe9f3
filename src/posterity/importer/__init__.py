"""Records from pages that lie on a disk already: stored ones again, and those of somebody else's crawl or mirror."""

from posterity.blog.reextract import reextract
from posterity.importer.importing import import_crawls

__all__ = ["import_crawls", "reextract"]
