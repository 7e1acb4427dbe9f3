"""Parts of a page whose names mark them as something other than content."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.learning.article import in_other_part


@pytest.mark.parametrize("name", ["comments", "responses", "discussion", "kommentare", "commentaires", "comentarios"])
def test_what_readers_wrote_is_no_content_whatever_the_theme_calls_it(name: str) -> None:
    tree = parse(f"<div class=text><p>Post</p></div><ul class='list {name}'><li>Said</li></ul>").tree
    other = in_other_part(tree)
    assert [other[node] for node in (*tree.nodes_by_tag["p"], *tree.nodes_by_tag["li"])] == [False, True]


def test_comments_without_a_part_of_their_own_are_what_stands_below_their_heading() -> None:
    page = (
        "<div><div class=text><p>Post</p></div><h2 id=comments>2 thoughts</h2><p>Said</p><p>Replied</p></div><p>End</p>"
    )
    tree = parse(page).tree
    other = in_other_part(tree)
    assert [other[node] for node in tree.nodes_by_tag["p"]] == [False, True, True, False]
