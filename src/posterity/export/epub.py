"""The format `epub`: an EPUB 3 book of posts in chronological order, with images and comments.

`--split blog` or `--split year` writes several books. Links between posts of a book point into the book.
"""

from __future__ import annotations

import shutil
import tempfile
import textwrap
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from posterity.dom.formulas import Formula, mathml_of
from posterity.export import article
from posterity.export.clean_up import is_language_tag
from posterity.export.files import zip_entry
from posterity.export.media_paths import image_extension, image_type, is_small_image
from posterity.export.selection import Source, blog_title, utc_stamp
from posterity.export.temporary import DiskMap, spool_posts
from posterity.export.xml import attributes, element, strict_web_url, xml_text
from posterity.model import Media, Post
from posterity.text.normal_form import count_of
from posterity.text.search_words import name_order
from posterity.urls import place_key

Inside = Callable[[str], str | None]

# A seed, not a link: a different one would change the ids of books, and readers would show a new export as a new book.
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://posterity.example/epub")
# EPUB 3.2 requires a fallback for these image types; 3.3 includes WebP.
_NEEDS_FALLBACK = ("image/webp", "image/avif")


def _from_start(file: IO[str]) -> Iterator[str]:
    file.seek(0)
    yield from file


_TAGS = {
    "bold": "strong", "italic": "em", "code": "code", "deleted": "del", "inserted": "ins", "sub": "sub", "sup": "sup",
    "quote": "q",
}  # fmt: skip
_NO_ALT = "picture"


class XhtmlWriter:
    """Writes blocks as XHTML; `post` and `picture` return the path of a post or an image in the book.

    Images whose paths are in `small` (smileys) are shown at the height of the line.
    """

    def __init__(
        self, post: Inside, picture: Inside, first_level: int = 2, *, small: AbstractSet[str] = frozenset()
    ) -> None:
        self._post, self._picture, self._first_level, self._small = post, picture, first_level, small
        self.has_formulas = False  # whether MathML was written

    def blocks(self, blocks: tuple[article.Block, ...]) -> str:
        """Return the blocks as XHTML."""
        return "\n".join(map(self._block, blocks))

    def _block(self, block: article.Block) -> str:
        match block:
            case article.Heading():
                level = min(6, block.level - 1 + self._first_level)
                return f'<h{level} dir="auto">{self._line(block.line)}</h{level}>'
            case article.Paragraph():
                return f'<p dir="auto">{self._line(block.line)}</p>'
            case article.Code():
                return f"<pre><code>{xml_text(block.text)}</code></pre>"
            case article.HorizontalRule():
                return "<hr/>"
            case article.Quote():
                return f"<blockquote>{self.blocks(block.blocks)}</blockquote>"
            case article.Note():
                about = attributes(epub__type="footnote", id=block.id)
                return f"<aside{about}>{self.blocks(block.blocks)}</aside>"
            case article.Items():
                tag = "ol" if block.ordered else "ul"
                items = (f'<li dir="auto">{self.blocks(item)}</li>' for item in block.items)
                return f"<{tag}>{''.join(items)}</{tag}>"
            case article.ArticleTable():
                rows = ("".join(f'<td dir="auto">{self._line(cell)}</td>' for cell in row) for row in block.rows)
                return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _line(self, line: article.Line) -> str:
        return article.marked_text(line, self._piece, self._tags)

    def _piece(self, piece: article.Piece) -> str:
        if isinstance(piece, article.Break):
            return "<br/>"
        if not isinstance(piece, article.ArticleImage):
            return self._formula(piece.text) if article.Mark("formula") in piece.marks else xml_text(piece.text)
        place = self._picture(piece.url) if piece.tag == "img" else None
        if place is not None:
            kind = "smiley" if place in self._small else None
            return f'<img{attributes(src=place, class_=kind)} alt="{xml_text(piece.alt).replace(chr(34), "&quot;")}"/>'
        shown = xml_text(f"[{piece.alt or (_NO_ALT if piece.tag == 'img' else piece.tag)}]")
        link = strict_web_url(piece.url)
        in_link = any(mark.kind == "link" for mark in piece.marks)
        return f"<a{attributes(href=link)}>{shown}</a>" if link and not in_link else shown

    def _formula(self, in_dollars: str) -> str:
        """Return the formula as MathML, or as TeX between dollars if it cannot be converted."""
        display = in_dollars.startswith("$$")
        math = mathml_of(Formula(in_dollars.strip("$"), display))
        self.has_formulas = self.has_formulas or math is not None
        return math or xml_text(in_dollars)

    def _tags(self, mark: article.Mark) -> tuple[str, str]:
        if mark.kind == "formula":
            return '<span class="formula">', "</span>"
        if mark.kind == "note":
            return f"<a{attributes(epub__type='noteref', href=mark.url)}>", "</a>"
        if mark.kind != "link":
            return f"<{_TAGS[mark.kind]}>", f"</{_TAGS[mark.kind]}>"
        link = self._post(mark.url or "") or strict_web_url(mark.url or "")
        return (f"<a{attributes(href=link)}>", "</a>") if link else ("<span>", "</span>")


