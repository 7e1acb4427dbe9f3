"""Whether a blog writes the day or the month first, told by its own dates that leave no choice: 25/03/2021.

A feed's dates tell it better (`text/dates/day_order.py`); this is for blogs whose feed has none, or that have no feed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from posterity.extract.hybrid.date_settled import tells_order
from posterity.extract.hybrid.page_dates import dates_in, may_date

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom import Document
    from posterity.text.dates import DayOrder

_MAX_LINE = 100  # characters; a longer text may tell of somebody else's papers
_AGREEMENT = 0.9


def order_told(pages: Iterable[Document]) -> DayOrder | None:
    """Return the order of day and month on these pages of a blog, None when they do not tell or do not agree."""
    votes = Counter(order for page in pages for order in _orders_on(page))
    if not votes:
        return None
    (order, count), *_ = votes.most_common(1)
    return order if count >= _AGREEMENT * votes.total() else None


def _orders_on(page: Document) -> set[DayOrder]:
    tree = page.tree
    lines = {text for node in tree.runs if len(text := tree.text[node].strip()) <= _MAX_LINE and may_date(text)}
    found = (date for line in lines for date in dates_in(line, page.language or ""))
    return {"dmy" if date.order == "dmy" else "mdy" for date in found if tells_order(date)}
