"""Edits become revisions, deletions tombstones, and a moved post stays one post."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.errors import NotInArchive
from posterity.model import Comment, Media, Post, Provenance

if TYPE_CHECKING:
    from posterity.archive import Archive

POST = Post(
    id="p1",
    url="https://x.example/1",
    blog="b1",
    title="One",
    text="first words",
    comments=(Comment(id="c", text="hm"),),
)
THEN = datetime(2022, 5, 6, tzinfo=UTC)


def edited(**fields: object) -> Post:
    return msgspec.structs.replace(POST, **fields)


def test_every_state_of_a_post_is_kept_with_what_changed(archive: Archive) -> None:
    archive.put_post(POST)
    archive.put_post(edited(text="second words"))
    archive.put_post(edited(text="second words"))
    archive.put_post(edited(text="third words", title="Drei"))
    states = archive.history("p1").revisions
    assert [(state.revision, state.changed) for state in states] == [(1, ()), (2, ("text",)), (3, ("title", "text"))]
    assert states[0].post == POST
    assert [state.seen_at for state in states] == sorted(state.seen_at for state in states)


def test_a_post_that_is_gone_is_kept_and_has_a_tombstone(archive: Archive) -> None:
    archive.put_post(POST)
    archive.mark_gone("p1", 410, THEN)
    archive.mark_gone("p1", 404)
    (stone,) = archive.tombstones("b1")
    assert (stone.url, stone.status, stone.gone_at) == (POST.url, 410, THEN)
    assert list(archive.posts()) == [POST]
    assert list(archive.posts(gone=False)) == []


def test_a_post_that_is_back_has_no_tombstone_but_a_history(archive: Archive) -> None:
    archive.put_post(POST)
    archive.mark_gone("p1", 404, THEN)
    assert archive.put_post(POST) == "same"
    assert archive.tombstones("b1") == []
    assert [event.kind for event in archive.history("p1").events] == ["gone", "back"]


def test_a_post_that_moved_is_found_by_both_addresses_and_listed_once(archive: Archive) -> None:
    new = edited(id="p2", url="https://x.example/new/1")
    archive.put_posts([POST, new])
    archive.mark_moved(POST.url, new.url, THEN)
    assert archive.post(POST.url) == archive.post("p1") == archive.post("p2") == new
    assert list(archive.posts()) == [new]
    assert [hit.post_id for hit in archive.search("first")] == ["p2"]


def test_a_post_that_moved_back_is_a_post_again(archive: Archive) -> None:
    archive.put_posts([POST, edited(id="p2", url="https://x.example/new/1")])
    archive.mark_moved("p1", "p2", THEN)
    archive.put_post(edited(text="first words again"))
    assert sorted(post.id for post in archive.posts()) == ["p1", "p2"]
    assert [hit.post_id for hit in archive.search("again")] == ["p1"]


def test_moving_to_a_post_that_is_not_stored_is_an_error(archive: Archive) -> None:
    archive.put_post(POST)
    with pytest.raises(NotInArchive):
        archive.mark_moved("p1", "https://x.example/nowhere")


def test_date_that_is_found_later_is_no_edit_and_is_not_lost_again(archive: Archive) -> None:
    undated = Post(id="p1", url="https://x.example/p1", blog="b1", text="Tides.")
    day = datetime(2021, 3, 12, tzinfo=UTC)
    dated = msgspec.structs.replace(undated, published=day, published_precision="day")
    assert [archive.put_post(post) for post in (undated, dated, undated)] == ["new", "same", "same"]
    stored = archive.post("p1")
    assert (stored.published, stored.published_precision, stored.revision) == (day, "day", 1)


def test_year_that_moves_on_with_every_reading_is_no_edit(archive: Archive) -> None:
    first, later, day = (datetime(2018, month, 15, tzinfo=UTC) for month in (3, 9, 10))
    old = Post(id="p1", url="https://x.example/p1", text="Tides.", published=first, published_precision="year")
    new = msgspec.structs.replace(old, published=later)
    dated = msgspec.structs.replace(old, published=day, published_precision="day")
    assert [archive.put_post(post) for post in (old, new)] == ["new", "same"]
    assert archive.post("p1").published == first
    assert [archive.put_post(post) for post in (dated, new)] == ["same", "same"]
    assert (archive.post("p1").published, archive.post("p1").published_precision) == (day, "day")


PAGE = Provenance(method="feed", confidence=0.9, warc="one.warc.gz#7")
LATER = Provenance(method="feed", confidence=0.9, warc="two.warc.gz#9")
WHOLE = msgspec.structs.replace(
    POST,
    authors=("Ida",),
    tags=("sea",),
    language="en",
    published=datetime(2021, 3, 12, 9, 30, tzinfo=UTC),
    published_precision="minute",
    html="<p>first words</p>",
    media=(Media(url="https://x.example/a-300x200.jpg"),),
    provenance={"text": PAGE, "title": PAGE},
)


@pytest.mark.parametrize(
    "fields",
    [
        {"html": "<div><p>first   words</p></div>", "text": "first\n words"},
        {"authors": (), "tags": (), "language": None},
        {"published": datetime(2021, 3, 12, tzinfo=UTC), "published_precision": "day"},
        {"media": (Media(url="https://cdn.example/a-1024x768.jpg?ver=2"),)},
        {"comments": (Comment(id="other-software-7", text=" hm "),)},
    ],
    ids=["white space", "byline of a new theme", "time of day", "size of a picture", "ids of comments"],
)
def test_what_no_reader_sees_is_no_revision_and_nothing_is_lost(archive: Archive, fields: dict[str, object]) -> None:
    archive.put_post(WHOLE)
    assert archive.put_post(msgspec.structs.replace(WHOLE, **fields)) == "same"
    stored = archive.post("p1")
    assert (stored.authors, stored.tags, stored.language) == (WHOLE.authors, WHOLE.tags, WHOLE.language)
    assert (stored.published, stored.published_precision) == (WHOLE.published, "minute")


@pytest.mark.parametrize(
    ("fields", "kind", "changed"),
    [
        ({"text": "other words", "provenance": {"text": LATER}}, "edited", ("text",)),
        ({"title": "Two", "provenance": {"text": PAGE, "title": LATER}}, "edited", ("title",)),
        ({"authors": ("Jan",), "provenance": {"text": LATER}}, "edited", ("authors",)),
        ({"media": (), "provenance": {"text": LATER}}, "edited", ("media",)),
        ({"text": "other words"}, "reextracted", ("text",)),
        ({"comments": (*WHOLE.comments, Comment(id="d", text="so"))}, "commented", ("comments",)),
    ],
)
def test_kind_of_a_change_is_kept(
    archive: Archive, fields: dict[str, object], kind: str, changed: tuple[str, ...]
) -> None:
    archive.put_post(WHOLE)
    assert archive.put_post(msgspec.structs.replace(WHOLE, **fields)) == "changed"
    first, second = archive.history("p1").revisions
    assert (first.kind, second.kind, second.changed) == ("first", kind, changed)


def test_history_moves_with_the_post(archive: Archive) -> None:
    archive.put_post(POST)
    archive.put_post(edited(text="second words"))
    moved = edited(id="p2", url="https://y.example/1", text="second words", comments=())
    archive.put_post(moved)
    archive.mark_moved("p1", "p2", THEN)
    history = archive.history("p1")
    assert [(state.revision, state.kind) for state in history.revisions] == [(1, "first"), (2, "edited")]
    assert [(event.kind, event.detail) for event in history.events] == [("moved", f"{POST.url} to {moved.url}")]
    assert archive.post("p1").comments == POST.comments
