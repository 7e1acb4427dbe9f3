"""Recommendations on a page: links to other hosts that are not in posts."""

from __future__ import annotations

from posterity.discover.candidates import link_pages, recommended_links
from posterity.dom import parse

HOME = "https://salt.example/"
PAGE = """<html><body><a href="/about">About</a><a href="/links.html">Links</a><a href="/2020/linked-lists/">Post</a>
<article><p>See <a href="https://cited.example/x">this</a>.</p></article>
<ul><li><a href="https://rye.example/">Rye</a><li><a href="http://www.salt.example/x">Me</a></ul></body></html>"""


def test_links_of_posts_and_own_pages_are_no_recommendations() -> None:
    found = recommended_links(parse(PAGE, HOME), HOME, {"cited.example/x"})
    assert found == ["https://rye.example/"]


def test_page_of_links_is_recognised_by_its_name() -> None:
    assert link_pages(parse(PAGE, HOME), HOME) == ["https://salt.example/links.html"]
