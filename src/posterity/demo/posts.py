"""The posts of the demo blog: TOML front matter, Markdown and comments, read from the package.

File names are `<date>-<slug>.md`; the front matter is between two `+++` lines.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from html.parser import HTMLParser
from importlib.resources import files
from importlib.resources.abc import Traversable

from markdown_it import MarkdownIt
from markdown_it.token import Token

DATE_CHARS = len("2021-03-12-")


@dataclass(frozen=True, slots=True)
class Author:
    """An author of the blog."""

    name: str
    slug: str
    bio: str


@dataclass(frozen=True, slots=True)
class Masthead:
    """The blog's title, tagline, language and authors."""

    title: str
    tagline: str
    language: str
    authors: tuple[Author, ...]

    def author(self, name: str) -> Author:
        """Return the author with this name."""
        return next(author for author in self.authors if author.name == name)


@dataclass(frozen=True, slots=True)
class DemoComment:
    """A comment; `parent` is the id of the comment that it replies to."""

    id: int
    parent: int | None
    author: str
    author_url: str | None
    published: datetime
    text: str


@dataclass(frozen=True, slots=True)
class DemoPost:
    """A post in its source form; comments are in chronological order."""

    number: int
    slug: str
    title: str
    author: str
    published: datetime
    language: str
    tags: tuple[str, ...]
    comments: tuple[DemoComment, ...]
    markdown: str

    @property
    def modified(self) -> datetime:
        """The time of the last change of the post's page."""
        return max([self.published, *(comment.published for comment in self.comments)])


def package_data() -> Traversable:
    """Return the folder with posts, images and templates, even inside a zipped package."""
    return files("posterity.demo")


@cache
def masthead() -> Masthead:
    """Return the masthead from `blog.toml`."""
    about = tomllib.loads(package_data().joinpath("blog.toml").read_text("utf-8"))
    authors = tuple(Author(**author) for author in about.pop("authors"))
    return Masthead(authors=authors, **about)


@cache
def all_posts() -> tuple[DemoPost, ...]:
    """Return every post, oldest first."""
    sources = [entry for entry in package_data().joinpath("posts").iterdir() if entry.name.endswith(".md")]
    # Numbers have gaps: blog engines number drafts and uploads in the same sequence as posts.
    ordered = enumerate(sorted(sources, key=lambda source: source.name))
    return tuple(_post(source.name, source.read_text("utf-8"), number=3 * place + 5) for place, source in ordered)


def _post(name: str, source: str, number: int) -> DemoPost:
    _, front_matter, markdown = source.split("+++\n", 2)
    fields = tomllib.loads(front_matter)
    comments = [
        DemoComment(one["id"], one.get("parent"), one["author"], one.get("author_url"), one["date"], one["text"])
        for one in fields.get("comments", [])
    ]
    return DemoPost(
        number=number,
        slug=name[DATE_CHARS : -len(".md")],
        title=fields["title"],
        author=fields["author"],
        published=fields["date"],
        language=fields.get("language", masthead().language),
        tags=tuple(fields["tags"]),
        comments=tuple(sorted(comments, key=lambda comment: (comment.published, comment.id))),
        markdown=markdown.strip() + "\n",
    )


FOOTNOTE = re.compile(r"^\[\^(\w+)\]: (.+)$", re.MULTILINE)
FOOTNOTE_MARK = re.compile(r"\[\^(\w+)\]")

_MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class DemoImage:
    """An image in an article: its path or URL, its alternative text and its caption."""

    src: str
    alt: str
    caption: str


@dataclass(frozen=True, slots=True)
class DemoArticle:
    """The article of a post, as HTML, and the images in it."""

    html: str
    images: tuple[DemoImage, ...]


def rendered_article(markdown: str, url_of: Callable[[str], str]) -> DemoArticle:
    """Return the rendered article; `url_of` resolves `post:slug` and `image:name` to URLs."""
    tokens = _MARKDOWN.parse(_with_footnotes(markdown))
    for link in _links(tokens):
        link.attrSet("href", url_of(str(link.attrGet("href"))))
    images = []
    for before, content, after in _image_paragraphs(tokens):
        (token,) = content.children or []
        image = DemoImage(url_of(str(token.attrGet("src"))), token.content, str(token.attrGet("title") or ""))
        images.append(image)
        before.tag = after.tag = "figure"
        picture = Token("html_inline", "", 0)
        picture.content = (
            f'<img src="{escape(image.src)}" alt="{escape(image.alt)}" width="640">'
            f"<figcaption>{escape(image.caption, quote=False)}</figcaption>"
        )
        content.children = [picture]
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return DemoArticle(html, tuple(images))


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


# All other elements of the themes and posts are inline.
BLOCKS = frozenset(
    {
        *("html", "head", "title", "body", "main", "article", "aside", "section", "header", "footer", "nav", "div"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote", "figure", "figcaption", "form", "hr", "br"),
        *("ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr"),
    }
)
CELLS = frozenset({"td", "th"})
UNSEEN = frozenset({"script", "style"})


class _TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line = ""
        self._pre_depth = 0
        self._unseen_depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 (named by html.parser)
        self._boundary(tag)
        self._pre_depth += tag == "pre"
        self._unseen_depth += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self._boundary(tag)
        self._pre_depth -= tag == "pre"
        self._unseen_depth -= tag in UNSEEN

    def handle_data(self, data: str) -> None:
        if not self._unseen_depth:
            self._line += data

    def close(self) -> None:
        super().close()
        self._end_line()

    def _boundary(self, tag: str) -> None:
        if tag in BLOCKS:
            self._end_line()
        elif tag in CELLS:
            self._line += " "

    def _end_line(self) -> None:
        if self._pre_depth:
            self.lines.extend(self._line.rstrip("\n").split("\n"))
        elif self._line.strip():
            self.lines.append(" ".join(self._line.split()))
        self._line = ""


def plain_text(html: str) -> str:
    """Return the text with one line per block; code keeps its lines and indentation."""
    reader = _TextParser()
    reader.feed(html)
    reader.close()
    return "\n".join(reader.lines)


def shorten(text: str) -> str:
    """Return the first words of a text in one line, with an ellipsis if any were left out."""
    words = text.split()
    return " ".join(words[:45]) + (" […]" if len(words) > 45 else "")
