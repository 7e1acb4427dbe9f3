"""What can go wrong on the network becomes a sentence to act on."""

from __future__ import annotations

import pytest
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)

from posterity.errors import PosterityError, RefusedByRobots, Unreachable
from posterity.fetch.downloading import rejection, translated
from posterity.fetch.robots import ForbiddenByRobots

URL = "http://blog.example:8000/a/"


@pytest.mark.parametrize(
    ("problem", "kind", "words"),
    [
        (CannotResolveHostError("x"), Unreachable, "blog.example:8000 does not exist"),
        (DownloadConnectionRefusedError("x"), Unreachable, "Nothing answers at blog.example:8000"),
        (DownloadTimeoutError("x"), Unreachable, "does not answer in time"),
        (IgnoreRequest("max redirections reached"), Unreachable, "redirects in a circle"),
        (OSError("broken"), Unreachable, "cannot be fetched: broken"),
        (ForbiddenByRobots("robots.txt forbids it"), RefusedByRobots, "robots.txt forbids it"),
    ],
)
def test_problem_becomes_an_error_of_ours(problem: Exception, kind: type[PosterityError], words: str) -> None:
    error = translated(problem, URL)
    assert type(error) is kind
    assert words in str(error)
    assert str(error).endswith(".")


def test_rejection_tells_robots_from_the_network() -> None:
    assert rejection(RefusedByRobots("no"), URL).reason == "robotsTxt"
    assert rejection(Unreachable("no"), URL).reason == "networkError"
