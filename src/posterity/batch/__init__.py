"""Extraction of records from any pages, without an archive."""

from posterity.batch.method import PageResult
from posterity.batch.run import extract_many, extract_pages

__all__ = ["PageResult", "extract_many", "extract_pages"]
