"""How many posts there probably are."""

from __future__ import annotations

import pytest

from posterity.discover.completeness import estimated_posts


def test_estimate_is_chapmans() -> None:
    estimate = estimated_posts(listed=50, linked=60, both=30)
    assert estimate is not None
    assert estimate.posts == round(51 * 61 / 31 - 1)


@pytest.mark.parametrize(("listed", "linked", "both"), [(10, 100, 10), (100, 40, 40), (7, 7, 7)])
def test_list_that_has_all_of_the_other_leaves_nothing_unknown(listed: int, linked: int, both: int) -> None:
    estimate = estimated_posts(listed, linked, both)
    assert estimate is not None
    assert estimate.low == estimate.posts == estimate.high == max(listed, linked)


def test_interval_holds_the_estimate_and_never_falls_below_what_is_known() -> None:
    estimate = estimated_posts(listed=10, linked=91, both=9)
    assert estimate is not None
    assert 92 <= estimate.low <= estimate.posts <= estimate.high


def test_fewer_posts_in_common_make_the_interval_wider() -> None:
    near, far = estimated_posts(50, 50, 45), estimated_posts(50, 50, 10)
    assert near is not None
    assert far is not None
    assert far.high - far.low > near.high - near.low


@pytest.mark.parametrize(("listed", "linked"), [(0, 5), (5, 0), (0, 0)])
def test_one_list_alone_says_nothing(listed: int, linked: int) -> None:
    assert estimated_posts(listed, linked, 0) is None
