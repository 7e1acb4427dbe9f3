"""URLs in a page."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.media import absolute, elements_of, image_source, links_of, media_source

BASE = "http://blog.example/2021/"


@pytest.mark.parametrize(
    ("address", "full"),
    [
        ("a.html", "http://blog.example/2021/a.html"),
        (" /b ", "http://blog.example/b"),
        ("//cdn.example/c", "http://cdn.example/c"),
        ("//2012/a.html", "http://blog.example/2012/a.html"),
        ("http:///2012/a.html", "http://blog.example/2012/a.html"),
        ("//localhost/a", "http://localhost/a"),
        ("#top", None),
        ("", None),
        (None, None),
        ("javascript:void(0)", None),
        ("JAVASCRIPT:x", None),
        ("mailto:a@b.example", None),
        ("tel:123", None),
        ("data:image/png;base64,x", None),
        ("ftp://x.example/", None),
        ("http://[::1", None),
    ],
)
def test_absolute_leads_somewhere_or_is_none(address: str | None, full: str | None) -> None:
    assert absolute(BASE, address) == full


@pytest.mark.parametrize(
    ("attrs", "source"),
    [
        ({"src": "a.jpg"}, "a.jpg"),
        ({"src": "blank.gif", "data-src": "a.jpg"}, "a.jpg"),
        ({"src": "data:image/gif;base64,R0", "data-lazy-src": "a.jpg"}, "a.jpg"),
        ({"src": "small.jpg", "data-original": "a.jpg"}, "a.jpg"),
        ({"src": "/img/placeholder-300.png", "data-srcset": "s.jpg 300w, a.jpg 1024w"}, "a.jpg"),
        ({"srcset": "a.jpg 2x, s.jpg 1x"}, "a.jpg"),
        ({"src": "a.jpg", "srcset": "b.jpg 2x"}, "a.jpg"),
        ({"src": "data:image/gif;base64,R0"}, None),
        ({"src": "DATA:image/gif;base64,R0"}, None),
        ({"src": "/img/Blank.GIF"}, None),
        ({"src": "/blank/a.gif"}, "/blank/a.gif"),
        ({"src": "/img/lazy.jpg"}, "/img/lazy.jpg"),
        ({"alt": "nothing"}, None),
        ({"src": None}, None),
    ],
)
def test_picture_is_found_behind_its_stand_in(attrs: dict[str, str | None], source: str | None) -> None:
    assert image_source(attrs) == source


def test_links_come_once_and_in_order() -> None:
    tree = parse("<a href=b>1</a><a href=/a>2</a><a href=b>3</a><a>4</a><a href='#x'>5</a>").tree
    assert links_of(tree, BASE) == ("http://blog.example/2021/b", "http://blog.example/a")


def test_links_below_skipped_nodes_are_left_out() -> None:
    tree = parse("<p><a href=a>1</a></p><div><a href=b>2</a></div>").tree
    assert links_of(tree, BASE, skip=frozenset(tree.nodes_by_tag["p"])) == ("http://blog.example/2021/b",)


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("<img src=data:x><noscript><img src=a.jpg></noscript>", "a.jpg"),
        ("<img class=lazy> \n <noscript><p><img src=data:y><img src=a.jpg></p></noscript>", "a.jpg"),
        ("<img src=own.jpg><noscript><img src=a.jpg></noscript>", "own.jpg"),
        ("<img src=data:x>words<noscript><img src=a.jpg></noscript>", None),
        ("<p><img src=data:x></p><noscript><img src=a.jpg></noscript>", None),
        ("<img src=data:x><noscript>no picture</noscript>", None),
        ("<img>", None),
    ],
)
def test_real_picture_is_found_in_the_noscript_behind(markup: str, source: str | None) -> None:
    tree = parse(f"<body>{markup}").tree
    assert media_source(tree, tree.nodes_by_tag["img"][0]) == source


def test_elements_in_order_without_those_that_are_skipped() -> None:
    tree = parse("<p><a>1</a></p><div><a>2</a></div><p><img><a>3</a></p>").tree
    tags = frozenset({"a", "img"})
    assert [tree.tag[node] for node in elements_of(tree, tags)] == ["a", "a", "img", "a"]
    (box,) = tree.nodes_by_tag["div"]
    assert [tree.plain(node) for node in elements_of(tree, tags, skip=frozenset({box}))] == ["1", "", "3"]
    inside = frozenset({box, *range(box + 1, tree.end[box])})
    assert [tree.plain(node) for node in elements_of(tree, tags, skip=inside)] == ["1", "", "3"]
    assert elements_of(tree, tags, box, frozenset({box})) == []
