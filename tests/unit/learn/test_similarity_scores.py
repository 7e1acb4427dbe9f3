"""The node that holds the feed's text scores highest."""

from __future__ import annotations

from posterity.dom import parse
from posterity.learn.similarity_scores import dice_scores

PAGE = """<body><nav>Home About Archive</nav>
<main><h1>On tides</h1><div id=text><p>The tide came in before anyone had noticed.</p>
<p>Then the boats began to move.</p></div></main><script>The tide came in before anyone had noticed.</script></body>"""


def test_node_with_the_whole_text_wins() -> None:
    tree = parse(PAGE).tree
    scores = dice_scores(tree, "The tide came in before anyone had noticed. Then the boats began to move.")
    assert scores.index(max(scores)) == tree.nodes_by_id["text"][0]


def test_case_and_spelling_do_not_matter() -> None:
    tree = parse("<p>Der  STRAẞE\u00ad entlang</p>").tree
    assert max(dice_scores(tree, "der strasse entlang")) == 1.0


def test_scripts_are_no_text() -> None:
    tree = parse(PAGE).tree
    assert dice_scores(tree, "The tide came in")[tree.nodes_by_tag["script"][0]] == 0.0


def test_nothing_is_like_an_empty_text() -> None:
    assert set(dice_scores(parse(PAGE).tree, "")) == {0.0}
