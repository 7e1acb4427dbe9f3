"""Extraction of posts from pages: one file per method behind one interface."""

from posterity.extraction.method import (
    METHODS,
    Context,
    Method,
    extract,
    extract_index,
    extract_posts,
    method_named,
    page_kind,
)

__all__ = ["METHODS", "Context", "Method", "extract", "extract_index", "extract_posts", "method_named", "page_kind"]
