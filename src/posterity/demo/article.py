"""From a post's Markdown to the HTML of its article: figures, footnotes and links inside the blog.

Posts name each other as `post:slug` and images as `image:name`; the caller says where these live, so the same
post can be shown with root-relative links on a page and with full addresses in a feed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

FOOTNOTE = re.compile(r"^\[\^(\w+)\]: (.+)$", re.MULTILINE)
FOOTNOTE_MARK = re.compile(r"\[\^(\w+)\]")

_MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class Image:
    """An image in an article: its path or address, its alternative text and its caption."""

    src: str
    alt: str
    caption: str


@dataclass(frozen=True, slots=True)
class Article:
    """The article of a post, as HTML, and the images in it."""

    html: str
    images: tuple[Image, ...]


def rendered_article(markdown: str, address: Callable[[str], str]) -> Article:
    """Return the article; `address` turns `post:slug` and `image:name` into where they live."""
    tokens = _MARKDOWN.parse(_with_footnotes(markdown))
    for link in _links(tokens):
        link.attrSet("href", address(str(link.attrGet("href"))))
    images = []
    for paragraph in _image_paragraphs(tokens):
        image = _image(paragraph, address)
        images.append(image)
        _turn_into_figure(paragraph, image)
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return Article(html, tuple(images))


def _with_footnotes(markdown: str) -> str:
    notes = FOOTNOTE.findall(markdown)
    if not notes:
        return markdown
    body = FOOTNOTE.sub("", markdown).rstrip()
    body = FOOTNOTE_MARK.sub(r'<sup id="ref-\1"><a href="#note-\1">[\1]</a></sup>', body)
    items = "\n".join(
        f'<li id="note-{key}">{_MARKDOWN.renderInline(text)} <a href="#ref-{key}">↩</a></li>' for key, text in notes
    )
    return f'{body}\n\n<hr>\n<ol class="footnotes">\n{items}\n</ol>\n'


def _links(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from (child for child in token.children or [] if child.type == "link_open")


def _image_paragraphs(tokens: list[Token]) -> Iterator[list[Token]]:
    for position, token in enumerate(tokens):
        if [child.type for child in token.children or []] == ["image"]:
            yield tokens[position - 1 : position + 2]


def _image(paragraph: list[Token], address: Callable[[str], str]) -> Image:
    (token,) = paragraph[1].children or []
    return Image(address(str(token.attrGet("src"))), token.content, str(token.attrGet("title") or ""))


def _turn_into_figure(paragraph: list[Token], image: Image) -> None:
    before, content, after = paragraph
    before.tag = after.tag = "figure"
    picture = Token("html_inline", "", 0)
    picture.content = (
        f'<img src="{escape(image.src)}" alt="{escape(image.alt)}" width="640">'
        f"<figcaption>{escape(image.caption, quote=False)}</figcaption>"
    )
    content.children = [picture]
