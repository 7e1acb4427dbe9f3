"""Whether a post that is stored again is the same post, an edited one, or the same with better evidence."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from posterity.model import Media, Post, Provenance, to_json

Outcome = Literal["new", "changed", "same", "forgotten"]


def fingerprint(post: Post) -> str:
    """Return a digest of the whole record but for its revision and the times and places of its provenance."""
    evidence = {field: _undated(origin) for field, origin in sorted(post.provenance.items())}
    return hashlib.sha256(to_json(msgspec.structs.replace(post, revision=1, provenance=evidence))).hexdigest()[:32]


def is_same_content(left: Post, right: Post) -> bool:
    """Tell whether a reader would see the same post.

    How a field was found is no content. Neither is a picture that one of the two harvests did not download, nor the
    date that one of them did not find; a picture or a date that both have and that differs is.
    """
    return _content(with_gaps_filled(left, right)) == _content(with_gaps_filled(right, left))


def with_gaps_filled(post: Post, other: Post) -> Post:
    """Return the post with the date and the files of the other where it has none."""
    post = with_files_of(post, other)
    if post.published is not None or other.published is None:
        return post
    provenance = {**post.provenance}
    if "published" in other.provenance:
        provenance["published"] = other.provenance["published"]
    return msgspec.structs.replace(
        post, published=other.published, published_precision=other.published_precision, provenance=provenance
    )


def with_files_of(post: Post, other: Post) -> Post:
    """Return the post with the local files of the other's media where its own are missing."""
    known = {medium.url: medium for medium in other.media if medium.file}
    if not known:
        return post
    return msgspec.structs.replace(post, media=tuple(_with_file(medium, known) for medium in post.media))


def changed_fields(old: Post, new: Post) -> tuple[str, ...]:
    """Return the names of the fields whose content differs, in the order of the model."""
    left, right = _content(with_gaps_filled(old, new)), _content(with_gaps_filled(new, old))
    return tuple(name for name in Post.__struct_fields__ if getattr(left, name) != getattr(right, name))


def _content(post: Post) -> Post:
    return msgspec.structs.replace(post, revision=1, provenance={})


def _with_file(medium: Media, known: dict[str, Media]) -> Media:
    twin = known.get(medium.url)
    if medium.file or twin is None:
        return medium
    return msgspec.structs.replace(medium, file=twin.file, digest=twin.digest, mime=twin.mime)


def _undated(origin: Provenance) -> Provenance:
    return Provenance(method=origin.method, rule=origin.rule, confidence=origin.confidence)
