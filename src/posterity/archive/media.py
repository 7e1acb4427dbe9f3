"""Media files: images, audio and documents, each stored once under its digest."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import re
import uuid
from datetime import datetime
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from sqlalchemy import Connection, select

from posterity.archive.database import add_rows, date_key, translated
from posterity.archive.folder import Folder
from posterity.archive.schema import media, post_media, posts
from posterity.model import Media

_ENDING = re.compile(r"\.[a-z0-9]{1,5}")
# `mimetypes` differs from machine to machine, but file names must be the same everywhere.
_ENDINGS = {
    "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
    "image/avif": ".avif", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "video/mp4": ".mp4", "video/webm": ".webm",
    "application/pdf": ".pdf",
}  # fmt: skip


def media_of(content: bytes, mime: str | None, url: str) -> Media:
    """Return the entry of a medium; its file is its digest with the extension of its type, or else of its URL."""
    digest = hashlib.sha256(content).hexdigest()
    plain = mime.partition(";")[0].strip().lower() if mime else None
    file = f"{digest[:2]}/{digest[2:]}{_ending(plain, url)}"
    return Media(url=url, file=file, digest=f"sha256:{digest}", mime=plain or None)


def write_media_row(connection: Connection, medium: Media, size: int, stored_at: datetime) -> None:
    """Store the row of a medium, unless its bytes are known."""
    row = {"digest": medium.digest, "file": medium.file, "mime": medium.mime, "bytes": size, "url": medium.url}
    add_rows(connection, media, [row | {"stored_at": date_key(stored_at)}])


def known_file(connection: Connection, medium: Media) -> str | None:
    """Return the file in which the same bytes are stored, perhaps with the extension of another type, or None."""
    return connection.scalar(select(media.c.file).where(media.c.digest == medium.digest))


def missing_media(connection: Connection, blog_id: str | None) -> list[tuple[str, str]]:
    """Return the post and URL of every media file of a post that is not in the archive."""
    query = select(posts.c.url, post_media.c.url).join_from(post_media, posts).where(post_media.c.digest.is_(None))
    if blog_id is not None:
        query = query.where(posts.c.blog_id == blog_id)
    ordered = query.order_by(posts.c.published, posts.c.id, post_media.c.position)
    return [(post, medium) for post, medium in connection.execute(ordered)]


def write_media_file(folder: Folder, medium: Media, content: bytes) -> None:
    """Write the file unless it exists; a crash does not leave a partial file under its name."""
    path = media_file(folder, medium.file or "")
    with translated(str(path)):
        if path.exists() and path.stat().st_size == len(content):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not mkstemp, whose files other users cannot read.
        growing = path.with_name(f".{uuid.uuid4().hex}")
        try:
            with growing.open("xb") as out:
                out.write(content)
                out.flush()
                os.fdatasync(out.fileno())
            growing.replace(path)
        except BaseException:
            growing.unlink(missing_ok=True)
            raise


def media_file(folder: Folder, file: str) -> Path:
    """Return the path of a medium; a name that points outside the folder raises `NotInArchive`."""
    return folder.inside(folder.media, file)


def _ending(mime: str | None, url: str) -> str:
    if mime in _ENDINGS:
        return _ENDINGS[mime]
    ending = PurePosixPath(urlsplit(url).path).suffix.lower()
    if _ENDING.fullmatch(ending):
        return ending
    return (mimetypes.guess_extension(mime) or "") if mime else ""
