"""The door to fastwarc: version 1.1 warns about names of its own when it is imported, and nobody here can help that."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.stream_io import BrotliReader, ZstdReader
    from fastwarc.warc import ArchiveIterator, WarcRecord

__all__ = ["ArchiveIterator", "BrotliReader", "WarcRecord", "ZstdReader"]
