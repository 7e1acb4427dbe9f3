"""After damage, reading continues at the next record."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest

from posterity.importer.crawl_file import end_of_record, next_start

HEAD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\n"
RECORD = HEAD + b"salt!\r\n\r\n"
ARC = b"http://x.example/ 127.0.0.1 20100102030405 text/html 5\nsalt!\n"


@pytest.mark.parametrize("record", [RECORD, ARC])
def test_next_packed_record_is_found(record: bytes) -> None:
    packed = gzip.compress(record)
    stream = BytesIO(packed + b"\x1f\x8b\x08 damage" + packed)
    assert next_start(stream, len(packed)) == len(packed) + 10
    assert end_of_record(stream, 0) == len(packed)


def test_next_plain_record_is_found() -> None:
    stream = BytesIO(RECORD + b"XXXX/1.0 damage\r\n\r\n" + RECORD)
    assert end_of_record(stream, 0) == len(RECORD)
    assert next_start(stream, len(RECORD)) == len(RECORD) + 19


def test_mark_on_the_border_of_two_reads_is_found() -> None:
    packed = gzip.compress(RECORD)
    for before in range(256 * 1024 - 3, 256 * 1024 + 2):
        assert next_start(BytesIO(packed + bytes(before) + packed), len(packed)) == len(packed) + before


def test_end_is_the_end() -> None:
    assert next_start(BytesIO(gzip.compress(RECORD)), 0) is None
    assert next_start(BytesIO(b"\x28\xb5\x2f\xfd packed otherwise" + RECORD), 0) is None
