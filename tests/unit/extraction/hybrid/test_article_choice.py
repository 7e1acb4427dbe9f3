"""Choosing blocks by their probabilities."""

import numpy as np
import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.blocks import Blocks, NameTable
from posterity.extraction.hybrid.model import chosen_blocks, drop_repeated


def choice(likely: list[float], chars: list[float]) -> tuple[list[bool], float]:
    chosen, expected = chosen_blocks(np.array(likely, np.float32), np.array(chars, np.float32))
    return chosen.tolist(), expected


def test_sure_blocks_are_taken_and_the_others_left() -> None:
    assert choice([1.0, 0.0, 1.0], [10, 500, 10]) == ([True, False, True], 1.0)


def test_where_nothing_is_sure_the_likeliest_is_taken() -> None:
    chosen, expected = choice([0.3, 0.02], [40, 400])
    assert chosen == [True, False]
    assert expected < 0.6


def test_no_other_choice_promises_more() -> None:
    likely, chars = [0.9, 0.6, 0.4, 0.2], [100.0, 30.0, 80.0, 60.0]
    _, expected = choice(likely, chars)
    total = sum(p * c for p, c in zip(likely, chars, strict=True))
    others = [
        2 * sum(likely[i] * chars[i] for i in range(4) if bits >> i & 1)
        / (sum(chars[i] for i in range(4) if bits >> i & 1) + total)
        for bits in range(1, 16)
    ]  # fmt: skip
    assert expected == pytest.approx(max(others), abs=1e-5)


def kept(body: str) -> list[bool]:
    blocks = Blocks(parse(f"<html><body>{body}</body></html>").tree, NameTable({}))
    chosen = np.ones(len(blocks), bool)
    drop_repeated(chosen, blocks)
    return chosen.tolist()


LONG = "The tide came in early that morning, and late at night."


def test_long_texts_are_taken_once_and_short_ones_may_come_again() -> None:
    wide, narrow = (f"<div class={name}><p>{LONG}</p><p>Yes.</p></div>" for name in ("wide", "narrow"))
    assert kept(wide + narrow) == [True, True, False, True]


def test_a_line_that_comes_again_beside_itself_is_the_authors() -> None:
    assert kept(f"<ul><li>{LONG}</li><li>And then:</li><li>{LONG}</li></ul>") == [True, True, True]


def test_the_same_code_may_stand_in_two_places() -> None:
    code = f"<div><pre>{LONG}</pre></div>"
    assert kept(code + code) == [True, True]
