"""Names, dates, words and parents of comments are right in the markup of many engines and services."""

from __future__ import annotations

import pytest
from tests.unit.extraction.comment_engines import ARTICLE, ENGINES, FORM, SAID, SIDEBAR, Engine, page, thread

from posterity.dom import parse
from posterity.extraction import extract
from posterity.extraction.comments import comments_of_page
from posterity.model import Comment

URL = "http://blog.example/2012/tides"


def comments_by_number(engine: Engine) -> dict[int, Comment]:
    post = extract(page(engine), URL)
    assert post is not None
    found = {said.number: each for said in SAID for each in post.comments if said.paragraphs[0] in each.text}
    assert len(post.comments) == len(found) == len(SAID)
    return found


@pytest.mark.parametrize("name", ENGINES)
def test_comments_of_engine_have_their_own_words_and_names(name: str) -> None:
    found = comments_by_number(ENGINES[name])
    assert {number: each.author for number, each in found.items()} == {said.number: said.author for said in SAID}
    for said in SAID:
        words = " ".join(found[said.number].text.split())
        assert words.removeprefix("@Anna Berg: ").removeprefix("@Bob: ") == " ".join(said.paragraphs)


@pytest.mark.parametrize("name", [name for name, engine in ENGINES.items() if engine.dates])
def test_comments_of_engine_have_their_dates_with_the_time_of_day(name: str) -> None:
    engine = ENGINES[name]
    found = {number: each.published for number, each in comments_by_number(engine).items()}
    for said in SAID:
        when = found[said.number]
        assert when is not None
        assert when.date() == said.when.date()
        assert not engine.times or (when.hour, when.minute) == (said.when.hour, said.when.minute)


@pytest.mark.parametrize("name", [name for name, engine in ENGINES.items() if engine.threads])
def test_replies_of_engine_have_their_parents(name: str) -> None:
    found = comments_by_number(ENGINES[name])
    numbers = {each.id: number for number, each in found.items()}
    parents = {number: numbers.get(each.parent or "") for number, each in found.items()}
    assert parents == {said.number: said.parent for said in SAID}


@pytest.mark.parametrize("name", ENGINES)
def test_article_has_no_word_of_the_comments_of_engine(name: str) -> None:
    post = extract(page(ENGINES[name]), URL)
    assert post is not None
    assert "The tide at the quay" in post.text
    assert not any(paragraph in post.text for said in SAID for paragraph in said.paragraphs)


@pytest.mark.parametrize("name", ENGINES)
def test_thread_of_engine_without_comments_gives_none(name: str) -> None:
    empty = f"<body><div id=main>{ARTICLE}{thread(ENGINES[name], ())}{FORM}</div>{SIDEBAR}</body>"
    assert comments_of_page(parse(empty).tree) == ()
