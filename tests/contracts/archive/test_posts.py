"""Posts are stored once, and returned unchanged and in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posterity.errors import InputError, NotInArchive
from posterity.model import Comment, Media, Post, Provenance

if TYPE_CHECKING:
    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
POST = Post(
    id="p1",
    url="https://salt.example/tides/?utm=1",
    canonical_url="https://salt.example/tides/",
    blog="b1",
    title="Tides",
    authors=("Ann",),
    published=NOON,
    published_precision="minute",
    text="High water at noon.",
    comments=(
        Comment(id="c1", author="Bob", text="Thanks!", published=NOON),
        Comment(id="c2", parent="c1", text="Yes."),
    ),
    media=(Media(url="https://salt.example/a.png"),),
    provenance={"title": Provenance(method="feed", confidence=0.9, warc="x.warc.gz#12", at=NOON)},
)


def with_(post: Post, **fields: object) -> Post:
    return msgspec.structs.replace(post, **fields)


def test_a_post_comes_back_as_it_was(archive: Archive) -> None:
    assert archive.put_post(POST) == "new"
    assert archive.post("p1") == POST
    assert list(archive.posts()) == [POST]


def test_a_post_is_found_by_id_by_address_and_by_canonical_address(archive: Archive) -> None:
    archive.put_post(POST)
    assert archive.post(POST.id) == archive.post(POST.url) == archive.post(POST.canonical_url or "") == POST


def test_an_unknown_post_is_an_error_that_says_where_to_look(archive: Archive) -> None:
    with pytest.raises(NotInArchive, match="posterity search"):
        archive.post("https://salt.example/nowhere/")


def test_storing_the_same_post_again_changes_nothing(archive: Archive) -> None:
    archive.put_post(POST)
    later = {"title": Provenance(method="feed", confidence=0.9, warc="y.warc.gz#99", at=NOON + timedelta(days=9))}
    assert archive.put_post(with_(POST, provenance=later)) == "same"
    assert list(archive.posts()) == [POST]


def test_an_edited_post_becomes_the_next_revision(archive: Archive) -> None:
    archive.put_post(POST)
    assert archive.put_post(with_(POST, text="High water at one.")) == "changed"
    assert archive.post("p1") == with_(POST, text="High water at one.", revision=2)


def test_a_new_comment_is_a_change(archive: Archive) -> None:
    archive.put_post(POST)
    edited = with_(POST, comments=(*POST.comments, Comment(id="c3", text="Me too")))
    assert archive.put_post(edited) == "changed"
    assert archive.post("p1").comments == edited.comments


def test_better_evidence_for_the_same_content_is_stored_without_a_revision(archive: Archive) -> None:
    archive.put_post(POST)
    better = with_(POST, provenance={"title": Provenance(method="hybrid", confidence=1.0)})
    assert archive.put_post(better) == "same"
    assert archive.post("p1") == better


def test_a_picture_that_arrives_later_is_no_revision_and_is_not_lost_again(archive: Archive) -> None:
    archive.put_post(POST)
    picture = Media(url="https://salt.example/a.png", file="ab/cd.png", digest="sha256:abcd", mime="image/png")
    assert archive.put_post(with_(POST, media=(picture,))) == "same"
    assert archive.put_post(POST) == "same"
    assert archive.post("p1").media == (picture,)


def test_a_picture_that_was_replaced_is_a_change(archive: Archive) -> None:
    picture = Media(url="https://salt.example/a.png", file="ab/cd.png", digest="sha256:abcd")
    archive.put_post(with_(POST, media=(picture,)))
    other = Media(url="https://salt.example/a.png", file="ef/01.png", digest="sha256:ef01")
    assert archive.put_post(with_(POST, media=(other,))) == "changed"


def test_posts_come_by_date_and_those_without_last(archive: Archive) -> None:
    east = timezone(timedelta(hours=9))
    dates = {
        "p5": None,
        "p4": datetime(2021, 1, 1, 8, 0, tzinfo=east),  # 2020-12-31T23:00Z
        "p3": datetime(2020, 12, 31, 23, 30, tzinfo=UTC),
        "p2": datetime(999, 1, 1, tzinfo=UTC),
        "p1": None,
    }
    archive.put_posts(Post(id=name, url=f"https://x.example/{name}", published=date) for name, date in dates.items())
    assert [post.id for post in archive.posts()] == ["p2", "p4", "p3", "p1", "p5"]


def test_posts_of_one_blog(archive: Archive) -> None:
    archive.put_posts([POST, with_(POST, id="p2", blog="b2"), with_(POST, id="p3", blog=None)])
    assert [post.id for post in archive.posts_of("b2")] == ["p2"]


def test_a_batch_counts_what_became_of_its_posts(archive: Archive) -> None:
    archive.put_post(POST)
    many = [with_(POST, id=f"p{number}") for number in range(1, 1203)]
    assert archive.put_posts([*many, with_(POST, text="Edited.")]) == {
        "new": 1201,
        "changed": 1,
        "same": 1,
        "forgotten": 0,
    }
    assert sum(1 for _ in archive.posts()) == 1202


def test_posts_can_be_stored_while_they_are_streamed(archive: Archive) -> None:
    archive.put_posts(with_(POST, id=f"p{number:04}") for number in range(1001))
    seen = []
    for number, post in enumerate(archive.posts()):
        seen.append(post.id)
        if number % 100 == 0:
            archive.put_post(with_(post, title="Renamed"))
    assert len(seen) == len(set(seen)) == 1001
    assert sum(post.title == "Renamed" for post in archive.posts()) == 11


def test_half_a_character_is_refused_and_leaves_nothing(archive: Archive) -> None:
    with pytest.raises(InputError, match="unpaired surrogate"):
        archive.put_post(with_(POST, title="\ud800"))
    assert list(archive.posts()) == []


words = st.text(max_size=40)
optional = st.none() | words
moments = st.none() | st.datetimes(timezones=st.timezones() | st.just(UTC))
comments = st.builds(
    Comment,
    id=words,
    parent=optional,
    author=optional,
    author_url=optional,
    published=moments,
    text=words,
    html=optional,
    type=st.sampled_from(["trackback", msgspec.UNSET]),
)
origins = st.builds(Provenance, method=words, rule=optional, confidence=st.floats(0, 1), warc=optional, at=moments)
names = st.lists(words, max_size=3).map(tuple)
posts = st.builds(
    Post,
    id=st.text(min_size=1, max_size=8).filter(lambda text: "\x00" not in text),
    url=st.just("https://x.example/"),
    canonical_url=st.none(),
    blog=st.none() | st.just("b1"),
    title=optional,
    authors=names,
    published=moments,
    published_precision=st.sampled_from([None, "minute", "day", "week", "month", "year"]),
    modified=moments,
    language=st.sampled_from([None, "en", "zh-Hant"]),
    tags=names,
    categories=names,
    license=optional,
    summary=optional,
    text=words,
    markdown=optional,
    html=optional,
    media=st.lists(st.builds(Media, url=words, file=st.none(), alt=optional), max_size=2).map(tuple),
    comments=st.lists(comments, max_size=3).map(tuple),
    links=names,
    revision=st.just(1),
    provenance=st.dictionaries(words, origins, max_size=2),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(posts, min_size=1, max_size=4, unique_by=lambda post: post.id), words)
def test_any_posts_come_back_as_they_were(archive: Archive, some: list[Post], other_text: str) -> None:
    example = sum(1 for _ in archive.posts())  # all examples use one archive, so ids must differ
    some = [with_(post, id=f"{example}-{post.id}") for post in some]
    archive.put_posts(some)
    # Through JSON, which turns time zones into offsets, as in every export.
    expected = {post.id: msgspec.json.decode(msgspec.json.encode(post), type=Post) for post in some}
    assert {post.id: archive.post(post.id) for post in some} == expected
    archive.put_post(with_(some[0], text=other_text))
    assert archive.post(some[0].id).text == other_text
