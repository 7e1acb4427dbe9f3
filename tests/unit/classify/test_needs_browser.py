"""Pages that must be rendered in a browser."""

from __future__ import annotations

import pytest

from posterity.classify.needs_browser import adds_little_text, is_shell, lacks_listed_text
from posterity.dom import parse
from posterity.model import FeedEntry

SCRIPT = '<script src="/app.js"></script>'
ARTICLE = " ".join(f"word{number}" for number in range(60))


@pytest.mark.parametrize(
    "body",
    [
        f"<div id=app></div>{SCRIPT}",
        f"<div id=root>Loading, please wait…</div>{SCRIPT}",
        f"<noscript><p>You need JavaScript.</p><p>Really.</p></noscript><div id=app></div>{SCRIPT}",
        f"<div id=app></div><script>window.state = '<p>a</p><p>b</p><p>c</p>'</script>{SCRIPT}",
        f"<template><p>a</p><p>b</p></template><div id=app></div>{SCRIPT}",
    ],
)
def test_page_with_nothing_but_scripts_is_a_shell(body: str) -> None:
    assert is_shell(f"<html><head><title>Blog</title></head><body>{body}</body></html>".encode())


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Post</h1><p>Short.</p>{SCRIPT}",
        f"<p>{ARTICLE}</p>{SCRIPT}",
        "<div id=app></div>",
        f"<a href=/>Home</a><a href=/a>A</a><a href=/b>B</a><img src=photo.jpg>{SCRIPT}",
        "<script>location = 'https://blog.example/new/'</script>",
        f"<meta http-equiv='refresh' content='0;url=/new/'>{SCRIPT}",
    ],
)
def test_page_that_has_something_or_leads_elsewhere_is_none(body: str) -> None:
    assert not is_shell(f"<html><body>{body}</body></html>".encode())


def test_page_without_the_text_that_its_feed_promises_lacks_it() -> None:
    entry = FeedEntry(content=f"<p>{ARTICLE}</p>")
    menu = "<p>Home, about, archive, contact</p>" * 5
    assert lacks_listed_text(parse(f"<body>{menu}{SCRIPT}</body>"), entry)
    assert not lacks_listed_text(parse(f"<body>{menu}<p>{ARTICLE}</p>{SCRIPT}</body>"), entry)


def test_page_without_scripts_cannot_be_helped() -> None:
    assert not lacks_listed_text(parse("<body><p>Other words.</p></body>"), FeedEntry(content=f"<p>{ARTICLE}</p>"))


def test_short_promise_is_no_measure() -> None:
    page = parse(f"<body><p>Other words.</p>{SCRIPT}</body>")
    assert not lacks_listed_text(page, FeedEntry(summary="A few words."))


def test_drawn_page_with_the_words_of_the_servers_says_no_more() -> None:
    page = f"<body><p>{ARTICLE}</p></body>"
    assert adds_little_text(parse(page), page.encode())
    assert not adds_little_text(parse(page), f"<body><div id=app></div>{SCRIPT}</body>".encode())
