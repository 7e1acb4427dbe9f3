"""Hosts of a crawl that may be blogs, and their home pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.importer.importing import home_of, responses_by_host

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, StorePages


def test_hosts_that_sent_no_page_are_left_out(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page("http://www.salt.example/"),
            page("http://salt.example/a"),
            page("http://rye.example/"),
            page("http://cdn.example/a.png", kind="image/png"),
            page("http://lost.example/", status=404),
        ]
    )
    assert list(responses_by_host(pages.responses())) == ["salt.example", "rye.example"]


@pytest.mark.parametrize(
    ("paths", "home"),
    [
        (("/a/b/", "/", "/a/"), "/"),
        (("/blog/2020/tides/", "/blog/"), "/blog/"),
        (("/2020/tides.html", "/2020/rye.html"), "/2020/"),
        (("/index.html", "/about.html"), "/"),
        (("/?p=3", "/?p=4"), "/"),
    ],
)
def test_home_is_the_page_that_the_others_lie_below(
    page: MakePage, stored: StorePages, paths: tuple[str, ...], home: str
) -> None:
    assert home_of(stored([page(f"http://salt.example{path}") for path in paths])) == f"http://salt.example{home}"


def test_no_pages_have_no_home(stored: StorePages) -> None:
    assert home_of(stored([])) == ""
