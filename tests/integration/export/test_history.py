"""What became of posts goes along: exports say what is gone, and with --history another archive gets the revisions."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from xml.etree.ElementTree import fromstring

import msgspec
import pytest

from posterity.archive import open_archive
from posterity.model import Blog, Comment, Post, Provenance
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

HOME = "https://salt.example/"
URL = f"{HOME}2021/tides/"
GONE_AT = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
STONE = "{http://purl.org/atompub/tombstones/1.0}deleted-entry"


def state(text: str, warc: str, **fields: object) -> Post:
    post = Post(
        id=post_id(URL),
        url=URL,
        canonical_url=URL,
        blog=blog_id(HOME),
        title="On tides",
        text=text,
        html=f"<p>{text}</p>",
        published=datetime(2021, 3, 12, tzinfo=UTC),
        provenance={"text": Provenance(method="feed", confidence=0.9, warc=warc)},
    )
    return msgspec.structs.replace(post, **fields)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A post of three revisions that is gone, and one that is there."""
    where = tmp_path / "archive"
    with open_archive(where, create=True) as store:
        store.put_blog(Blog(id=blog_id(HOME), url=HOME))
        with store.warc_writer(blog_id(HOME)) as writer:
            pointers = [
                str(
                    writer.write_exchange(
                        url=URL,
                        status=200,
                        response_headers=[("Content-Type", "text/html")],
                        body=f"<p>{number}</p>".encode(),
                        fetched_at=datetime(2022, 1, number, tzinfo=UTC),
                    )
                )
                for number in (1, 2, 3)
            ]
        store.put_post(state("The moon is near.", pointers[0]))
        store.put_post(state("The moon is far.", pointers[1]))
        comment = Comment(id="c1", author="Ida", text="Is it?")
        store.put_post(state("The moon is far.", pointers[2], comments=(comment,)))
        store.mark_gone(post_id(URL), 410, GONE_AT)
        other = f"{HOME}2021/salt/"
        store.put_post(Post(id=post_id(other), url=other, blog=blog_id(HOME), text="Salt."))
    return where


def test_every_export_says_since_when_a_post_is_gone(archive: Path, posterity: Posterity, tmp_path: Path) -> None:
    assert posterity("export", tmp_path / "a.jsonl", "--archive", archive).returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [line.get("gone") for line in lines] == [{"at": "2024-05-06T07:08:00Z", "status": 410}, None]
    assert not any("history" in line for line in lines)
    assert posterity("export", tmp_path / "a.atom", "--archive", archive).returncode == 0
    (stone,) = fromstring((tmp_path / "a.atom").read_bytes()).findall(STONE)
    assert (stone.get("ref"), stone.get("when")) == (URL, "2024-05-06T07:08:00+00:00")
    shown = posterity("show", URL, "--archive", archive).stdout
    assert "since 2024-05-06 (status 410)" in shown


@pytest.mark.parametrize("name", ["a.jsonl", "a.atom", "a.warc.gz"])
def test_history_comes_back(name: str, archive: Path, posterity: Posterity, tmp_path: Path) -> None:
    exported = posterity("export", tmp_path / name, "--history", "--archive", archive)
    assert exported.returncode == 0, exported.stderr
    copy = tmp_path / "copy"
    imported = posterity("import", tmp_path / name, "--archive", copy)
    assert imported.returncode == 0, imported.stderr
    with open_archive(archive) as store, open_archive(copy) as other:
        before, after = store.history(URL), other.history(URL)
        assert [(stone.url, stone.gone_at, stone.status) for stone in other.tombstones(blog_id(HOME))] == [
            (URL, GONE_AT, 410)
        ]
        assert len(list(other.posts())) == 2
    assert [(one.revision, one.kind, one.changed, one.seen_at) for one in after.revisions] == [
        (one.revision, one.kind, one.changed, one.seen_at) for one in before.revisions
    ]
    assert [one.kind for one in before.revisions] == ["first", "edited", "commented"]
    assert [one.post.text for one in after.revisions] == [one.post.text for one in before.revisions]
    assert after.events == before.events


def test_history_of_the_archive_itself_is_not_overwritten(archive: Path, posterity: Posterity, tmp_path: Path) -> None:
    assert posterity("export", tmp_path / "a.jsonl", "--history", "--archive", archive).returncode == 0
    with open_archive(archive) as store:
        before = store.history(URL)
    assert posterity("import", tmp_path / "a.jsonl", "--archive", archive).returncode == 0
    with open_archive(archive) as store:
        assert store.history(URL).revisions == before.revisions


def test_warc_has_a_conversion_of_every_revision(archive: Path, posterity: Posterity, tmp_path: Path) -> None:
    assert posterity("export", tmp_path / "a.warc.gz", "--history", "--archive", archive).returncode == 0
    content = gzip.decompress((tmp_path / "a.warc.gz").read_bytes())
    assert content.count(b"WARC-Type: conversion") == 4
    assert b"The moon is near." in content


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(("a.csv",), "jsonl, atom, warc"), (("a.jsonl", "--mask-pii"), "--mask-pii cannot change earlier revisions")],
)
def test_history_that_cannot_be_written_is_refused(
    arguments: tuple[str, ...], word: str, archive: Path, posterity: Posterity
) -> None:
    ended = posterity("export", *arguments, "--history", "--archive", archive)
    assert ended.returncode == 2
    assert word in ended.stderr
