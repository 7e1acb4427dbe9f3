"""Blocks in similar elements are kept or removed together."""

import numpy as np

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import smooth_by_kind
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable


def after(body: str, likely: list[float]) -> list[float]:
    page = BlockPage(Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({})))
    numbers = np.array(likely, np.float32)
    smooth_by_kind(page, numbers)
    return [round(float(number), 2) for number in numbers]


def test_one_of_many_items_is_believed_less_when_the_others_are_not() -> None:
    body = "<p>Hello.</p><ul>" + "<li>Another post</li>" * 5 + "</ul>"
    paragraph, *_, odd = after(body, [0.6, 0.05, 0.05, 0.05, 0.05, 0.6])
    assert paragraph == 0.6
    assert odd < 0.45


def test_the_others_are_believed_a_little_more_for_it() -> None:
    _, first, *_ = after("<p>x</p><ul>" + "<li>An item</li>" * 4 + "</ul>", [0.5, 0.2, 0.9, 0.9, 0.9])
    assert first > 0.3


def test_three_of_a_kind_say_nothing_of_each_other() -> None:
    assert after("<p>One.</p><p>Two.</p><p>Three.</p>", [0.9, 0.9, 0.1]) == [0.9, 0.9, 0.1]


def test_elements_of_other_classes_are_of_another_kind() -> None:
    body = "<p class=a>x</p>" * 4 + "<p class=b>y</p>"
    assert after(body, [0.9, 0.9, 0.9, 0.9, 0.1])[-1] == 0.1
