"""The format `tei`: a TEI P5 <teiCorpus> with one <TEI> per post; it validates against tei_all.

The header is like trafilatura's, with the language added. A comment is a <div type="comment">, a trackback a
<div type="trackback">; each has an xml:id, the blog's own id in `n`, a `corresp` that points to the comment it replies
to, and an <opener> with author and date.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from posterity.config import __version__
from posterity.export import article
from posterity.export.clean_up import is_language_tag
from posterity.export.selection import Source, blog_title, rfc3339, written_date
from posterity.export.xml import attributes, element, strict_url, without_invalid, xml_text
from posterity.model import Comment, Post

_TAGS = {
    "bold": ('<hi rend="bold">', "</hi>"), "italic": ('<hi rend="italic">', "</hi>"), "code": ("<code>", "</code>"),
    "deleted": ("<del>", "</del>"), "inserted": ('<hi rend="underline">', "</hi>"),
    "sub": ('<hi rend="sub">', "</hi>"), "sup": ('<hi rend="sup">', "</hi>"), "quote": ("<q>", "</q>"),
    "formula": ('<formula notation="TeX">', "</formula>"),
}  # fmt: skip


def tei_sections(blocks: tuple[article.Block, ...]) -> Iterator[str]:
    """Yield the content of an article's <div>, with a nested <div> for each heading."""
    open_levels: list[int] = []
    for block in blocks:
        if not isinstance(block, article.Heading):
            yield _block(block)
            continue
        while open_levels and open_levels[-1] >= block.level:
            open_levels.pop()
            yield "</div>"
        open_levels.append(block.level)
        yield f'<div type="section"><head>{_line(block.line)}</head>'
    yield from ("</div>" for _ in open_levels)


def _block(block: article.Block) -> str:
    match block:
        case article.Heading():
            return f'<ab type="heading">{_line(block.line)}</ab>'
        case article.Paragraph():
            return f"<p>{_line(block.line)}</p>"
        case article.Code():
            return f'<ab type="code" xml:space="preserve"><code>{xml_text(block.text)}</code></ab>'
        case article.HorizontalRule():
            return '<milestone unit="section" rend="rule"/>'
        case article.Quote():
            return f"<quote>{''.join(map(_block, block.blocks))}</quote>"
        case article.Note():
            return f"<note{attributes(xml__id=block.id, place='bottom')}>{_item(block.blocks)}</note>"
        case article.Items():
            kind = "numbered" if block.ordered else "bulleted"
            return f'<list rend="{kind}">{"".join(f"<item>{_item(item)}</item>" for item in block.items)}</list>'
        case article.ArticleTable():
            rows = ("".join(f"<cell>{_line(cell)}</cell>" for cell in row) for row in block.rows)
            return f"<table>{''.join(f'<row>{row}</row>' for row in rows)}</table>"


def _item(blocks: tuple[article.Block, ...]) -> str:
    if len(blocks) == 1 and isinstance(blocks[0], article.Paragraph):
        return _line(blocks[0].line)
    return "".join(map(_block, blocks))


def _line(line: article.Line) -> str:
    return article.marked_text(tuple(map(_with_code_inside, line)), _piece, _tags)


def _with_code_inside(piece: article.Piece) -> article.Piece:
    """Make code the innermost mark, and remove it from images and formulas: in TEI, <code> contains only text."""
    code = article.Mark("code")
    if code not in piece.marks:
        return piece
    others = tuple(mark for mark in piece.marks if mark != code)
    is_code = isinstance(piece, article.Text) and article.Mark("formula") not in others
    return msgspec.structs.replace(piece, marks=(*others, code) if is_code else others)


def _piece(piece: article.Piece) -> str:
    if isinstance(piece, article.Break):
        return "<lb/>"
    if isinstance(piece, article.ArticleImage):
        if piece.tag != "img":
            return f"<ref{attributes(type=piece.tag, target=strict_url(piece.url))}>{xml_text(piece.alt)}</ref>"
        about = f"<figDesc>{xml_text(piece.alt)}</figDesc>" if piece.alt else ""
        return f"<figure><graphic{attributes(url=strict_url(piece.url))}/>{about}</figure>"
    return xml_text(piece.text)


def _tags(mark: article.Mark) -> tuple[str, str]:
    if mark.kind == "link":
        return f"<ref{attributes(target=strict_url(mark.url or ''))}>", "</ref>"
    if mark.kind == "note":
        return f"<ref{attributes(type='noteref', target=mark.url)}>", "</ref>"
    return _TAGS[mark.kind]


NAMESPACE = "http://www.tei-c.org/ns/1.0"
_UNTITLED = "[without a title]"


def write_tei(source: Source, out: BinaryIO) -> None:
    """Write the whole corpus."""
    out.writelines(f"{line}\n".encode() for line in _corpus(source))


