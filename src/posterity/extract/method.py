"""The one interface of all extraction methods, and the table of them.

A method is a pure function: a document and a context in, posts out. A post page gives one, a front page
several, a page without anything to extract none. Adding a method is one file and one line here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from posterity.errors import InputError

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.model import FeedEntry, Post, RuleSet


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a method may know besides the page itself. Every part is optional."""

    rules: "RuleSet | None" = None
    # The other page of the site that wc-multi compares with.
    reference: "Document | None" = None
    # More pages of the same site: markers, templates.
    site: "tuple[Document, ...]" = ()
    # What the feed says of this very page, and when the page was fetched.
    entry: "FeedEntry | None" = None
    fetched_at: datetime | None = None
    # Is the page a front page with several posts?
    index: bool = False
    # A method's own switches, such as {"sparse": True}; each method names the ones it knows.
    options: Mapping[str, object] = {}


Method: TypeAlias = "Callable[[Document, Context], tuple[Post, ...]]"

METHODS: dict[str, str] = {
    "hybrid": "posterity.extract.hybrid.posts:posts",
    "feed": "posterity.extract.feed:posts",
    "blogbuster": "posterity.extract.blogbuster:posts",
    "bte": "posterity.extract.bte:posts",
    "wc-single": "posterity.extract.wc_single:posts",
    "wc-multi": "posterity.extract.wc_multi:posts",
    "cst": "posterity.extract.cst:cst_posts",
    "mcst": "posterity.extract.cst:mcst_posts",
    "e-mcst": "posterity.extract.e_mcst:posts",
}

Need = Literal["rules", "reference", "site"]

# What a method asks of its context; one that is not listed here reads the page alone.
NEEDS: dict[str, frozenset[Need]] = {
    "feed": frozenset({"rules"}),
    "hybrid": frozenset({"rules", "site"}),
    "wc-multi": frozenset({"reference"}),
    "e-mcst": frozenset({"site"}),
}


# What every command runs unless another method is named.
DEFAULT_METHOD = "hybrid"


def method_named(name: str) -> Method:
    """Return the method, loading its module only now, or raise `InputError` with the names there are."""
    if name not in METHODS:
        raise InputError(f"There is no method {name!r}. Choose one of: {', '.join(METHODS)}.")
    module, _, function = METHODS[name].partition(":")
    method: Method = getattr(importlib.import_module(module), function)
    return method
