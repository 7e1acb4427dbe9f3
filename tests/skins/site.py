"""A blog in its skin: the pages as served to visitors."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from tests.skins.blog import SkinBlog, SkinPost, blog_of
from tests.skins.feed import feed_of
from tests.skins.languages import LANGUAGES
from tests.skins.skin import NOW

if TYPE_CHECKING:
    from datetime import datetime

    from tests.skins.skin import Skin

# Posts on the front page.
SHOWN = 7
_BUDDHIST = 543  # years that the Thai calendar is ahead


class SkinSite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the blog serves; posts by URL."""

    blog: SkinBlog
    pages: dict[str, str]
    front: tuple[str, str]
    archive: tuple[str, str]
    about: tuple[str, str]
    feed: bytes

    @property
    def shown(self) -> tuple[SkinPost, ...]:
        """The posts on the front page."""
        return self.blog.posts[:SHOWN]


def site_of(skin: Skin) -> SkinSite:
    """Return the whole site in the skin."""
    blog = blog_of(skin)
    rendered = partial(_rendered, skin, blog)
    posts = blog.posts
    return SkinSite(
        blog=blog,
        pages={post.url: rendered("post", post=post, **_around(posts, place)) for place, post in enumerate(posts)},
        front=(f"{blog.url}/", rendered("front", posts=posts[:SHOWN])),
        archive=(blog.url + skin.archive, rendered("archive", posts=posts)),
        about=(blog.url + skin.about, rendered("about")),
        feed=feed_of(blog, skin.feed, skin.extent),
    )


def _rendered(skin: Skin, blog: SkinBlog, kind: str, **values: object) -> str:
    known = {"post": None, "posts": ()} | values
    return (
        _environment()
        .get_template(f"{skin.name}.html.j2")
        .render(
            skin=skin,
            blog=blog,
            kind=kind,
            say=LANGUAGES[blog.language].labelled(),
            day=partial(day_text, blog.language),
            ago=days_ago,
            **known,
        )
    )


def _around(posts: tuple[SkinPost, ...], place: int) -> dict[str, tuple[SkinPost, ...]]:
    """The posts that the page of a post links to: its neighbours and three related ones."""
    return {
        "older": posts[place + 1 : place + 2],
        "newer": posts[max(0, place - 1) : place],
        "related": tuple(posts[(place + step) % len(posts)] for step in (3, 5, 6)),
    }


def day_text(language: str, moment: datetime, style: str = "long") -> str:
    """Return the day as written in this language; `style` is one of Babel's names or patterns."""
    if language == "th" and style == "long":
        return f"{format_date(moment, 'd MMMM', locale='th')} {moment.year + _BUDDHIST}"
    return format_date(moment, style, locale=language)


def days_ago(moment: datetime) -> str:
    """Return the day relative to `NOW`."""
    days = (NOW.date() - moment.date()).days
    return "yesterday" if days == 1 else f"{days} days ago"


def breaks(html: str) -> str:
    """Return the markup with line breaks instead of paragraphs, as written by early editors."""
    return html.replace("<p>", "").replace("</p>", "<br><br>").removesuffix("<br><br>")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breaks"] = breaks
    return environment
