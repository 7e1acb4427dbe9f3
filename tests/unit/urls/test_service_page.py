"""Service pages, which nearly every site has besides its posts."""

from __future__ import annotations

import pytest

from posterity.urls.kinds import is_service_page


@pytest.mark.parametrize(
    "path",
    ["/about/", "/about.html", "/About-me", "/contact/", "/pages/links.html", "/impressum", "/ueber/", "/om-mig",
     "/cookies", "/cookie-policy/", "/resume-en", "/cv_de.html", "/terms-of-service", "/datenschutz-de",
     "/blog/privacy-policy/", "/de/blog/impressum.html"],
)  # fmt: skip
def test_name_at_the_root_tells(path: str) -> None:
    assert is_service_page(f"https://blog.example{path}")


@pytest.mark.parametrize(
    "path",
    ["/", "/2012/links/", "/about-face/", "/blog/about-tides/", "/linksys/", "/posts/contact/",
     "/cookies-with-salt", "/resume-tips", "/now-in-print", "/2018/05/privacy-policy/"],
)  # fmt: skip
def test_posts_that_have_the_word_are_none(path: str) -> None:
    assert not is_service_page(f"https://blog.example{path}")
