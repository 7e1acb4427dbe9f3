"""One element and the parts removed from it, from the kept blocks."""

from posterity.dom import parse, text_of
from posterity.dom.plain_text import html_of
from posterity.extraction.hybrid.blocks import Blocks, Cut, NameTable


def cut(body: str, kept: list[str]) -> tuple[Blocks, Cut]:
    blocks = Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({}))
    return blocks, Cut(blocks, [text in kept for text in blocks.texts])


def text(body: str, kept: list[str]) -> str:
    blocks, found = cut(body, kept)
    return text_of(blocks.tree, found.node, found.left_out)


def test_exactly_the_kept_blocks_are_read() -> None:
    body = "<div><p>a</p><div><p>b</p><p>c</p></div><ul><li>d</li></ul>e</div><p>f</p>"
    assert text(body, ["a", "c", "e"]).split() == ["a", "c", "e"]


def test_a_lost_line_between_kept_ones_in_the_same_element_goes() -> None:
    assert text("<div>one<br><a href='/'>Tweet</a> <b>Share</b><br>two</div>", ["one", "two"]).split() == ["one", "two"]


def test_a_lost_line_takes_no_kept_one_along_where_one_inline_element_holds_them_all() -> None:
    body = "<td><font><b>one</b><br><i>Posted by Anna</i><br>two</font></td>"
    assert text(f"<table><tr>{body}</tr></table>", ["one", "two"]).split() == ["one", "two"]


def test_what_is_lost_leaves_no_empty_links_behind() -> None:
    blocks, found = cut("<div>one<br><a href='/'>Tweet</a><br>two</div>", ["one", "two"])
    assert "<a" not in html_of(blocks.tree, "https://a.example/", found.node, found.left_out)


def test_the_largest_lost_element_is_named_once() -> None:
    blocks, found = cut("<div><p>a</p><div id='x'><ul><li>b</li><li>c</li></ul></div><p>d</p></div>", ["a", "d"])
    assert found.left_out == frozenset(blocks.tree.nodes_by_id["x"])


def test_wrappers_that_add_only_pictures_come_along() -> None:
    blocks, found = cut("<section><div id='post'><img src='/a.png'><div><p>a</p></div></div><p>b</p></section>", ["a"])
    assert blocks.tree.attrs[found.node].get("id") == "post"


def test_icons_of_named_parts_without_words_go() -> None:
    body = "<div><p>a</p><div class='share'><img src='/tweet.png'></div><img src='/boat.png'><p>b</p></div>"
    blocks, found = cut(body, ["a", "b"])
    html = html_of(blocks.tree, "https://a.example/", found.node, found.left_out)
    assert "boat.png" in html
    assert "tweet.png" not in html
