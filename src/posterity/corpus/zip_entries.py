"""Entries of zip files that are the same whenever they are written."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_FIRST_TIME = (1980, 1, 1, 0, 0, 0)  # zip files know none before


def zip_entry(path: str, made_at: datetime, *, packed: bool = True) -> zipfile.ZipInfo:
    """Return an entry for a file of this name and time; what is not packed can be read from its middle."""
    entry = zipfile.ZipInfo(path, date_time=max(made_at.timetuple()[:6], _FIRST_TIME))
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    entry.external_attr = 0o644 << 16
    return entry
