"""URLs that belong to a blog."""

from __future__ import annotations

import pytest

from posterity.urls import Scope


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("http://blog.example/", True),
        ("https://www.blog.example/a/b", True),
        ("http://BLOG.example:80/a", True),
        ("https://blog.example:443/a", True),
        ("http://blog.example:8080/a", False),
        ("http://other.example/", False),
        ("http://notblog.example/", False),
        ("http://sub.blog.example/", False),
        ("ftp://blog.example/", False),
        ("mailto:me@blog.example", False),
        ("http://[::1", False),
    ],
)
def test_host_decides(url: str, inside: bool) -> None:
    assert Scope.of("http://www.blog.example/").includes(url) is inside


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("http://host.example/anna/", True),
        ("http://host.example/anna", True),
        ("http://host.example/anna/2021/a.html", True),
        ("http://host.example/", False),
        ("http://host.example/berta/", False),
        ("http://host.example/annabel/", False),
    ],
)
@pytest.mark.parametrize("home", ["http://host.example/anna/", "http://host.example/anna/index.html"])
def test_blog_in_a_folder_ends_at_the_folder(home: str, url: str, inside: bool) -> None:
    assert Scope.of(home).includes(url) is inside


def test_another_host_of_the_blog_can_be_added_once() -> None:
    scope = Scope.of("http://blog.example/").with_host("https://www.posts.example/a")
    assert scope.includes("http://posts.example/b")
    assert scope.includes("http://blog.example/b")
    assert scope.with_host("http://posts.example/") is scope


def test_folder_that_was_added_belongs_to_the_blog() -> None:
    scope = Scope.of("http://host.example/anna/").with_folder("/anna_ru/")
    for path in ("/anna/", "/anna_ru/", "/anna_ru", "/anna_ru/2021/a.html"):
        assert scope.includes(f"http://host.example{path}")
    assert not scope.includes("http://host.example/anna_de/")
    assert scope.is_on_host("http://host.example/anna_de/")
