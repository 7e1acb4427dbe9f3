"""URLs that look like lists of posts."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import is_listing


@pytest.mark.parametrize(
    "path",
    ["", "/", "/index.html", "/tag/sea/", "/category/sea/north/", "/2024/", "/2024/03/", "/2024/03/12/", "/page/3/",
     "/taxonomy/term/32.html",
     "/archives/", "/archives/2024.html", "/archives/2024/03/", "/author/ann/", "/2013_09_01_archive.html", "/?paged=2",
     "/archive/2003_07.html", "/index12.html", "/page2/", "/blog/page-3.html", "/fr/", "/fr", "/pt-br/index.html",
     "/blog/", "/en/posts/", "/tag_sea.html", "/archives/cat_829934.html", "/all_posts.html", "/all-tags/",
     "/blog/2022.html", "/blog.html", "/blog/blog.html", "/2008/12/page2.html", "/archives/2008/cat_sea.html",
     "/blog/tag:sea", "/blog/category:Deep%20sea.html", "/blog/page:2", "/blog-category/sea/",
     "/news-tags/sea", "/tagged/sea", "/seite/2/", "/pagina/3", "/?start=10",
     "/blog?b12_page=2", "/blog-date-201203.html", "/archive1-201203.html", "/blogs/news/tagged/sea",
     "/?m=201002", "/index.html%3Fm=201002.html",
     "/index.html%3fcat=3.html", "/2004/Jan/23/", "/2004/Jan", "/blog/2004/september/index.html"],
)  # fmt: skip
def test_listing(path: str) -> None:
    assert is_listing(f"https://blog.example{path}")


@pytest.mark.parametrize(
    "path",
    ["/on-tides/", "/2024/03/12/on-tides/", "/archives/000706.html", "/?p=12", "/2024/on-tides.html", "/tagged-sheep/",
     "/archives/on-tides/", "/index.php/archives/37/", "/archives/1425",
     "/page2-of-my-diary/", "/fr/on-tides/", "/france/", "/thoughts/",
     "/all-posts-are-late/", "/tag-game-rules.html", "/2022.html", "/2008/07/51/",
     "/index.html%3Fp=12.html", "/blog-entry-12.html", "/entry-12.html", "/p/2",
     "/2019/12/31/2019/", "/2004/05/03/page_23.html", "/2008/12/cat_in_yellow.html",
     "/tag:-a-game/of-tides/", "/2004/mayday/", "/2004/march-on/"],
)  # fmt: skip
def test_no_listing(path: str) -> None:
    assert not is_listing(f"https://blog.example{path}")


def test_broken_address_is_no_listing() -> None:
    assert not is_listing("http://[::1")
