"""The single author of a blog without a feed."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.extraction.blog_fields import only_author, with_only_author
from posterity.extraction.method import Context, extract_posts
from posterity.extraction.record import authors_on
from posterity.model import FieldRule, Rule, RuleSet

TEXT = "<p>The tide came in and the tide went out, and every day was a little later than the day before it.</p>" * 4
PAGE = "<html lang=en><title>On {name}</title><h1>On {name}</h1><p>12 March 2021{author}</p><div>{text}</div></html>"


def _author(*authors: str) -> str | None:
    pages = (
        PAGE.format(name=f"day {number}", author=author, text=TEXT + f"<p>It was day {number}.</p>")
        for number, author in enumerate(authors)
    )
    documents = [parse(page, f"https://blog.example/{number}/") for number, page in enumerate(pages)]
    return only_author([post for each in documents for post in extract_posts(each)], len(documents))


def test_name_that_most_pages_give_is_the_authors() -> None:
    assert _author(" by Ada Lovelace", " by Ada Lovelace", " by Ada Lovelace", "") == "Ada Lovelace"


def test_blog_of_two_authors_has_not_one() -> None:
    assert _author(" by Ada Lovelace", " by Ada Lovelace", " by Ada Lovelace", " by Charles Babbage") is None


def test_name_on_few_pages_is_nobodys() -> None:
    assert _author(" by Ada Lovelace", "", "", "", "") is None


def test_name_that_pages_agree_on_goes_before_a_rule_that_names_somebody_else() -> None:
    markup = PAGE.format(name="tides", author=" by Ada Lovelace", text=TEXT) + "<i class=author>{maker}</i>"
    rule = FieldRule(rule=Rule(kind="class", value="author"), confidence=0.55, pages=4, of_pages=4)
    rules = RuleSet(fields={"authors": (rule,)})
    wrong, right = ([parse(markup.format(maker=who))] * 4 for who in ("The Theme Team", "Ada Lovelace"))
    posts = [post for page in wrong for post in extract_posts(page)]
    assert with_only_author(rules, wrong, posts).only_author == "Ada Lovelace"
    assert not with_only_author(rules, wrong, posts).rules_for("authors")
    assert with_only_author(rules, right, [post for page in right for post in extract_posts(page)]) == rules


@pytest.mark.parametrize("line", ["Дата публикации 2 апреля 2022 г.", "Дата публикации декабрь 2022"])
def test_rule_that_meets_the_line_of_a_date_names_nobody(line: str) -> None:
    rule = FieldRule(rule=Rule(kind="class", value="meta"), confidence=0.8, pages=4, of_pages=4)
    assert authors_on(parse(f"<div class=meta>{line}</div>"), RuleSet(fields={"authors": (rule,)})) is None


def test_name_that_a_page_shows_goes_before_the_feeds_only_author() -> None:
    rule = FieldRule(rule=Rule(kind="tag", value="div"), confidence=0.9, pages=4, of_pages=4)
    rules = RuleSet(fields={"text": (rule,)}, only_author="Mary Somerville")
    pages = [PAGE.format(name="tides", author=author, text=TEXT) for author in (" by Ada Lovelace", "")]
    posts = [extract_posts(parse(page), context=Context(rules=rules))[0] for page in pages]
    assert [post.authors for post in posts] == [("Ada Lovelace",), ("Mary Somerville",)]


def test_rule_gives_all_authors_of_cards_side_by_side() -> None:
    card = "<div class=col><a href=/p/{0}><b itemprop=name>{0}</b></a><small>{1}</small></div>"
    cards = card.format("Ada Lovelace", "Mathematician") + card.format("Charles Babbage", "Engine builder")
    rule = FieldRule(rule=Rule(kind="attr", value="itemprop=name"), confidence=0.8, pages=4, of_pages=4, per_page=1)
    found = authors_on(parse(f"<div>{cards}</div><p>Salt</p>"), RuleSet(fields={"authors": (rule,)}))
    assert found is not None
    assert found.fields["authors"] == ("Ada Lovelace", "Charles Babbage")


def test_category_at_the_place_of_the_author_is_no_author() -> None:
    rule = FieldRule(rule=Rule(kind="path", value="html/body/p[1]/a[2]"), confidence=0.8, pages=4, of_pages=4)
    footer = "<p>In <a href=/c/sea/>Sea</a>{category} by <a href=/author/ada/>Ada Lovelace</a></p>"
    for category, names in (("", ("Ada Lovelace",)), (", <a href=/category/salt/>Salt</a>", ())):
        page = parse(footer.format(category=category), "https://blog.example/1/")
        found = authors_on(page, RuleSet(fields={"authors": (rule,)}))
        assert (found.fields["authors"] if found else ()) == names
