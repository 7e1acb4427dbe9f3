"""What an EPUB says of itself: its package document, its table of contents, its container."""

from __future__ import annotations

import tempfile
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Self

from posterity.corpus.dates import utc_stamp
from posterity.corpus.language_tag import is_language_tag
from posterity.corpus.xml_text import attributes, element, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from posterity.corpus.source import Source
    from posterity.model import Post

_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://posterity.example/epub")
_SHOWN_AUTHORS = 20
# EPUB 3.2 asks for something to show where a reader does not know a newer type of picture; 3.3 knows WebP.
_NEEDS_FALLBACK = ("image/webp", "image/avif")


class BookParts:
    """Collects what the tables of contents list, in temporary files until the book is complete."""

    container = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
    )
    no_picture = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40" viewBox="0 0 160 40">'
        '<rect width="160" height="40" fill="#eee"/></svg>\n'
    )

    def __init__(self, source: Source) -> None:
        self._source = source
        self._manifest, self._spine, self._nav = (_temporary() for _ in range(3))
        self._authors: Counter[str] = Counter()
        self._year: str | None = None
        self._pictures = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._manifest, self._spine, self._nav):
            file.close()

    def add_post(self, post: Post, item_id: str, title: str) -> None:
        """List a chapter."""
        about = attributes(id=item_id, href=f"posts/{item_id}.xhtml")
        self._manifest.write(f'<item{about} media-type="application/xhtml+xml"/>\n')
        self._spine.write(f'<itemref idref="{item_id}"/>\n')
        year = f"{post.published:%Y}" if post.published else "Undated"
        if year != self._year:
            self._nav.write(("</ol></li>\n" if self._year else "") + f"<li><span>{year}</span><ol>\n")
            self._year = year
        self._nav.write(f'<li><a href="posts/{item_id}.xhtml">{written(title)}</a></li>\n')
        self._authors.update(post.authors)

    def add_picture(self, name: str, mime: str) -> None:
        """List a picture."""
        self._pictures += 1
        fallback = ' fallback="no-picture"' if mime in _NEEDS_FALLBACK else ""
        about = attributes(id=f"m{self._pictures}", href=f"media/{name}")
        self._manifest.write(f'<item{about} media-type="{mime}"{fallback}/>\n')

    def nav(self) -> Iterator[str]:
        """Yield the table of contents."""
        title = written(self._source.title)
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        yield '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\n'
        yield f'<head><title>{title}</title></head>\n<body><nav epub:type="toc" id="toc"><h1>{title}</h1><ol>\n'
        yield f'<li><a href="title.xhtml">{title}</a></li>\n'
        yield from _again(self._nav)
        yield ("</ol></li>\n" if self._year else "") + "</ol></nav></body></html>\n"

    def package(self) -> Iterator[str]:
        """Yield the package document."""
        source = self._source
        name = " ".join([*(blog.id for blog in source.blogs), source.title, str(self._authors.total())])
        language = source.language if source.language and is_language_tag(source.language) else "und"
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">\n'
        yield '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        yield element("dc:identifier", f"urn:uuid:{uuid.uuid5(_IDS, name)}", id="id") + "\n"
        yield element("dc:title", source.title) + "\n"
        yield element("dc:language", language) + "\n"
        for author, _ in sorted(self._authors.items(), key=lambda pair: (-pair[1], pair[0]))[:_SHOWN_AUTHORS]:
            if author.strip():
                yield element("dc:creator", author.strip()) + "\n"
        yield from (element("dc:source", blog.url) + "\n" for blog in source.blogs)
        yield f'<meta property="dcterms:modified">{utc_stamp(source.made_at)}</meta>\n</metadata>\n<manifest>\n'
        yield '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
        yield '<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>\n'
        yield '<item id="style" href="style.css" media-type="text/css"/>\n'
        yield '<item id="no-picture" href="no-picture.svg" media-type="image/svg+xml"/>\n'
        yield from _again(self._manifest)
        yield '</manifest>\n<spine>\n<itemref idref="title"/>\n'
        yield from _again(self._spine)
        yield "</spine>\n</package>\n"


def _temporary() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _again(file: IO[str]) -> Iterator[str]:
    file.seek(0)
    yield from file
