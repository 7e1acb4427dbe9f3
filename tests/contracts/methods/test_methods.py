"""The contract of every extraction method: one suite, run on all of `METHODS`."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING

import pytest

from posterity.config import ParseLimits
from posterity.dom import Document, parse
from posterity.errors import InputError, PosterityError
from posterity.extraction import METHODS, Context, method_named
from posterity.model import FieldRule, Post, Rule, RuleSet, from_json, to_json

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.extraction import Method

URL = "http://blog.example/2021/tides/"
ARTICLE = " ".join(
    "The tide comes in twice a day, and twice a day it goes out again, which the harbour master writes down.".split()
)
RULES = RuleSet(
    fields={
        "text": (FieldRule(rule=Rule("class", "entry"), confidence=0.9, pages=3, of_pages=3),),
        "title": (FieldRule(rule=Rule("tag", "h1"), confidence=0.9, pages=3, of_pages=3),),
    }
)


def page(article: str = ARTICLE, title: str = "On tides") -> str:
    """An ordinary post page: menu, one article in a block with a usual name, sidebar, footer."""
    paragraphs = "".join(f"<p>{article} {word}.</p>" for word in ("Spring", "Summer", "Autumn", "Winter"))
    menu = "".join(f"<li><a href='/{word}/'>{word}</a></li>" for word in ("home", "about", "archive"))
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title><style>p {{}}</style></head><body>"
        f"<ul class=menu>{menu}</ul><div class=post id=main><h1 class=post-title>{title}</h1>"
        f"<div class='entry post-body'>{paragraphs}</div></div><script>var x = 1</script>"
        "<div class=sidebar><p><a href='/x/'>Elsewhere</a></p></div><footer>2021</footer></body></html>"
    )


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Method:
    return method_named(request.param)


@pytest.fixture
def context() -> Context:
    """Everything that a method may use; most use little of it."""
    # wc-multi removes what two pages share, so the other posts have other topics.
    others = ("Bread wants time and little else.", "Nobody reads maps now.", "Our cat sleeps through every storm.")
    site = tuple(parse(page(text * 4, text), f"http://blog.example/{text[:3]}/") for text in others)
    return Context(rules=RULES, reference=site[0], site=site)


def state(tree: Tree) -> tuple[object, ...]:
    return list(tree.tag), list(tree.parent), list(tree.end), [dict(attrs) for attrs in tree.attrs], list(tree.text)


def response(method: Method, document: Document, context: Context) -> tuple[Post, ...]:
    found = method(document, context)
    assert isinstance(found, tuple)
    assert all(isinstance(post, Post) for post in found)
    return found


def test_ordinary_page_gives_its_text(method: Method, context: Context) -> None:
    (post,) = response(method, parse(page(), URL), context)
    assert ARTICLE in post.text
    assert ARTICLE in (post.html or "")
    assert ARTICLE in (post.markdown or "")
    assert "var x" not in post.text
    assert post.url == URL


def test_text_has_a_provenance(method: Method, context: Context) -> None:
    (post,) = response(method, parse(page(), URL), context)
    assert 0.0 <= post.provenance["text"].confidence <= 1.0
    assert post.provenance["text"].method


def test_document_and_context_are_not_changed(method: Method, context: Context) -> None:
    document = parse(page(), URL)
    before, around = state(document.tree), [state(other.tree) for other in context.site]
    response(method, document, context)
    assert state(document.tree) == before
    assert [state(other.tree) for other in context.site] == around


def test_same_page_gives_the_same_bytes(method: Method, context: Context) -> None:
    document = parse(page(), URL)
    first = [to_json(post) for post in response(method, document, context)]
    assert [to_json(post) for post in response(method, document, context)] == first
    assert [to_json(post) for post in response(method, parse(page(), URL), context)] == first


def test_records_survive_json(method: Method, context: Context) -> None:
    for post in response(method, parse(page(), URL), context):
        assert from_json(to_json(post), Post) == post


@pytest.mark.parametrize(
    "text",
    [
        "Прилив приходит дважды в день. ",
        "المد يأتي مرتين في اليوم ",
        "🌊 e\u0301 \u200f ﬁ ",
        "naïve — “tide” … ",
        "तीन ज्वार ",
    ],
)
def test_texts_of_all_scripts_come_through(text: str, method: Method, context: Context) -> None:
    (post,) = response(method, parse(page(text * 12).encode(), URL, "text/html; charset=utf-8"), context)
    assert " ".join(text.split()) in " ".join(post.text.split())


@pytest.mark.parametrize("name", [name for name in METHODS if name != "bte"])  # it counts words between spaces
def test_scripts_without_spaces_come_through(name: str, context: Context) -> None:
    text = "潮は一日に二度満ち、二度引く。港長はそれを書き留める。"
    (post,) = response(method_named(name), parse(page(text * 12), URL), context)
    assert text in post.text


@pytest.mark.parametrize(
    "body", [b"", b" \n ", b"<html></html>", b"<body></body>", b"<p></p>", b"<!-- nothing -->", b"<img src=x>"]
)
def test_page_without_text_gives_no_text(body: bytes, method: Method, context: Context) -> None:
    assert "".join(post.text for post in response(method, parse(body, URL), context)) == ""


NOISE = random.Random(20_260).randbytes(20_000)
HOSTILE = {
    "noise": NOISE,
    "picture": b"\x89PNG\r\n\x1a\n" + NOISE,
    "NULs": bytes(10_000),
    "half a tag": b"<div class='entry' <p " * 500,
    "base that cannot be read": b"<base href='http://[::1'><div class=entry><p>tide <a href=x>y</a></p></div>",
    "links that cannot be read": b"<div class=entry>tide <a href='http://[x'>y</a><img src='//[' srcset=', ,'></div>",
    "canonical that cannot be read": b"<link rel=canonical href='http://[x'><div class=entry><p>tide</p></div>",
    "dates beyond time": b"<div class=entry>tide</div><time datetime='99999-99-99T99:99'>9.9.999999999</time>",
    "half characters": "<div class=entry><p>tide \udcff &#xD800; \ufffe</p></div>".encode("utf-8", "surrogatepass"),
    "frames": b"<frameset><frame src=x></frameset><noframes><p>tide</noframes>",
    "names that are no names": b"<div id='' class='  '><div id='\" [' class='.. ]> a|b'>tide tide tide</div></div>",
    "everything in one form": b"<form><div class=entry><p>tide</p></div></form>",
    "text outside of all": b"tide</body></html>tide<p>tide",
    "all hidden": b"<body hidden><div class=entry><p>tide</p></div>",
    "plain text": b"tide " * 1000,
    "feed": b"<?xml version='1.0'?><rss><channel><item><title>t</title></item></channel></rss>",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("url", [URL, "", "page.html", "http://[::1"])
def test_hostile_page_ends_in_an_answer(body: bytes, url: str, method: Method, context: Context) -> None:
    for post in response(method, parse(body, url), context):
        assert from_json(to_json(post), Post) == post


@pytest.mark.parametrize("tag", ["div", "span", "blockquote", "b", "table><tr><td", "ul><li", "a href=x"])
def test_ten_thousand_levels_end_in_an_answer(tag: str, method: Method, context: Context) -> None:
    levels = 10_000 // (tag.count(">") + 1)
    response(method, parse(f"<div class=entry>{f'<{tag}>' * levels}tide", URL), context)


def test_deeper_than_the_limit_is_our_error() -> None:
    with pytest.raises(PosterityError):
        parse("<div>" * 100_000, URL)


@pytest.mark.parametrize(
    "unit", ["<p>tide and ebb</p>", "<div class='post entry'><h2>tide</h2></div>", "tide ", "<br>", "<i>x</i>", "<td>x"]
)
def test_large_page_ends_in_an_answer(unit: str, method: Method, context: Context) -> None:
    # benchmarks/ measures growth up to 50 MB; here quadratic time would be noticeable.
    response(method, parse(f"<body><div class=entry>{unit * 20_000}</div>", URL, limits=ParseLimits()), context)


def test_context_may_be_empty(method: Method) -> None:
    # A method that needs more says so.
    with contextlib.suppress(InputError):
        response(method, parse(page(), URL), Context())


def test_unknown_method_is_named_with_those_there_are() -> None:
    with pytest.raises(PosterityError, match="mcst"):
        method_named("magic")
