"""A blog's order of day and month, from its pages."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.extraction.blog_fields import common_day_order


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (["02/03/2021", "25/03/2021"], "dmy"),
        (["Posted on 3/25/2021 by Ada", "3/2/2021"], "mdy"),
        (["02/03/2021", "04/05/2021"], None),
        (["25/03/2021", "03/25/2021"], None),
        (["12 March 2021", "2021-03-25"], None),
        (["It was in the papers of 25/03/2021, " + "which nobody at the shore has read since then. " * 2], None),
    ],
)
def test_dates_that_leave_no_choice_tell_the_order_if_they_agree(lines: list[str], order: str | None) -> None:
    pages = [parse(f"<html lang=en><p>{line}</p><p>Tides.</p>") for line in lines]
    assert common_day_order(pages) == order
