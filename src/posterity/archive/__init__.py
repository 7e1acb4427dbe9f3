"""The archive: records in SQLite or PostgreSQL, raw pages in WARC files, media by their digest."""

from posterity.archive.archive import Archive
from posterity.archive.blogs import Seen
from posterity.archive.captures import Capture
from posterity.archive.history import Event, History, Outcome, Revision, Tombstone
from posterity.archive.opening import open_archive
from posterity.archive.search import ArchiveHit, Filters, Snippet
from posterity.archive.takedowns import Forgotten
from posterity.archive.warc_writer import WarcWriter

__all__ = [
    "Archive", "ArchiveHit", "Capture", "Event", "Filters", "Forgotten", "History", "Outcome", "Revision", "Seen",
    "Snippet", "Tombstone", "WarcWriter", "open_archive",
]  # fmt: skip
