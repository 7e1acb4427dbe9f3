"""A rule is corrected by selecting an element of one page, and tested on the others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.dom import parse
from posterity.errors import InputError
from posterity.model import FieldRule, Page, Rule, RuleSet
from posterity.serve.rule_correction import CorrectedField, proposal

RULES = RuleSet(
    languages=("en",),
    fields={
        "text": (FieldRule(rule=Rule("class", "entry", "div"), confidence=1.0, pages=5, of_pages=5),),
        "title": (FieldRule(rule=Rule("class", "site", "h2"), confidence=1.0, pages=5, of_pages=5),),
    },
)


def page(number: int, extra: str = "") -> Page:
    body = f"""<html><body><h2 class="site">A blog</h2><h1 class="head big-{number}">Title number {number}</h1>
    <span class="when">{number + 1} March 2024</span><b class="who">Ann</b>
    <div class="entry"><p>Words of the post number {number}, and some more.</p><div class="ad">Buy salt</div></div>
    {extra}</body>"""
    return Page(
        url=f"https://a.example/{number}", requested_url="", status=200, content_type="text/html",
        body=body.encode(), fetched_at=datetime(2024, 4, 1, tzinfo=UTC),
    )  # fmt: skip


PAGES = [page(number) for number in range(6)]


def node(css: str) -> int:
    tree = parse(PAGES[0].body, PAGES[0].url).tree
    return tree.nodes_by_class[css][0]


@pytest.mark.parametrize(
    ("css", "field", "rule", "value"),
    [
        ("head", "title", "h1.head", "Title number 3"),
        ("when", "published", "span.when", "2024-03-04"),
        ("who", "authors", "b.who", "Ann"),
        ("entry", "text", "div.entry", "Words of the post number 3, and some more. Buy salt"),
        ("ad", "out", "div.ad", "Words of the post number 3, and some more."),
    ],
)
def test_element_gets_the_name_that_serves_on_every_page(
    css: str, field: CorrectedField, rule: str, value: str
) -> None:
    found = proposal(PAGES[0], node(css), field, RULES, PAGES[1:])
    assert found.rule == rule
    assert found.verdict == "fits 6 of 6 pages"
    assert found.trials[3].after == value


def test_what_was_before_is_told() -> None:
    found = proposal(PAGES[0], node("head"), "title", RULES, PAGES[1:])
    assert found.trials[0].before == "A blog"
    assert found.trials[0].after == "Title number 0"


def test_corrected_rules_keep_the_others() -> None:
    found = proposal(PAGES[0], node("head"), "title", RULES, PAGES[1:]).rules
    assert [str(rule.rule) for rule in found.rules_for("title")] == ["h1.head", "h2.site"]
    assert found.rules_for("text") == RULES.rules_for("text")


def test_pages_without_the_element_do_not_fit() -> None:
    bare = [
        Page(
            url=f"https://a.example/x{n}",
            requested_url="",
            status=200,
            body=b"<p>none</p>",
            fetched_at=PAGES[0].fetched_at,
        )
        for n in range(4)
    ]
    assert proposal(PAGES[0], node("head"), "title", RULES, [*PAGES[1:], *bare]).verdict == "fits 6 of 10 pages"


def test_name_of_the_blog_is_no_title() -> None:
    assert proposal(PAGES[0], node("site"), "title", RULES, PAGES[1:]).fits == 0


@pytest.mark.parametrize("number", [-1, 0, 10_000])
def test_element_that_is_not_there_is_refused(number: int) -> None:
    with pytest.raises(InputError):
        proposal(PAGES[0], number, "title", RULES, [])
