"""The Scrapy side: bytes, politely, from a blog's address to the archive."""

from posterity.fetch.harvest import harvest

__all__ = ["harvest"]
