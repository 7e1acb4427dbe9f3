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


def test_paragraphs_that_are_each_called_paywall_stay() -> None:
    words = "The tide came in at night, and boat number {} was gone in the morning with all its nets and lamps."
    body = "".join(f"<p class='paywall'>{words.format(number)}</p>" for number in range(12))
    data = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>'
    post = extract(f"<head>{data}</head><h1>Tides</h1><article><p>{words.format('none')}</p>{body}</article>", URL)
    assert post is not None
    assert post.access == "restricted"
    assert all(f"boat number {number} was" in post.text for number in range(12))


def test_walls_inside_a_wall_count_once() -> None:
    inner = f"<div class='paywall-cta'><p>{WALL * 6}</p><div class='paywall'><p>{WALL * 4}</p></div></div>"
    post = extract(f"<h1>Tides</h1><article>{TEXT}<div class='paywall'>{inner}</div></article>", URL)
    assert post is not None
    assert post.access == "restricted"
    assert WALL not in post.text


@pytest.mark.parametrize(("preview", "text"), [("", ""), (f"<p>{'The tide came in. ' * 9}</p>", "The tide came in.")])
def test_post_of_which_nothing_is_visible_has_no_text(preview: str, text: str) -> None:
    wall = "<aside class=gh-post-upgrade-cta><h2>This post is for subscribers only</h2><a href=#>Subscribe</a></aside>"
    others = "".join(f"<div class=teaser><h3>Post {n}</h3><p>{TEXT}</p></div>" for n in range(3))
    post = extract(f"<h1>Tides</h1><p>by Ada</p><div class=gh-content>{preview}{wall}</div>{others}", URL)
    assert post is not None
    assert post.access == "restricted"
    assert post.text[: len(text) or None] == text
