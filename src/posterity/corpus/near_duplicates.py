"""Posts that are nearly the same, within a blog and across blogs: MinHash signatures in a table of bands.

The Jaccard similarity of two texts' word triples is estimated from signatures of 64 numbers; only texts that share a
band of them are compared (MinHash LSH). Memory holds signatures, never texts.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from rensa import RMinHash, RMinHashLSH

from posterity.text.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.model import Post

# Four numbers a band: two texts that share 80 % of their triples meet in one of 16 bands with probability 0.9998. The
# estimate has a standard error of 0.05; twice the numbers would take twice the memory, some 4 KB a post, for 0.035.
_NUMBERS, _BANDS = 64, 16
_SEED = 42  # the same signature on every machine
# Cross-posts and edited copies share more than this; posts in a series that begin and end alike share less.
SIMILAR = 0.8
_TRIPLE = 3
# Below this, equal texts mean nothing: "A photo.", "Happy new year!"
_MIN_WORDS = 12


class NearDuplicate(msgspec.Struct, frozen=True, kw_only=True):
    """A post that is nearly one that came before it."""

    id: str
    url: str
    of_id: str
    of_url: str
    similarity: float


class NearDuplicates:
    """Remembers the posts that were shown to it, and tells which of them a new one repeats."""

    def __init__(self, similar: float = SIMILAR) -> None:
        self._similar = similar
        self._table = RMinHashLSH(threshold=similar, num_perm=_NUMBERS, num_bands=_BANDS)
        self._seen: list[tuple[str, str, Any]] = []

    def repeated(self, post: Post) -> NearDuplicate | None:
        """Return what the post repeats, the most similar first, or None for one that is remembered now."""
        triples = list(_triples(words(post.text)))
        if not triples:
            return None
        signature = RMinHash(num_perm=_NUMBERS, seed=_SEED)
        signature.update(triples)
        near = [(signature.jaccard(self._seen[key][2]), -key) for key in set(self._table.query(signature))]
        similarity, key = max(near, default=(0.0, 0))
        if similarity >= self._similar:
            of_id, of_url, _ = self._seen[-key]
            return NearDuplicate(id=post.id, url=post.url, of_id=of_id, of_url=of_url, similarity=round(similarity, 3))
        self._table.insert(len(self._seen), signature)
        self._seen.append((post.id, post.url, signature))
        return None


def _triples(found: list[str]) -> Iterator[str]:
    if len(found) < _MIN_WORDS:
        return
    for triple in zip(*(islice(found, start, None) for start in range(_TRIPLE)), strict=False):
        yield " ".join(triple)