_UNTITLED = "Without a title"
_CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)
_NO_PICTURE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40" viewBox="0 0 160 40">'
    '<rect width="160" height="40" fill="#eee"/></svg>\n'
)
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"{about}>
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="{up}style.css"/></head>
<body dir="auto">
{body}
</body>
</html>
"""
_STYLE = """body { line-height: 1.4 } img { max-width: 100% } pre { white-space: pre-wrap }
img.smiley { height: 1em; width: auto; vertical-align: -0.1em }
.about { color: #555; font-size: 0.9em }
.comments { margin-top: 3em; border-top: 1px solid #999; font-size: 0.95em }
.comment { margin: 1em 0; padding-inline-start: 1em; border-inline-start: 3px solid #ccc }
.comment.reply { margin-inline-start: 1.5em }
"""


def write_epub(source: Source, out: Path) -> None:
    """Write the book. The posts are read twice, because a post may link to a later one."""
    with ExitStack() as stack:
        package = stack.enter_context(zipfile.ZipFile(out, "w", allowZip64=True))
        files = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(3)]
        book = _Book(package, source, files, stack.enter_context(DiskMap()))
        book.begin()
        posts = stack.enter_context(spool_posts(source.posts))
        for number, post in enumerate(posts, 1):
            book.places.add(place_key(post.url), f"p{number}.xhtml")
            book.places.add(place_key(post.canonical_url or post.url), f"p{number}.xhtml")
        for number, post in enumerate(posts, 1):
            book.add(post, f"p{number}")
        book.end()


class _Book:
    """The zip file of a book; the entries of manifest, spine and table of contents are kept in temporary files."""

    def __init__(self, package: zipfile.ZipFile, source: Source, files: Sequence[IO[str]], places: DiskMap) -> None:
        self._zip, self._source, self.places = package, source, places
        self._manifest, self._spine, self._nav = files
        self._authors: Counter[str] = Counter()
        self._year: str | None = None
        self._pictures = 0
        self._small: set[str] = set()

    def begin(self) -> None:
        """Write the files before the posts; `mimetype` must be the first, and not compressed."""
        self._write("mimetype", "application/epub+zip", packed=False)
        self._write("META-INF/container.xml", _CONTAINER)
        self._write("EPUB/style.css", _STYLE)
        self._write("EPUB/no-picture.svg", _NO_PICTURE)
        self._write("EPUB/cover.svg", _cover(self._source))
        named = ((xml_text(blog_title(blog)), xml_text(blog.url)) for blog in self._source.blogs)
        links = "".join(f"<p>{title}<br/>{url}</p>\n" for title, url in named)
        body = f"<h1>{xml_text(self._source.title)}</h1>\n{links}<p>{self._source.made_at:%Y-%m-%d}</p>"
        self._write("EPUB/title.xhtml", self._page(self._source.title, body, self._source.language, up=""))

    def add(self, post: Post, item_id: str) -> None:
        """Write one post."""
        pictures = {medium.url: place for medium in post.media if (place := self._picture(medium))}
        writer = XhtmlWriter(self._chapter, pictures.get, small=self._small)
        title = " ".join((post.title or _UNTITLED).split())
        parts = [
            f"<h1>{xml_text(title)}</h1>",
            f'<p class="about">{_about(post)}</p>',
            writer.blocks(article.blocks_of(post.html, post.text)),
            _comments(post, writer),
        ]
        page = self._page(title, "\n".join(filter(None, parts)), post.language, up="../")
        self._write(f"EPUB/posts/{item_id}.xhtml", page)
        properties = "mathml" if writer.has_formulas else None
        about = attributes(id=item_id, href=f"posts/{item_id}.xhtml", properties=properties)
        self._manifest.write(f'<item{about} media-type="application/xhtml+xml"/>\n')
        self._spine.write(f'<itemref idref="{item_id}"/>\n')
        year = f"{post.published:%Y}" if post.published else "Undated"
        if year != self._year:
            self._nav.write(("</ol></li>\n" if self._year else "") + f"<li><span>{year}</span><ol>\n")
            self._year = year
        self._nav.write(f'<li><a href="posts/{item_id}.xhtml">{xml_text(title)}</a></li>\n')
        self._authors.update(post.authors)

    def end(self) -> None:
        """Write the tables of contents."""
        for path, pieces in (("EPUB/nav.xhtml", self._contents()), ("EPUB/package.opf", self._package())):
            with self._zip.open(self._entry(path), "w") as out:
                out.writelines(piece.encode() for piece in pieces)

    def _contents(self) -> Iterator[str]:
        title = xml_text(self._source.title)
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        yield '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\n'
        yield f"<head><title>{title}</title></head>\n"
        yield f'<body dir="auto"><nav epub:type="toc" id="toc"><h1>{title}</h1><ol>\n'
        yield f'<li><a href="title.xhtml">{title}</a></li>\n'
        yield from _from_start(self._nav)
        yield ("</ol></li>\n" if self._year else "") + "</ol></nav></body></html>\n"

    def _package(self) -> Iterator[str]:
        source = self._source
        name = " ".join([*(blog.id for blog in source.blogs), source.title, str(self._authors.total())])
        language = source.language if source.language and is_language_tag(source.language) else "und"
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">\n'
        yield '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        yield element("dc:identifier", f"urn:uuid:{uuid.uuid5(_IDS, name)}", id="id") + "\n"
        yield element("dc:title", source.title) + "\n"
        yield element("dc:language", language) + "\n"
        for author in sorted(self._authors, key=lambda name: (-self._authors[name], name_order(name)))[:20]:
            if author.strip():
                yield element("dc:creator", author.strip()) + "\n"
        yield from (element("dc:source", blog.url) + "\n" for blog in source.blogs)
        yield f'<meta property="dcterms:modified">{utc_stamp(source.made_at)}</meta>\n</metadata>\n<manifest>\n'
        yield '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
        yield '<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>\n'
        yield '<item id="cover" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>\n'
        yield '<item id="style" href="style.css" media-type="text/css"/>\n'
        yield '<item id="no-picture" href="no-picture.svg" media-type="image/svg+xml"/>\n'
        yield from _from_start(self._manifest)
        yield '</manifest>\n<spine>\n<itemref idref="title"/>\n'
        yield from _from_start(self._spine)
        yield "</spine>\n</package>\n"

    def _chapter(self, url: str) -> str | None:
        """Return the path of a post without the fragment, whose target may not be in the book."""
        return self.places[place_key(url)] if url.startswith(("http://", "https://")) else None

    def _picture(self, medium: Media) -> str | None:
        """Add an image to the book, once, and return its path; None if it is not an image or not in the archive."""
        if not medium.file:
            return None
        file = self._source.archive.media_path(medium.file)
        if (mime := image_type(file)) is None:
            return None
        name = f"{file.stem}{image_extension(mime)}"
        if self.places.add(f"picture {name}", name):
            entry = self._entry(f"EPUB/media/{name}", packed=False)
            with self._zip.open(entry, "w", force_zip64=True) as out, file.open("rb") as stream:
                shutil.copyfileobj(stream, out)
            self._pictures += 1
            fallback = ' fallback="no-picture"' if mime in _NEEDS_FALLBACK else ""
            about = attributes(id=f"m{self._pictures}", href=f"media/{name}")
            self._manifest.write(f'<item{about} media-type="{mime}"{fallback}/>\n')
        if is_small_image(file):
            self._small.add(f"../media/{name}")
        return f"../media/{name}"

    def _page(self, title: str, body: str, language: str | None, *, up: str) -> str:
        tag = language if is_language_tag(language) else None
        about = attributes(xml__lang=tag, lang=tag)
        return _PAGE.format(about=about, title=xml_text(title) or _UNTITLED, up=up, body=body)

    def _write(self, path: str, content: str, *, packed: bool = True) -> None:
        self._zip.writestr(self._entry(path, packed=packed), content.encode())

    def _entry(self, path: str, *, packed: bool = True) -> zipfile.ZipInfo:
        return zip_entry(path, self._source.made_at, packed=packed)


_COVER = """<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800">
<rect width="600" height="800" fill="#1f3a5f"/><rect x="30" y="30" width="540" height="740" fill="none" stroke="#fff"/>
<g fill="#fff" font-family="serif" text-anchor="middle">{lines}<text x="300" y="720" font-size="24">{below}</text></g>
</svg>
"""
_COVER_CHARS, _COVER_LINES = 18, 7


def _cover(source: Source) -> str:
    """Return the cover: the title, and the host of the blog or the number of blogs."""
    lines = textwrap.wrap(source.title, _COVER_CHARS, max_lines=_COVER_LINES, placeholder=" …") or [""]
    texts = [
        f'<text x="300" y="{240 + 64 * number}" font-size="52">{xml_text(line)}</text>'
        for number, line in enumerate(lines)
    ]
    below = urlsplit(source.blogs[0].url).netloc if len(source.blogs) == 1 else count_of(len(source.blogs), "blog")
    return _COVER.format(lines="".join(texts), below=xml_text(below))


def _about(post: Post) -> str:
    facts = [xml_text(", ".join(post.authors)), f"{post.published:%Y-%m-%d}" if post.published else ""]
    link = strict_web_url(post.url)
    facts.append(f"<a{attributes(href=link)}>{xml_text(post.url)}</a>" if link else xml_text(post.url))
    return " · ".join(filter(None, facts))


def _comments(post: Post, writer: XhtmlWriter) -> str:
    if not post.comments:
        return ""
    places = {comment.id: f"c{number}" for number, comment in reversed([*enumerate(post.comments, 1)])}
    parts = [f"<h2>{len(post.comments)} comment{'s' if len(post.comments) > 1 else ''}</h2>"]
    for number, comment in enumerate(post.comments, 1):
        replies_to = places.get(comment.parent or "")
        facts = [
            "trackback" if comment.is_trackback else "",
            xml_text(comment.author or ""),
            f"{comment.published:%Y-%m-%d %H:%M}" if comment.published else "",
        ]
        facts.append(f'<a href="#{replies_to}">in reply</a>' if replies_to else "")
        shown = " · ".join(filter(None, facts))
        about = f'<p class="about">{shown}</p>' if shown else ""
        kind = "comment reply" if comment.parent in places else "comment"
        parts.append(f'<div class="{kind}" dir="auto" id="c{number}">{about}')
        parts.append(writer.blocks(article.blocks_of(comment.html, comment.text, f"c{number}-n")) + "</div>")
    return f'<section class="comments">{chr(10).join(parts)}</section>'
