"""Records out of JSON lines, as `posterity export --format jsonl` and `posterity extract` write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from posterity.errors import InputError
from posterity.importer.records.found import FoundRecord
from posterity.model import Post, from_json


def records_in_json_lines(stream: IO[bytes], name: str) -> Iterator[FoundRecord]:
    """Yield the records; a line that is none raises `InputError` with its number."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            yield FoundRecord(post=from_json(line, Post))
        except InputError as problem:
            raise InputError(f"{name}, line {number}: {problem}") from problem
