"""Post, index or other."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.identify import PageKind, page_kind
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
