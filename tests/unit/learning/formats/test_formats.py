"""Learned rules match the same parts in the formats of other software."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import lxml.html
import pytest
from parsel import Selector

from posterity.errors import InputError
from posterity.learning.formats import FORMATS, written_rules
from posterity.model import FieldRule, Rule, RuleSet, from_json
from posterity.model.rules import Layout

PAGE = """<!DOCTYPE html><html><body><h1 class="title">On  tides</h1><a rel="author">Maren</a>
<time datetime="2021-03-12">then</time><div class="entry"><p>The tide.</p><div class="share">Share</div></div>
<a rel="tag">sea</a><a rel="tag">moon</a></body></html>"""


def field_rule(rule: Rule) -> tuple[FieldRule, ...]:
    return (FieldRule(rule=rule, confidence=0.9, pages=3, of_pages=3),)


RULES = RuleSet(
    feed_url="https://www.blog.example/feed/",
    evidence=("https://www.blog.example/2021/tides/",),
    fields={
        "text": field_rule(Rule("class", "entry", "div")),
        "title": field_rule(Rule("class", "title", "h1")),
        "authors": field_rule(Rule("attr", "rel=author", "a")),
        "published": field_rule(Rule("tag", "time", attribute="datetime")),
        "tags": field_rule(Rule("attr", "rel=tag", "a")),
        "out": field_rule(Rule("class", "share", "div")),
    },
    layouts=(Layout(fields={"text": field_rule(Rule("id", "story"))}),),
)


def lines(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in written_rules(RULES, name).splitlines():
        if ": " in line and not line.startswith("#"):
            key, value = line.split(": ", 1)
            found.setdefault(key, []).append(value)
    return found


def test_json_is_read_back() -> None:
    assert from_json(written_rules(RULES, "json").encode(), RuleSet) == RULES


def test_full_text_rss_names_the_same_parts() -> None:
    page: Any = lxml.html.document_fromstring(PAGE)
    config = lines("ftr")
    assert set(config) == {"title", "author", "date", "body", "strip", "test_url"}
    assert [node.text_content() for node in page.xpath(config["title"][0])] == ["On  tides"]
    assert page.xpath(config["date"][0]) == ["2021-03-12"]
    assert [node.get("class") for node in page.xpath(config["body"][0])] == ["entry"]
    assert [node.get("class") for node in page.xpath(config["strip"][0])] == ["share"]
    assert len(config["body"]) == 2  # one for each layout, tried in this order
    assert written_rules(RULES, "ftr").startswith("# blog.example.txt\n")


def test_miniflux_scrapes_the_article_and_removes_the_rest() -> None:
    settings = json.loads(written_rules(RULES, "miniflux"))
    assert settings == {
        "feed_url": "https://www.blog.example/feed/",
        "crawler": True,
        "scraper_rules": "div.entry, #story",
        "rewrite_rules": 'remove("div.entry div.share")',
    }


def test_css_is_one_line_a_rule() -> None:
    assert lines("css") == {
        "text": ["div.entry", "#story"],
        "title": ["h1.title"],
        "authors": ['a[rel~="author"]'],
        "published": ["time @datetime"],
        "tags": ['a[rel~="tag"]'],
        "out": ["div.entry div.share"],
    }


def test_page_object_gives_the_fields() -> None:
    page = page_object(written_rules(RULES, "webpoet"))
    assert (page.title(), page.author(), page.date()) == ("On tides", "Maren", "2021-03-12")
    assert page.tags() == ["sea", "moon"]
    assert page.article_html() == '<div class="entry"><p>The tide.</p></div>'


def page_object(source: str) -> Any:
    """An instance of the class in the module, with fakes of web-poet's three names."""

    class WebPage:
        def __class_getitem__(cls, _item: object) -> type:
            return cls

        def __init__(self) -> None:
            page = Selector(PAGE)
            self.css, self.xpath = page.css, page.xpath

    poet = ModuleType("web_poet")
    poet.__dict__.update(WebPage=WebPage, field=lambda method: method, handle_urls=lambda _host: lambda made: made)
    module: dict[str, Any] = {"__name__": "generated"}
    sys.modules["web_poet"] = poet
    try:
        exec(compile(source, "generated.py", "exec"), module)
    finally:
        del sys.modules["web_poet"]
    return module["BlogExamplePost"]()


@pytest.mark.parametrize("name", FORMATS)
def test_rules_without_anything_are_written_too(name: str) -> None:
    assert written_rules(RuleSet(), name)


def test_unknown_format_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(InputError, match="json, ftr, miniflux, css, webpoet"):
        written_rules(RULES, "yaml")
