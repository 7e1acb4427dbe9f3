"""The Scrapy side: bytes, politely, from a blog's address to the archive."""

from posterity.crawl.run import harvest

__all__ = ["harvest"]
