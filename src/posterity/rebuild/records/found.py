"""A record as a file gives it, with what the file says of its blog."""

from __future__ import annotations

import msgspec

from posterity.corpus.carried import Carried, record_of, with_rest
from posterity.model import Post, Provenance

_FIELDS = ("text", "title", "authors", "published", "modified", "tags", "categories", "language", "comments")


class FoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One post; the address and the title of its blog as far as the file tells them."""

    post: Post
    blog_url: str | None = None
    blog_title: str | None = None


def record_from(carried: Carried, rest: str | None, method: str) -> Post:
    """Return the post that was written as these elements; one of somebody else's file says which format it is from."""
    if rest:
        return with_rest(carried, rest)
    post = record_of(carried)
    origin = Provenance(method=method, confidence=1.0)
    return msgspec.structs.replace(post, provenance={name: origin for name in _FIELDS if getattr(post, name)})
