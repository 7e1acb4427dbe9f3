"""Blocks not below the page's title get lower odds if little text is expected."""

import numpy as np

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import lower_outside_titled_part
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable

ABOUT = "<div><p>I live by the sea and write about boats.</p></div>"
POST = "<div><h2>Counting boats</h2><p>There were seven today.</p></div>"


def after(body: str, likely: list[float], title: str = "Counting boats - Notes") -> list[float]:
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    numbers = np.array(likely, np.float32)
    lower_outside_titled_part(page, numbers, [title])
    return [round(float(number), 2) for number in numbers]


def test_a_line_below_the_title_beats_a_likelier_line_about_the_blog() -> None:
    about, _, post = after(ABOUT + POST, [0.7, 0.1, 0.5])
    assert post == 0.5
    assert about < post


def test_without_a_heading_that_says_the_title_nothing_changes() -> None:
    assert after(ABOUT + POST, [0.7, 0.1, 0.5], "Something else") == [0.7, 0.1, 0.5]


def test_a_heading_that_says_little_of_the_title_is_the_name_of_the_site() -> None:
    title = "Boats: how many there were in the harbour, and what they carried"
    assert after(f"{ABOUT}<div><h1>Boats</h1><p>Yes, boats.</p></div>", [0.7, 0.1, 0.5], title) == [0.7, 0.1, 0.5]


def test_a_title_in_a_part_of_its_own_speaks_for_what_comes_next() -> None:
    heading = "<div><header><h1>Counting boats</h1></header><p>There were seven today.</p></div>"
    about, _, post = after(ABOUT + heading, [0.7, 0.1, 0.5])
    assert (about < 0.5, post) == (True, 0.5)


def test_a_likely_byline_in_a_header_does_not_speak_against_what_comes_next() -> None:
    heading = "<div><header><h1>Counting boats</h1><p>3 May, Anna Ferry</p></header><p>Seven today.</p></div>"
    about, _, _, post = after(ABOUT + heading, [0.7, 0.1, 0.4, 0.5])
    assert (about < 0.5, post) == (True, 0.5)


def test_a_long_article_needs_no_such_witness() -> None:
    lead = f"<div><p>{'A lead above the title. ' * 20}</p></div>"
    body = f"{lead}<div><h1>Counting boats</h1><p>{'There were seven today. ' * 40}</p></div>"
    assert after(body, [0.9, 0.1, 0.95]) == [0.9, 0.1, 0.95]


def test_what_stands_above_a_heading_that_is_the_whole_title_is_not_the_post() -> None:
    about, _, post = after(ABOUT + POST, [0.95, 0.1, 0.5], "Counting boats")
    assert about < 0.2 < post


def test_the_whole_title_is_believed_before_the_name_of_the_site() -> None:
    name = "<h1>A long name of a blog</h1>"
    page = BlockPage(Blocks(parse(f"<html><body>{name}{ABOUT}{POST}</body></html>").tree, NameTable({})))
    likely = np.array([0.1, 0.9, 0.1, 0.5], np.float32)
    lower_outside_titled_part(page, likely, ["Counting boats - A long name of a blog", "Counting boats"])
    assert likely[1] < likely[3]
