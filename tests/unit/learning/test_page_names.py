"""The names on a page show which rules can match on it, and its theme."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.learning.rule_selection import NameBits, names_on
from posterity.model import Rule

PAGE = "<div id=main class='entry post-17'><h1 class=title>t</h1><a rel=author href=/m>Maren</a></div>"


@pytest.mark.parametrize(
    "rule",
    [
        Rule("id", "main"),
        Rule("class", "entry", "div"),
        Rule("attr", "rel=author", "a"),
        Rule("tag", "h1"),
        Rule("tag", "a", under=Rule("id", "main")),
    ],
)
def test_rule_made_of_names_on_the_page_may_name_something(rule: Rule) -> None:
    assert names_on(parse(PAGE).tree, NameBits()).has(rule)


@pytest.mark.parametrize(
    "rule",
    [
        Rule("id", "story"),
        Rule("class", "entry", "p"),
        Rule("class", "entry lead", "div"),
        Rule("tag", "h2"),
        Rule("tag", "a", under=Rule("id", "story")),
    ],
)
def test_rule_with_a_name_that_is_not_there_names_nothing(rule: Rule) -> None:
    assert not names_on(parse(PAGE).tree, NameBits()).has(rule)


def test_look_is_the_ids_and_classes_that_can_stand_on_other_pages_too() -> None:
    numbers = NameBits()
    assert names_on(parse(PAGE).tree, numbers).theme_bits == numbers.of(["#main", ".entry", ".title"])


def test_element_with_the_id_of_another_themes_tag_is_no_such_tag() -> None:
    numbers = NameBits()
    assert names_on(parse("<p>text</p>").tree, numbers).theme_bits == 0
    assert names_on(parse("<p id=text>text</p>").tree, numbers).theme_bits == numbers.of(["#text"])
