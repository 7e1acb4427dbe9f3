"""Column types that hold on SQLite and on PostgreSQL what Python has, and sort it the same way."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import String, Text, TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect

# PostgreSQL sorts by the rules of a language unless told otherwise; ids and dates must sort as in SQLite.
Key = String().with_variant(String(collation="C"), "postgresql")

# Begins a value that is kept as JSON. No text on the web begins with an escape character and a J.
_ESCAPED = "\x1bJ"
ABSENT_DATE = "z"  # sorts behind every date


class Words(TypeDecorator[str]):
    """Text of any characters: PostgreSQL takes no NUL, so a value that holds one is kept as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return what the database is given."""
        if value is None or ("\x00" not in value and not value.startswith(_ESCAPED)):
            return value
        return _ESCAPED + json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return what the database was given."""
        if value is None or not value.startswith(_ESCAPED):
            return value
        text: str = json.loads(value[len(_ESCAPED) :])
        return text


def date_key(moment: datetime | None) -> str:
    """Return a moment in UTC as text that sorts by time; an absent one sorts last."""
    if moment is None:
        return ABSENT_DATE
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
    except OverflowError:  # the first and the last day that datetime knows
        return aware.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