def _corpus(source: Source) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<teiCorpus xmlns="{NAMESPACE}">'
    yield "<teiHeader>"
    yield f"<fileDesc><titleStmt><title>{_inline(source.title)}</title></titleStmt>"
    yield f"<publicationStmt><p>Exported by Posterity, as of {rfc3339(source.made_at)}.</p></publicationStmt>"
    yield "<sourceDesc>"
    for blog in source.blogs:
        yield f"<bibl><title>{_inline(blog_title(blog))}</title>{_pointer(blog.url)}</bibl>"
    yield "</sourceDesc></fileDesc>" if source.blogs else "<p>No blog.</p></sourceDesc></fileDesc>"
    about = attributes(ident="Posterity", version=__version__)
    yield f"<encodingDesc><appInfo><application{about}><label>Posterity</label></application></appInfo></encodingDesc>"
    yield "</teiHeader>"
    empty = True
    for post in source.posts:
        empty = False
        yield from _text(source, post)
    if empty:  # a corpus without a text is not TEI
        yield "<TEI><teiHeader><fileDesc><titleStmt><title>No post</title></titleStmt>"
        yield (
            "<publicationStmt><p>None.</p></publicationStmt><sourceDesc><p>None.</p></sourceDesc></fileDesc></teiHeader>"
            "<text><body><p/></body></text></TEI>"
        )
    yield "</teiCorpus>"


def _text(source: Source, post: Post) -> Iterator[str]:
    yield f"<TEI{attributes(xml__id=post.id, xml__lang=_language(post))}>"
    yield "<teiHeader>"
    blog = source.blog_of(post)
    publisher = blog_title(blog) if blog else post.blog or "unknown"
    authors = "".join(f"<author>{_inline(name)}</author>" for name in post.authors)
    title = _inline(post.title or _UNTITLED)
    below = f'<title type="sub">{_inline(post.subtitle)}</title>' if post.subtitle else ""
    yield f'<fileDesc><titleStmt><title type="main">{title}</title>{below}{authors}</titleStmt>'
    yield f"<publicationStmt><publisher>{_inline(publisher)}</publisher>"
    yield f'<idno type="post">{xml_text(post.id)}</idno>{_licence(post)}</publicationStmt>'
    publication = f"{authors}<publisher>{_inline(publisher)}</publisher>{_pointer(post.url)}"
    yield f"<sourceDesc><bibl><title>{title}</title>{publication}"
    if when := written_date(post.published, post.published_precision):
        yield f'<date type="published"{attributes(when=when)}>{when}</date>'
    if post.modified:
        yield f'<date type="modified"{attributes(when=rfc3339(post.modified))}/>'
    yield "</bibl></sourceDesc></fileDesc>"
    yield from _profile(post)
    yield "</teiHeader>"
    yield "<text><body>"
    yield '<div type="entry">'
    yield from tei_sections(article.blocks_of(post.html, post.text, f"{post.id}-n"))
    yield "</div>"
    if post.comments:
        yield '<div type="comments">'
        ids = {comment.id: f"{post.id}-c{number}" for number, comment in reversed([*enumerate(post.comments, 1)])}
        for number, comment in enumerate(post.comments, 1):
            yield from _comment(comment, f"{post.id}-c{number}", ids.get(comment.parent or ""))
        yield "</div>"
    yield "</body></text>"
    yield "</TEI>"


def _profile(post: Post) -> Iterator[str]:
    origin = post.provenance.get("text")
    language, fetched = _language(post), (rfc3339(origin.at) if origin is not None and origin.at is not None else None)
    terms = [("categories", name) for name in post.categories] + [("tags", name) for name in post.tags]
    if not (post.summary or language or fetched or terms):
        return
    yield "<profileDesc>"
    if post.summary:
        yield f"<abstract><p>{_inline(post.summary)}</p></abstract>"
    if fetched:
        yield f'<creation><date type="download"{attributes(when=fetched)}/></creation>'
    if language:
        yield f"<langUsage><language{attributes(ident=language)}>{language}</language></langUsage>"
    if terms:
        listed = "".join(element("term", name, type=kind) for kind, name in terms)
        yield f"<textClass><keywords>{listed}</keywords></textClass>"
    yield "</profileDesc>"


def _comment(comment: Comment, xml_id: str, parent: str | None) -> Iterator[str]:
    corresp = f"#{parent}" if parent else None
    kind = comment.type or "comment"
    yield f"<div{attributes(type=kind, xml__id=xml_id, n=comment.id, corresp=corresp)}>"
    if comment.author or comment.published:
        who = element("name", comment.author, type="author", ref=strict_url(comment.author_url or ""))
        when = f"<date{attributes(when=rfc3339(comment.published))}/>" if comment.published else ""
        yield f"<opener>{who if comment.author else ''}{when}</opener>"
    yield from tei_sections(article.blocks_of(comment.html, comment.text, f"{xml_id}-n"))
    yield "</div>"


def _licence(post: Post) -> str:
    if not post.license:
        return ""
    target = strict_url(post.license) if post.license.startswith(("http://", "https://")) else None
    return f"<availability>{element('licence', post.license, target=target)}</availability>"


def _pointer(url: str) -> str:
    return f"<ptr{attributes(type='URL', target=strict_url(url))}/>"


def _language(post: Post) -> str | None:
    return post.language if is_language_tag(post.language) else None


def _inline(text: str) -> str:
    return xml_text(" ".join(without_invalid(text).split()))
