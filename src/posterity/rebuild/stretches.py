"""A crawl file in stretches that several readers take at the same time, and the proof that the stretches fit together.

A reader that begins in the middle of a file looks for the next record, and may be deceived: a page can quote a WARC
record, and a crawl can hold somebody's WARC file. So each says where its first record began and where the record
behind its last one begins; a stretch whose beginning is not the end of the one before is read again from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from posterity.rebuild.crawl_file import Stretch
from posterity.rebuild.exchange import Damage
from posterity.rebuild.record_starts import next_start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from posterity.errors import PosterityError

# Small enough that the last reader does not keep the others waiting, large enough that the search for records and the
# message about each stretch cost nothing.
STRETCH_BYTES = 32 * 1024 * 1024


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one stretch: where its first record began (None without one), and where the next one begins."""

    number: int
    stretch: Stretch
    first: int | None
    next: int | None
    answers: int = 0
    damaged: tuple[Damage, ...] = ()
    # Nothing can be read, and the file is named with the reason.
    failure: "PosterityError | None" = None


def stretches_of(path: Path, stretch_bytes: int = STRETCH_BYTES) -> list[Stretch]:
    """Return the stretches of a file; one that can only be read from its beginning is one."""
    size = path.stat().st_size
    if path.name.lower().endswith((".wacz", ".zst")) or size <= stretch_bytes:
        return [Stretch(str(path))]
    begins = range(0, size, stretch_bytes)
    return [Stretch(str(path), begin, begin + stretch_bytes) for begin in begins]


def first_record(stretch: Stretch) -> int | None:
    """Return where the first record of a stretch begins, or None when none seems to."""
    if not stretch.begin:
        return 0
    with Path(stretch.path).open("rb") as stream:
        place = next_start(stream, stretch.begin - 1)
    return place if place is not None and (stretch.end is None or place < stretch.end) else None


def fitting(readings: Sequence[Reading], read_again: Callable[[Reading, int], Reading]) -> Iterator[Reading]:
    """Yield the readings of one file that fit together, in its order; where one does not, the stretch is read again."""
    expected: int | None = 0
    for reading in readings:
        end = reading.stretch.end
        if expected is None or (end is not None and expected >= end):
            continue  # no record really begins in it
        if reading.first != expected:
            reading = read_again(reading, expected)  # noqa: PLW2901 - the same stretch
        expected = reading.next
        yield reading
