"""The posts as written: TOML front matter, Markdown and comments, read from the package.

File names are `<date>-<slug>.md`; the front matter stands between two `+++` lines.
"""

import tomllib
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

DATE_CHARS = len("2021-03-12-")


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody who writes the blog."""

    name: str
    slug: str
    bio: str


@dataclass(frozen=True, slots=True)
class Masthead:
    """What the blog says of itself."""

    title: str
    tagline: str
    language: str
    authors: tuple[Author, ...]

    def author(self, name: str) -> Author:
        """Return the author of that name."""
        return next(author for author in self.authors if author.name == name)


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's comment; `parent` is the id of the comment it answers."""

    id: int
    parent: int | None
    author: str
    author_url: str | None
    published: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Post:
    """One post as its author wrote it; comments stand in the order they were made."""

    number: int
    slug: str
    title: str
    author: str
    published: datetime
    language: str
    tags: tuple[str, ...]
    comments: tuple[Comment, ...]
    markdown: str

    @property
    def modified(self) -> datetime:
        """The last moment at which the page of this post changed."""
        return max([self.published, *(comment.published for comment in self.comments)])


def package_data() -> Traversable:
    """Return the folder that holds posts, images and templates, also inside a zipped package."""
    return files("posterity.demo")


@cache
def masthead() -> Masthead:
    """Return title, tagline, language and authors of the blog."""
    about = tomllib.loads(package_data().joinpath("blog.toml").read_text("utf-8"))
    authors = tuple(Author(**author) for author in about.pop("authors"))
    return Masthead(authors=authors, **about)


@cache
def all_posts() -> tuple[Post, ...]:
    """Return every post, oldest first."""
    sources = [entry for entry in package_data().joinpath("posts").iterdir() if entry.name.endswith(".md")]
    # Numbers have gaps on purpose: engines number drafts and uploads in the same sequence as posts.
    return tuple(
        _post(source.name, source.read_text("utf-8"), number=3 * position + 5)
        for position, source in enumerate(sorted(sources, key=lambda source: source.name))
    )


def _post(name: str, source: str, number: int) -> Post:
    _, front_matter, markdown = source.split("+++\n", 2)
    fields = tomllib.loads(front_matter)
    return Post(
        number=number,
        slug=name[DATE_CHARS : -len(".md")],
        title=fields["title"],
        author=fields["author"],
        published=fields["date"],
        language=fields.get("language", masthead().language),
        tags=tuple(fields["tags"]),
        comments=tuple(
            sorted(map(_comment, fields.get("comments", [])), key=lambda comment: (comment.published, comment.id))
        ),
        markdown=markdown.strip() + "\n",
    )


def _comment(fields: dict[str, Any]) -> Comment:
    return Comment(
        id=fields["id"],
        parent=fields.get("parent"),
        author=fields["author"],
        author_url=fields.get("author_url"),
        published=fields["date"],
        text=fields["text"],
    )
