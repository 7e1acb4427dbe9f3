"""CleanEval lines: the markers of section 2.5 and the separator of documents."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse, text_of
from posterity.export.cleaneval import cleaneval_documents, cleaneval_lines
from posterity.model import Post


def lines(html: str) -> list[str]:
    return cleaneval_lines(Post(id="1", url="https://blog.example/1", html=html)).split("\n")


def test_headings_items_and_paragraphs_have_their_markers() -> None:
    links = "<h3>See also</h3><ul><li>One</li><li><a href=x>Two</a></li></ul>"
    html = f"<h1>British corpus</h1><p>It has <b>many</b> words.</p>{links}"
    assert lines(html) == ["<h>British corpus", "<p>It has many words.", "<h>See also", "<l>One", "<l>Two"]


def test_text_directly_in_a_block_is_a_paragraph() -> None:
    assert lines("one<div>two</div>three") == ["<p>one", "<p>two", "<p>three"]


def test_cells_and_definitions_are_paragraphs() -> None:
    html = "<table><tr><th>a</th><td>b</td></tr></table><dl><dt>c</dt><dd>d</dd></dl><blockquote>e</blockquote>"
    assert lines(html) == ["<p>a", "<p>b", "<p>c", "<p>d", "<p>e"]


def test_a_line_break_begins_no_line() -> None:
    assert lines("<p>one<br>two</p>") == ["<p>one two"]


def test_the_first_block_of_an_item_is_the_item() -> None:
    assert lines("<ul><li><div><p>one</p></div><p>two</p></li><li></li></ul><p>three</p>") == [
        "<l>one",
        "<p>two",
        "<p>three",
    ]
    assert lines("<ul><li>one<ul><li>two</li></ul>rest</li></ul>") == ["<l>one", "<l>two", "<p>rest"]
    assert lines("<h2><div>head</div></h2>text") == ["<h>head", "<p>text"]


def test_a_post_without_html_gives_its_text_as_paragraphs() -> None:
    assert cleaneval_lines(Post(id="1", url="", text="one\n\n two  three \n")) == "<p>one\n<p>two three"
    assert cleaneval_lines(Post(id="1", url="")) == ""


def test_every_document_begins_with_its_separator() -> None:
    posts = [Post(id="1", url="", html="<p>one</p>"), Post(id="2", url=""), Post(id="3", url="", html="<p>three</p>")]
    assert "".join(cleaneval_documents(posts)) == "<doc>\n<p>one\n<doc>\n<doc>\n<p>three\n"


PIECES = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<ul>", "<li>", "</li>", "</ul>", "<h2>", "</h2>", "<br>", "<td>", "<b>", "one", " two "]
    )
)


@given(PIECES.map("".join))
def test_no_word_is_lost_or_invented(html: str) -> None:
    found = lines(html) if html else []
    assert all(line[:3] in ("<h>", "<l>", "<p>") and line[3:].strip() for line in found if line)
    assert " ".join(line[3:] for line in found).split() == text_of(parse(html).tree).split()
