"""The segments of a WARC file, without gaps: whole records, damage, and a truncated end."""

from __future__ import annotations

import gzip
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from posterity.archive.warc_reader import members

RECORDS = [
    gzip.compress(b"WARC/1.1\r\n" + bytes([65 + number]) * 3000 + bytes(range(256)) * number, mtime=0)
    for number in range(4)
]
WHOLE = b"".join(RECORDS)


def states(content: bytes) -> list[str]:
    return [member.state for member in members(BytesIO(content))]


def test_a_whole_file_is_its_records() -> None:
    found = list(members(BytesIO(WHOLE)))
    assert [member.length for member in found] == [len(record) for record in RECORDS]
    assert [member.content for member in found] == [gzip.decompress(record) for record in RECORDS]


def test_an_empty_file_has_no_records() -> None:
    assert states(b"") == []


@given(st.integers(1, len(WHOLE) - 1))
def test_a_file_cut_anywhere_is_whole_up_to_one_cut_record(end: int) -> None:
    found = states(WHOLE[:end])
    assert set(found[:-1]) <= {"whole"}
    assert found[-1] in ("whole", "cut")


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_damage_anywhere_leaves_no_gap_and_ends(place: int, change: int) -> None:
    content = bytearray(WHOLE)
    content[place] ^= change
    found = list(members(BytesIO(bytes(content))))
    assert sum(member.length for member in found) == len(content)
    assert sum(member.state == "whole" for member in found) >= 2


def test_a_record_whose_damaged_header_asks_for_all_the_rest_hides_no_record_behind_it() -> None:
    content = bytearray(WHOLE)
    flags = len(RECORDS[0]) + 3
    content[flags] |= 4  # an extra field of any length follows the header
    assert states(bytes(content)) == ["whole", "damaged", "whole", "whole"]


@given(st.binary(max_size=300))
def test_any_bytes_can_be_scanned(content: bytes) -> None:
    assert sum(member.length for member in members(BytesIO(content))) == len(content)
