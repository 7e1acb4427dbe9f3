"""On pages that declare themselves to be no article, every block gets lower odds."""

import numpy as np
import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import declares_another_kind, power_of_odds, pull_to_even_odds
from posterity.extraction.hybrid.article import article_on
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable

WEBSITE = '<meta property="og:type" content="website">'
ARTICLE = '<meta property="og:type" content="article">'
TEASERS = "".join(
    f'<div class="card"><h3>Boats of the {place}</h3><p>What people row, sail and repair in the {place}, in ten '
    "pictures and a few words.</p></div>"
    for place in ("north", "south", "east", "west")
)


def json_ld(kind: str) -> str:
    return f'<script type="application/ld+json">{{"@context": "https://schema.org", "@type": {kind}}}</script>'


def declared(head: str, body: str = "<p>x</p>") -> bool:
    return declares_another_kind(parse(f"<html><head>{head}</head><body>{body}</body></html>"))


@pytest.mark.parametrize(
    "head",
    [
        WEBSITE,
        '<meta property="og:type" content="Blog">',
        json_ld('"CollectionPage"'),
        json_ld('["LocalBusiness"]'),
        WEBSITE + json_ld('"Organization"'),
    ],
)
def test_a_page_that_says_it_is_something_else_is_no_article(head: str) -> None:
    assert declared(head)


@pytest.mark.parametrize(
    "head",
    [
        "",
        '<meta property="og:type" content="">',
        ARTICLE,
        WEBSITE + json_ld('"NewsArticle"'),
        WEBSITE + json_ld('"BlogPosting"'),
        WEBSITE + '<meta property="article:published_time" content="2012-05-03">',
    ],
)
def test_a_page_that_says_nothing_or_that_it_is_an_article_may_be_one(head: str) -> None:
    assert not declared(head)


@pytest.mark.parametrize(
    "head", ['<meta property="og:type" content="og:product">', WEBSITE + json_ld('"Product"'), json_ld('"Offer"')]
)
def test_products_are_left_alone(head: str) -> None:
    assert not declared(head)


def test_types_that_elements_declare_count_too() -> None:
    assert declared("", '<div itemscope itemtype="https://schema.org/ItemList"><p>x</p></div>')
    assert not declared(WEBSITE, '<div itemscope itemtype="https://schema.org/BlogPosting"><p>x</p></div>')


@pytest.mark.parametrize("names", ["page-template-default page page-id-41", "archive category category-boats"])
def test_a_page_of_wordpress_that_is_no_post_is_no_article_though_it_declares_one(names: str) -> None:
    page = "<html><head>{0}</head><body class='{1}'><p>x</p></body></html>"
    assert declares_another_kind(parse(page.format(ARTICLE, names)))
    assert not declares_another_kind(parse(page.format(ARTICLE, "single single-post postid-41")))
    assert not declares_another_kind(parse(page.format(json_ld('"BlogPosting"'), names)))


def power(url: str) -> float:
    return power_of_odds(parse(f"<html><head>{ARTICLE}</head><body><p>x</p></body></html>", url))


def test_manuals_and_offers_are_told_by_their_urls() -> None:
    post = power("https://boats.example/2012/05/services-for-boats")
    assert post == power("https://boats.example/docs") == power("http://[::1") == power("") == 1
    offer = power("https://boats.example/services/repair/")
    manual = power("https://boats.example/docs/sails")
    assert manual == power("https://docs.boats.example/sails") < offer < post


def rendered(likely: list[float]) -> list[float]:
    body = "".join(f"<p>Paragraph {number}.</p>" for number in range(len(likely)))
    page = BlockPage(Blocks(parse(body).tree, NameTable({})))
    numbers = np.array(likely, np.float32)
    pull_to_even_odds(page, numbers)
    return [round(float(number), 4) for number in numbers]


def test_odds_come_nearer_to_even_and_keep_their_order() -> None:
    nothing, little, even, much, everything = rendered([0.0, 0.1, 0.5, 0.9, 1.0])
    assert even == 0.5
    assert 0.1 < little < 0.3
    assert 0.7 < much < 0.9
    assert 0.0 < nothing < little
    assert much < everything < 1.0


def test_where_nothing_is_in_doubt_odds_stay() -> None:
    assert rendered([0.01, 0.98, 0.98, 0.98, 0.01]) == [0.01, 0.98, 0.98, 0.98, 0.01]


def confidence(head: str, body: str) -> float:
    article = article_on(parse(f"<html><head><title>Boats</title>{head}</head><body>{body}</body></html>"))
    assert article is not None
    return article.confidence


def test_an_answer_on_such_a_page_is_less_sure() -> None:
    assert confidence(WEBSITE, TEASERS) < confidence(ARTICLE, TEASERS)


def test_what_is_named_as_the_text_of_an_article_makes_the_page_one() -> None:
    named = f'<div class="entry-content">{TEASERS}</div>'
    assert confidence(WEBSITE, named) == confidence(ARTICLE, named)
