"""Icons and stylesheets of a page."""

from __future__ import annotations

import pytest

from posterity.discover.links import fonts_and_pictures, icon_url, imports, stylesheets
from posterity.dom import parse

URL = "http://blog.example/2021/a-post/"
ROOT = "http://blog.example"


@pytest.mark.parametrize(
    ("head", "icon"),
    [
        ('<link rel="shortcut icon" href="/i.ico">', "/i.ico"),
        ('<link rel="apple-touch-icon" href="/touch.png"><link rel="icon" href="i.png">', "/2021/a-post/i.png"),
        ('<link rel="apple-touch-icon" href="/touch.png">', "/touch.png"),
        (
            '<link rel="icon" href="/16.png" sizes="16x16"><link rel="icon" href="/96.png" sizes="48x48 96x96">',
            "/96.png",
        ),
        (
            '<link rel="icon" href="/512.png" sizes="512x512"><link rel="icon" href="/96.png" sizes="96x96">',
            "/96.png",
        ),
        ('<link rel="icon" href="data:image/png;base64,AAAA">', "/favicon.ico"),
        ("", "/favicon.ico"),
    ],
)
def test_icon_is_the_declared_one_of_a_fitting_size_or_the_usual_one(head: str, icon: str) -> None:
    assert icon_url(parse(f"<html><head>{head}</head></html>", URL)) == ROOT + icon


def test_stylesheets_are_those_that_a_page_links_to_or_imports_except_alternatives() -> None:
    markup = (
        '<link rel="stylesheet" href="/a.css?v=2"><link rel="alternate stylesheet" href="/night.css">'
        '<link rel="preload" href="/no.css"><link rel="stylesheet" href="/a.css?v=2">'
        '<style>@import url("b.css") screen; p { color: red }</style>'
    )
    assert stylesheets(parse(markup, URL)) == [f"{ROOT}/a.css?v=2", f"{URL}b.css"]


def test_stylesheet_names_imports_and_files_each_once_relative_to_itself() -> None:
    css = """
    @import 'base.css'; @import url(http://cdn.example/font.css) print;
    /* url(commented.png) */
    @font-face { src: url(f.woff2) format("woff2"), url( "f.svg#glyphs" ) format("svg") }
    body { background: URL('../sea.png') } i { background: url(data:image/gif;base64,R0l) }
    b { background: url('../sea.png') }
    """
    sheet = f"{ROOT}/css/main.css"
    assert imports(css, sheet) == [f"{ROOT}/css/base.css", "http://cdn.example/font.css"]
    assert fonts_and_pictures(css, sheet) == [f"{ROOT}/css/f.woff2", f"{ROOT}/css/f.svg", f"{ROOT}/sea.png"]
