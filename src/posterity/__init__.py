"""Posterity harvests, preserves and reuses blogs.

The names below are the public API. The module that defines a name is imported on first use, so that
`import posterity` stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posterity.archive import Archive, open_archive
    from posterity.batch import PageResult, extract_many, extract_pages
    from posterity.config import Settings, __version__
    from posterity.crawl.run import aharvest, harvest
    from posterity.dom import Document, parse
    from posterity.errors import PosterityError
    from posterity.extraction import extract, extract_index, page_kind
    from posterity.extraction.feed import learn
    from posterity.model import Comment, Feed, Media, Post, Provenance, Rule, RuleSet, sure_part

__all__ = [
    "Archive",
    "Comment",
    "Document",
    "Feed",
    "Media",
    "PageResult",
    "Post",
    "PosterityError",
    "Provenance",
    "Rule",
    "RuleSet",
    "Settings",
    "__version__",
    "aharvest",
    "extract",
    "extract_index",
    "extract_many",
    "extract_pages",
    "harvest",
    "learn",
    "open_archive",
    "page_kind",
    "parse",
    "sure_part",
]

_MODULES = {
    "Archive": "posterity.archive",
    "Comment": "posterity.model",
    "Document": "posterity.dom",
    "Feed": "posterity.model",
    "Media": "posterity.model",
    "PageResult": "posterity.batch",
    "Post": "posterity.model",
    "PosterityError": "posterity.errors",
    "Provenance": "posterity.model",
    "Rule": "posterity.model",
    "RuleSet": "posterity.model",
    "Settings": "posterity.config",
    "__version__": "posterity.config",
    "aharvest": "posterity.crawl.run",
    "extract": "posterity.extraction",
    "extract_index": "posterity.extraction",
    "extract_many": "posterity.batch",
    "extract_pages": "posterity.batch",
    "harvest": "posterity.crawl.run",
    "learn": "posterity.extraction.feed",
    "open_archive": "posterity.archive",
    "page_kind": "posterity.extraction",
    "parse": "posterity.dom",
    "sure_part": "posterity.model",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'posterity' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(_MODULES[name]), name)
    except ModuleNotFoundError as problem:
        from posterity.errors import missing_package

        raise missing_package(problem, f"posterity.{name}") or problem from problem
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
