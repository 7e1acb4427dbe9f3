"""The tree and its nodes."""

from __future__ import annotations

from posterity.dom import Tree, parse
from posterity.dom.tree import cached_by_tree

PAGE = """<body><p hidden>hidden</p><article id=a><h1 class=t>One</h1> <p>Two <b>three</b></p><script>four</script>
</article><p>five</p></body>"""


def test_runs_are_the_texts_that_a_reader_sees() -> None:
    tree = parse(PAGE).tree
    assert [tree.text[node] for node in tree.runs] == ["One", "Two ", "three", "five"]


def test_subtree_is_the_tree_that_a_rule_cuts_out() -> None:
    document = parse(PAGE)
    cut, part = document.first("#a"), document.tree.subtree(document.tree.nodes_by_id["a"][0])
    assert cut is not None
    assert (part.tag, part.parent, part.end, part.attrs, part.text) == (
        cut.tag,
        cut.parent,
        cut.end,
        cut.attrs,
        cut.text,
    )
    assert part.nodes_by_class == {"t": [1]}


def test_subtree_of_a_leaf_is_the_leaf() -> None:
    tree = parse(PAGE).tree
    response = tree.runs[0]
    assert (tree.subtree(response).text, tree.subtree(response).parent, len(tree.subtree(response))) == (
        ["One"],
        [-1],
        1,
    )


def test_what_is_remembered_by_tree_is_computed_once_for_a_tree_and_its_arguments() -> None:
    asked: list[tuple[int, bool]] = []

    @cached_by_tree
    def size(tree: Tree, node: int, *, doubled: bool = False) -> int:
        asked.append((node, doubled))
        return (tree.end[node] - node) * (1 + doubled)

    one, other = parse("<p>One</p>").tree, parse("<p>One <b>two</b></p>").tree
    assert [size(one, 0), size(one, 0), size(one, 0, doubled=True)] == [len(one), len(one), 2 * len(one)]
    assert size(other, 0) == len(other) > len(one)
    assert asked == [(0, False), (0, True), (0, False)]
