"""Pages that a server sends in place of any page."""

from __future__ import annotations

import pytest

from posterity.classify.interstitials import Interstitials, may_be_interstitial, rejected_interstitial
from posterity.dom import Document, parse
from posterity.model import FieldRule, Rule, RuleSet
from posterity.urls import Scope

HOME = "https://salt.example/"
URL = f"{HOME}2012/the-salt-loaf/"
RULES = RuleSet(
    fields={"text": (FieldRule(rule=Rule(kind="class", value="entry"), confidence=1.0, pages=9, of_pages=9),)},
    evidence=(URL,),
)
SCOPE = Scope.of(HOME)
CHECK = "<title>Just a moment...</title><p>This server reviews the security of your connection.</p>"


def page(html: str, url: str = URL) -> Document:
    return parse(html, url)


@pytest.mark.parametrize(
    "html",
    [
        CHECK,
        "<h1>Error establishing a database connection</h1>",
        "<title>Maintenance</title><a href='/'>Salt</a><a href='/wp-login.php'>Log in</a><p>Back in a minute.</p>",
        "<p>We use cookies.</p><form action='/consent'><button>Accept</button></form><a href='/privacy'>Privacy</a>",
    ],
)
def test_page_without_article_and_links_may_be_one(html: str) -> None:
    assert may_be_interstitial(page(html), RULES, SCOPE)


@pytest.mark.parametrize(
    "html",
    [
        "<div class=entry>Flour, water, salt.</div>",  # the blog's own markup
        "<p>Another theme.</p><a href=/a/>A</a><a href=/b/>B</a><a href=/c/>C</a>",
        "<h1>Page not found</h1><p>It is gone.</p>",
        "<img src=/tide.jpg>",
        f"<p>{'A long letter on bread and salt. ' * 80}</p>",
    ],
)
def test_pages_of_the_blog_are_none(html: str) -> None:
    assert not may_be_interstitial(page(html), RULES, SCOPE)


def test_page_that_shows_the_title_of_the_post_is_none() -> None:
    bare = page("<title>The Salt Loaf</title><p>Flour and water.</p>")
    assert may_be_interstitial(bare, RULES, SCOPE)
    assert not may_be_interstitial(bare, RULES, SCOPE, "The salt loaf")
    assert may_be_interstitial(bare, RULES, SCOPE, "Letters to the harbour master")


def test_nothing_is_known_without_rules() -> None:
    assert not may_be_interstitial(page(CHECK), RuleSet(), SCOPE)


def test_same_words_at_several_urls_are_counted_without_numbers_and_urls() -> None:
    seen = Interstitials()
    counts = []
    for slug in ("the-tides", "of-bread-and-security", "the-tides"):
        asked = page(f"{CHECK}<p>You asked for /{slug}/. Code 8f{len(slug)}7</p>", f"{HOME}{slug}/")
        counts.append(seen.add(asked, RULES, SCOPE, is_expected=True))
    assert counts == [1, 2, 2]
    assert seen.add(page("<p>Other words</p>", f"{HOME}harbour/"), RULES, SCOPE, is_expected=True) == 1
    assert seen.urls() == [f"{HOME}the-tides/", f"{HOME}of-bread-and-security/"]


def test_bare_pages_where_no_post_is_expected_are_none_until_a_post_shows_the_same() -> None:
    seen = Interstitials()
    assert seen.add(page(CHECK, f"{HOME}page/2/"), RULES, SCOPE, is_expected=False) == 0
    assert seen.add(page(CHECK, f"{HOME}page/3/"), RULES, SCOPE, is_expected=False) == 0
    assert seen.urls() == []
    assert seen.add(page(CHECK), RULES, SCOPE, is_expected=True) == 3
    assert seen.urls() == [f"{HOME}page/2/", f"{HOME}page/3/", URL]


def test_pictures_with_the_same_words_are_different_pages() -> None:
    seen = Interstitials()
    assert seen.add(page("<p>A picture</p><img src=/1.jpg>", f"{HOME}one/"), RULES, SCOPE, is_expected=True) == 1
    assert seen.add(page("<p>A picture</p><img src=/2.jpg>", f"{HOME}two/"), RULES, SCOPE, is_expected=True) == 1


def test_blog_with_many_bare_pages_is_known_by_them() -> None:
    seen = Interstitials()
    for letter in "abcdefghijklmnopqrst":
        seen.add(page(f"<p>{letter * 5}</p>", f"{HOME}{letter}/"), RULES, SCOPE, is_expected=True)
    assert not seen.has_many_candidates
    seen.add(page("<p>One more</p>"), RULES, SCOPE, is_expected=True)
    assert seen.has_many_candidates


def test_what_is_shown_is_named() -> None:
    assert rejected_interstitial(URL, page(CHECK)).detail == 'the server shows "Just a moment..." in its place'
    long = rejected_interstitial(URL, page(f"<p>{'word ' * 50}</p>")).detail
    assert len(long) < 130
