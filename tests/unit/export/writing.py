"""Writes posts in a format that needs no archive."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, cast

from posterity.export.selection import Source
from posterity.model import Blog, Comment, Media, Post, Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from posterity.archive import Archive

MADE_AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
BLOG = Blog(id="b1", url="https://blog.example/", title="Tides & co", language="en")
POST = Post(
    id="p1",
    url="https://blog.example/2021/03/on-tides/",
    canonical_url="https://blog.example/2021/03/on-tides/",
    blog="b1",
    title='On "tides" < & >',
    authors=("Maren Tregarth", "Ann"),
    published=datetime.fromisoformat("2021-03-12T08:30:00+01:00"),
    published_precision="minute",
    language="en",
    tags=("sea", "moon"),
    categories=("Almanac",),
    license="https://creativecommons.org/licenses/by/4.0/",
    summary="How it rises.",
    text="High water\n\nIt rises. It's late.",
    markdown="## High water\n\nIt *rises*. It's late.",
    html='<h2>High water</h2><p>It <em>rises</em>. <a href="https://blog.example/2021/04/ebb/">It\'s late</a>.</p>',
    media=(Media(url="https://blog.example/tide.png", mime="image/png", alt="A tide"),),
    comments=(
        Comment(id="comment-9", author="Gwen", author_url="https://gwen.example/", text="Yes.", html="<p>Yes.</p>"),
        Comment(
            id="comment-10",
            parent="comment-9",
            author="Jo",
            published=datetime.fromisoformat("2021-03-12T09:30:00+01:00"),
            text="No.",
        ),
    ),
    links=("https://blog.example/2021/04/ebb/",),
    provenance={
        "text": Provenance(method="feed", confidence=0.9, at=MADE_AT),
        "optout": Provenance(method="page", rule="noai, tdm-reservation", confidence=1.0),
    },
)


class ArchiveWithoutTombstones:
    """A fake archive in which no post has been deleted."""

    def tombstones(self, _blog_id: str) -> list[object]:
        return []


def source_of(posts: Iterable[Post], *blogs: Blog) -> Source:
    return Source(cast("Archive", ArchiveWithoutTombstones()), posts, blogs or (BLOG,), MADE_AT)


def written(write: Callable[[Source, BinaryIO], None], posts: Iterable[Post], *blogs: Blog) -> bytes:
    out = BytesIO()
    write(source_of(posts, *blogs), out)
    return out.getvalue()
