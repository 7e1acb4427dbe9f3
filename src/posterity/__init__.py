"""Posterity harvests, preserves and reuses blogs.

The public API: everything a program needs is one of the names below. Heavy stages are loaded when a name is
first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posterity.archive import Archive, open_archive
    from posterity.crawl import harvest
    from posterity.dom import Document, parse
    from posterity.errors import PosterityError
    from posterity.extraction import extract, extract_index, page_kind
    from posterity.learning import learn
    from posterity.model import Comment, Feed, Media, Post, Provenance, Rule, RuleSet, sure_part

__version__ = "0.1.0"

__all__ = [
    "Archive",
    "Comment",
    "Document",
    "Feed",
    "Media",
    "Post",
    "PosterityError",
    "Provenance",
    "Rule",
    "RuleSet",
    "extract",
    "extract_index",
    "harvest",
    "learn",
    "open_archive",
    "page_kind",
    "parse",
    "sure_part",
]

_HOME = {
    "Archive": "posterity.archive",
    "Comment": "posterity.model",
    "Document": "posterity.dom",
    "Feed": "posterity.model",
    "Media": "posterity.model",
    "Post": "posterity.model",
    "PosterityError": "posterity.errors",
    "Provenance": "posterity.model",
    "Rule": "posterity.model",
    "RuleSet": "posterity.model",
    "extract": "posterity.extraction",
    "extract_index": "posterity.extraction",
    "harvest": "posterity.crawl",
    "learn": "posterity.learning",
    "open_archive": "posterity.archive",
    "page_kind": "posterity.extraction",
    "parse": "posterity.dom",
    "sure_part": "posterity.model",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'posterity' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
