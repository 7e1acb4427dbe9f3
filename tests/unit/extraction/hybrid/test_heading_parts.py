"""The parts of a heading."""

from __future__ import annotations

import pytest

import posterity
from posterity.dom import parse
from posterity.extraction.hybrid.title import heading_parts
from posterity.model import FieldRule, Rule, RuleSet
from posterity.text.normal_form import letters_and_digits


def parts(markup: str) -> list[str]:
    tree = parse(f"<h1>{markup}</h1>").tree
    node = tree.nodes_by_tag["h1"][0]
    return [part.value for part in heading_parts(tree, node, letters_and_digits(tree.plain(node)))]


def test_line_above_and_headline_are_two_parts() -> None:
    assert parts("<small>At sea</small> <span>A year of tides</span>") == ["At sea", "A year of tides"]


def test_wrapper_around_the_parts_is_looked_through() -> None:
    assert parts("<a href=/x><span>At sea</span><br>A year of tides</a>") == ["At sea", "A year of tides"]


def test_heading_of_one_piece_has_no_parts() -> None:
    assert parts("A year of tides") == parts("<a href=/x><b>A year of tides</b></a>") == []


def test_heading_in_many_pieces_is_one_text() -> None:
    assert parts("".join(f"<i>{word}</i> " for word in "one two three four five six seven".split())) == []


def test_part_that_the_head_gives_alone_is_the_title_without_the_tagline_beside_it() -> None:
    sentences = "".join(
        f"<p>On day {day} we sat on the wall and counted boats as they came in.</p>" for day in range(9)
    )
    body = f"<div class=page-header><h1>Boats of May <small>Supporting tagline</small></h1></div>{sentences}"
    post = posterity.extract(f"<html><head><title>Boats of May</title></head><body>{body}</body></html>")
    assert post is not None
    assert post.title == "Boats of May"


URL = "https://tides.example/2021/03/boats.html"
DAYS = "".join(f"<p>On day {day} we sat on the wall and counted boats as they came in.</p>" for day in range(9))


def title_of(head: str, above: str) -> str | None:
    post = posterity.extract(f"<html><head><title>{head}</title></head><body>{above}{DAYS}</body></html>", URL)
    assert post is not None
    return post.title


def test_heading_that_links_to_its_own_page_is_the_title() -> None:
    above = '<h1>Document body</h1><h1>Blog</h1><h1><a href="../../2021/03/boats.html">Boats of May</a></h1>'
    assert title_of("Anna's Workshop", above) == "Boats of May"


def test_heading_that_links_to_another_page_is_not() -> None:
    above = '<h1>Boats of May</h1><h2><a href="?page=2">More boats</a></h2><h2><a href="#a">Nets</a></h2>'
    assert title_of("Boats of May", above) == "Boats of May"


@pytest.mark.parametrize("home", ["../../", "../../index.html", "../index.htm"])
def test_heading_that_links_to_a_folder_above_is_the_name_of_the_site(home: str) -> None:
    above = f'<h1><a href="{home}">Anna: The Eponymous Blog</a></h1><h2 class="title">Grateful rants</h2>'
    assert title_of("Grateful rants | Anna: The Eponymous Blog", above) == "Grateful rants"


def test_name_of_the_site_is_no_title_of_a_post_of_a_copied_blog() -> None:
    name = '<h1><a href="../../index.html">The boats</a></h1>'
    page = f"<html><head><title>The boats</title></head><body>{name}<div class=entry>{DAYS}</div></body></html>"
    rule = FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3)
    post = posterity.extract(page, URL, rules=RuleSet(fields={"text": (rule,)}))
    assert post is not None
    assert post.title is None


def test_date_in_a_heading_is_a_title_where_the_head_has_it() -> None:
    above = (
        '<h1><a href="/">Anna&apos;s Blog</a></h1><h2 class="date">November 05, 2016</h2><h3 class="title">Bologna</h3>'
    )
    assert title_of("Anna's Blog: Bologna - A travel journal", above) == "Bologna"
    assert title_of("November 05, 2016", "<h1>November 05, 2016</h1>") == "November 05, 2016"
