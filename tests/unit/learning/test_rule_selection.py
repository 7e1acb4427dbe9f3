"""The rule with the best scores on most pages wins, with its confidence."""

from __future__ import annotations

from posterity.dom import Tree, parse
from posterity.learning.rule_selection import rule_scores, select_rules
from posterity.model import FieldRule, Rule

MODERN = "<!DOCTYPE html><body><div id=side>s</div><div class=entry>{}</div></body>"
OLD = "<!DOCTYPE html><body><td><div class=text>{}</div></body>"


def tree_of(page: str) -> Tree:
    return parse(page).tree


def node(tree: Tree, name: str) -> int:
    return (tree.nodes_by_class.get(name) or tree.nodes_by_id[name])[0]


def chosen_rules(
    evidence_of_pages: list[tuple[Tree, dict[str, float]]], min_confidence: float = 0.3
) -> tuple[FieldRule, ...]:
    page_rule_scores = [
        rule_scores(tree, {node(tree, name): score for name, score in scores.items()})
        for tree, scores in evidence_of_pages
    ]
    return select_rules(page_rule_scores, min_confidence)


def test_rule_with_the_highest_sum_wins() -> None:
    pages = [(tree_of(MODERN.format(n)), {"entry": 0.9, "side": 0.1}) for n in range(3)]
    (rule, *_) = chosen_rules(pages)
    assert rule.rule == Rule("class", "entry", "div")
    assert (rule.confidence, rule.pages, rule.of_pages, rule.per_page) == (0.9, 3, 3, 1)


def test_one_odd_page_does_not_outvote_the_others() -> None:
    pages = [(tree_of(MODERN.format(n)), {"entry": 0.8, "side": 0.0}) for n in range(4)]
    pages.append((tree_of(MODERN.format("odd")), {"entry": 0.1, "side": 1.0}))
    assert chosen_rules(pages)[0].rule == Rule("class", "entry", "div")


def test_confidence_is_the_mean_over_the_pages_that_have_the_node() -> None:
    pages = [(tree_of(MODERN.format(n)), {"entry": score}) for n, score in enumerate((1.0, 0.5))]
    assert chosen_rules(pages)[0].confidence == 0.75


def test_pages_without_the_winner_vote_again() -> None:
    pages = [(tree_of(MODERN.format(n)), {"entry": 0.9}) for n in range(3)]
    pages += [(tree_of(OLD.format(n)), {"text": 0.9}) for n in range(2)]
    rules = chosen_rules(pages)
    assert [rule.rule.value for rule in rules[:2]] == ["entry", "text"]
    assert [(rule.pages, rule.of_pages) for rule in rules[:2]] == [(3, 5), (2, 5)]


def test_rule_that_is_right_where_both_name_something_is_tried_first() -> None:
    link, note = "<!DOCTYPE html><body><div class=link>{}</div>", "<!DOCTYPE html><body><p class=note>{}</p>"
    pages = [(tree_of(link.format(n)), {"link": 1.0}) for n in range(8)]
    pages += [(tree_of(note.format(n)), {"note": 1.0}) for n in range(3)]
    assert [rule.rule.value for rule in chosen_rules(pages)] == ["link", "note"]
    pages.append((tree_of(note.format(9) + "<div class=link>Another</div>"), {"note": 1.0}))
    assert [rule.rule.value for rule in chosen_rules(pages)] == ["note", "link"]


def test_of_equal_rules_the_tighter_node_wins() -> None:
    page = "<!DOCTYPE html><body><div id=outer><div id=inner>{}</div></div></body>"
    pages = [(tree_of(page.format(n)), {"outer": 0.9, "inner": 0.9}) for n in range(2)]
    assert chosen_rules(pages)[0].rule == Rule("id", "inner")


def test_id_wins_over_class_and_path_of_the_same_node() -> None:
    pages = [(tree_of(f"<body><div id=main class=entry>{n}</div>"), {"main": 0.9}) for n in range(2)]
    assert chosen_rules(pages)[0].rule == Rule("id", "main")


def test_rule_that_names_another_node_first_has_no_say() -> None:
    page = "<!DOCTYPE html><body><p class=entry>first</p><div id=main class=entry>{}</div></body>"
    tree = tree_of(page.format("x"))
    votes = rule_scores(tree, {tree.nodes_by_id["main"][0]: 0.9})
    assert Rule("id", "main") in votes.scores
    assert all(rule.value != "entry" or rule.tag == "div" for rule in votes.scores)


def test_rule_remembers_how_many_nodes_it_names_on_a_page() -> None:
    page = "<!DOCTYPE html><body><div class=entry>{}</div><div class=entry>b</div></body>"
    assert chosen_rules([(tree_of(page.format("a")), {"entry": 0.9})])[0].per_page == 2


def test_nothing_is_elected_below_the_confidence() -> None:
    assert chosen_rules([(tree_of(MODERN.format("x")), {"entry": 0.2})]) == ()


def test_no_pages_no_rules() -> None:
    assert select_rules([], 0.3) == ()


def test_order_of_the_pages_does_not_matter() -> None:
    pages = [(tree_of(MODERN.format(n)), {"entry": 0.9, "side": 0.2}) for n in range(2)] + [
        (tree_of(OLD.format(1)), {"text": 0.7})
    ]
    assert chosen_rules(pages) == chosen_rules(pages[::-1])
