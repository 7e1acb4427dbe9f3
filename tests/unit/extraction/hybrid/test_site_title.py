"""The site's name is the shared part of the titles of its pages."""

from __future__ import annotations

import pytest

from posterity.dom import Document, parse
from posterity.extraction.hybrid.title import title_without_site_name


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
