"""The node with the feed's text has the highest score."""

from __future__ import annotations

from posterity.dom import Tree, parse
from posterity.learning.article import near_best, seen_text
from posterity.text.bigrams import BigramBits

PAGE = """<body><nav>Home About Archive</nav>
<main><h1>On tides</h1><div id=text><p>The tide came in before anyone had noticed.</p>
<p>Then the boats began to move.</p></div></main><script>The tide came in before anyone had noticed.</script></body>"""
TEXT = "The tide came in before anyone had noticed. Then the boats began to move."


def scores(tree: Tree, target: str, margin: float = 1.0) -> dict[int, float]:
    return near_best(tree, seen_text(tree), target, margin, BigramBits())


def test_node_with_the_whole_text_wins() -> None:
    tree = parse(PAGE).tree
    found = scores(tree, TEXT)
    assert max(found, key=lambda node: found[node]) == tree.nodes_by_id["text"][0]


def test_only_nodes_within_the_margin_are_told() -> None:
    tree = parse(PAGE).tree
    assert list(scores(tree, TEXT, 0.0)) == tree.nodes_by_id["text"]
    assert tree.nodes_by_tag["main"][0] in scores(tree, TEXT, 0.15)
    assert tree.nodes_by_tag["nav"][0] not in scores(tree, TEXT, 0.15)


def test_best_node_is_told_where_nothing_is_very_similar() -> None:
    tree = parse("<body><p>The tide came in</p><p>An unrelated line</p></body>").tree
    best = tree.nodes_by_tag["p"][0]
    assert list(scores(tree, "The tide tables of the harbour for next year", 0.0)) == [best, best + 1]


def test_case_and_spelling_do_not_matter() -> None:
    tree = parse("<p>Der  STRAẞE\u00ad entlang</p>").tree
    assert max(scores(tree, "der strasse entlang").values()) == 1.0


def test_scripts_are_no_text() -> None:
    tree = parse(PAGE).tree
    assert tree.nodes_by_tag["script"][0] not in scores(tree, "The tide came in")


def test_nothing_is_like_an_empty_text() -> None:
    assert scores(parse(PAGE).tree, "") == {}


def test_words_of_a_page_before_change_nothing() -> None:
    bits, tree, other = BigramBits(), parse(PAGE).tree, parse("<p>Quite another page with the tide in it</p>").tree
    near_best(other, seen_text(other), "another page", 1.0, bits)
    assert near_best(tree, seen_text(tree), TEXT, 1.0, bits) == scores(tree, TEXT)
