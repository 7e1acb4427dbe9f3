"""The schedule that a person gives a blog: told by the command, kept by updates, stored with the blog."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.crawl.run import chosen_blogs, next_moment, put_schedule
from posterity.model import Schedule

if TYPE_CHECKING:
    from tests.conftest import Posterity
    from tests.integration.update.conftest import Followed


def test_paused_blog_is_updated_by_name_alone(posterity: Posterity, followed: Followed) -> None:
    said = posterity("schedule", "127.0.0.1", "--pause", "--archive", followed.archive)
    assert (said.returncode, said.stdout.strip().endswith(": paused")) == (0, True)
    assert "updates   paused" in posterity("show", "127.0.0.1", "--archive", followed.archive).stdout
    assert chosen_blogs(followed.archive) == []
    assert next_moment(followed.archive) is None
    before = len(followed.blog.requests)
    assert "paused" in posterity("update", "--archive", followed.archive).stderr
    assert len(followed.blog.requests) == before
    assert [blog.schedule.mode for blog in chosen_blogs(followed.archive, ["127.0.0.1"])] == ["paused"]


def test_fixed_time_counts_from_every_update(posterity: Posterity, followed: Followed) -> None:
    asked = posterity("schedule", "127.0.0.1", "--every", "2d", "--json", "--archive", followed.archive)
    assert json.loads(asked.stdout)["schedule"] == {"mode": "every", "hours": 48}
    followed.update()
    with open_archive(followed.archive) as archive:
        (blog,) = archive.blogs()
        assert blog.due_at is not None
        assert blog.updated_at is not None
        assert abs(blog.due_at - blog.updated_at - timedelta(days=2)) < timedelta(minutes=5)
        assert put_schedule(archive, blog.id, Schedule()).schedule == Schedule()
        assert archive.blog(blog.id).results == blog.results


@pytest.mark.parametrize("arguments", [("--every", "soon"), ("--every", "500w"), ("--every", "2d", "--pause")])
def test_time_that_is_none_is_refused(posterity: Posterity, followed: Followed, arguments: tuple[str, ...]) -> None:
    assert posterity("schedule", "127.0.0.1", *arguments, "--archive", followed.archive).returncode == 2
