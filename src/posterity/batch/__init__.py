"""Pages from anywhere to records, without an archive: `posterity extract`, and `posterity.extract_pages` in Python."""

from posterity.batch.method import PageResult
from posterity.batch.run import extract_pages

__all__ = ["PageResult", "extract_pages"]
