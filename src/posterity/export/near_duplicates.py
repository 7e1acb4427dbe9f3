"""Near-duplicate posts, within a blog and across blogs, by MinHash LSH.

The Jaccard similarity of two texts' word triples is estimated from signatures of 64 numbers; only texts that share a
band of numbers are compared. Signatures are stored on disk, texts are not stored.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from operator import eq

import msgspec
from rensa import RMinHash

from posterity.export.temporary import temporary_database
from posterity.model import Post
from posterity.text.normal_form import words

# With four numbers per band, two texts that share 80 % of their triples have a band in common with probability 0.9998.
# The estimate has a standard error of 0.05; with twice the numbers it would be 0.035, in twice the space.
_NUMBERS, _BANDS = 64, 16
# Cross-posts and edited copies are above this; posts of a series with the same beginning and end are below.
MIN_SIMILARITY = 0.8
# Shorter texts may be equal by chance: "A photo.", "Happy new year!"
_MIN_WORDS = 12


class NearDuplicate(msgspec.Struct, frozen=True, kw_only=True):
    """A post that is nearly equal to an earlier one."""

    id: str
    url: str
    of_id: str
    of_url: str
    similarity: float


_TABLES = (
    "CREATE TABLE posts (key INTEGER PRIMARY KEY, id TEXT, url TEXT, signature BLOB)",
    "CREATE TABLE bands (band BLOB, key INTEGER, PRIMARY KEY (band, key)) WITHOUT ROWID",
)
_SAME_BAND = f"""SELECT DISTINCT key, id, url, signature FROM bands JOIN posts USING (key)
WHERE band IN ({", ".join("?" * _BANDS)})"""  # noqa: S608 - nothing but question marks is put in


# Posts that share three quarters of their text, such as a form, share bands without being duplicates, and without a
# limit all of them would be compared with each other. A duplicate also shares the bands of its own text.
_MOST_IN_BAND = 100
_ADD_TO_BAND = f"""INSERT INTO bands SELECT ?, ?
WHERE (SELECT count(*) FROM (SELECT 1 FROM bands WHERE band = ? LIMIT {_MOST_IN_BAND})) < {_MOST_IN_BAND}"""  # noqa: S608 - numbers


class NearDuplicates:
    """An index of posts in which near-duplicates are looked up."""

    def __init__(self, rows: sqlite3.Connection) -> None:
        self._rows = rows
        self._count = 0

    def find_or_add(self, post: Post) -> NearDuplicate | None:
        """Return the most similar earlier post; if there is none, add the post to the index and return None."""
        found = words(post.text)
        if len(found) < _MIN_WORDS:
            return None
        # Fixed, so that signatures are the same on every machine.
        minhash = RMinHash(num_perm=_NUMBERS, seed=42)
        minhash.update([" ".join(triple) for triple in zip(found, found[1:], found[2:], strict=False)])
        signature = array("I", minhash.digest())
        bands = [bytes([band]) + signature[band::_BANDS].tobytes() for band in range(_BANDS)]
        rows = self._rows.execute(_SAME_BAND, bands)
        near = [
            (sum(map(eq, signature, array("I", other))) / _NUMBERS, -key, of_id, url) for key, of_id, url, other in rows
        ]
        similarity, _, of_id, of_url = max(near, default=(0.0, 0, "", ""))
        if similarity >= MIN_SIMILARITY:
            return NearDuplicate(id=post.id, url=post.url, of_id=of_id, of_url=of_url, similarity=round(similarity, 3))
        self._count += 1
        row = (self._count, post.id, post.url, signature.tobytes())
        self._rows.execute("INSERT INTO posts VALUES (?, ?, ?, ?)", row)
        self._rows.executemany(_ADD_TO_BAND, [(band, self._count, band) for band in bands])
        return None


@contextmanager
def near_duplicates() -> Iterator[NearDuplicates]:
    """Yield an empty index."""
    with temporary_database(*_TABLES) as rows:
        yield NearDuplicates(rows)
