"""Takedown: nothing of a forgotten post remains anywhere, and it does not come back."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.archive.forget import forget_author, forget_comment, forget_post
from posterity.archive.verify import verify_archive
from posterity.errors import NotInArchive
from posterity.model import Blog, Comment, Media, Post, Provenance, WarcPointer
from posterity.urls import canonical_url, post_id

if TYPE_CHECKING:
    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
SECRET = "The lighthouse keeper keeps a zebra in the cellar and nobody in the village knows about it."
REMARK = "My own telephone number is zero one two three, do ring me about the quartermaster."
URL, OTHER, FEED = "https://x.example/secret", "https://x.example/other", "https://x.example/feed"


def harvested(archive: Archive) -> dict[str, WarcPointer]:
    """A blog of two posts with a shared and a separate picture, a feed with the first post, and an edit."""
    archive.put_blog(Blog(id="b1", url="https://x.example/"))
    escaped = (
        f"<item><description>&lt;p&gt;{SECRET.replace(' ', ' &lt;b&gt;&lt;/b&gt;', 1)}&lt;/p&gt;</description></item>"
    )
    pages = {URL: f"<p>{SECRET}</p><p>{REMARK}</p>", OTHER: "<p>Harmless.</p>", FEED: escaped}
    with archive.warc_writer("b1") as writer:
        pointers = {
            url: writer.write_exchange(
                url=url,
                status=200,
                response_headers=[("Content-Type", "text/html"), ("Content-Encoding", "gzip")],
                body=gzip.compress(page.encode()),
                fetched_at=NOON,
                request_headers=[("Cookie", "zebra=1")],
            )
            for url, page in pages.items()
        }
        writer.write_exchange(
            url=URL,
            status=200,
            response_headers=[("Content-Type", "text/html"), ("Content-Encoding", "gzip")],
            body=gzip.compress(pages[URL].encode(), mtime=0),
            fetched_at=NOON,
        )
    own = archive.put_media(b"own", "image/png", "https://x.example/own.png")
    both = archive.put_media(b"both", "image/png", "https://x.example/both.png")
    for post in posts(pointers, own, both):
        archive.put_post(msgspec.structs.replace(post, text=post.text + " Draft."))
        archive.put_post(post)
    return pointers


def posts(pointers: dict[str, WarcPointer], own: Media, both: Media) -> tuple[Post, Post]:
    comments = (Comment(id="c1", author="Zoë Zebra", text=REMARK), Comment(id="c2", author="Ann", text="Nice."))
    origin = {
        name: {"text": Provenance(method="feed", confidence=1, warc=str(pointers[name]))} for name in (URL, OTHER)
    }
    return (
        Post(
            id=post_id(canonical_url(URL)),
            url=URL,
            blog="b1",
            authors=("Kim Keeper",),
            text=SECRET,
            comments=comments,
            media=(own, both),
            provenance=origin[URL],
        ),
        Post(
            id=post_id(canonical_url(OTHER)),
            url=OTHER,
            blog="b1",
            authors=("Ann",),
            text="Harmless.",
            media=(both,),
            provenance=origin[OTHER],
            comments=(Comment(id="c9", author="zoe  zebra", text="Hello there zebra."),),
        ),
    )


def all_bytes(archive: Archive) -> bytes:
    """All files of the archive, with WARC files decompressed, and all rows of the database."""
    found = b""
    for path in sorted(archive.folder.root.rglob("*")):
        if path.is_file():
            found += gzip.decompress(path.read_bytes()) if path.name.endswith(".gz") else path.read_bytes()
    pages = [archive.read_page(str(capture_pointer)).body for capture_pointer in _pointers(archive)]
    return found + b"".join(pages) + msgspec.json.encode(list(archive.posts()))


def _pointers(archive: Archive) -> list[WarcPointer]:
    return [
        WarcPointer(capture.file, capture.offset, capture.record_id)
        for url in (URL, OTHER, FEED)
        for capture in archive.captures(url)
    ]


def test_a_forgotten_post_leaves_no_trace_but_tombstones(archive: Archive) -> None:
    pointers = harvested(archive)
    secret, other = sorted(archive.posts(), key=lambda post: post.url == OTHER)
    entry = forget_post(archive, URL, "the keeper asked for it")
    assert entry.removed == {"posts": 1, "comments": 2, "media": 1, "records": 6}
    assert list(archive.posts()) == [other]
    assert archive.search("zebra")[0].post_id == other.id  # in its comment only
    assert archive.search("lighthouse OR quartermaster OR keeper") == []
    left = all_bytes(archive)
    assert b"lighthouse" not in left
    assert b"zebra=1" in left  # the request for the page that remains
    assert not archive.media_path(secret.media[0].file or "").exists()
    assert archive.media_path(secret.media[1].file or "").exists()
    assert archive.read_page(pointers[OTHER]).body == b"<p>Harmless.</p>"
    with pytest.raises(NotInArchive, match="taken down"):
        archive.read_page(pointers[URL])
    assert verify_archive(archive).problems == []


def test_what_is_forgotten_stays_forgotten(archive: Archive) -> None:
    harvested(archive)
    secret = archive.post(URL)
    forget_post(archive, secret.id, "asked")
    assert archive.put_post(secret) == "forgotten"
    assert archive.is_forgotten(URL)
    assert not archive.is_forgotten(OTHER)
    assert [(entry.kind, entry.name, entry.reason) for entry in archive.takedowns()] == [("post", secret.id, "asked")]
    with pytest.raises(NotInArchive):
        archive.post(URL)


def test_a_forgotten_comment_is_gone_and_its_post_stays(archive: Archive) -> None:
    harvested(archive)
    secret = archive.post(URL)
    entry = forget_comment(archive, URL, "c1", "private")
    assert entry.removed["comments"] == 1
    assert [comment.id for comment in archive.post(URL).comments] == ["c2"]
    assert [[c.id for c in state.post.comments] for state in archive.history(URL).revisions] == [["c2"], ["c2"]]
    assert b"quartermaster" not in all_bytes(archive)
    assert archive.search("quartermaster") == []
    assert archive.put_post(secret) == "same"
    assert [comment.id for comment in archive.post(URL).comments] == ["c2"]
    assert verify_archive(archive).problems == []


def test_an_author_is_forgotten_as_author_and_as_commenter(archive: Archive) -> None:
    harvested(archive)
    entry = forget_author(archive, "ZOE zebra", "asked")
    assert entry.removed["comments"] == 2
    assert [comment.author for post in archive.posts() for comment in post.comments] == ["Ann"]
    forget_author(archive, "kim keeper", "asked")
    assert [post.url for post in archive.posts()] == [OTHER]
    assert archive.put_post(Post(id="new", url="https://x.example/new", authors=("Kim Keeper",))) == "forgotten"


def test_a_post_that_moved_is_forgotten_at_both_addresses_and_in_all_its_states(archive: Archive) -> None:
    old_url, feed_text = (
        "https://x.example/old",
        "An earlier wording about the walrus who plays the organ in the chapel on Sundays.",
    )
    with archive.warc_writer("b1") as writer:
        for url, body in ((old_url, b"<p>at the old place</p>"), (FEED, f"<p>{feed_text}</p>".encode())):
            writer.write_exchange(
                url=url, status=200, response_headers=[("Content-Type", "text/html")], body=body, fetched_at=NOON
            )
    old = Post(id=post_id(canonical_url(old_url)), url=old_url, blog="b1", text=feed_text)
    archive.put_post(old)
    archive.put_post(msgspec.structs.replace(old, text="Reworded."))
    archive.put_post(Post(id=post_id(canonical_url(URL)), url=URL, blog="b1", text="Reworded."))
    archive.mark_moved(old_url, URL)
    forget_post(archive, URL, "asked")
    assert b"walrus" not in all_bytes(archive)
    assert archive.captures(old_url) == []
    assert archive.is_forgotten(old_url)
    assert archive.put_post(old) == "forgotten"


def test_forgetting_what_is_not_there_is_an_error(archive: Archive) -> None:
    harvested(archive)
    with pytest.raises(NotInArchive, match="no post and no comment by"):
        forget_author(archive, "Nobody", "x")
    with pytest.raises(NotInArchive, match="Its comments: c1, c2"):
        forget_comment(archive, URL, "c7", "x")
    assert archive.takedowns() == []
