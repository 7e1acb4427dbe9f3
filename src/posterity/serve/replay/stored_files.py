"""Files that an archived page names, as far as the archive has them: where this server gives them out, and their text.

Nothing here asks the web. A file is the capture nearest in time to the page (`/memento`), or the stored medium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from posterity.archive.timemap import STAMP
from posterity.dom.encoding import decode
from posterity.errors import PosterityError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from posterity.archive import Archive
    from posterity.model import Page


class StoredFiles:
    """The files beside one page.

    `media` are names of files in the archive's folder of media, and `sheets` texts of stylesheets that somebody has
    already, both by address.
    """

    def __init__(
        self, archive: Archive | None, page: Page, media: Mapping[str, str], sheets: Mapping[str, str] | None = None
    ) -> None:
        self._archive = archive
        self._sheets = sheets or {}
        self._moment = page.fetched_at
        self._media = media
        self._captured: dict[str, bool] = {}

    def know(self, urls: Iterable[str]) -> None:
        """Look many addresses up at once, before they are asked for one by one."""
        wanted = [url for url in dict.fromkeys(urls) if url not in self._captured and url not in self._media]
        if wanted and self._archive is not None:
            found = self._archive.captured_among(wanted)
            self._captured |= {url: url in found for url in wanted}

    def address(self, url: str | None) -> str | None:
        """Return where on this server the file is, or None."""
        if url is None:
            return None
        if url in self._media:
            return f"/media/{self._media[url]}"
        self.know([url])
        if not self._captured.get(url):
            return None
        return f"/memento/{self._moment.strftime(STAMP)}/{quote(url, safe='/?&=%:;+,@!$*~[]-._')}"

    def text(self, url: str) -> str | None:
        """Return what a stored stylesheet says, or None."""
        if url in self._sheets or self._archive is None:
            return self._sheets.get(url)
        moment = self._moment.isoformat()
        found = [one for one in self._archive.captures(url) if one.status == 200 and "css" in (one.mime or "")]
        if not found:
            return None
        before = [one for one in found if one.fetched_at <= moment]
        nearest = before[-1] if before else found[0]
        try:
            stored = self._archive.read_page(f"{nearest.file}#{nearest.offset}")
        except PosterityError:  # taken down or damaged: a page without it can still be read
            return None
        return decode(stored.body, stored.content_type)[1]
