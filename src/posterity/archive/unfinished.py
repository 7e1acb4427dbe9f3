"""WARC files that a killed harvest left without an end, put in order before the next one of the blog writes.

What such a harvest wrote last may be cut off, or stand in no index. The next one goes on from what the index knows, so
whatever is put right here is not asked for again, and `verify` has nothing to complain about afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.archive.cdxj import cdxj_path
from posterity.archive.repair import repair_archive
from posterity.archive.verify import is_being_written, verify_file

if TYPE_CHECKING:
    from posterity.archive.archive import Archive


def finish_files(archive: Archive, blog_id: str) -> None:
    """Repair and index those files of a blog that have no CDXJ index and that nobody is writing."""
    for path in sorted(archive.folder.warc.glob(f"{blog_id}-*.warc.gz")):
        if not cdxj_path(path).exists() and not is_being_written(path):
            repair_archive(archive, verify_file(archive, path))
