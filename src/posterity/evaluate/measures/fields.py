"""Title, date and author: right, wrong or missing, so that precision, recall and F follow (BlogBuster, section 6).

A title is right when its letters and digits are, a date when the day is, an author when the set of names is.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from posterity.evaluate.measures.score import Score, right_or_wrong
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from posterity.evaluate.answer import Answer
    from posterity.evaluate.sample import Gold


def score_title(gold: Gold, answer: Answer) -> Score | None:
    """Return whether the title is right; None where the gold standard has none."""
    if not gold.title:
        return None
    return right_or_wrong(same_name(gold.title, answer.title), bool(answer.title))


def score_date(gold: Gold, answer: Answer) -> Score | None:
    """Return whether the day is right; None where the gold standard has none."""
    if not gold.date:
        return None
    return right_or_wrong(same_day(gold.date, answer.date, gold.date_tolerance_h), bool(answer.date))


def score_author(gold: Gold, answer: Answer) -> Score | None:
    """Return whether all names are right and none is missing; None where the gold standard names nobody."""
    if not gold.authors:
        return None
    wanted, given = set(map(letters_and_digits, gold.authors)), set(map(letters_and_digits, answer.authors))
    return right_or_wrong(wanted == given, bool(answer.authors))


def score_invented_author(gold: Gold, answer: Answer) -> Score | None:
    """Return 1.0 when an author is given for a page that has none: the lower the mean, the better."""
    return Score(value=float(bool(answer.authors))) if gold.authors == () else None


def same_name(wanted: str | None, given: str | None) -> bool:
    """Tell whether two titles or names are equal but for case, punctuation and spaces."""
    return bool(wanted and given) and letters_and_digits(wanted or "") == letters_and_digits(given or "")


def same_day(wanted: str | None, given: str | None, tolerance_h: int = 0) -> bool:
    """Tell whether two ISO times name the same day, each in its own zone, or lie within the tolerance."""
    left, right = moment(wanted), moment(given)
    if left is None or right is None:
        return False
    if left.date() == right.date():
        return True
    if not tolerance_h:
        return False
    return abs(_aware(left) - _aware(right)) <= timedelta(hours=tolerance_h)


def moment(text: str | None) -> datetime | None:
    """Return the time an ISO text names, or its day when the rest cannot be read, or None."""
    text = (text or "").strip().replace("Z", "+00:00")
    for part in (text, text[:10]):
        try:
            return datetime.fromisoformat(part)
        except ValueError:
            continue
    return None


def _aware(when: datetime) -> datetime:
    return when if when.tzinfo else when.replace(tzinfo=UTC)
