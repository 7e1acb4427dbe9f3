"""The parts of a heading."""

from __future__ import annotations

import posterity
from posterity.dom import parse
from posterity.extraction.hybrid.title import heading_parts
from posterity.text.normal_form import letters_and_digits


def parts(markup: str) -> list[str]:
    tree = parse(f"<h1>{markup}</h1>").tree
    node = tree.nodes_by_tag["h1"][0]
    return [part.value for part in heading_parts(tree, node, letters_and_digits(tree.plain(node)))]


def test_line_above_and_headline_are_two_parts() -> None:
    assert parts("<small>At sea</small> <span>A year of tides</span>") == ["At sea", "A year of tides"]


def test_wrapper_around_the_parts_is_looked_through() -> None:
    assert parts("<a href=/x><span>At sea</span><br>A year of tides</a>") == ["At sea", "A year of tides"]


def test_heading_of_one_piece_has_no_parts() -> None:
    assert parts("A year of tides") == parts("<a href=/x><b>A year of tides</b></a>") == []


def test_heading_in_many_pieces_is_one_text() -> None:
    assert parts("".join(f"<i>{word}</i> " for word in "one two three four five six seven".split())) == []


def test_part_that_the_head_gives_alone_is_the_title_without_the_tagline_beside_it() -> None:
    sentences = "".join(
        f"<p>On day {day} we sat on the wall and counted boats as they came in.</p>" for day in range(9)
    )
    body = f"<div class=page-header><h1>Boats of May <small>Supporting tagline</small></h1></div>{sentences}"
    post = posterity.extract(f"<html><head><title>Boats of May</title></head><body>{body}</body></html>")
    assert post is not None
    assert post.title == "Boats of May"
