"""Entries of zip files that are the same whenever they are written."""

from __future__ import annotations

import struct
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_FIRST_TIME = (1980, 1, 1, 0, 0, 0)  # zip files know none before
_TIME_FIELD, _MODIFIED, _LAST_SECOND = 0x5455, 1, 2**31 - 1  # Info-ZIP's extended timestamp


def zip_entry(path: str, made_at: datetime, *, packed: bool = True) -> zipfile.ZipInfo:
    """Return an entry for a file of this name and time; what is not packed can be read from its middle."""
    entry = zipfile.ZipInfo(path, date_time=max(made_at.timetuple()[:6], _FIRST_TIME))
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    entry.external_attr = 0o644 << 16
    return entry


def with_time_field(entry: zipfile.ZipInfo, made_at: datetime) -> zipfile.ZipInfo:
    """Return the entry with its time in UTC as an extra field, in front of the file and in the table of contents.

    ReplayWeb.page takes an entry without extra fields in the table for one without any in front of the file, where
    Python puts one for large files; it then reads every file from the wrong place.
    """
    seconds = min(max(int(made_at.timestamp()), 0), _LAST_SECOND)
    entry.extra = struct.pack("<HHBl", _TIME_FIELD, 5, _MODIFIED, seconds)
    return entry
