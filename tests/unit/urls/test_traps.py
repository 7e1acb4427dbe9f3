"""URLs that are never worth a visit."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import is_trap


@pytest.mark.parametrize(
    "path",
    [
        "/a/?replytocom=12",
        "/a/?replyTo=12",
        "/a/?share=twitter",
        "/a/?showComment=1",
        "/a/?print=1",
        "/a/?m=1",
        "/a/?amp",
        "/2007/08/tides.html?cid=6a00d834",
        "/2007/08/tides.html?no_prefetch=1",
        "/a/amp/",
        "/a/feed/",
        "/feed",
        "/a/trackback/",
        "/wp-trackback.php?p=12",
        "/cdn-cgi/l/email-protection",
        "/wp-admin/x",
        "/wp-login.php",
        "/wp-json/wp/v2/posts",
        "/xmlrpc.php",
        "/login",
        "/login.php?next=/a/",
        "/sign_in",
        "/cgi-bin/mt/mt-comments.cgi?entry_id=12",
        "/mt/mt-tb.cgi/12",
        "/cgi-bin/gm-comments.cgi",
        "/wp-comments-popup.php?p=12",
        "/cgi-bin/counter.pl",
        "/cgi-bin/show.cgi?page=a",
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
        "/page.php?cid=12",
        "/?m=200706",
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
        "/cgi-bin/blosxom.cgi",
        "/cgi-bin/blosxom.cgi/2005/03/01/tides.html",
        "/wiki.pl?SaltAndStone",
        "/wp-trackback.php%3Fp=12.html",
        "/2020/20/20/x/",
        "/%E6%BD%AE/",
    ],
)
def test_ordinary_pages_are_no_traps(path: str) -> None:
    assert not is_trap(f"http://blog.example{path}")
