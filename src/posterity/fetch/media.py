"""Pictures, sounds, films and documents of a post: each address is asked for once, and not at all when it is kept.

What an address gave before is in the WARC files of the archive, whichever harvest fetched it; it is read from there.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from posterity.errors import ArchiveError, NotInArchive, PosterityError
from posterity.fetch.budget import MEDIA
from posterity.fetch.downloading import fetch_page
from posterity.model import Media

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from posterity.archive import Archive
    from posterity.model import Page, Post

_OK = 200
_REFUSALS = (401, 403, 404, 410)
_TIMEOUT_S = 60
# What the server says it is: pages and programs are not media, whatever their address looks like.
_KINDS = re.compile(
    r"(?:image|audio|video|font)/|application/(?:pdf|epub\+zip|postscript|rtf|msword|ogg|x-shockwave-flash|"
    r"vnd\.(?:ms-|openxmlformats|oasis|djvu|apple)|x-(?:mobipocket|tex|dvi)|zip|gzip|x-(?:tar|gzip|7z))",
    re.IGNORECASE,
)
_UNSAID = re.compile(r"application/(?:octet-stream|force-download|x-download)|binary/|$", re.IGNORECASE)
# Links of an article that lead to a file and not to a page.
_FILES = frozenset(
    ".jpg .jpeg .png .gif .webp .avif .svg .ico .tif .tiff .bmp .mp3 .ogg .oga .opus .m4a .flac .wav .mp4 .m4v .webm "
    ".ogv .mov .avi .mkv .pdf .epub .mobi .djvu .ps .doc .docx .odt .rtf .xls .xlsx .ods .ppt .pptx .odp .csv .zip .gz "
    ".tgz .7z".split()
)


def media_of_post(post: Post) -> tuple[Media, ...]:
    """Return what the article shows, and the files that it links to, each address once."""
    found = {medium.url: medium for medium in post.media}
    for url in post.links:
        if _ending(url) in _FILES:
            found.setdefault(url, Media(url=url))
    return tuple(found.values())


class MediaFetcher:
    """Brings media into the archive; posts that share a picture share the request."""

    def __init__(self, crawler: Crawler, archive: Archive) -> None:
        self.crawler, self.archive = crawler, archive
        self.max_bytes: int = crawler.settings.getint("POSTERITY_MAX_MEDIA_BYTES")
        self._asked: dict[str, asyncio.Future[Media | str]] = {}

    async def kept(self, medium: Media) -> Media | str:
        """Return the medium with its file, or why there is none."""
        if not medium.url.startswith(("http://", "https://")):
            return "no web address"
        if medium.url not in self._asked:
            self._asked[medium.url] = asyncio.ensure_future(self._brought(medium.url))
        found = await self._asked[medium.url]
        if isinstance(found, str):
            return found
        return msgspec.structs.replace(medium, file=found.file, digest=found.digest, mime=found.mime)

    async def answer(self, url: str) -> Page | str:
        """Return what the archive or else the web answers, whatever its status, or why there is no answer."""
        limits: dict[str, Any] = {
            MEDIA: True,
            "download_maxsize": self.max_bytes,
            "download_timeout": _TIMEOUT_S,
            "max_retry_times": 1,
        }
        try:
            return self._known(url) or await fetch_page(self.crawler, url, **limits)
        except NotInArchive:
            return "taken down by posterity forget"
        except ArchiveError:
            raise
        except PosterityError as problem:
            return str(problem)

    def was_refused(self, url: str) -> bool:
        """Tell whether the address is known to lead nowhere: what is mere decoration is not asked for again then."""
        capture = self.archive.earlier_response(url, None)
        return capture is not None and capture.status in _REFUSALS

    async def _brought(self, url: str) -> Media | str:
        page = await self.answer(url)
        if isinstance(page, str):
            return page
        return unwanted(page, self.max_bytes) or self.archive.put_media(page.body, page.content_type or None, url)

    def _known(self, url: str) -> Page | None:
        """The answer that the archive has from this address, if it was a good one."""
        capture = self.archive.earlier_response(url, None)
        if capture is None or capture.status != _OK:
            return None
        return self.archive.read_page(f"{capture.file}#{capture.offset}")


def unwanted(page: Page, max_bytes: int) -> str | None:
    """Return why the answer is no medium to keep, or None."""
    if page.status != _OK:
        return f"status {page.status}"
    if not page.body:
        return "empty"
    if len(page.body) > max_bytes:
        return f"{len(page.body)} bytes, more than {max_bytes}"
    kind = page.content_type.partition(";")[0].strip()
    if _KINDS.match(kind) or (_UNSAID.match(kind) and _ending(page.url) in _FILES):
        return None
    return f"its type is {kind or 'unknown'}"


def _ending(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).suffix.lower()
