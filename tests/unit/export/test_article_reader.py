"""Blocks of an article: however elements are nested, a paragraph contains text and a list contains items."""

from __future__ import annotations

from posterity.export.article import (
    ArticleImage,
    ArticleTable,
    Code,
    Heading,
    HorizontalRule,
    Items,
    Mark,
    Note,
    Paragraph,
    Quote,
    Text,
    blocks_of,
    plain,
)
from posterity.export.epub import XhtmlWriter


def kinds(html: str) -> list[str]:
    return [type(block).__name__ for block in blocks_of(html, "")]


def texts(html: str) -> list[str]:
    return [plain(block.line) for block in blocks_of(html, "") if isinstance(block, (Heading, Paragraph))]


def test_every_kind_of_block() -> None:
    html = "<h2>A</h2><p>b</p><ul><li>c</ul><blockquote>d</blockquote><pre>e\n f</pre><hr><table><tr><td>g</table>"
    found = blocks_of(html, "")
    assert [type(block) for block in found] == [Heading, Paragraph, Items, Quote, Code, HorizontalRule, ArticleTable]
    assert found[4] == Code("e\n f")


def test_text_between_blocks_is_a_paragraph() -> None:
    assert texts("one<div>two</div>three") == ["one", "two", "three"]


def test_a_mark_around_blocks_is_on_the_text_of_each() -> None:
    found = blocks_of("<b><p>one</p><p>two</p></b>", "")
    assert [block.line[0].marks[0].kind for block in found if isinstance(block, Paragraph)] == ["bold", "bold"]


def test_white_space_is_folded_across_marks() -> None:
    assert texts("<p> one <b> two</b>\n<i>three </i> </p>") == ["one two three"]


def test_what_stands_in_a_list_and_is_no_item_becomes_one_in_its_place() -> None:
    (found,) = blocks_of("<ul>stray<li>one</li><ul><li>in</li></ul><li>two</li></ul>", "")
    assert isinstance(found, Items)
    assert [type(item[0]).__name__ for item in found.items] == ["Paragraph", "Paragraph", "Items", "Paragraph"]


def test_rows_of_a_table_are_equally_long() -> None:
    (found,) = blocks_of("<table><tr><td>1<td>2<tr><td><p>3</p><p>4</p></table>", "")
    assert isinstance(found, ArticleTable)
    assert [[plain(cell) for cell in row] for row in found.rows] == [["1", "2"], ["3\n4", ""]]


def test_pictures_stay_with_their_text() -> None:
    (found,) = blocks_of('<p>see <img src="http://x/y.png" alt="a  tide"></p>', "")
    assert isinstance(found, Paragraph)
    assert found.line[1] == ArticleImage("http://x/y.png", "a tide")


def test_a_link_inside_a_link_is_the_outer_one() -> None:
    (found,) = blocks_of('<p><a href="/a">x<object><a href="/b">y</a></object></a></p>', "")
    assert isinstance(found, Paragraph)
    assert [mark.url for piece in found.line for mark in piece.marks] == ["/a"] * len(found.line)


def test_plain_text_stands_in_for_missing_html() -> None:
    assert [plain(block.line) for block in blocks_of(None, "one\n\ntwo") if isinstance(block, Paragraph)] == [
        "one",
        "two",
    ]


def test_nothing_gives_nothing() -> None:
    assert kinds("<div> <p></p><ul><li></li></ul></div>") == []


def test_formula_is_tex_between_dollars() -> None:
    math = '<math><semantics><annotation encoding="application/x-tex">x^2</annotation></semantics></math>'
    (paragraph,) = blocks_of(f"<p>So {math}.</p>", "")
    assert isinstance(paragraph, Paragraph)
    assert plain(paragraph.line) == "So $x^2$."


def test_footnote_that_is_linked_to_is_a_note() -> None:
    html = '<p>Word<sup><a href="#fn-1">1</a></sup>.</p><div id="fn-1"><p>A note.</p><p>More.</p></div><p>end</p>'
    found = blocks_of(html, "", "x")
    assert [type(block) for block in found] == [Paragraph, Note, Paragraph]
    assert found[1] == Note("x1", (Paragraph((Text("A note."),)), Paragraph((Text("More."),))))
    assert found[0] == Paragraph((Text("Word"), Text("1", (Mark("sup"), Mark("note", "#x1"))), Text(".")))


def test_place_without_a_link_and_link_without_a_place_are_no_footnotes() -> None:
    found = blocks_of('<p><a href="#fn-2">2</a></p><p id="fn-1">a</p><table><tr><td id="fn-2">b</td></tr></table>', "")
    assert [type(block) for block in found] == [Paragraph, Paragraph, ArticleTable]


def test_xhtml_marks_footnotes_and_links_to_them() -> None:
    html = '<p>Word<sup><a href="#fn-1">1</a></sup>.</p><ol><li id="fn-1">A note.</li></ol>'
    shown = XhtmlWriter(lambda _: None, lambda _: None).blocks(blocks_of(html, ""))
    assert '<sup><a epub:type="noteref" href="#n1">1</a></sup>' in shown
    assert '<li dir="auto"><aside epub:type="footnote" id="n1"><p dir="auto">A note.</p></aside></li>' in shown


def test_xhtml_has_formulas_as_mathml_and_says_so() -> None:
    def page(tex: str) -> str:
        annotation = f'<annotation encoding="application/x-tex">{tex}</annotation>'
        return f"<p>So <math><semantics>{annotation}</semantics></math>.</p>"

    writer = XhtmlWriter(lambda _: None, lambda _: None)
    assert "$\\unknown{x}$" in writer.blocks(blocks_of(page("\\unknown{x}"), ""))
    assert not writer.has_formulas
    assert "<msub><mi>a</mi><mn>1</mn></msub>" in writer.blocks(blocks_of(page("a_1"), ""))
    assert writer.has_formulas
