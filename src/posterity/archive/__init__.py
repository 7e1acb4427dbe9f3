"""Where harvests live: records in SQLite or PostgreSQL, raw pages in WARC files, media by their digest."""

from posterity.archive.archive import Archive
from posterity.archive.opening import open_archive
from posterity.archive.sameness import Outcome
from posterity.archive.seen import Seen
from posterity.archive.warc_writer import WarcWriter

__all__ = ["Archive", "Outcome", "Seen", "WarcWriter", "open_archive"]
