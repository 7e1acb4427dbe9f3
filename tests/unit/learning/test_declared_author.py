"""Authors declared by pages, for blogs whose feeds name none."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.learning.fields import declared_author_rules, declared_names


def rules_from(*pages: str, blog: str | None = "The Tidal Almanac") -> list[tuple[str, float, str]]:
    declared = [declared_names(parse(page)) for page in pages]
    return [(str(rule.rule), rule.confidence, rule.before) for rule in declared_author_rules(declared, blog)]


@pytest.mark.parametrize(
    ("markup", "rule"),
    [
        ("<a rel=author href=/m>Maren</a>", 'a[rel~="author"]'),
        ("<span class='p-author h-card'>Maren</span>", ".p-author"),
        ("<p itemprop=author><span itemprop=name>Maren</span></p>", '[itemprop~="author"] [itemprop~="name"]'),
        ("<meta name=author content=Maren>", 'meta[name~="author"] @content'),
        ("<p class=author>Maren</p>", ".author"),
    ],
)
def test_declared_author_becomes_a_rule(markup: str, rule: str) -> None:
    assert [found for found, _, _ in rules_from(markup, markup)] == [rule]


def test_name_beside_the_post_goes_before_the_one_in_the_head() -> None:
    page = "<meta name=author content='Tidal Ltd'><a rel=author href=/m>Maren</a>"
    assert rules_from(page)[0][0] == 'a[rel~="author"]'


def test_by_before_the_name_is_not_part_of_it() -> None:
    for lead in ("by ", "Posted by ", "This was written by "):
        pages = [f"<p class=p-author>{lead}{name}</p>" for name in ("Maren", "Jonas Lie")]
        assert rules_from(*pages)[0][2] == lead


def test_blogs_own_name_is_the_weakest_evidence() -> None:
    page = "<meta name=author content='The tidal almanac'>"
    assert [confidence for _, confidence, _ in rules_from(page, page)] == [0.4]


@pytest.mark.parametrize("name", ["admin", "https://blog.example/m", "", "123", "x" * 90])
def test_what_is_no_name_is_no_author(name: str) -> None:
    assert rules_from(f"<meta name=author content='{name}'>") == []


def test_author_on_some_pages_only_is_no_rule() -> None:
    assert rules_from("<a rel=author>Maren</a>", "<p>x</p>", "<p>y</p>") == []
