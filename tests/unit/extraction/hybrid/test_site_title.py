"""The site's name is the shared part of the titles of its pages."""

from __future__ import annotations

import pytest

from posterity.dom import Document, parse
from posterity.extraction import Context, extract_posts
from posterity.extraction.hybrid.title import site_frame, title_without_site_name
from posterity.model import FieldRule, Rule, RuleSet


def site(pattern: str) -> tuple[Document, ...]:
    return tuple(parse(f"<title>{pattern.format(name)}</title>") for name in ("On tides", "Bread", "A walk: part 2"))


@pytest.mark.parametrize(
    ("pattern", "given"),
    [
        ("The Almanac: {0}", "The Almanac: On tides"),
        ("{0} | The Almanac", "On tides | The Almanac"),
        ("{0} – Posts – The Almanac", "On tides – Posts – The Almanac"),
        ("{0} | The Almanac", "On tides"),
    ],
)
def test_name_goes(pattern: str, given: str) -> None:
    assert title_without_site_name(given, site(pattern)) == "On tides"


def test_words_that_happen_to_be_alike_stay() -> None:
    assert title_without_site_name("On tides of the sea", site("{0} of the sea")) == "On tides of the sea"


def test_title_that_is_the_name_stays() -> None:
    assert title_without_site_name(" | The Almanac", site("{0} | The Almanac")) == " | The Almanac"


def test_page_with_a_title_of_its_own_does_not_hide_the_name() -> None:
    pages = (*site("{0} | The Almanac"), *(parse(f"<title>Part {n} | The Almanac</title>") for n in range(4)))
    assert title_without_site_name("On tides | The Almanac", (*pages, parse("<title>Home</title>"))) == "On tides"


def test_few_pages_say_nothing() -> None:
    assert title_without_site_name("On tides | X", site("{0} | X")[:2]) == "On tides | X"


@pytest.mark.parametrize(
    ("pattern", "given", "title"),
    [
        ("{0} | News | The Almanac", "Salt | Essays | The Almanac", "Salt | Essays"),
        ("The Almanac | News | {0}", "The Almanac | Salt", "Salt"),
        ("{0} | News | The Almanac", "Salt | News", "Salt | News"),
    ],
)
def test_name_goes_from_another_section(pattern: str, given: str, title: str) -> None:
    assert title_without_site_name(given, (), site_frame(site(pattern))) == title


@pytest.mark.parametrize(
    ("declared", "ruled", "title"),
    [
        ("The Almanac: Salt", False, "Salt"),
        ("The Almanac", False, None),
        ("The Almanac", True, None),
        ("The Almanac: Salt", True, None),
        ("Salt", False, None),
    ],
)
def test_pages_of_a_blog_that_show_no_title_have_the_declared_one_without_the_name(
    declared: str, *, ruled: bool, title: str | None
) -> None:
    def rule(value: str) -> tuple[FieldRule, ...]:
        return (FieldRule(rule=Rule(kind="class", value=value), confidence=0.9, pages=9, of_pages=9),)

    fields = {"text": rule("entry")} | ({"title": rule("heading")} if ruled else {})
    rules = RuleSet(fields=fields, title_frame=site_frame(site("The Almanac: {0}")))
    text = "<p>The tide came in before anyone had thought of the boats, and it went out again.</p>" * 4
    page = f"<title>{declared}</title><h1><b>The Almanac</b></h1><table><td class=entry>{text}</table>"
    post = extract_posts(parse(page, "http://almanac.example/1.html"), context=Context(rules=rules))[0]
    assert (post.title, "title" in post.provenance) == (title, title is not None)


def test_name_alone_on_all_pages_is_that_of_a_microblog() -> None:
    assert site_frame(site("Ada Lovelace -")) == ("Ada Lovelace -", "")
    assert title_without_site_name("Ada Lovelace - Links", (), ("Ada Lovelace -", "")) == "Ada Lovelace - Links"
