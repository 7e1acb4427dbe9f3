"""Values that only the earlier record can have are kept; all others are replaced by the new ones."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from posterity.blog.changes import is_older, with_kept_fields
from posterity.model import Comment, Media, Post, Provenance

THEN = datetime(2020, 1, 2, 3, 4, tzinfo=UTC)
BY_FEED = Provenance(method="feed-entry", confidence=0.99)
BY_RULE = Provenance(method="feed", rule="time", confidence=0.8)

OLD = Post(
    id="p-old",
    url="https://x.example/1",
    title="One",
    authors=("Ida",),
    published=THEN,
    published_precision="minute",
    text="old words",
    media=(Media(url="https://x.example/a.png", file="ab/cd.png", digest="sha256:ab", mime="image/png"),),
    comments=(Comment(id="1", text="first"), Comment(id="2", text="second")),
    provenance={"published": BY_FEED, "authors": BY_RULE, "comments": BY_RULE},
)
NEW = Post(
    id="p-new",
    url="https://x.example/1",
    title="One!",
    published=THEN.replace(hour=0, minute=0),
    published_precision="day",
    text="new words",
    media=(Media(url="https://x.example/a.png", alt="a"),),
    comments=(Comment(id="1", text="first"),),
    provenance={"published": BY_RULE, "text": BY_RULE},
)


def test_what_is_found_now_counts() -> None:
    merged = with_kept_fields(NEW, OLD)
    assert (merged.text, merged.title, merged.authors) == ("new words", "One!", ())


def test_id_stays() -> None:
    assert with_kept_fields(NEW, OLD).id == "p-old"


def test_comments_stay_where_there_were_more() -> None:
    merged = with_kept_fields(NEW, OLD)
    assert [comment.id for comment in merged.comments] == ["1", "2"]
    assert merged.provenance["comments"] == BY_RULE
    more = msgspec.structs.replace(NEW, comments=(*OLD.comments, Comment(id="3")))
    assert len(with_kept_fields(more, OLD).comments) == 3


def test_files_of_media_stay_with_what_is_said_of_them_now() -> None:
    (medium,) = with_kept_fields(NEW, OLD).media
    assert (medium.file, medium.alt) == ("ab/cd.png", "a")


def test_what_the_feed_said_stays_until_a_feed_says_otherwise() -> None:
    merged = with_kept_fields(NEW, OLD)
    assert (merged.published, merged.published_precision) == (THEN, "minute")
    said_again = msgspec.structs.replace(NEW, provenance={"published": BY_FEED})
    assert with_kept_fields(said_again, OLD).published == NEW.published


@pytest.mark.parametrize(("new", "old", "older"), [(1, 2, True), (2, 2, False), (3, 2, False), (None, 2, False)])
def test_record_of_an_older_page_is_older(new: int | None, old: int, older: bool) -> None:
    def seen(day: int | None) -> Post:
        at = datetime(2024, 1, day, tzinfo=UTC) if day else None
        return msgspec.structs.replace(OLD, provenance={"text": msgspec.structs.replace(BY_RULE, at=at)})

    assert is_older(seen(new), seen(old)) is older


def test_files_that_the_article_links_to_stay_as_long_as_it_does() -> None:
    linked = Media(url="https://x.example/tables.pdf", file="ef/01.pdf", digest="sha256:ef", mime="application/pdf")
    old = msgspec.structs.replace(OLD, media=(*OLD.media, linked))
    links = msgspec.structs.replace(NEW, links=(linked.url,))
    assert with_kept_fields(links, old).media[1:] == (linked,)
    assert len(with_kept_fields(NEW, old).media) == 1
