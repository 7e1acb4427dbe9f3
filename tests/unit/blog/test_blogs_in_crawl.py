"""Which hosts of a crawl may be blogs, and where each begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.importer.importing import home_of, responses_by_host

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, MakeShelf


def test_hosts_that_sent_no_page_are_left_out(page: MakePage, shelf_of: MakeShelf) -> None:
    page_source = shelf_of(
        [
            page("http://www.salt.example/"),
            page("http://salt.example/a"),
            page("http://rye.example/"),
            page("http://cdn.example/a.png", kind="image/png"),
            page("http://lost.example/", status=404),
        ]
    )
    assert list(responses_by_host(page_source.responses())) == ["salt.example", "rye.example"]


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
    page: MakePage, shelf_of: MakeShelf, paths: tuple[str, ...], home: str
) -> None:
    assert home_of(shelf_of([page(f"http://salt.example{path}") for path in paths])) == f"http://salt.example{home}"


def test_no_pages_have_no_home(shelf_of: MakeShelf) -> None:
    assert home_of(shelf_of([])) == ""
