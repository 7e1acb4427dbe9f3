"""Pages into records: one small file per method behind one interface."""

from posterity.callable_module import answer_calls
from posterity.extract.method import (
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

answer_calls(__name__, extract)
