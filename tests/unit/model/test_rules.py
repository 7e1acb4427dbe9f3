"""A rule as CSS and as XPath matches the same node, whatever characters its name has."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse, text_of
from posterity.model import FieldRule, Rule, RuleSet, from_json, to_json

PAGE = """<!DOCTYPE html><html><head><title>t</title></head><body><div id="side" class="box"><p>side</p></div>
<div id="main" class="box wide"><h1 class="entry-title big">title</h1><p>one</p><p class="x box">two</p>
<article><h1>inner</h1></article></div></body></html>"""
ODD_NAMES = [
    "a.b",
    "a:b",
    "9lives",
    "--x",
    "-x",
    "it's",
    'say"so"',
    """both'and\"""",
    "wp/main",
    "säule",
    "主文",
    "a#b",
    "[x]",
    "a\\b",
    "a>b",
    "💡",
    "{y}",
    "a+b~c",
]


def lxml_texts(page: str, xpath: str) -> list[str]:
    nodes: list[Any] = lxml.html.document_fromstring(page).xpath(xpath)
    return [" ".join(node.text_content().split()) for node in nodes]


def our_texts(page: str, css: str) -> list[str]:
    return [" ".join(tree.plain(0).split()) for tree in parse(page).all(css)]


@pytest.mark.parametrize(
    ("rule", "css", "first"),
    [
        (Rule("id", "main"), "#main", "titleonetwo inner"),
        (Rule("id", "main", "div"), "div#main", "titleonetwo inner"),
        (Rule("class", "box"), ".box", "side"),
        (Rule("class", "box", "p"), "p.box", "two"),
        (Rule("class", "box wide"), ".box.wide", "titleonetwo inner"),
        (Rule("class", "entry-title"), ".entry-title", "title"),
        (Rule("tag", "h1"), "h1", "title"),
        (Rule("tag", "h1", under=Rule("tag", "article")), "article h1", "inner"),
        (Rule("tag", "p", under=Rule("id", "main")), "#main p", "one"),
        (Rule("class", "x", under=Rule("class", "wide", "div")), "div.wide .x", "two"),
        (Rule("path", "html/body/div[2]/p[2]"), "html > body > div:nth-of-type(2) > p:nth-of-type(2)", "two"),
        (
            Rule("path", "html/body/div[2]/article/h1"),
            "html > body > div:nth-of-type(2) > article:nth-of-type(1) > h1:nth-of-type(1)",
            "inner",
        ),
    ],
)
def test_css_and_xpath_name_the_same_nodes(rule: Rule, css: str, first: str) -> None:
    assert rule.css == str(rule) == css
    assert our_texts(PAGE, rule.css)[0] == first
    assert lxml_texts(PAGE, rule.xpath) == our_texts(PAGE, rule.css)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((kind, name) for name in ODD_NAMES for kind in ("id", "class")),
        ("class", "-"),
        ("class", "-9"),
        ("class", "a²"),
        ("id", "a²"),
    ],
)
def test_odd_names_are_written_so_that_both_languages_read_them(kind: Any, name: str) -> None:
    page = f"<!DOCTYPE html><body><p>no</p><p {kind}='x'>no</p><p {kind}=\"{escape(name)}\">yes</p></body>"
    rule = Rule(kind, name)
    assert our_texts(page, rule.css) == ["yes"]
    assert lxml_texts(page, rule.xpath) == ["yes"]


# Without "No": see UNREAD.
NAMES = st.text(
    st.characters(min_codepoint=33, exclude_categories=["Z", "Cc", "Cs", "Cn", "No"]), min_size=1, max_size=8
)


@given(NAMES)
def test_any_id_is_found_by_its_css(name: str) -> None:
    found = parse(f'<!DOCTYPE html><body><p>no</p><p id="{escape(name)}">yes</p></body>').first(Rule("id", name))
    assert found is not None
    assert text_of(found) == "yes"


def test_rules_of_a_field_come_best_first_and_none_for_what_was_not_learned() -> None:
    best, next_best = (FieldRule(rule=Rule("id", name), confidence=0.9, pages=3, of_pages=4) for name in "ab")
    rules = RuleSet(fields={"text": (best, next_best)})
    assert rules.rules_for("text") == (best, next_best)
    assert rules.rules_for("authors") == ()


def test_rules_of_earlier_versions_get_the_names_of_the_record() -> None:
    rule = {"rule": {"kind": "id", "value": "x"}, "confidence": 1.0, "pages": 1, "of_pages": 1}
    former = {"article": [rule], "title": [rule], "author": [rule], "date": [rule], "comment_date": [rule]}
    rules = from_json(json.dumps({"fields": former, "layouts": [{"fields": former}]}), RuleSet)
    names = ["text", "title", "authors", "published", "comment_published"]
    assert list(rules.fields) == names
    assert list(rules.layouts[0].fields) == names


def test_edited_json_of_rules_is_used() -> None:
    written = to_json(
        RuleSet(fields={"text": (FieldRule(rule=Rule("id", "side"), confidence=1, pages=1, of_pages=1),)})
    )
    edited = from_json(written.replace(b'"side"', b'"main"'), RuleSet)
    post = edited.extract(PAGE, "http://blog.example/a/")
    assert post is not None
    assert post.text == "title\n\none\n\ntwo\n\ninner"
