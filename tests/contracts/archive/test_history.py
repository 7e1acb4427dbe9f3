"""Edits become revisions, deletions tombstones, and a post that moved is one post."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.errors import NotInArchive
from posterity.model import Comment, Post

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
