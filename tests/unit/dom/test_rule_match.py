"""Rules match the same nodes of a tree as the parser's selectors."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.tree import first_match, matches
from posterity.model import Rule

PAGE = """<!DOCTYPE html><body><div id=a class="box wide"><p>one</p><p class=box>two</p></div>
<div id=b class=box><p>three</p></div>"""


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (Rule("id", "b"), ["three"]),
        (Rule("id", "b", "p"), []),
        (Rule("class", "box"), ["onetwo", "two", "three"]),
        (Rule("class", "box", "div"), ["onetwo", "three"]),
        (Rule("class", "box wide"), ["onetwo"]),
        (Rule("tag", "p"), ["one", "two", "three"]),
        (Rule("tag", "p", under=Rule("id", "b")), ["three"]),
        (Rule("class", "box", under=Rule("class", "box")), ["two"]),
        (Rule("path", "html/body/div[2]/p"), ["three"]),
        (Rule("path", "html/body/div[1]/p[2]"), ["two"]),
        (Rule("path", "html/body/div[3]"), []),
        (Rule("path", "body/div"), []),
        (Rule("id", "nothing"), []),
    ],
)
def test_matches_in_document_order(rule: Rule, texts: list[str]) -> None:
    tree = parse(PAGE).tree
    assert [tree.plain(node) for node in matches(tree, rule)] == texts
    first = first_match(tree, rule)
    assert (None if first is None else tree.plain(first)) == (texts[0] if texts else None)
