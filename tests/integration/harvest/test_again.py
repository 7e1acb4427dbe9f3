"""Harvesting the same blog twice leaves the same records."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity
    from tests.integration.harvest.conftest import Harvested

    from posterity.model import Post

Twice = tuple[dict[str, "Post"], dict[str, "Post"], dict[str, object]]


@pytest.fixture(scope="module")
def twice(harvested: Harvested, posterity: Posterity, tmp_path_factory: pytest.TempPathFactory) -> Twice:
    """Posts after the first and after the second harvest, and the second report."""
    archive: Path = tmp_path_factory.mktemp("again") / "archive"
    shutil.copytree(harvested.archive, archive)
    ended = posterity("harvest", f"{harvested.base_url}/", "--delay", "0", "--json", "--archive", archive)
    assert (ended.returncode, ended.stderr) == (0, "")
    with open_archive(archive) as store:
        after = {post.url: post for post in store.posts()}
        assert len(store.blogs()) == 1
    return harvested.posts, after, json.loads(ended.stdout.splitlines()[-1])["report"]


def test_ids_are_the_same_and_nothing_is_double(twice: Twice) -> None:
    before, after, _ = twice
    assert {post.id for post in after.values()} == {post.id for post in before.values()}
    assert len(after) == len(before)


def test_no_post_has_a_new_revision(twice: Twice) -> None:
    _, after, _ = twice
    assert {post.revision for post in after.values()} == {1}


def test_what_is_said_of_a_post_is_the_same(twice: Twice) -> None:
    before, after, _ = twice
    facts = ("title", "authors", "published", "text", "html", "markdown", "media", "comments", "links", "tags")
    assert [
        (url, name) for url in before for name in facts if getattr(before[url], name) != getattr(after[url], name)
    ] == []


def test_second_report_has_nothing_new(twice: Twice) -> None:
    before, _, report = twice
    assert (report["posts"], report["new_posts"]) == (len(before), 0)
