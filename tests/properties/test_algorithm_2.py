"""Algorithm 2 of the paper, one pass over bit sets, agrees with Algorithm 1, which reads every subtree again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import Tree, parse
from posterity.dom.tree import TEXT
from posterity.extraction.blogforever import all_rules, best_node
from posterity.learning.article import near_best, seen_text, word_scores
from posterity.text.bigrams import BigramBits
from posterity.text.normal_form import comparable, token_f1, word_counts

WORDS = st.sampled_from(["tide", "Tide tables", "bread", "a", "", "  spaced   out ", "潮汐", "Straße", "x" * 5])
HIDDEN = [
    "<script>tide tables</script>",
    "<p hidden>tide tables</p>",
    "<div style='display:none'>tide</div>",
    "<!-- tide -->",
]
PAGES = st.recursive(
    WORDS | st.sampled_from(HIDDEN),
    lambda inner: st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from(["div", "span", "b", "section"]),
        st.lists(inner, max_size=4).map("".join),
    ),
    max_leaves=20,
)
TARGETS = st.lists(WORDS, max_size=3).map(" ".join)


def bigrams(text: str) -> set[str]:
    return {text[index : index + 2] for index in range(len(text) - 1)}


def is_seen(tree: Tree, node: int) -> bool:
    while node >= 0:
        if (
            tree.tag[node] in ("script", "head")
            or "hidden" in tree.attrs[node]
            or "none" in (tree.attrs[node].get("style") or "")
        ):
            return False
        node = tree.parent[node]
    return True


def is_below(tree: Tree, node: int, ancestor: int) -> bool:
    while node > ancestor:
        node = tree.parent[node]
    return node == ancestor


def algorithm_1(tree: Tree, target: str) -> list[float]:
    """The similarity of every node to the target, computed from all text nodes below it."""
    wanted = bigrams(comparable(target))
    scores = []
    for node in range(len(tree)):
        texts = [
            tree.text[response]
            for response in range(len(tree))
            if tree.tag[response] == TEXT and is_below(tree, response, node) and is_seen(tree, response)
        ]
        found = set().union(*(bigrams(comparable(text)) for text in texts))
        scores.append(2 * len(found & wanted) / (len(found) + len(wanted)) if found or wanted else 0.0)
    return scores


def algorithm_2(tree: Tree, target: str, margin: float) -> dict[int, float]:
    return near_best(tree, seen_text(tree), target, margin, BigramBits())


@given(PAGES, TARGETS, st.sampled_from([0.0, 0.15, 0.5, 1.0]))
def test_algorithm_2_agrees_with_algorithm_1(page: str, target: str, margin: float) -> None:
    tree = parse(f"<body>{page}</body>").tree
    plain = algorithm_1(tree, target)
    near = {node: score for node, score in enumerate(plain) if score and score >= max(plain) - margin}
    assert algorithm_2(tree, target, margin) == pytest.approx(near)


@given(PAGES, TARGETS)
def test_best_node_is_the_same(page: str, target: str) -> None:
    tree = parse(f"<body>{page}</body>").tree
    quick, plain = algorithm_2(tree, target, 0.15), algorithm_1(tree, target)
    assert max(quick, key=lambda node: quick[node], default=0) == plain.index(max(plain))


@given(PAGES, TARGETS)
def test_word_scores_are_those_of_each_node_alone(page: str, target: str) -> None:
    tree = parse(f"<body>{page}</body>").tree
    nodes = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    texts = {
        node: " ".join(tree.text[response] for response in range(node, tree.end[node]) if is_seen(tree, response))
        for node in nodes
    }
    alone = {node: token_f1(word_counts(text), word_counts(target)) for node, text in texts.items()}
    assert word_scores(tree, seen_text(tree), nodes, target) == pytest.approx(alone)


def published_algorithm_1(tree: Tree, target: str) -> tuple[float, set[int]]:
    """The highest score of all rules of a page, each applied and compared separately, and the nodes that reach it."""
    scores: dict[str, tuple[float, int]] = {}
    for node in range(len(tree)):
        if tree.tag[node] != TEXT:
            below = (other for other in range(len(tree)) if tree.text[other] and is_below(tree, other, node))
            found = set().union(*(bigrams(f"{tree.text[other]} ") for other in below))
            wanted = bigrams(" ".join(target.split()))
            score = 2 * len(found & wanted) / (len(found) + len(wanted)) if found or wanted else 0.0
            scores.setdefault(tree.attrs[node].get("class") or f"path {node}", (score, node))
    best = max(score for score, _ in scores.values())
    return best, {node for score, node in scores.values() if score == best}


CLASSED = PAGES.map(lambda page: page.replace("<section>", "<section class='a b'>").replace("<b>", "<b class=a>"))


@given(CLASSED, TARGETS)
def test_published_method_finds_the_rule_of_algorithm_1(page: str, target: str) -> None:
    """Section 1.4: the reformulation gives the same rule; among equal scores, the first in post-order."""
    tree, bits = parse(f"<body>{page}</body>").tree, BigramBits()
    node, score = best_node(all_rules(tree, bits), [bits.of(" ".join(target.split()))])
    best, nodes = published_algorithm_1(tree, target)
    assert score == pytest.approx(best)
    if best:
        assert node == min(nodes, key=lambda each: (tree.end[each], -each))
