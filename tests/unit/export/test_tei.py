"""TEI: replies and their times, sections by heading, languages."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from tests.unit.export.writing import POST, written

from posterity.export.tei import NAMESPACE, write_tei
from posterity.model import Comment, Post

TEI = f"{{{NAMESPACE}}}"
XML = "{http://www.w3.org/XML/1998/namespace}"


def corpus(*posts: Post) -> ET.Element:
    return ET.fromstring(written(write_tei, posts))


def test_a_comment_says_who_when_and_what_it_answers() -> None:
    first, second = corpus(POST).findall(f".//{TEI}div[@type='comment']")
    assert (first.get("n"), first.findtext(f"{TEI}opener/{TEI}name")) == ("comment-9", "Gwen")
    assert second.get("corresp") == f"#{first.get(f'{XML}id')}"
    when = second.find(f"{TEI}opener/{TEI}date")
    assert when is not None
    assert when.get("when") == "2021-03-12T09:30:00+01:00"


def test_language_stands_on_the_text_and_in_the_header() -> None:
    root = corpus(POST)
    language = root.find(f".//{TEI}langUsage/{TEI}language")
    assert language is not None
    assert language.get("ident") == "en"
    assert [text.get(f"{XML}lang") for text in root.findall(f"{TEI}TEI")] == ["en"]


def test_every_heading_opens_a_section_inside_that_of_the_heading_above() -> None:
    post = Post(id="p", url="u", html="<p>a</p><h2>b</h2><p>c</p><h3>d</h3><h2>e</h2>")
    entry = corpus(post).find(f".//{TEI}div[@type='entry']")
    assert entry is not None
    sections = entry.findall(f"{TEI}div")
    assert [section.findtext(f"{TEI}head") for section in sections] == ["b", "e"]
    assert sections[0].findtext(f"{TEI}div/{TEI}head") == "d"


def test_code_holds_text_and_nothing_else() -> None:
    post = Post(id="p", url="u", html="<p><code>a <b>c</b><br><a href='http://x/'>d</a></code></p>")
    for code in corpus(post).iter(f"{TEI}code"):
        assert len(code) == 0


def test_header_has_authors_licence_and_terms() -> None:
    root = corpus(POST)
    assert [author.text for author in root.findall(f".//{TEI}titleStmt/{TEI}author")] == ["Maren Tregarth", "Ann"]
    assert root.findtext(f".//{TEI}availability/{TEI}licence") == POST.license
    assert [term.get("type") for term in root.iter(f"{TEI}term")] == ["categories", "tags", "tags"]


def test_a_corpus_of_nothing_is_still_one() -> None:
    assert len(corpus().findall(f"{TEI}TEI")) == 1


def test_footnotes_are_notes_that_their_links_lead_to() -> None:
    html = (
        '<p>Word<sup><a href="#fn-1">1</a></sup>.</p>'
        '<ol><li id="fn-1"><p>A note.</p></li><li id="fn-2">No link leads here.</li></ol>'
    )
    comment = Comment(id="c", html=html)
    notes = [*corpus(Post(id="p", url="u", html=html, comments=(comment,))).iter(f"{TEI}note")]
    assert [(note.get(f"{XML}id"), note.text) for note in notes] == [("p-n1", "A note."), ("p-c1-n1", "A note.")]
    links = corpus(Post(id="p", url="u", html=html)).findall(f".//{TEI}ref[@type='noteref']")
    assert [(link.get("target"), link.text) for link in links] == [("#p-n1", "1")]


def test_formulas_are_tex_between_dollars() -> None:
    math = '<math><semantics><annotation encoding="application/x-tex">a_1 &lt; b</annotation></semantics></math>'
    root = corpus(Post(id="p", url="u", html=f"<p>So <b>{math}</b> and <code>x {math}</code></p>"))
    found = [*root.iter(f"{TEI}formula")]
    assert [(formula.get("notation"), formula.text, len(formula)) for formula in found] == [("TeX", "$a_1 < b$", 0)] * 2
