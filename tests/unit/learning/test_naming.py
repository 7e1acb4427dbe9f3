"""Rules that match a node and are stable between pages."""

from __future__ import annotations

import pytest

from posterity.dom import Tree, parse
from posterity.learning.rule_selection import is_stable, names_of
from posterity.model import Rule


def names(markup: str, tag: str = "p") -> tuple[Tree, list[Rule]]:
    tree = parse(f"<!DOCTYPE html><body>{markup}</body>").tree
    return tree, names_of(tree, tree.nodes_by_tag[tag][0])


def test_id_comes_first_and_the_path_last() -> None:
    _, rules = names("<p id=main class=entry>x</p>")
    assert rules[0] == Rule("id", "main")
    assert rules[-1] == Rule("path", "html/body/p")
    assert Rule("class", "entry", "p") in rules


@pytest.mark.parametrize("name", ["post-1234", "main2", "c7d9f"])
def test_names_with_digits_belong_to_one_post(name: str) -> None:
    _, rules = names(f"<p id={name} class={name}>x</p>")
    assert [rule for rule in rules if rule.kind in ("id", "class")] == []


def test_class_is_a_set_of_tokens() -> None:
    _, rules = names("<p class='wide post-12 entry wide'>x</p>")
    assert [rule.value for rule in rules if rule.kind == "class"] == ["entry", "wide", "entry wide"]


def test_order_of_class_tokens_does_not_matter() -> None:
    assert names("<p class='a b'>x</p>")[1] == names("<p class='b a'>x</p>")[1]


def test_element_without_a_name_is_found_under_its_nearest_named_ancestor() -> None:
    _, rules = names("<div id=outer><div class=header><span><p>x</p></span></div></div>")
    assert rules[0] == Rule("tag", "p", under=Rule("class", "header", "div"))
    assert Rule("tag", "p") in rules


def test_every_name_is_a_name_of_the_node() -> None:
    from posterity.dom.tree import matches

    tree, rules = names("<div id=a><p class='b c'>x</p></div>")
    assert all(tree.nodes_by_tag["p"][0] in matches(tree, rule) for rule in rules)


@pytest.mark.parametrize(
    ("name", "stable"),
    [("entry-content", True), ("entry_2", False), ("", False), ("x" * 61, False), ("本文", True), ("a٣", False)],
)
def test_stable_names(name: str, stable: bool) -> None:
    assert is_stable(name) is stable
