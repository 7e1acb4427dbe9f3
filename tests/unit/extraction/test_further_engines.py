"""Comments of further engines in twelve languages: minimum scores, and no comments where there are none."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.unit.extraction.comment_engines import ARTICLE, FORM, SIDEBAR, Said, thread
from tests.unit.extraction.comments_by_language import VOICES, Thread
from tests.unit.extraction.further_engines import FURTHER, WITHOUT
from tests.unit.extraction.newer_engines import NEWER

from posterity.extraction import extract
from posterity.model import Comment, Post

URL = "http://blog.example/2012/tides"
# F1 over all threads of all lengths.
FLOORS = {"found": 0.975, "text": 0.94, "author": 0.955, "date": 0.955, "parent": 0.975}
NEWER_FLOORS = {"found": 0.965, "text": 0.95, "author": 0.965, "date": 0.965, "parent": 0.965}
# Name and text on one line, with or without a date; no elements around comments; a name among labels in a list.
HARD = {"webmention.io", "bare paragraphs", "numbered fonts", "fc2"}


def post_with(markup: str, language: str = "en") -> Post:
    head = f"<!doctype html><html lang={language}><head><title>Tides - Salt Quay</title></head>"
    post = extract(f"{head}<body><div id=main>{ARTICLE}{markup}</div>{SIDEBAR}</body></html>", URL)
    assert post is not None
    return post


def comments_of(one: Thread, said: tuple[Said, ...]) -> tuple[Comment, ...]:
    return post_with(thread(one.engine, said) + FORM, one.language).comments


def matched(found: tuple[Comment, ...], said: tuple[Said, ...]) -> dict[int, Comment]:
    free, pairs = list(found), {}
    for each in said:
        own = next((comment for comment in free if each.paragraphs[0] in comment.text), None)
        if own is not None:
            free.remove(own)
            pairs[each.number] = own
    return pairs


def right_of(one: Thread, said: tuple[Said, ...], pairs: dict[int, Comment]) -> Counter[str]:
    numbers = {comment.id: number for number, comment in pairs.items()}
    right: Counter[str] = Counter()
    for each in said:
        if (comment := pairs.get(each.number)) is None:
            continue
        when = comment.published
        right["found"] += 1
        right["text"] += " ".join(comment.text.split()) == " ".join(each.paragraphs)
        right["author"] += comment.author == each.author
        right["date"] += not one.engine.dates or (
            when is not None
            and when.date() == each.when.date()
            and (not one.engine.times or (when.hour, when.minute) == (each.when.hour, each.when.minute))
        )
        right["parent"] += not one.engine.threads or numbers.get(comment.parent or "") == each.parent
    return right


@pytest.mark.parametrize(("engines", "floors"), [(FURTHER, FLOORS), (NEWER, NEWER_FLOORS)], ids=["further", "newer"])
def test_parts_of_comments_of_further_engines_are_right(engines: dict[str, Thread], floors: dict[str, float]) -> None:
    right: Counter[str] = Counter()
    said_and_found = 0
    for one in engines.values():
        for length in (5, 2, 1):
            said = VOICES[one.language][:length]
            found = comments_of(one, said)
            right += right_of(one, said, matched(found, said))
            said_and_found += len(said) + len(found)
    scores = {part: round(2 * right[part] / said_and_found, 3) for part in floors}
    assert {part: score for part, score in scores.items() if score < floors[part]} == {}


@pytest.mark.parametrize("name", [name for name in FURTHER | NEWER if name not in HARD])
def test_whole_thread_of_further_engine_is_found(name: str) -> None:
    one = (FURTHER | NEWER)[name]
    said = VOICES[one.language]
    found = comments_of(one, said)
    assert len(found) == len(matched(found, said)) == len(said)
    assert [comment.author for comment in found] == [each.author for each in said]


@pytest.mark.parametrize("name", FURTHER)
def test_further_engine_without_comments_gives_none(name: str) -> None:
    one = FURTHER[name]
    assert comments_of(one, ()) == ()


@pytest.mark.parametrize("before", ["", '<p><a href="#c">2 comments</a></p>', "<h3>Comments</h3>"])
@pytest.mark.parametrize("name", WITHOUT)
def test_what_is_no_thread_gives_no_comments(name: str, before: str) -> None:
    assert post_with(before + WITHOUT[name]).comments == ()


@pytest.mark.parametrize("name", WITHOUT)
def test_what_is_no_thread_gives_no_comments_above_a_form(name: str) -> None:
    assert post_with(WITHOUT[name] + FORM).comments == ()
