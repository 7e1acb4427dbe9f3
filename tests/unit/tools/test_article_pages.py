"""Annotated pages as training data of the article model."""

import random

import pytest
from tools.article_pages import Annotated, annotated, read_names, shortened

from posterity.evaluate.datasets import Gold, Sample
from posterity.extraction.hybrid.blocks import NameTable

SENTENCES = [f"On day {number} we sat on the wall and counted {number} boats as they came in." for number in range(9)]
POST = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
MENU = "<div id=menu><p>Home</p><p>About the harbour and its boats</p></div>"
HTML = f"<html><body><div id=post>{POST}</div>{MENU}</body></html>"


@pytest.fixture
def page() -> Annotated:
    sample = Sample(id="1", url="https://boats.example/1", html=HTML, gold=Gold(body="\n".join(SENTENCES)))
    found = annotated(sample)
    assert found is not None
    read_names(found, NameTable({}))
    return found


def test_blocks_carry_the_labels_of_their_texts(page: Annotated) -> None:
    assert page.labels.tolist() == [1.0] * 9 + [0.0] * 2


def test_a_shortened_article_is_the_same_page_around_fewer_blocks(page: Annotated) -> None:
    short = shortened(page, random.Random(1))
    assert short is not None
    kept = len(short.blocks)
    assert 2 < kept < len(page.blocks)
    assert short.labels.tolist() == [1.0] * (kept - 2) + [0.0] * 2
    menu = next(node for node, attrs in enumerate(page.tree.attrs) if attrs.get("id") == "menu")
    assert (short.page.low[menu], short.page.high[menu]) == (kept - 2, kept)


def test_a_page_says_whether_it_declares_itself_to_be_no_article(page: Annotated) -> None:
    website = HTML.replace("<body>", '<head><meta property="og:type" content="website"></head><body>')
    other = annotated(Sample(id="2", url="https://boats.example/2", html=website, gold=Gold(body=SENTENCES[0])))
    assert page.power == 1
    assert other is not None
    assert other.power < 1
