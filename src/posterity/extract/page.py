"""One page in, its record out: the function behind `posterity.extract`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse
from posterity.extract.method import Context, method_named

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.model import Post, RuleSet


def extract(
    html: bytes | str,
    url: str = "",
    *,
    rules: RuleSet | None = None,
    method: str | None = None,
    context: Context | None = None,
) -> Post | None:
    """Return the post on the page, or None when the method finds none.

    With `rules`, the method `feed` applies them; without, `mcst` reads the page alone, unless a method is named.
    """
    found = extract_posts(parse(html, url), method=method, context=context or Context(rules=rules))
    return found[0] if found else None


def extract_posts(document: Document, *, method: str | None = None, context: Context | None = None) -> tuple[Post, ...]:
    """Return every post that the method finds in the document."""
    context = context or Context()
    name = method or ("feed" if context.rules else "mcst")
    return method_named(name)(document, context)
