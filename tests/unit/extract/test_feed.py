"""Method `feed`: learned rules applied to a page."""

from __future__ import annotations

import pytest

from posterity import extract
from posterity.errors import InputError
from posterity.model import FieldRule, Rule, RuleSet

URL = "http://blog.example/tides/"
PAGE = """<!DOCTYPE html><body><h1 class=title> On
 tides </h1><div id=text><p>The tide came in.</p></div>
<div id=old><p>Old.</p></div>"""


def rules(**fields: list[Rule]) -> RuleSet:
    return RuleSet(
        fields={
            name: tuple(FieldRule(rule=rule, confidence=0.8, pages=3, of_pages=4) for rule in some)
            for name, some in fields.items()
        }
    )


def test_rules_give_article_and_title() -> None:
    post = extract(PAGE, URL, rules=rules(article=[Rule("id", "text")], title=[Rule("class", "title", "h1")]))
    assert post is not None
    assert (post.text, post.title, post.url) == ("The tide came in.", "On tides", URL)


def test_every_field_says_where_it_comes_from() -> None:
    post = extract(PAGE, URL, rules=rules(article=[Rule("id", "text")], title=[Rule("class", "title", "h1")]))
    assert post is not None
    assert [
        (post.provenance[field].method, post.provenance[field].rule, post.provenance[field].confidence)
        for field in ("text", "title")
    ] == [
        ("feed", "#text", 0.8),
        ("feed", "h1.title", 0.8),
    ]


def test_next_rule_is_tried_where_the_best_names_nothing() -> None:
    post = extract(PAGE, URL, rules=rules(article=[Rule("id", "new"), Rule("id", "old")]))
    assert post is not None
    assert post.text == "Old."


def test_page_without_an_article_gives_nothing() -> None:
    assert extract(PAGE, URL, rules=rules(article=[Rule("id", "nothing")])) is None


def test_title_that_is_not_there_is_absent() -> None:
    post = extract(PAGE, URL, rules=rules(article=[Rule("id", "text")], title=[Rule("id", "nothing")]))
    assert post is not None
    assert post.title is None
    assert "title" not in post.provenance


def test_method_feed_without_rules_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="--rules"):
        extract(PAGE, URL, method="feed")


def test_unknown_method_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(InputError, match=r"no method 'magic'.*feed.*mcst"):
        extract(PAGE, URL, method="magic")
