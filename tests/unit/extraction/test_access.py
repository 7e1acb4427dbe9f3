"""Posts behind a password or a paywall."""

from __future__ import annotations

import pytest

from posterity import extract
from posterity.dom import parse
from posterity.extraction.method import is_restricted

TEXT = "<p>The first paragraph is for everybody, and it tells of the tide that came in at night.</p>" * 3
WALL = "This post is for paying subscribers only."
URL = "https://blog.example/tides/"


@pytest.mark.parametrize("name", ["paywall", "gh-post-upgrade-cta", "post-password-form"])
def test_paywall_is_no_part_of_the_article_and_the_post_is_marked(name: str) -> None:
    post = extract(f"<h1>Tides</h1><article>{TEXT}<div class='{name}'><p>{WALL}</p></div></article>", URL)
    assert post is not None
    assert post.access == "restricted"
    assert "came in at night" in post.text
    assert WALL not in post.text + (post.markdown or "") + (post.html or "")


@pytest.mark.parametrize(
    "head",
    [
        '<script type="application/ld+json">{"@type":"BlogPosting","isAccessibleForFree":false}</script>',
        '<meta property="article:content_tier" content="locked">',
    ],
)
def test_post_that_is_declared_as_not_free_is_marked(head: str) -> None:
    assert is_restricted(parse(f"<html><head>{head}</head><body>{TEXT}</body></html>", URL))


def test_whole_text_in_an_element_called_paywall_stays() -> None:
    post = extract(f"<h1>Tides</h1><article><div class='paywall'>{TEXT * 4}</div></article>", URL)
    assert post is not None
    assert post.access is None
    assert "came in at night" in post.text
