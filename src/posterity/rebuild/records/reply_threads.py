"""Comments by what they answer, kept on the disk: a feed names them in any order, before or after their post."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Self

import msgspec

from posterity.corpus.carried import CarriedComment

if TYPE_CHECKING:
    from collections.abc import Iterator

_THREAD = """
WITH RECURSIVE thread(id) AS (
    SELECT id FROM comments WHERE answers = ?
    UNION SELECT comments.id FROM comments JOIN thread ON comments.answers = thread.id
)
SELECT answers, document FROM comments JOIN thread USING (id) ORDER BY number
"""


class ReplyThreads:
    """Comments in a temporary file that goes away with it."""

    def __init__(self) -> None:
        self._rows = sqlite3.connect("")  # an empty name is a file of SQLite's own, deleted when it is closed
        self._rows.execute("CREATE TABLE comments (number INTEGER PRIMARY KEY, id TEXT, answers TEXT, document BLOB)")
        self._rows.execute("CREATE INDEX by_answered ON comments (answers)")
        self._rows.execute("CREATE INDEX by_id ON comments (id)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def add(self, comment: CarriedComment, answers: str) -> None:
        """Keep a comment on the entry with this id: a post, or another comment."""
        row = (comment.id, answers, msgspec.json.encode(comment))
        self._rows.execute("INSERT INTO comments (id, answers, document) VALUES (?, ?, ?)", row)

    def thread(self, entry_id: str) -> Iterator[CarriedComment]:
        """Yield all comments on a post and on its comments, in the order in which they came."""
        for answers, document in self._rows.execute(_THREAD, (entry_id,)):
            comment = msgspec.json.decode(document, type=CarriedComment)
            yield comment if answers == entry_id else msgspec.structs.replace(comment, parent=answers)
