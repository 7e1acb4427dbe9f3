"""Eight processes write to one archive while a ninth reads: nothing is lost and no process fails."""

from __future__ import annotations

import multiprocessing
from datetime import UTC, datetime

from posterity.archive import Seen, open_archive
from posterity.archive.verify import verify_archive
from posterity.model import Blog, Comment, Post

WRITERS = 8
PAGES = 15
NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)


def harvest(location: str, number: int) -> None:
    """Store what a harvest stores for each page, and the same post twice."""
    blog = f"b{number}"
    with open_archive(location, create=True) as archive, archive.warc_writer(blog) as writer:
        archive.put_blog(Blog(id=blog, url=f"https://{blog}.example/"))
        for page in range(PAGES):
            url = f"https://{blog}.example/{page}"
            body = f"page {page} of {blog}".encode()
            pointer = writer.write_exchange(url=url, status=200, response_headers=[], body=body, fetched_at=NOON)
            post = Post(
                id=f"{blog}-{page}", url=url, blog=blog, text=body.decode(), comments=(Comment(id="c", text="hm"),)
            )
            assert archive.put_post(post) == "new"
            assert archive.put_post(post) == "same"
            archive.put_media(b"shared" + bytes([page]), "image/png", url)
            archive.mark_seen(blog, Seen(url=url, status=200, fetched_at=NOON, warc=pointer))


def test_eight_harvests_at_once_lose_nothing(location: str) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=harvest, args=(location, number)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        with open_archive(location, create=True) as archive:  # all nine race to create it
            for post in archive.posts():
                assert len(post.comments) == 1  # never half a post
        for writer in writers:
            writer.join(timeout=0.05)
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    with open_archive(location) as archive:
        assert sum(1 for _ in archive.posts()) == WRITERS * PAGES
        assert len(archive.search("page", limit=1000)) == WRITERS * PAGES
        assert sum(len(archive.seen(f"b{number}")) for number in range(WRITERS)) == WRITERS * PAGES
        assert verify_archive(archive).problems == []
