"""Events of a harvest are JSON lines with the name of the event."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import get_args

import msgspec
import pytest

from posterity.crawl.jobs import (
    Drifted,
    Ended,
    Event,
    Failed,
    FeedRead,
    Fetched,
    Gone,
    Learned,
    Moved,
    PageError,
    Rotating,
    Started,
    Stored,
    Updated,
)
from posterity.model import HarvestReport, RuleSet, to_json
from posterity.model.report import UpdateReport

NOW = datetime(2021, 3, 12, tzinfo=UTC)
EVENTS = [
    Started(url="http://blog.example/"),
    FeedRead(url="http://blog.example/feed/", format="rss20", entries=10),
    Learned(rules=RuleSet()),
    Fetched(url="http://blog.example/a/", status=200, bytes=10, pages=1, known=2),
    Stored(url="http://blog.example/a/", title=None, state="new", posts=1),
    PageError(url="http://blog.example/a/", error="KeyError", traceback="..."),
    PageError(url="http://blog.example/a/", error="ValueError: no", traceback="Traceback ..."),
    Ended(
        report=HarvestReport(blog="b1", url="http://blog.example/", started_at=NOW, ended_at=NOW, ended_because="done")
    ),
    Drifted(pages=4, failing=3, version=2),
    Gone(url="http://blog.example/a/", status=410),
    Moved(url="http://blog.example/", to="http://elsewhere.example/"),
    Rotating(posts=300, requests=15, updates=20),
    Updated(
        report=UpdateReport(blog="b1", url="http://blog.example/", started_at=NOW, ended_at=NOW, ended_because="done")
    ),
    Failed(error="Unreachable", message="No.", exit_code=6),
]


@pytest.mark.parametrize("event", EVENTS)
def test_event_comes_back_from_its_line(event: Event) -> None:
    line = to_json(event)
    assert msgspec.json.decode(line, type=Event) == event
    assert json.loads(line)["event"] == type(event).__name__.lower()


def test_every_event_is_tried_here() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
