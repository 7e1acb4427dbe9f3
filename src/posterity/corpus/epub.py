"""EPUB 3: a book of posts in the order of their time, with their pictures and comments inside.

One book; `--split blog` or `--split year` makes one for each. Links between its posts stay in the book.
"""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

from posterity.corpus.article_reader import blocks_of
from posterity.corpus.disk_map import DiskMap
from posterity.corpus.epub_package import BookParts
from posterity.corpus.image_types import ending_of, image_type
from posterity.corpus.language_tag import is_language_tag
from posterity.corpus.post_spool import spooled
from posterity.corpus.source import blog_title
from posterity.corpus.strict_address import web_address
from posterity.corpus.xhtml_body import XhtmlWriter
from posterity.corpus.xml_text import attributes, written
from posterity.corpus.zip_entries import zip_entry
from posterity.urls import place_key

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.corpus.source import Source
    from posterity.model import Comment, Media, Post

_UNTITLED = "Without a title"
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml"{about}>
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="{up}style.css"/></head>
<body>
{body}
</body>
</html>
"""
_STYLE = """body { line-height: 1.4 } img { max-width: 100% } pre { white-space: pre-wrap }
.about, .comment .about { color: #555; font-size: 0.9em } .comment { margin: 1em 0 1em 1em }
"""


def write_epub(source: Source, out: Path) -> None:
    """Write the book; the posts are read twice, since a post may link to a later one."""
    with zipfile.ZipFile(out, "w", allowZip64=True) as package, BookParts(source) as parts:
        book = _Book(package, parts, source)
        book.begin()
        with spooled(source.posts) as posts, book.places:
            for number, post in enumerate(posts, 1):
                book.places.add(place_key(post.url), f"p{number}.xhtml")
                book.places.add(place_key(post.canonical_url or post.url), f"p{number}.xhtml")
            for number, post in enumerate(posts, 1):
                book.add(post, f"p{number}")
        book.end()


class _Book:
    """A zip file that grows chapter by chapter."""

    def __init__(self, package: zipfile.ZipFile, parts: BookParts, source: Source) -> None:
        self._zip, self._parts, self._source = package, parts, source
        self.places = DiskMap()

    def begin(self) -> None:
        """Write what comes before the posts; the type of the whole must be its first file, and not compressed."""
        self._write("mimetype", "application/epub+zip", packed=False)
        self._write("META-INF/container.xml", self._parts.container)
        self._write("EPUB/style.css", _STYLE)
        self._write("EPUB/no-picture.svg", self._parts.no_picture)
        links = "".join(f"<p>{written(blog_title(blog))}<br/>{written(blog.url)}</p>\n" for blog in self._source.blogs)
        body = f"<h1>{written(self._source.title)}</h1>\n{links}<p>{self._source.made_at:%Y-%m-%d}</p>"
        self._write("EPUB/title.xhtml", self._page(self._source.title, body, self._source.language, up=""))

    def add(self, post: Post, item_id: str) -> None:
        """Write one post."""
        pictures = {medium.url: place for medium in post.media if (place := self._picture(medium))}
        writer = XhtmlWriter(self._chapter, pictures.get)
        title = " ".join((post.title or _UNTITLED).split())
        parts = [
            f"<h1>{written(title)}</h1>",
            f'<p class="about">{_about(post)}</p>',
            writer.blocks(blocks_of(post.html, post.text)),
            _comments(post, writer),
        ]
        page = self._page(title, "\n".join(filter(None, parts)), post.language, up="../")
        self._write(f"EPUB/posts/{item_id}.xhtml", page)
        self._parts.add_post(post, item_id, title)

    def end(self) -> None:
        """Write the tables of contents."""
        for path, pieces in (("EPUB/nav.xhtml", self._parts.nav()), ("EPUB/package.opf", self._parts.package())):
            with self._zip.open(self._entry(path), "w") as out:
                out.writelines(piece.encode() for piece in pieces)

    def _chapter(self, url: str) -> str | None:
        """Where a post is; without the fragment, since the place on the page may be gone."""
        return self.places[place_key(url)] if url.startswith(("http://", "https://")) else None

    def _picture(self, medium: Media) -> str | None:
        """Put a picture into the book, once, and return where it is; None when it is none or not in the archive."""
        if not medium.file:
            return None
        file = self._source.archive.media_path(medium.file)
        mime = image_type(file)
        if mime is None:
            return None
        name = f"{file.stem}{ending_of(mime)}"
        if self.places.add(f"picture {name}", name):
            entry = self._entry(f"EPUB/media/{name}", packed=False)
            with self._zip.open(entry, "w", force_zip64=True) as out, file.open("rb") as stream:
                shutil.copyfileobj(stream, out)
            self._parts.add_picture(name, mime)
        return f"../media/{name}"

    def _page(self, title: str, body: str, language: str | None, *, up: str) -> str:
        tag = language if is_language_tag(language) else None
        about = attributes(xml__lang=tag, lang=tag)
        return _PAGE.format(about=about, title=written(title) or _UNTITLED, up=up, body=body)

    def _write(self, path: str, content: str, *, packed: bool = True) -> None:
        self._zip.writestr(self._entry(path, packed=packed), content.encode())

    def _entry(self, path: str, *, packed: bool = True) -> zipfile.ZipInfo:
        return zip_entry(path, self._source.made_at, packed=packed)


def _about(post: Post) -> str:
    facts = [written(", ".join(post.authors)), f"{post.published:%Y-%m-%d}" if post.published else ""]
    link = web_address(post.url)
    facts.append(f"<a{attributes(href=link)}>{written(post.url)}</a>" if link else written(post.url))
    return " · ".join(filter(None, facts))


def _comments(post: Post, writer: XhtmlWriter) -> str:
    if not post.comments:
        return ""
    places = {comment.id: f"c{number}" for number, comment in reversed([*enumerate(post.comments, 1)])}
    parts = [f"<h2>{len(post.comments)} comment{'s' if len(post.comments) > 1 else ''}</h2>"]
    for number, comment in enumerate(post.comments, 1):
        parts.append(f'<div class="comment" id="c{number}">{_about_comment(comment, places.get(comment.parent or ""))}')
        parts.append(writer.blocks(blocks_of(comment.html, comment.text)) + "</div>")
    return f"<section>{chr(10).join(parts)}</section>"


def _about_comment(comment: Comment, answers: str | None) -> str:
    facts = [written(comment.author or ""), f"{comment.published:%Y-%m-%d %H:%M}" if comment.published else ""]
    facts.append(f'<a href="#{answers}">in reply</a>' if answers else "")
    shown = " · ".join(filter(None, facts))
    return f'<p class="about">{shown}</p>' if shown else ""
