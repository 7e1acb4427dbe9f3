"""The format `csv`: CSV (RFC 4180, UTF-8) with one row per post, for spreadsheets, R and pandas.

Several authors, tags or categories share a cell, separated by a semicolon and a space. The last two columns contain
the media and the comments with all fields, as JSON.

A spreadsheet runs a cell that starts with =, +, -, @, a tab or a carriage return as a formula, and these texts were
written by strangers. Such cells are prefixed with an apostrophe, unless `--raw-cells` is given. A cell that starts like
that after apostrophes of its own gets one more, so that `original_cell` can restore every text.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime
from typing import BinaryIO

import msgspec

from posterity.archive.tables import BLOG_COLUMNS
from posterity.export.selection import Source, written_date
from posterity.model import Post

COLUMNS = (
    "id", "url", "canonical_url", "blog", "title", "authors", "published", "modified", "language",
    "language_declared", "tags", "categories", "license", "summary", "text", "media", "links", "revision",
    "comment_count", "media_details", "comments", "subtitle", "series", "cover", "reading_minutes",
)  # fmt: skip

# East Asian spreadsheets treat full-width forms alike; some spreadsheets skip leading spaces.
_FORMULA = re.compile(r"'*[ \u00a0\u3000]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def write_csv(source: Source, out: BinaryIO) -> None:
    """Write the header, then the posts."""
    line = io.StringIO()
    rows = csv.writer(line, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for post in source.posts:
        cells = _cells(post)
        rows.writerow(cells if source.raw_cells else [_safe_cell(cell) for cell in cells])
        out.write(_drain(line))
    out.write(_drain(line))


def blogs_beside(source: Source, name: str) -> dict[str, bytes]:  # noqa: ARG001 - as every `Format.beside`
    """Return the table of blogs, which is written beside the posts, by the extension of its name."""
    line = io.StringIO()
    rows = csv.writer(line, lineterminator="\r\n")
    rows.writerow(BLOG_COLUMNS)
    for blog in source.blogs:
        values = [getattr(blog, column) for column in BLOG_COLUMNS]
        cells = [value.isoformat() if isinstance(value, datetime) else value for value in values]
        rows.writerow(cells if source.raw_cells else [_safe_cell(cell) for cell in cells])
    return {".blogs.csv": _drain(line)}


def _cells(post: Post) -> list[str | int | None]:
    return [
        post.id, post.url, post.canonical_url, post.blog, post.title, "; ".join(post.authors),
        written_date(post.published, post.published_precision), written_date(post.modified, None), post.language,
        post.language_declared, "; ".join(post.tags), "; ".join(post.categories), post.license, post.summary,
        post.text, " ".join(medium.url for medium in post.media), " ".join(post.links), post.revision,
        len(post.comments), msgspec.json.encode(post.media).decode() if post.media else "",
        msgspec.json.encode(post.comments).decode() if post.comments else "", post.subtitle, post.series, post.cover,
        post.reading_minutes,
    ]  # fmt: skip


def _safe_cell(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def original_cell(cell: str) -> str:
    """Return the original text of a cell that was written without `--raw-cells`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell


def _drain(line: io.StringIO) -> bytes:
    """Return and remove the content of the buffer, without NUL, which some readers treat as the end of the file."""
    text = line.getvalue().replace("\x00", "")
    line.seek(0)
    line.truncate()
    return text.encode("utf-8", "replace")
