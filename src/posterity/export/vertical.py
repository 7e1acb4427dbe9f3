"""The format `vertical`: one token per line with <doc>, <p>, <s> and <g/>, for (No)Sketch Engine, and a registry file.

Posts and comments are separate documents, distinguished by `type`; a comment has the ids of its post and its parent.
Sentences and tokens follow Unicode (UAX 29), in any script. Chinese and Japanese have no spaces; without a dictionary,
every ideograph is a token.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import BinaryIO, NamedTuple

from babel import Locale, UnknownLocaleError
from unicode_segmentation_rs import split_word_bounds, unicode_sentences

from posterity.export.article import ArticleTable, Block, Code, Heading, Items, Note, Paragraph, Quote, blocks_of, plain
from posterity.export.selection import Source, written_date
from posterity.export.xml import attributes, without_invalid
from posterity.model import Comment, Post

_MULTI = ";"
_DOC = ("id", "type", "blog", "blog_url", "url", "post_id", "parent_id", "title", "date", "year", "lang", "crawl_date")
_DOC_LISTS = ("author", "tag", "category")


def write_vertical(source: Source, out: BinaryIO) -> None:
    """Write all documents to one stream."""
    for post in source.posts:
        out.writelines(document.encode("utf-8", "replace") for document in _documents(source, post))


def registry(source: Source, name: str) -> dict[str, bytes]:
    """Return the registry file, which is written beside the text, by the extension of its name."""
    language = _language_name(source.language)
    lines = [
        'NAME "' + _single_spaced(source.title).replace('"', "'") + '"',
        f'INFO "Blog posts and comments, state of {source.made_at.date()}, made by Posterity"',
        f'PATH "manatee/{name}"',
        f'VERTICAL "{name}"',
        'ENCODING "UTF-8"',
        *([f'LANGUAGE "{language}"'] if language else []),
        "",
        "ATTRIBUTE word",
        (
            'ATTRIBUTE lc {\n\tDYNAMIC utf8lowercase\n\tDYNLIB internal\n\tARG1 "C"\n\tFUNTYPE s\n\tFROMATTR word\n'
            "\tTYPE index\n\tTRANSQUERY yes\n}"
        ),
        "",
        "STRUCTURE doc {",
        *(f"\tATTRIBUTE {attribute}" for attribute in _DOC),
        *(f'\tATTRIBUTE {attribute} {{\n\t\tMULTIVALUE yes\n\t\tMULTISEP "{_MULTI}"\n\t}}' for attribute in _DOC_LISTS),
        "}",
        "STRUCTURE p {\n\tATTRIBUTE heading\n\tATTRIBUTE type\n}",
        "STRUCTURE s",
        'STRUCTURE g {\n\tDISPLAYTAG 0\n\tDISPLAYBEGIN "_EMPTY_"\n}',
        "",
    ]
    return {".registry": "\n".join(lines).encode()}


def _documents(source: Source, post: Post) -> Iterator[str]:
    blog = source.blog_of(post)
    origin = post.provenance.get("text")
    place = {"blog": post.blog, "blog_url": blog.url if blog else None, "url": post.url, "lang": post.language}
    about = attributes(
        id=post.id, type="post", **place, title=_one_line(post.title), author=_join_names(post.authors),
        date=written_date(post.published, post.published_precision),
        year=f"{post.published:%Y}" if post.published else None, tag=_join_names(post.tags),
        category=_join_names(post.categories), crawl_date=written_date(origin.at, "day") if origin else None,
    )  # fmt: skip
    yield _document(about, blocks_of(post.html, post.text))
    for number, comment in enumerate(post.comments, 1):
        yield _document(_about_comment(post, comment, number, place), blocks_of(comment.html, comment.text))


def _about_comment(post: Post, comment: Comment, number: int, place: dict[str, str | None]) -> str:
    return attributes(
        id=f"{post.id}-{comment.id or number}", type=comment.type or "comment", **place, post_id=post.id,
        parent_id=f"{post.id}-{comment.parent}" if comment.parent else None, author=_one_line(comment.author),
        date=written_date(comment.published, None), year=f"{comment.published:%Y}" if comment.published else None,
    )  # fmt: skip


def _document(about: str, blocks: tuple[Block, ...]) -> str:
    lines = [f"<doc{about}>"]
    for tag, text in _paragraphs(blocks):
        lines.append(f"<p{tag}>")
        for sentence in sentences(text):
            lines.append("<s>")
            for place, token in enumerate(tokens(sentence)):
                lines += ["<g/>"] if token.glued and place else []
                lines.append(escape(token.text, quote=False))
            lines.append("</s>")
        lines.append("</p>")
    return "\n".join([*lines, "</doc>", ""])


def _paragraphs(blocks: tuple[Block, ...], kind: str = "") -> Iterator[tuple[str, str]]:
    """Yield attributes and text of every paragraph."""
    for block in blocks:
        match block:
            case Heading():
                yield attributes(heading=str(block.level), type=kind), _single_spaced(plain(block.line))
            case Paragraph() if text := _single_spaced(plain(block.line)):
                yield attributes(type=kind), text
            case Code():
                yield attributes(type="code"), _single_spaced(block.text)
            case Quote() | Note():
                yield from _paragraphs(block.blocks, "quote" if isinstance(block, Quote) else "note")
            case Items():
                for item in block.items:
                    yield from _paragraphs(item, "item")
            case ArticleTable():
                texts = (plain(cell) for row in block.rows for cell in row)
                yield from ((attributes(type="cell"), _single_spaced(text)) for text in texts if text.strip())


def _single_spaced(text: str) -> str:
    return " ".join(without_invalid(text).split())


def _join_names(names: tuple[str, ...]) -> str:
    return _MULTI.join(_single_spaced(name).replace(_MULTI, ",") for name in names)


def _one_line(text: str | None) -> str | None:
    return _single_spaced(text) if text else None


def _language_name(tag: str | None) -> str | None:
    try:
        return Locale.parse(tag, sep="-").english_name if tag else None
    except (ValueError, UnknownLocaleError):
        return None


class Token(NamedTuple):
    """A word, number, punctuation mark or emoji; `glued` means that no space precedes it."""

    text: str
    glued: bool


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text with the spaces between them; joined, they are the text."""
    begin = 0
    pending = ""
    for sentence in unicode_sentences(text):
        # The segmenter skips text without letters and digits; it is appended to the sentence before.
        start = text.find(sentence, begin)
        pending += text[begin:start]
        if pending and begin:
            yield pending
            pending = ""
        pending += sentence
        begin = start + len(sentence)
    pending += text[begin:]
    if pending:
        yield pending


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order."""
    glued = False
    for piece in split_word_bounds(text):
        word = "".join(piece.split())  # a combining accent after a space is one piece with the space
        if word:
            yield Token(word, glued)
        glued = bool(word)
