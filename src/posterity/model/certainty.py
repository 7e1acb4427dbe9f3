"""What of a post is sure enough: fields that nobody should rely on are left out, and so are posts of doubtful text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from posterity.model.post import Post

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FIELDS = {field.name: field for field in msgspec.structs.fields(Post)}
# What goes with a field that is named in the provenance.
_TOGETHER = {"published": ("published", "published_precision")}
ALL = "all"


def sure_part(post: Post, demands: Mapping[str, float]) -> Post | None:
    """Return the post without the fields whose confidence is below what is demanded; None where its text is.

    `demands` are by field, {"authors": 0.7}; "all" is for those that it does not name. The provenance stays whole, so
    that it can be seen what was left out, and why.
    """
    others = demands.get(ALL, 0.0)
    doubtful = [name for name, source in post.provenance.items() if source.confidence < demands.get(name, others)]
    if "text" in doubtful:
        return None
    changes: dict[str, Any] = {
        name: _FIELDS[name].default
        for source in doubtful
        for name in _TOGETHER.get(source, (source,))
        if name in _FIELDS
    }
    return msgspec.structs.replace(post, **changes) if changes else post


def demands_in(words: Iterable[str]) -> dict[str, float]:
    """Return the demands that the words name, `0.7` for all fields or `authors=0.7` for one, or raise `ValueError`."""
    demands: dict[str, float] = {}
    for word in words:
        field, _, least = word.rpartition("=")
        try:
            demands[field or ALL] = float(least)
        except ValueError:
            raise ValueError(f"{word} is no demand. Write 0.7, or authors=0.7 for one field.") from None
        if not 0 <= demands[field or ALL] <= 1:
            raise ValueError(f"Confidence goes from 0 to 1, and {least} does not.")
        if field and field not in _FIELDS:
            raise ValueError(f"A post has no field {field}.")
    return demands
