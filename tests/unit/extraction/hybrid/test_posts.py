"""The choice between rules and the page for each field."""

import pytest
from tests.unit.extraction.hybrid.test_article import PARAGRAPH, comments, page

from posterity.dom import parse
from posterity.extraction.hybrid.posts import posts
from posterity.extraction.method import Context
from posterity.model import FieldRule, Post, Rule, RuleSet


def rules(selector_class: str) -> RuleSet:
    rule = FieldRule(rule=Rule(kind="class", value=selector_class), confidence=0.97, pages=9, of_pages=9)
    return RuleSet(blog="https://blog.example/", fields={"text": (rule,)})


def found(content: str, selector_class: str, after: str = "") -> Post:
    return posts(page(content, after), Context(rules=rules(selector_class)))[0]


def test_rules_decide_where_they_find_an_article() -> None:
    post = found(f"<div class='own'><p>{PARAGRAPH}</p></div><p>{PARAGRAPH[:120]} Too much.</p>", "own")
    assert post.text == PARAGRAPH
    assert post.provenance["text"].method == "feed"


def test_without_a_match_the_page_is_asked() -> None:
    post = found(f"<p>{PARAGRAPH}</p>", "other-theme")
    assert post.text == PARAGRAPH
    assert post.provenance["text"].method == "hybrid"


def test_a_rule_that_names_next_to_nothing_beside_a_long_article_is_overruled() -> None:
    again = f"<p>{PARAGRAPH[20:]}</p><p>{PARAGRAPH[40:]}</p>"
    post = found(f"<div class='own'>Filed under boats</div><p>{PARAGRAPH}</p>{again}", "own")
    assert PARAGRAPH in post.text
    assert post.provenance["text"].method == "hybrid"


def test_a_rule_that_names_nothing_but_links_beside_an_article_is_overruled() -> None:
    links = "<div class='own'><a href=1.html>&lt;&lt; Previous</a> <a href=3.html>Next &gt;&gt;</a></div>"
    post = found(f"{links}<p>{PARAGRAPH[:160]}</p>", "own")
    assert post.text == PARAGRAPH[:160]


def test_a_post_that_is_a_link_is_not_overruled() -> None:
    post = found("<div class='own'><a href=https://elsewhere.example/>Tide tables</a></div>", "own", comments(2))
    assert post.text == "Tide tables"


def test_a_short_post_by_rule_is_not_overruled_by_sidebar_or_comments() -> None:
    post = found("<div class='own'>Low tide at six.</div>", "own", comments(20))
    assert post.text == "Low tide at six."
    assert post.provenance["text"].method == "feed"


def test_on_a_page_with_little_text_besides_a_short_post_is_not_overruled() -> None:
    post = posts(parse("<div class='own'>Low tide at six.</div><p>A pier.</p>"), Context(rules=rules("own")))[0]
    assert post.text == "Low tide at six."


def test_fields_without_a_rule_are_filled_from_the_page() -> None:
    post = found(f"<div class='own'><p>{PARAGRAPH}</p><p>{PARAGRAPH[:80]}</p></div>", "own")
    assert post.title == "Counting boats"
    assert post.provenance["title"].method != "feed"


@pytest.mark.parametrize(
    ("byline", "day"),
    [("Originally written on August 19, 2015", "2015-08-19"), ("Nothing to see here", "2016-08-19")],
)
def test_day_in_the_url_gives_way_to_the_day_that_the_page_shows(byline: str, day: str) -> None:
    body = f"<h1>Boats</h1><p>{byline}</p><div class='own'><p>{PARAGRAPH}</p><p>{PARAGRAPH[:80]}</p></div>"
    document = parse(f"<title>Boats</title>{body}", "https://blog.example/posts/2016-08-19-boats/")
    (post,) = posts(document, Context(rules=rules("own")))
    assert post.published is not None
    assert post.published.date().isoformat() == day


def test_a_page_without_text_has_no_posts() -> None:
    assert posts(parse("<html><body></body></html>"), Context()) == ()


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("The tide came in over the flats…", "", None),
        ("The tide came in over the fla", "", None),
        (
            "The tide came in over the flats…",
            "<h1>The tide came in over the flats…</h1>",
            "The tide came in over the flats…",
        ),
        ("The tide came in", "", "The tide came in"),
        ("A storm over the flats…", "", "A storm over the flats…"),
    ],
)
def test_title_that_is_the_cut_beginning_of_the_text_is_none(head: str, heading: str, title: str | None) -> None:
    words = "The tide came in over the flats and went out again, and nobody had noticed it before the evening."
    html = f"<title>{head}</title><body><article>{heading}<p>{words}</p><p>{words[::-1]}</p></article>"
    (post,) = posts(parse(html, "https://blog.example/post/12"), Context())
    assert post.title == title
