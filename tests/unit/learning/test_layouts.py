"""Similar pages are grouped, and a page is read by the rules of its layout."""

from __future__ import annotations

from posterity.dom import parse
from posterity.learning.layouts import group_by_theme, rules_for_page
from posterity.learning.rule_selection import NameBits
from posterity.model import FieldRule, Rule, RuleSet
from posterity.model.rules import Layout

NAMES = NameBits()
NEW = NAMES.of(["#main", ".entry", ".entry-title", ".meta", ".sidebar"])
OLD = NAMES.of(["#headline", "#story", "#posted", ".nav"])


def field_rule(rule: Rule) -> tuple[FieldRule, ...]:
    return (FieldRule(rule=rule, confidence=0.9, pages=3, of_pages=3),)


RULES = RuleSet(
    fields={"text": field_rule(Rule("tag", "body"))},
    layouts=(
        Layout(fields={"text": field_rule(Rule("class", "entry")), "title": field_rule(Rule("tag", "h1"))}),
        Layout(fields={"text": field_rule(Rule("id", "story")), "title": field_rule(Rule("id", "headline"))}),
    ),
)


def test_pages_of_one_theme_are_one_group() -> None:
    pages = {f"p{number}": NEW | NAMES.of([f".only-{number}"]) for number in range(5)}
    assert group_by_theme(pages) == [["p0", "p1", "p2", "p3", "p4"]]


def test_theme_change_makes_two_groups() -> None:
    pages = {f"new{number}": NEW for number in range(3)} | {f"old{number}": OLD for number in range(3)}
    assert group_by_theme(pages) == [["new0", "new1", "new2"], ["old0", "old1", "old2"]]


def test_two_odd_pages_are_no_layout() -> None:
    pages = {f"new{number}": NEW for number in range(5)} | {"odd0": OLD, "odd1": OLD}
    assert group_by_theme(pages) == [list(pages)]


def test_pages_without_names_are_alike() -> None:
    assert group_by_theme({"a": 0, "b": 0, "c": 0}) == [["a", "b", "c"]]


def test_page_is_served_by_its_own_layout() -> None:
    old = rules_for_page(parse("<div id=headline>t</div><div id=story>x</div>"), RULES)
    new = rules_for_page(parse("<h1>t</h1><div class=entry>x</div>"), RULES)
    assert (old.rules_for("text")[0].rule.css, new.rules_for("text")[0].rule.css) == ("#story", ".entry")
    assert old.layouts == ()


def test_page_that_fits_no_layout_keeps_the_common_rules() -> None:
    assert rules_for_page(parse("<p>x</p>"), RULES) == RULES


def test_rules_without_layouts_are_used_as_they_are() -> None:
    rules = RuleSet(fields=RULES.fields)
    assert rules_for_page(parse("<p>x</p>"), rules) is rules
