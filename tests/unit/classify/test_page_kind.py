"""Post, index or other."""

from __future__ import annotations

import pytest

from posterity.classify import PageKind, page_kind
from posterity.dom import parse
from posterity.model import FieldRule, Rule, RuleSet
from posterity.urls import PostPattern

PATTERN = PostPattern(r"/\d{4}/[^/?]+/")
POST = "http://blog.example/2021/tides/"


def rules(per_page: int = 1) -> RuleSet:
    return RuleSet(
        fields={
            "article": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3, per_page=per_page),)
        }
    )


@pytest.mark.parametrize(
    ("entries", "url", "kind"),
    [
        (1, POST, "post"),
        (1, "http://blog.example/about/", "other"),
        (3, "http://blog.example/", "index"),
        (3, POST, "index"),
        (0, POST, "other"),
    ],
)
def test_address_and_number_of_articles_decide(entries: int, url: str, kind: PageKind) -> None:
    assert page_kind(parse("<div class=entry>x</div>" * entries, url), rules(), PATTERN) == kind


def test_blog_whose_posts_repeat_the_mark_is_not_all_indexes() -> None:
    page = parse("<div class=entry>x</div>" * 2, POST)
    assert page_kind(page, rules(per_page=2), PATTERN) == "post"


def test_without_rules_nothing_is_a_post() -> None:
    assert page_kind(parse("<div class=entry>x</div>", POST), RuleSet(), PATTERN) == "other"


def test_page_about_the_blog_is_no_post_although_its_address_fits() -> None:
    at_the_root = PostPattern(r"/[^/?]+/", depth=(0, 0))
    page = "<div class=entry>x</div>"
    assert page_kind(parse(page, "http://blog.example/about/"), rules(), at_the_root) == "other"
    assert page_kind(parse(page, "http://blog.example/tides/"), rules(), at_the_root) == "post"


def test_table_in_a_post_is_no_further_post_of_a_blog_laid_out_in_cells() -> None:
    cells = RuleSet(
        fields={
            "article": (FieldRule(rule=Rule("tag", "td"), confidence=0.9, pages=3, of_pages=3, per_page=2),),
            "date": (FieldRule(rule=Rule("tag", "h3"), confidence=0.9, pages=3, of_pages=3),),
        }
    )
    table = "<table><tr><td>high<td>6:12<tr><td>low<td>12:20</table>"
    menu = "<td>menu</table>"
    post = f"<table><tr><td><h3>3 May 2021</h3><p>Tides.</p>{table}{menu}"
    index = f"<table><tr><td><h3>3 May 2021</h3><p>Tides.</p>{table}<h3>2 May 2021</h3><p>Wind.</p>{menu}"
    assert page_kind(parse(post, POST), cells, PATTERN) == "post"
    assert page_kind(parse(index, POST), cells, PATTERN) == "index"


def test_comments_that_are_called_as_posts_are_make_no_index() -> None:
    comment = "<div class=comment><div class=entry>So it is.</div></div>"
    post = f"<div class=entry>Tides.</div><div id=comments>{comment * 5}</div>"
    assert page_kind(parse(post, POST), rules(), PATTERN) == "post"
