"""Search services by URL or by plugin."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from posterity.crawl.find_blogs import SearchHit, search_service
from posterity.errors import InputError, UsageError
from posterity.model import Page

if TYPE_CHECKING:
    from pathlib import Path

PLUGIN = """
from posterity.crawl.find_blogs import SearchHit

class Own:
    def __init__(self, address, fetch):
        self.address = address

    def hits(self, query, count):
        yield SearchHit(f"https://{self.address}/{query}")
"""


def fetch(url: str) -> Page:
    body = (
        b'{"results": [{"url": "https://a.example/", "title": "A", "engines": ["x"]}, {"url": "https://b.example/"}]}'
    )
    return Page(url=url, requested_url=url, status=200, body=body, fetched_at=datetime(2024, 1, 1, tzinfo=UTC))


def test_searxng_gives_its_hits_once_and_no_more_than_asked_for() -> None:
    service = search_service("http://127.0.0.1:8888/search", fetch)
    assert list(service.hits("rye", 10)) == [SearchHit("https://a.example/", "A"), SearchHit("https://b.example/")]
    assert list(service.hits("rye", 1)) == [SearchHit("https://a.example/", "A")]


def test_engines_that_do_not_answer_are_told() -> None:
    body = b'{"results": [], "unresponsive_engines": [["one", "timeout"], ["two", "too many requests"]]}'
    page = msgspec.structs.replace(fetch("http://127.0.0.1:8888/"), body=body)
    with pytest.raises(InputError, match=r"one: timeout; two: too many requests"):
        list(search_service("http://127.0.0.1:8888/", lambda _: page).hits("rye", 10))


def test_installed_package_can_bring_a_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_search.py").write_text(PLUGIN)
    info = tmp_path / "own_search-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-search\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[posterity.search]\nown = own_search:Own\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = list(search_service("own:index.example", fetch).hits("rye", 5))
    assert found == [SearchHit("https://index.example/rye")]
    sys.modules.pop("own_search", None)


def test_unknown_service_is_told() -> None:
    with pytest.raises(UsageError, match="no search service 'nobody:x'"):
        search_service("nobody:x", fetch)
