"""The formats made from any article's HTML are well-formed and keep its words."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse, text_of
from posterity.export.article import blocks_of
from posterity.export.epub import XhtmlWriter
from posterity.export.tei import tei_sections

OPS = "http://www.idpf.org/2007/ops"
NOTE_LINK = '<a href="#fn-1">1</a></a><li id="fn-1">'
TAGS = (
    "p div b i a ul ol li table tr td th blockquote pre code h1 h2 h3 br hr img q sub figure figcaption section "
    "dl dt dd span em"
).split()
ATTRIBUTES = st.sampled_from(
    [
        "",
        ' href="http://x.example/a b]#c#d"',
        ' src="http://x.example/y.png" alt="z"',
        " hidden",
        ' href="#fn-1"',
        ' id="fn-1"',
    ]
)
HTML = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        st.tuples(st.sampled_from(TAGS), ATTRIBUTES).map(lambda tag: f"<{tag[0]}{tag[1]}>"),
        st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    ),
    max_size=25,
).map("".join)


def words(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


@given(HTML)
def test_tei_is_well_formed_and_keeps_the_words(html: str) -> None:
    root = ET.fromstring(f"<div>{''.join(tei_sections(blocks_of(html, '')))}</div>")
    for figure in [*root.iter("figDesc")]:
        figure.text = ""
    assert words("".join(root.itertext())) == words(text_of(parse(html).tree))


def xhtml(html: str) -> ET.Element:
    written = XhtmlWriter(lambda _: None, lambda _: "x.png").blocks(blocks_of(html, ""))
    return ET.fromstring(f'<div xmlns:epub="{OPS}">{written}</div>')


@given(st.lists(HTML, max_size=3).map(NOTE_LINK.join))
def test_links_to_footnotes_have_one_target(html: str) -> None:
    root = xhtml(html)
    ids = [note.get("id") for note in root.iter("aside")]
    assert len(ids) == len(set(ids))
    assert {link.get("href") for link in root.iter("a") if link.get(f"{{{OPS}}}type")} <= {f"#{name}" for name in ids}


@given(HTML)
def test_xhtml_is_well_formed_and_blocks_stand_in_no_line(html: str) -> None:
    root = xhtml(html)
    assert words("".join(root.itertext())) == words(text_of(parse(html).tree))
    for line in root.iter():
        if line.tag in {"p", "h2", "h3", "h4", "td", "pre", "a", "strong", "em", "code"}:
            assert {inner.tag for inner in line} <= {
                "a",
                "br",
                "img",
                "strong",
                "em",
                "code",
                "del",
                "ins",
                "sub",
                "sup",
                "q",
                "span",
            }
        if line.tag in {"ul", "ol", "tr", "table"}:
            assert {inner.tag for inner in line} <= {"li", "td", "tr"}
