"""Import of blogs from disk: crawls and mirrors of other tools, exports, and the stored pages of an archive."""

from posterity.blog.reextract import reextract
from posterity.importer.importing import import_crawls

__all__ = ["import_crawls", "reextract"]
