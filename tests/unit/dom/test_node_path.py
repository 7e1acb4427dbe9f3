"""The path of a node in provenance, and the node at a path."""

from __future__ import annotations

from posterity.dom import parse
from posterity.dom.tree import matches, node_at, node_path
from posterity.model import Rule

PAGE = "<body><div>menu</div><div id=text><p>one<p id=second>two <b>bold</b></div></body>"


def test_path_counts_siblings_of_the_same_tag() -> None:
    tree = parse(PAGE).tree
    second = tree.nodes_by_id["second"][0]
    assert node_path(tree, second) == "/html/body/div[2]/p[2]"
    assert node_at(tree, "/html/body/div[2]/p[2]") == second


def test_text_has_the_path_of_its_element() -> None:
    tree = parse(PAGE).tree
    assert node_path(tree, tree.text.index("bold")) == "/html/body/div[2]/p[2]/b"


def test_path_that_the_page_does_not_have_gives_no_node() -> None:
    assert node_at(parse(PAGE).tree, "/html/body/div[3]/p") is None


def test_parser_and_tree_write_the_same_path_although_noscript_holds_the_page() -> None:
    document = parse(f"<body><div>x</div><noscript><div id=text>{'words ' * 200}</div></noscript></body>")
    tree = document.tree
    node = tree.nodes_by_id["text"][0]
    assert document.path_of("#text") == node_path(tree, node) == "/html/body/noscript/div"
    assert node_at(tree, "/html/body/noscript/div") == node


def test_path_and_child_rules_pass_elements_with_a_colon_in_their_names() -> None:
    document = parse("<body><o:p>one</o:p><o:p><i>two</i></o:p></body>")
    path = Rule("path", document.tree.path(document.tree.nodes_by_tag["i"][0]))
    child = Rule("child", "o:p:-1", under=Rule("tag", "body"))
    assert matches(document.tree, path) == document.tree.nodes_by_tag["i"]
    assert document.has(path)
    assert document.count(child) == len(matches(document.tree, child)) == 1
