"""An archive is the same after any copy, and after compaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.archive.maintenance import compact_archive, copy_archive
from posterity.archive.overview import archive_stats
from posterity.archive.verify import verify_archive
from posterity.config import CrawlSettings, Settings
from posterity.errors import ArchiveError
from posterity.model import Blog, Comment, Post, RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.archive import Archive

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)


def fill(archive: Archive) -> None:
    archive.put_blog(Blog(id="b1", url="https://x.example/"))
    archive.put_rules("b1", RuleSet())
    archive.put_harvest_options("b1", Settings(crawl=CrawlSettings(media=False)))
    medium = archive.put_media(b"bytes", "image/png", "https://x.example/a.png")
    with archive.warc_writer("b1") as writer:
        writer.write_exchange(url="https://x.example/1", status=200, response_headers=[], body=b"x", fetched_at=NOON)
    for text in ("first", "second \x00 tide"):
        comments = (Comment(id="c1", text="hm"),)
        archive.put_post(
            Post(id="p1", url="https://x.example/1", blog="b1", text=text, comments=comments, media=(medium,))
        )
    archive.put_post(Post(id="p2", url="https://x.example/2", blog="b1", published=NOON))
    archive.mark_gone("p2", 404, NOON)


@pytest.mark.parametrize(
    "kinds", [("sqlite", "postgresql"), ("postgresql", "sqlite"), ("sqlite", "sqlite")], ids=" to ".join
)
def test_a_copy_has_all_that_the_original_has(kinds: tuple[str, str], new_location: Callable[[str], str]) -> None:
    with (
        open_archive(new_location(kinds[0]), create=True) as source,
        open_archive(new_location(kinds[1]), create=True) as target,
    ):
        fill(source)
        counts = copy_archive(source, target)
        assert (counts["posts"], counts["comments"], counts["revisions"], counts["captures"]) == (2, 1, 1, 1)
        assert list(target.posts()) == list(source.posts())
        assert target.history("p1") == source.history("p1")
        assert target.tombstones("b1") == source.tombstones("b1")
        assert target.harvest_options("b1") == source.harvest_options("b1") is not None
        assert [hit.post_id for hit in target.search("tide")] == ["p1"]
        assert verify_archive(target).problems == []
        with pytest.raises(ArchiveError, match="already contains blogs"):
            copy_archive(source, target)


def test_compaction_and_counting_change_nothing(archive: Archive) -> None:
    fill(archive)
    before = list(archive.posts())
    compact_archive(archive)
    assert list(archive.posts()) == before
    assert [hit.post_id for hit in archive.search("tide")] == ["p1"]
    stats = archive_stats(archive)
    assert (stats.posts, stats.gone, stats.comments, stats.revisions, stats.captures, stats.media_files) == (
        2,
        1,
        1,
        1,
        1,
        1,
    )
    assert stats.by_blog[0].first == stats.by_blog[0].latest == "2021-03-12T12:00:00.000000Z"
    assert stats.warc_bytes > 0
