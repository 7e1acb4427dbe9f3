"""Addresses that are never worth a visit."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import is_trap


@pytest.mark.parametrize(
    "path",
    [
        "/a/?replytocom=12",
        "/a/?share=twitter",
        "/a/?showComment=1",
        "/a/?print=1",
        "/a/?m=1",
        "/a/?amp",
        "/a/amp/",
        "/a/feed/",
        "/feed",
        "/a/trackback/",
        "/wp-admin/x",
        "/wp-login.php",
        "/wp-json/wp/v2/posts",
        "/xmlrpc.php",
        "/login",
        "/search?q=x",
        "/search/label/x",
        "/a/comment-page-2/",
        "/photo.JPG",
        "/book.pdf",
        "/style.css",
        "/feed.xml",
        "/x.zip",
        "/a/b/a/b/a/b/a/b/",
        "/" + "a" * 1100,
        "/" + "/".join("abcdefghijklmnopqrs"),
    ],
)
def test_trap(path: str) -> None:
    assert is_trap(f"http://blog.example{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/2021/03/12/on-tides/",
        "/?p=123",
        "/page/2/",
        "/tag/bread/",
        "/posts/feeding-birds/",
        "/research/",
        "/ampere/",
        "/blueprint/",
        "/how-to-log-in-again.html",
        "/2021/03/12/a.html",
        "/archive/2021.html",
        "/a.php?id=3",
        "/2020/20/20/x/",
        "/%E6%BD%AE/",
    ],
)
def test_ordinary_pages_are_no_traps(path: str) -> None:
    assert not is_trap(f"http://blog.example{path}")
