"""Network errors become sentences that tell the user what to do."""

from __future__ import annotations

from typing import Any, cast

import pytest
from OpenSSL import SSL
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from twisted.internet.error import ConnectionAborted, ConnectionLost
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed

from posterity.crawl.downloading import rejection, translated
from posterity.crawl.robots import ForbiddenByRobots
from posterity.errors import PosterityError, RefusedByRobots, Unreachable

URL = "http://blog.example:8000/a/"


@pytest.mark.parametrize(
    ("problem", "kind", "words"),
    [
        (CannotResolveHostError("x"), Unreachable, "blog.example:8000 does not exist"),
        (DownloadConnectionRefusedError("x"), Unreachable, "blog.example:8000 refused the connection"),
        (DownloadTimeoutError("x"), Unreachable, "does not respond in time"),
        (IgnoreRequest("max redirections reached"), Unreachable, "redirects in a circle"),
        (
            DownloadFailedError("lost"),
            Unreachable,
            "blog.example:8000 closes the connection, or is not a web server (lost)",
        ),
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


def test_what_broke_last_is_told_without_the_wrapping_of_the_network_library() -> None:
    problem = DownloadFailedError("[<twisted.python.failure.Failure ...>]")
    failure, failed = cast("Any", Failure), cast("Any", ResponseFailed)  # Twisted has no types for them
    problem.__cause__ = failed([failure(ConnectionLost()), failure(ConnectionAborted())])
    assert "(ConnectionAborted)" in str(translated(problem, URL))


def test_host_without_https_is_told_with_the_url_to_try() -> None:
    problem = DownloadFailedError("[<twisted.python.failure.Failure ...>]")
    problem.__cause__ = cast("Any", ResponseFailed)([cast("Any", Failure)(SSL.Error())])
    message = "blog.example does not support HTTPS. Try http://blog.example/a/."
    assert str(translated(problem, "https://blog.example/a/")) == message
