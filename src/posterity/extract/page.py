"""One page in, its records or its kind out: what is behind `posterity.extract`, `extract_index` and `page_kind`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.dom import parse
from posterity.dom.binary import is_binary
from posterity.errors import UnreadablePage
from posterity.extract.method import DEFAULT_METHOD, Context, method_named
from posterity.identify.kind_of_page import kind_of_page

if TYPE_CHECKING:
    from posterity.dom import Document
    from posterity.identify import PageKind
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

    `hybrid` decides unless a method is named: by `rules` where there are some, by the page itself where not.
    """
    found = extract_posts(_document(html, url), method=method, context=context or Context(rules=rules))
    return found[0] if found else None


def extract_index(
    html: bytes | str, url: str = "", *, method: str | None = None, context: Context | None = None
) -> tuple[Post, ...]:
    """Return the posts of a front page, in order."""
    context = msgspec.structs.replace(context or Context(), index=True)
    return extract_posts(_document(html, url), method=method, context=context)


def page_kind(html: bytes | str, url: str = "") -> tuple[PageKind, float]:
    """Return what a page of an unknown site is: "post", "index" or "other", and how sure that is, from 0 to 1."""
    return kind_of_page(_document(html, url))


def extract_posts(document: Document, *, method: str | None = None, context: Context | None = None) -> tuple[Post, ...]:
    """Return every post that the method finds in the document."""
    return method_named(method or DEFAULT_METHOD)(document, context or Context())


def _document(html: bytes | str, url: str) -> Document:
    if is_binary(html):
        raise UnreadablePage("This is not a page: its bytes are not text.")
    return parse(html, url)
