"""One WARC 1.1 file, a gzip member a record, with the raw pages and in conversion records what was made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from posterity.corpus.warc_copy import copied_records

if TYPE_CHECKING:
    from posterity.corpus.source import Source

_NAME = "posterity.warc.gz"


def write_warc(source: Source, out: BinaryIO) -> None:
    """Write the records; they are compressed one by one, whatever the file is called."""
    out.writelines(copy.content for copy in copied_records(source, _NAME))
