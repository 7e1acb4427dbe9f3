"""URLs are checked before anything is started."""

from __future__ import annotations

import pytest

from posterity.crawl.run import checked_url, harvest
from posterity.errors import UsageError


@pytest.mark.parametrize("url", ["http://blog.example/", "https://blog.example", "http://127.0.0.1:8000/feed.xml"])
def test_web_addresses_pass(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("blog.example/a", "Write https://blog.example/a instead"),
        ("localhost:4000", "Write http://localhost:4000 instead"),
        ("ftp://blog.example/", "begins with http:// or https://"),
        ("http://", "begins with http:// or https://"),
        ("not a url", "begins with http:// or https://"),
        ("htp:/blog.example/", "begins with http:// or https://"),
        ("https:/blog.example/", "begins with http:// or https://"),
        ("", "no scheme"),
    ],
)
def test_other_addresses_are_answered_with_what_to_write(url: str, advice: str) -> None:
    with pytest.raises(UsageError, match=advice):
        checked_url(url)


def test_wrong_address_makes_no_archive(tmp_path_factory: pytest.TempPathFactory) -> None:
    archive = tmp_path_factory.mktemp("x") / "archive"
    with pytest.raises(UsageError):
        harvest("ftp://blog.example", archive)
    assert not archive.exists()
