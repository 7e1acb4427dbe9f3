"""Names, dates, texts and parents of comments are right in the markup of many engines and services."""

# ruff: noqa: E501  markup is easier to read in whole lines

from __future__ import annotations

import pytest
from tests.unit.extraction import comment_engines
from tests.unit.extraction.comment_engines import ARTICLE, FORM, SAID, SIDEBAR, Engine, page, thread
from tests.unit.extraction.invented_engines import INVENTED

from posterity.dom import parse
from posterity.extraction import extract
from posterity.extraction.comments import comments_of_page
from posterity.model import Comment

ENGINES = comment_engines.ENGINES | INVENTED
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


NO_COMMENTS = {
    "link with a number": '<p><a href="/2012/tides#comments">873 comments</a></p>',
    "recent comments in a box": '<div class="boxed"><h3>Recent comments</h3><ul><li><b>Bob</b> on <a href="/a">The moon</a></li>'
    '<li><b>Zoe</b> on <a href="/b">Nets</a></li><li><b>Ada</b> on <a href="/c">Ropes</a></li></ul></div>',
    "form": '<div id="respond"><h3>Leave a reply</h3><form><p>Your name <input name=n></p><p>Your e-mail will not be '
    "published.</p><textarea name=t></textarea><button>Send</button></form></div>",
    "form with a notice": '<div id="comments"><p class="comment">Please log in to comment.</p><form><textarea></textarea></form></div>',
    "stars": '<div class="rating"><span class="star">★</span><span class="star">★</span> 4.5 of 5 (312 votes)</div>',
    "count in a list": '<ul class="meta"><li class="comment">Comments (0)</li><li class="date">April 30, 2012</li></ul>',
    "related posts": '<h3>More</h3><div class="tile"><h4><a href="/a">The moon</a></h4><p>Marta, March 2, 2012</p><p>It rises later every '
    'day.</p></div><div class="tile"><h4><a href="/b">Nets</a></h4><p>Marta, March 9, 2012</p><p>How to mend them.</p></div>'
    "<form><textarea></textarea></form>",
    "threads of a forum": "<table><tr><th>Thread</th><th>Starter</th><th>Replies</th><th>Last post</th></tr>"
    "<tr><td><a href=/t1>Which rope?</a></td><td>bos</td><td>4</td><td>03-23-2012 11:39</td></tr>"
    "<tr><td><a href=/t2>Which knot?</a></td><td>ada</td><td>9</td><td>03-24-2012 12:39</td></tr></table>",
    "who liked it": '<div class="likes"><h3>3 reactions</h3><ul><li><a href=/u/1>Bob</a></li><li><a href=/u/2>Zoe</a></li></ul></div>',
    "next to a link": '<a href="/comments">comments</a><div class="card"><h3>Salt Quay</h3><p>A harbour of the north.</p>'
    "<p>Opened May 1, 1912</p></div>",
    "parts of a page of TYPO3": '<div id="c2616"><p>The quay was built in 1912, of granite.</p></div><div id="c2617"><h3>Berlin</h3><p>'
    'The other quay was built on May 4, 1913, of brick, and fell down.</p></div><div id="c2618"><p>Nobody built a third.</p></div>',
    "copy for a script": '<ul id="comments"><li class="comment" id="comment-0"><b class="fn">Untitled</b><p>Reply</p></li></ul>',
    "comments are closed": '<div class="comments"><h3>Comments</h3><p>Comments are closed since June 1, 2012.</p></div>',
}


@pytest.mark.parametrize("name", NO_COMMENTS)
def test_no_comments_are_invented(name: str) -> None:
    markup = f"<html lang=en><title>Tides</title><body><div id=main>{ARTICLE}{NO_COMMENTS[name]}</div>{SIDEBAR}</body>"
    post = extract(markup, URL)
    assert post is not None
    assert post.comments == ()


def test_day_and_month_of_comments_are_told_by_the_day_of_the_post() -> None:
    items = "".join(
        f'<li class="comment" id="comment-{number}"><b class="fn">{name}</b> <span class="date">0{day}/04/2012</span><p>{words}</p></li>'
        for number, name, day, words in ((1, "Anna", 5, "Wrong by an hour."), (2, "Bob", 6, "Summer time."))
    )
    article = ARTICLE.replace("April 30, 2012", "May 3, 2012")
    post = extract(f"<html lang=en><title>Tides</title><body>{article}<ol id=comments>{items}</ol></body>", URL)
    assert post is not None
    assert [each.published and (each.published.month, each.published.day) for each in post.comments] == [(5, 4), (6, 4)]
