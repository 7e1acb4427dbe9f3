"""Rules for the author of a blog whose feed names nobody: what its pages declare, page after page.

Nothing here is compared with a feed, so a rule has to hold up in another way: it gives something that looks like a
name on nearly all pages. A name that is the same everywhere and is the blog's own is the weakest evidence: a company,
or one person who signs with the name of the blog.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom import text_of
from posterity.learn.author import BY, is_role
from posterity.model import FieldRule, Rule
from posterity.text.normal_form import letters_and_digits, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from posterity.dom import Document

# Surest first. A link rel=author leads to the author; <link> elements of that name have no text and drop out.
_CANDIDATES: tuple[tuple[Rule, float], ...] = (
    (Rule("attr", "itemprop=name", under=Rule("attr", "itemprop=author")), 0.8),
    (Rule("class", "p-author"), 0.8),
    (Rule("attr", "rel=author", "a"), 0.8),
    (Rule("attr", "rel=author", "span"), 0.8),
    (Rule("attr", "itemprop=author"), 0.75),
    (Rule("class", "fn", under=Rule("class", "author")), 0.75),
    (Rule("attr", "name=author", "meta", attribute="content"), 0.7),
    (Rule("attr", "property=article:author", "meta", attribute="content"), 0.65),
    (Rule("class", "author"), 0.55),
)
_MIN_PAGES_SHARE = 0.8
_BLOGS_OWN_NAME = 0.4
_NAME = re.compile(r"[^\W\d_]{2}")
_MAX_NAME = 60


def declared_names(document: Document) -> dict[Rule, str]:
    """Return what the page declares to be its author's name, by the rule that gives it."""
    return {rule: name for rule, _ in _CANDIDATES if (name := _declared_name(document, rule))}


def declared_author_rules(pages: Sequence[Mapping[Rule, str]], blog_name: str | None) -> tuple[FieldRule, ...]:
    """Return the surest rule that names somebody on nearly all pages, or none; pages are given by what they declare."""
    for rule, confidence in _CANDIDATES:
        names = [page[rule] for page in pages if rule in page]
        if pages and len(names) >= _MIN_PAGES_SHARE * len(pages):
            before = _shared_introduction(names)
            own = {letters_and_digits(name) for name in names} == {letters_and_digits(blog_name or "")}
            return (
                FieldRule(
                    rule=rule,
                    confidence=_BLOGS_OWN_NAME if own else confidence,
                    pages=len(names),
                    of_pages=len(pages),
                    before=before,
                ),
            )
    return ()


def _declared_name(document: Document, rule: Rule) -> str:
    tree = document.first(rule)
    if tree is None:
        return ""
    name = one_line(tree.attrs[0].get(rule.attribute) or "" if rule.attribute else text_of(tree))
    if len(name) > _MAX_NAME or "://" in name or is_role(name) or not _NAME.search(name):
        return ""
    return name


def _shared_introduction(names: Sequence[str]) -> str:
    """The "by " that stands before the name on all pages."""
    first = names[0].split(" ", 1)[0] + " "
    return first if BY.search(first) and all(name.startswith(first) for name in names) else ""
