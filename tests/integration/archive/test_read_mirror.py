"""Pages from a mirror on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.errors import InputError
from posterity.importer.importing import mirror_pages

if TYPE_CHECKING:
    from pathlib import Path


def lay_out(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"page {name}")


def addresses(folder: Path, base_url: str | None = None) -> list[str]:
    return [page.url for page in mirror_pages(folder, base_url)]


def test_a_mirror_with_hosts_says_its_addresses_itself(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        "salt.example/index.html",
        "salt.example/2021/tides/index.html",
        "salt.example/a b.html",
        "salt.example/p?x=1",
    )
    assert addresses(tmp_path) == [
        "http://salt.example/2021/tides/",
        "http://salt.example/a%20b.html",
        "http://salt.example/",
        "http://salt.example/p?x=1",
    ]


def test_a_folder_called_after_its_host_is_that_host(tmp_path: Path) -> None:
    lay_out(tmp_path, "salt.example/index.html", "salt.example/about.html")
    assert addresses(tmp_path / "salt.example") == ["http://salt.example/about.html", "http://salt.example/"]


def test_any_folder_can_be_given_an_address(tmp_path: Path) -> None:
    lay_out(tmp_path, "index.html", "feed.xml", "img/a.png", "2020:tides.html")
    pages = {page.url: page for page in mirror_pages(tmp_path, "https://salt.example/blog")}
    assert sorted(pages) == [
        "https://salt.example/blog/",
        "https://salt.example/blog/2020:tides.html",
        "https://salt.example/blog/feed.xml",
        "https://salt.example/blog/img/a.png",
    ]
    assert pages["https://salt.example/blog/feed.xml"].content_type == "application/xml"
    assert pages["https://salt.example/blog/"].body == b"page index.html"


def test_a_mirror_without_an_address_is_an_error(tmp_path: Path) -> None:
    lay_out(tmp_path, "plain/tides.html")
    with pytest.raises(InputError, match="Add --url"):
        addresses(tmp_path / "plain")
    with pytest.raises(InputError, match="is not a folder"):
        addresses(tmp_path / "nothing")
