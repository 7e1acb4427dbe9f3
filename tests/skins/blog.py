"""A generated blog: its posts and their correct values, from the skin's name as seed."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from tests.skins.languages import LANGUAGES
from tests.skins.passages import KINDS, passage_of
from tests.skins.words import Writer

if TYPE_CHECKING:
    from tests.skins.skin import Skin

POSTS = len(KINDS)
_EXCERPT = 180  # characters of a post on a front page with excerpts


class SkinComment(msgspec.Struct, frozen=True, kw_only=True):
    """A comment and its replies."""

    author: str
    moment: datetime
    text: str
    replies: tuple[SkinComment, ...] = ()


class SkinPost(msgspec.Struct, frozen=True, kw_only=True):
    """A post: the contents of its page, whatever the skin."""

    kind: str
    number: int
    url: str
    title: str | None
    author: str
    moment: datetime
    tags: tuple[str, ...]
    html: str
    text: str
    comments: tuple[SkinComment, ...] = ()

    @property
    def thread(self) -> tuple[SkinComment, ...]:
        """Comments and replies in the order of the page."""
        return tuple(each for comment in self.comments for each in (comment, *comment.replies))

    @property
    def parts(self) -> tuple[str, ...]:
        """The markup in pieces, for skins that insert something between them."""
        return tuple(self.html.split("\n\n"))

    @property
    def excerpt(self) -> str:
        """The beginning of the text, as front pages and summary feeds have it."""
        text = " ".join(self.text.split())
        return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rpartition(' ')[0] or text[:_EXCERPT]} …"


class SkinBlog(msgspec.Struct, frozen=True, kw_only=True):
    """A blog: its posts, newest first, and a page about itself."""

    name: str
    language: str
    url: str
    posts: tuple[SkinPost, ...]
    about: str

    @property
    def owner(self) -> str:
        """The owner of the blog."""
        return LANGUAGES[self.language].names.split("|")[0]

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags, for the sidebar."""
        return tuple(LANGUAGES[self.language].tags.split("|"))


def blog_of(skin: Skin) -> SkinBlog:
    """Return the blog of the skin."""
    language = LANGUAGES[skin.language]
    writer = Writer(language, skin.name)
    url = f"https://{skin.name}.example"
    moment, posts = skin.newest, list[SkinPost]()
    for place in range(POSTS):
        moment -= timedelta(days=writer.number(*skin.days_between), minutes=writer.number(0, 300))
        posts.append(_post(skin, writer, place, moment, url))
    about = "\n".join(f"<p>{writer.paragraph()}</p>" for _ in range(3))
    return SkinBlog(name=language.blog, language=skin.language, url=url, posts=tuple(posts), about=about)


def _post(skin: Skin, writer: Writer, place: int, moment: datetime, url: str) -> SkinPost:
    language = LANGUAGES[skin.language]
    kind = skin.kinds[place % len(skin.kinds)]
    title = None if skin.untitled and place % skin.untitled == 0 else writer.title()
    html, text = passage_of(kind, writer)
    number = 1000 + 37 * (POSTS - place)
    path = skin.url_pattern.format(moment=moment, number=number, slug=_slug(title or " ".join(text.split()[:5])))
    return SkinPost(
        kind=kind,
        number=number,
        url=url + path,
        title=title,
        author=writer.one_of(language.names.split("|")[: skin.authors]),
        moment=moment,
        tags=writer.some_of(language.tags.split("|"), writer.number(1, 2)),
        html=html,
        text=text,
        comments=_comments(writer, moment, language.names.split("|")) if skin.comments else (),
    )


def _comments(writer: Writer, posted: datetime, names: list[str]) -> tuple[SkinComment, ...]:
    """Up to four comments, every other one with a reply."""

    def comment(hours: int, replies: tuple[SkinComment, ...] = ()) -> SkinComment:
        text = writer.one_of((writer.sentence, writer.paragraph))()
        return SkinComment(
            author=writer.one_of(names), moment=posted + timedelta(hours=hours), text=text, replies=replies
        )

    return tuple(
        comment(5 * place + 1, (comment(5 * place + 3),) if place % 2 else ()) for place in range(writer.number(0, 4))
    )


def _slug(title: str) -> str:
    """The title for a URL: without accents in Latin script, unchanged in other scripts."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", title) if not unicodedata.combining(each))
    latin = plain.encode("ascii", "ignore").decode()
    words = re.findall(r"\w+", (latin if len(latin) * 2 > len(title) else title).lower())
    return quote("-".join(words))
