"""What is done to posts on their way into a corpus: doubts, language, repetitions, near-duplicates, normal form, masks.

Each step is asked for by its own word; without a word, a record leaves the archive as it is.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.corpus.language import Scope, with_language
from posterity.corpus.normalise import Form, normalised
from posterity.corpus.pii import without_pii
from posterity.model import sure_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from posterity.corpus.near_duplicates import NearDuplicate
    from posterity.model import Post

Dedup = Literal["post", "paragraph"]


class CleanUp(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which steps are taken."""

    min_confidence: dict[str, float] = {}
    identify_language: Scope | None = None
    dedup: tuple[Dedup, ...] = ()
    normalise: Form | None = None
    mask_pii: bool = False


AS_IT_IS = CleanUp()


def cleaned(
    posts: Callable[[], Iterator[Post]],
    clean_up: CleanUp,
    tell: Callable[[NearDuplicate], None] | None = None,
) -> Iterator[Post]:
    """Yield the posts, cleaned; `posts` may be called twice, since what repeats is known only at the end.

    With `tell`, near-duplicates are told; with dedup "post", they are left out.
    """
    from posterity.corpus.boilerplate import RepeatedParagraphs
    from posterity.corpus.near_duplicates import near_duplicates

    if clean_up.min_confidence:
        posts = partial(_sure, posts, clean_up.min_confidence)
    paragraphs = RepeatedParagraphs(posts()) if "paragraph" in clean_up.dedup else None
    with near_duplicates() if "post" in clean_up.dedup or tell is not None else nullcontext() as seen:
        for post in posts():
            if paragraphs is not None:
                post = paragraphs.without(post)  # noqa: PLW2901 - the same post
            repeated = seen.repeated(post) if seen is not None else None
            if repeated is not None and tell is not None:
                tell(repeated)
            if repeated is None or "post" not in clean_up.dedup:
                yield _changed(post, clean_up)


def _sure(posts: Callable[[], Iterator[Post]], demands: dict[str, float]) -> Iterator[Post]:
    return (sure for post in posts() if (sure := sure_part(post, demands)) is not None)


def _changed(post: Post, clean_up: CleanUp) -> Post:
    if clean_up.identify_language:
        post = with_language(post, clean_up.identify_language)
    if clean_up.normalise:
        post = normalised(post, clean_up.normalise)
    return without_pii(post) if clean_up.mask_pii else post
