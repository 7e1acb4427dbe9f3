"""Feeds made from the data that a page fetched."""

from __future__ import annotations

import json

from posterity.dom import parse
from posterity.render.page_feed import page_feed

HOME = "https://blog.example/"
LINKS = "".join(f'<h2><a href="#!/post/{number}">Title {number}</a></h2>' for number in range(4))


def feed_of(data: object, body: str = LINKS) -> dict[str, tuple[str | None, str | None]]:
    page = parse(f"<html><head><title>Blog</title></head><body>{body}</body></html>", HOME)
    feed = page_feed([("https://blog.example/data.json", json.dumps(data).encode())], page)
    return {entry.link or "": (entry.title, entry.content) for entry in feed.entries} if feed else {}


def test_gdata_entries_get_their_addresses_from_the_links_with_their_titles() -> None:
    entries = [
        {"id": n, "title": {"$t": f"Title {n}"}, "content": {"type": "html", "$t": f"<p>{n}</p>"}} for n in range(3)
    ]
    assert feed_of({"feed": {"entry": entries}}) == {
        f"https://blog.example/#!/post/{number}": (f"Title {number}", f"<p>{number}</p>") for number in range(3)
    }


def test_entries_that_say_their_address_need_no_link() -> None:
    posts = [{"title": {"rendered": f"T{n}"}, "content": {"rendered": "<p>x</p>"}, "link": f"/{n}/"} for n in range(2)]
    assert feed_of(posts, "<p>Nothing.</p>") == {
        "https://blog.example/0/": ("T0", "<p>x</p>"),
        "https://blog.example/1/": ("T1", "<p>x</p>"),
    }


def test_author_date_and_count_of_comments_are_read() -> None:
    entries = [
        {
            "title": {"$t": f"Title {n}"},
            "content": {"$t": "<p>x</p>"},
            "published": {"$t": "2024-03-01T08:30:00+00:00"},
            "author": [{"name": {"$t": "Amara Osei"}}],
            "thr$total": {"$t": "14"},
        }
        for n in range(2)
    ]
    page = parse(f"<body>{LINKS}</body>", HOME)
    feed = page_feed([("https://blog.example/0.json", json.dumps({"feed": {"entry": entries}}).encode())], page)
    assert feed is not None
    entry = feed.entries[0]
    assert (entry.authors, entry.comment_count) == (("Amara Osei",), 14)
    assert entry.published is not None
    assert entry.published.isoformat() == "2024-03-01T08:30:00+00:00"


def test_data_about_something_else_are_no_feed() -> None:
    assert feed_of({"user": {"name": "Ann"}, "items": [1, 2, 3], "menu": [{"name": "Home", "url": "/"}]}) == {}
    page = parse("<body></body>", HOME)
    assert page_feed([("https://blog.example/x", b"not json"), ("https://blog.example/y", b"\xff")], page) is None
