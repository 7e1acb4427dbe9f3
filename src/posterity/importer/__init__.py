"""Records from pages on disk: crawls and mirrors made by other tools, and the stored pages of an archive."""

from posterity.blog.reextract import reextract
from posterity.importer.importing import import_crawls

__all__ = ["import_crawls", "reextract"]
