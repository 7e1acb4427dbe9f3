"""The one author of a blog whose feed names nobody: whom its pages name, as far as they name anybody.

A page alone is rarely sure of a name that nothing marks as the author's. Pages that agree on it are surer, and those
that do not show it are by the same author. They are also surer than what pages declare in one way only: software
declares its own makers.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from posterity.extract.feed_fields import authors_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.dom import Document
    from posterity.model import Post, RuleSet

_MIN_PAGES = 3
_MOST = 0.6  # of the pages: posts of a line or two look unlike the others


def with_only_author(rules: RuleSet, pages: Sequence[Document], posts: Iterable[Post]) -> RuleSet:
    """Return the rules with the one author that the pages' posts name, in place of a rule that names somebody else."""
    name = only_author(posts, len(pages))
    if name is None:
        return rules
    agree = sum(found.fields["authors"] == (name,) for page in pages if (found := authors_on(page, rules)))
    if rules.rules_for("author") and 2 * agree > len(pages):
        return rules
    fields = {field: rule for field, rule in rules.fields.items() if field != "author"}
    return msgspec.structs.replace(rules, only_author=name, fields=fields)


def only_author(posts: Iterable[Post], pages: int) -> str | None:
    """Return the name that the posts of most of so many pages give, if none of them gives another."""
    names = Counter(post.authors for post in posts if post.authors)
    if len(names) != 1 or names.total() < max(_MIN_PAGES, _MOST * pages):
        return None
    authors = next(iter(names))
    return authors[0] if len(authors) == 1 else None
