"""Any bytes parse or raise `UnreadablePage`, and all operations on the document work."""

from __future__ import annotations

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import markdown_of, parse, text_of
from posterity.dom.media import links_of
from posterity.dom.plain_text import html_of
from posterity.dom.tree import TEXT
from posterity.errors import UnreadablePage

PIECES = [
    "<p>",
    "</p>",
    "<div class='a b'>",
    "</div>",
    "<table>",
    "<tr><td>",
    "</table>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<svg>",
    "<math>",
    "<template>",
    "<a href='x'>",
    "<img src=y>",
    "<li>",
    "<select>",
    "<frameset>",
    "<plaintext>",
    "<![CDATA[",
    "<!DOCTYPE html>",
    "<body ",
    "&amp;",
    "&#0;",
    "&#xD800;",
    "&bogus",
    "\x00",
    "'",
    '"',
    ">",
    "<",
    "\ufffe",
    "é",
    "潮",
    " word ",
    "\r\n",
    "<b><i></b></i>",
    "<html lang=x>",
    "<h1>",
    "<meta charset=utf-16>",
    "<base href='y/'>",
    "<ol><ul>",
    "<img srcset='a 1x, b 2x'>",
    "<blockquote>",
    "<code>",
]
SOUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
BODIES = st.one_of(
    st.binary(), SOUP.map(lambda text: text.encode("utf-8", "replace")), SOUP.map(lambda text: text.encode("utf-16"))
)
TYPES = st.sampled_from(
    [
        "",
        "text/html",
        "text/html; charset=utf-8",
        "text/html; charset=utf-16",
        "text/html; charset=shift_jis",
        "x; charset=\x00",
    ]
)


@given(BODIES, TYPES)
def test_any_bytes_can_be_read_in_every_way(body: bytes, content_type: str) -> None:
    with contextlib.suppress(UnreadablePage):
        document = parse(body, "http://blog.example/", content_type)
        tree, base_url = document.tree, document.base_url
        for written in (text_of(tree), markdown_of(tree, base_url), html_of(tree, base_url)):
            assert isinstance(written, str)
        assert all(url.startswith("http") for url in links_of(tree, base_url))


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert parse(text).tree.tag[0] == "html"


@given(SOUP)
def test_tree_is_consistent(markup: str) -> None:
    tree = parse(markup).tree
    size = len(tree)
    assert len(tree.parent) == len(tree.end) == len(tree.attrs) == len(tree.text) == size
    assert tree.parent[0] == -1
    assert tree.end[0] == size
    for node in range(size):
        children = list(tree.children(node))
        assert all(tree.parent[child] == node for child in children)
        assert node < tree.end[node] <= size
        if node:
            assert tree.parent[node] < node < tree.end[node] <= tree.end[tree.parent[node]]
            assert node in tree.children(tree.parent[node])
            assert tree.depth(node) == tree.depth(tree.parent[node]) + 1
        if tree.tag[node] == TEXT:
            assert (children, tree.attrs[node]) == ([], {})
        else:
            assert tree.text[node] == ""


@given(SOUP)
def test_reading_a_document_does_not_change_it(markup: str) -> None:
    tree = parse(markup).tree
    before = (list(tree.tag), list(tree.parent), list(tree.end), [dict(attrs) for attrs in tree.attrs], list(tree.text))
    text_of(tree), markdown_of(tree), html_of(tree), links_of(tree, "http://blog.example/")
    assert (tree.tag, tree.parent, tree.end, tree.attrs, tree.text) == before


@given(SOUP)
def test_no_script_survives_in_clean_html(markup: str) -> None:
    again = parse(html_of(parse(markup).tree)).tree
    assert not {"script", "style", "svg", "template"} & set(again.tag)
